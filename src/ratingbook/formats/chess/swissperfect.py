"""SwissPerfect: three files of one name, .ini, .trn (players) and .sco (results), or their zip.

A player's id is his local number, or else his number in the file.  The program keeps no
dates.  Scores are in half points; a result of another type than 1 was not played.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.tools.characters import one_line
from ratingbook.formats.tools.dates import days_of
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import decode
from ratingbook.model import (
    Entry,
    Event,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
    Standing,
)
from ratingbook.model.sentences import sentence

DAMAGED = Remark(
    "swissperfect.damaged",
    Severity.FATAL,
    "A file of the event is missing or damaged",
    "Send the .ini, .trn and .sco of the event together, in a folder or a zip archive.",
)
NO_DATES = Remark(
    "event.no-dates",
    Severity.WARNING,
    "The program keeps no dates",
    "Convert the event to a report document, and add the first and the last day.",
)
OPPONENT = Remark(
    "game.opponent",
    Severity.ERROR,
    "A game names a player whom the file does not have",
    "Correct the player in the program, and save the event again.",
    each=True,
)
SELF = Remark(
    "game.self",
    Severity.ERROR,
    "A player meets himself",
    "Correct the pairing in the program, and save the event again.",
    each=True,
)
TWICE = Remark(
    "game.twice",
    Severity.ERROR,
    "A player has two games in one round; the second was left out",
    "Take out the wrong one.",
    each=True,
)
RESULT = Remark(
    "game.result",
    Severity.ERROR,
    "The scores of a game are not 1-0, ½-½ or 0-1",
    "Correct the result in the program, and save the event again.",
    each=True,
)
DUPLICATE = Remark(
    "player.duplicate",
    Severity.ERROR,
    "Two players have the same number",
    "Give every player the number that is his own.",
    each=True,
)
LOCAL = Remark(
    "swissperfect.local",
    Severity.INFO,
    "The local ratings were taken, where there are any; international ones are FIDE's",
    "Nothing to do, if the edition is that of the local federation; FIDE's takes FIDE's list.",
)
ENCODING = Remark(
    "text.encoding",
    Severity.INFO,
    "Names are not UTF-8; by their letters they were read in the encoding named here",
    "Look at the names; save the event with names in plain letters if they are wrong.",
)

_HEAD = struct.Struct("<B3xIHH")
_COLUMN = struct.Struct("<11scIB15x")
_VERSIONS = (0x03, 0x83)
_END_OF_COLUMNS = 0x0D
_MOST_BYTES = 8 * 1024**2
_MOST_MEMBERS = 50
_MOST_ROUND = 1000
_SUFFIXES = (".ini", ".trn", ".sco")
_PLAYED = 1
_RESULTS = {(2, 0): Result.WHITE_WINS, (1, 1): Result.DRAW, (0, 2): Result.BLACK_WINS}
_BYES = {2: Result.WHITE_WINS, 1: Result.DRAW}
_TITLES = ("GM", "WGM", "IM", "WIM", "FM", "WFM")
_NEEDED = {
    ".trn": ("ID", "SURNAME", "FIRSTNAME"),
    ".sco": ("ROUND", "WHITE", "BLACK", "W_SCORE", "B_SCORE", "W_TYPE", "B_TYPE"),
}
_ZIP = b"PK\x03\x04"


class _Damaged(Exception):
    """One of the files cannot be read."""


class _Files(NamedTuple):
    ini: bytes
    players: list[dict[str, str]]
    results: list[dict[str, str]]
    encoding: str


def looks_like_swissperfect(path: Path) -> bool:
    """Whether a path is one of the three files, or a folder with nothing but such files of one."""
    try:
        if path.is_dir():
            return len(list(_stems(path.iterdir()))) == 1
        known = path.suffix.lower() in _SUFFIXES and path.is_file()
        return known and path.stem in set(_stems(path.parent.iterdir()))
    except (OSError, ValueError):
        return False


def read_swissperfect(path: Path) -> tuple[Report | None, Findings]:
    """Read the report; None where the findings say why it cannot be read."""
    folder = path if path.is_dir() else path.parent
    try:
        inside = list(folder.iterdir())
        stem = next(_stems(inside)) if path.is_dir() else path.stem
        files = {
            each.suffix.lower(): each.read_bytes()
            for each in inside
            if each.stem == stem
            and each.suffix.lower() in _SUFFIXES
            and each.stat().st_size <= _MOST_BYTES
        }
    except (OSError, StopIteration) as error:
        return _refused(getattr(error, "strerror", None) or sentence("the folder cannot be read"))
    return _answer(files)


def looks_like_zipped(data: bytes) -> bool:
    """Whether the bytes are an archive of the files of one event."""
    if not data.startswith(_ZIP):
        return False
    names = data[-65536:].lower()
    return b".trn" in names and b".sco" in names


def read_zipped(data: bytes) -> tuple[Report | None, Findings]:
    """Read the report in an archive; None where the findings say why it cannot be read."""
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            if len(members) > _MOST_MEMBERS:
                return _refused(sentence("the archive has too many members"))
            for info in members:
                suffix = Path(info.filename).suffix.lower()
                if suffix not in _SUFFIXES or "__MACOSX" in info.filename:
                    continue
                if suffix in files:
                    return _refused(
                        sentence("the archive has several files {suffix}", suffix=suffix)
                    )
                with archive.open(info) as member:
                    files[suffix] = member.read(_MOST_BYTES)
    # A damaged archive makes the library raise nearly anything.
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError,
            NotImplementedError, struct.error) as error:  # fmt: skip
        return _refused(sentence("the archive is damaged ({error})", error=type(error).__name__))
    return _answer(files)


def _stems(paths: Iterable[Path]) -> Iterator[str]:
    """The names under which there are players and results."""
    found: dict[str, set[str]] = {}
    for path in paths:
        found.setdefault(path.stem, set()).add(path.suffix.lower())
    yield from (stem for stem, suffixes in sorted(found.items()) if {".trn", ".sco"} <= suffixes)


def _refused(reason: str) -> tuple[None, Findings]:
    notes = Notes()
    notes.add(DAMAGED, reason, Place())
    return None, notes.findings()


def _answer(files: Mapping[str, bytes]) -> tuple[Report | None, Findings]:
    notes = Notes()
    try:
        encoding = _encoding(files.get(".trn", b""), notes)
        read = _Files(
            files.get(".ini", b""),
            _records(files, ".trn", encoding),
            _records(files, ".sco", encoding),
            encoding,
        )
    except _Damaged as error:
        return _refused(error.args[0])
    report = _report(read, notes)
    return report, notes.findings()


def _encoding(data: bytes, notes: Notes) -> str:
    """The encoding of the names."""
    start = int.from_bytes(data[8:10], "little")
    body = bytes(byte if byte >= 0x20 else 0x20 for byte in data[start:])
    if body.isascii():
        return "ascii"
    decoded = decode(body or b" ", legacy="iso-8859-1")
    encoding = "cp1252" if decoded.encoding in ("", "iso-8859-1") else decoded.encoding
    notes.add(ENCODING, encoding, Place())
    return encoding


def _records(files: Mapping[str, bytes], suffix: str, encoding: str) -> list[dict[str, str]]:
    """The records of a dBase III file as texts without blanks around them."""
    data = files.get(suffix)
    if data is None:
        raise _Damaged(sentence("there is no {suffix}", suffix=suffix))
    if len(data) < _HEAD.size or data[0] not in _VERSIONS:
        raise _Damaged(sentence("the {suffix} is no file of dBase III", suffix=suffix))
    _, count, start, width = _HEAD.unpack_from(data)
    columns: list[tuple[str, int, int]] = []
    at, offset = 32, 1
    while at + _COLUMN.size <= min(start, len(data)) and data[at] != _END_OF_COLUMNS:
        name, _, _, length = _COLUMN.unpack_from(data, at)
        label = name.partition(b"\0")[0].decode("latin-1").upper()
        columns.append((label, offset, offset + length))
        offset += length
        at += _COLUMN.size
    missing = sorted(set(_NEEDED[suffix]) - {name for name, _, _ in columns})
    if missing:
        raise _Damaged(
            sentence(
                "the {suffix} has no column {missing}", suffix=suffix, missing=", ".join(missing)
            )
        )
    if offset != width or start + count * width > len(data):
        raise _Damaged(sentence("the {suffix} is cut off, or its head is not right", suffix=suffix))
    found = []
    for index in range(count):
        record = data[start + index * width : start + (index + 1) * width]
        if record[:1] != b"*":
            found.append({
                name: one_line(record[first:last].partition(b"\0")[0].decode(encoding, "replace"))
                for name, first, last in columns
            })  # fmt: skip
    return found


def _report(files: _Files, notes: Notes) -> Report:
    players = _players(files.players, notes)
    games = _games(files.results, {n: entry.id for n, entry in players.items()}, notes)
    info = _ini(files.ini)
    notes.add(NO_DATES, sentence("the first and the last day are missing"), Place())
    officials = (info.get("arbiter", ""), info.get("organiser", ""))
    event = Event(
        name=info.get("name") or None,
        rounds=max((game.round or 0 for game in games), default=0) or None,
        officials=tuple(filter(None, officials[:1])),
    )
    return Report(event, tuple(players.values()), tuple(games))


def _ini(data: bytes) -> dict[str, str]:
    """What the section on the tournament says, by its keys in small letters."""
    found: dict[str, str] = {}
    inside = False
    for line in decode(data or b" ").lines:
        text = line.text.strip()
        if text.startswith("["):
            inside = text.casefold() == "[tournament info]"
        elif inside and "=" in text:
            key, _, value = text.partition("=")
            found[key.strip().casefold()] = one_line(value)
    return found


def _players(records: list[dict[str, str]], notes: Notes) -> dict[int, Entry]:
    found: dict[int, Entry] = {}
    ids: dict[str, str] = {}
    for record in records:
        number = _number(record["ID"])
        if number is None:
            continue
        name = ", ".join(filter(None, (record["SURNAME"], record["FIRSTNAME"])))
        local, fide = _id(record, "LOC_ID"), _id(record, "INTL_ID")
        id_ = local or f"n{number}"
        label = f"{number} {name}"
        place = Place(player=id_)
        if number in found or id_ in ids:
            notes.add(
                DUPLICATE,
                sentence("{one} and {other}", one=ids.get(id_, found.get(number, "")), other=label),
                place,
            )
            continue
        ids[id_] = label
        found[number] = _entry(record, id_, name, fide, place, notes)
    return found


def _entry(
    record: Mapping[str, str], id_: str, name: str, fide: str, place: Place, notes: Notes
) -> Entry:
    local, abroad = _number(record.get("LOC_RTG", "")), _number(record.get("INTL_RTG", ""))
    if local:
        notes.add(LOCAL, f"{name}: {local}", place)
    federation = record.get("FEDER", "").upper()
    title = _number(record.get("TITLE", "")) or 0
    born = days_of(_dashed(record.get("BIRTH_DATE", "")))
    sexes = {"1": "m", "2": "w"}
    return Entry(
        id=id_,
        name=name,
        federation=federation if federation in FEDERATIONS else None,
        title=_TITLES[title - 1] if 0 < title <= len(_TITLES) else None,
        sex=sexes.get(record.get("SEX", "")),
        birth_date=next(iter(born.values()), None),
        club=record.get("CLUB") or None,
        ids={"fide": fide} if fide else {},
        standing=Standing(rating=local) if local else None,
        foreign={"fide": abroad} if abroad else {},
        place=place,
    )


def _dashed(text: str) -> str:
    return f"{text[:4]}-{text[4:6]}-{text[6:]}" if len(text) == 8 and text.isdigit() else ""


def _id(record: Mapping[str, str], column: str) -> str:
    """A number of a register; nothing for zeros and for what is none."""
    text = record.get(column, "").lstrip("0")
    return text if text.isascii() and text.isdigit() else ""


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _games(records: list[dict[str, str]], ids: Mapping[int, str], notes: Notes) -> list[Game]:
    games = []
    seen: set[tuple[int, str]] = set()
    for record in records:
        number = _number(record["ROUND"])
        sides = (_number(record["WHITE"]) or 0, _number(record["BLACK"]) or 0)
        if number is None or not 1 <= number <= _MOST_ROUND or not any(sides):
            continue
        place = Place(round=number)
        what = sentence(
            "{white} against {black} in round {number}",
            white=sides[0],
            black=sides[1],
            number=number,
        )
        if any(side and side not in ids for side in sides):
            notes.add(OPPONENT, what, place)
            continue
        players = [ids[side] for side in sides if side]
        if len(set(players)) < len(players):
            notes.add(SELF, what, place)
            continue
        if any((number, player) in seen for player in players):
            notes.add(TWICE, what, place)
            continue
        game = _game(record, players, sides[0] == 0, number, what, notes)
        if game is not None:
            seen.update((number, player) for player in players)
            games.append(game)
    return games


def _game(
    record: Mapping[str, str],
    players: list[str],
    black_alone: bool,
    number: int,
    what: str,
    notes: Notes,
) -> Game | None:
    scores = (_number(record["W_SCORE"]) or 0, _number(record["B_SCORE"]) or 0)
    types = (_number(record["W_TYPE"]), _number(record["B_TYPE"]))
    place = Place(round=number)
    if len(players) == 1:
        points = _BYES.get(scores[1] if black_alone else scores[0])
        return None if points is None else Game(
            players[0], None, points, GameStatus.BYE, number, white_rated=False,
            black_rated=False, place=place,
        )  # fmt: skip
    result = _RESULTS.get(scores)
    if result is None:
        open_ = scores == (0, 0)
        if not open_ or types == (_PLAYED, _PLAYED):
            notes.add(
                RESULT,
                sentence(
                    "{what}: {scores:g} and {other:g}",
                    what=what,
                    scores=scores[0] / 2,
                    other=scores[1] / 2,
                ),
                place,
            )
        result = Result.NONE
    played = types == (_PLAYED, _PLAYED)
    return Game(
        white=players[0],
        black=players[1],
        result=result,
        status=GameStatus.PLAYED if played else GameStatus.FORFEIT,
        round=number,
        white_rated=played,
        black_rated=played,
        place=place,
    )
