"""Files of games as columns: PGN, and the games of lichess and chess.com as JSON, line by line.

They are read piece by piece, so that years of games need no more memory than a day's.
Moves are passed over.  Players are called by their names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from ratingbook.formats.pgn.tags import status_of
from ratingbook.formats.tools.encodings import Guess, guessed, label, named
from ratingbook.model import Findings, Place
from ratingbook.model.patterns import pattern
from ratingbook.rules.pool_words import speed_named
from ratingbook.rules.time_control import control_of_seconds, is_by_days, minutes_text
from ratingbook.rules.time_words import parsed_time_control

_ONLINE_COLUMNS = ("date", "white", "black", "score", "rated", "status", "time_control")
_COLUMNS = (*_ONLINE_COLUMNS, "event", "round")
_Game = Mapping[str, str | None]
_PIECE = 1 << 22
HEAD = 512
"""Bytes by which a file is known."""
_LONGEST_GAME = 1 << 25
"""Bytes; more without a further game is no file of games."""
_ROWS = 1 << 16
_MOST_VALUES = 5_000
"""Values of tags by which the encoding is told."""
_LONGEST_TAG = 1 << 16
_TAG = pattern(
    rb"^\[(Event|EventType|Date|UTCDate|Round|White|Black|Result|Termination|Variant|FEN"
    rb"|TimeControl)"
    rb'[ \t]+"((?:[^"\\\r\n]|\\.)*)"[ \t]*\]',
    re.MULTILINE,
)
_BEGINS = pattern(rb"\[[A-Za-z_]+[ \t]+\"")
_DATE = pattern(r"([12][0-9]{3})[.\-/]([01][0-9])[.\-/]([0-3][0-9])")
_ROUND = pattern(r"[0-9]{1,4}")
_SCORES = {"1-0": "1", "0-1": "0", "1/2-1/2": "0.5"}
_CHESS = frozenset({"", "standard", "chess", "from position", "fromposition", "normal"})
_ONLINE_SITE = pattern(
    rb'\[(?:Site|Link)[ \t]+"(?:https?://)?(?:www\.)?(?:lichess\.org/[a-z0-9]{8}"|chess\.com)',
    re.IGNORECASE,
)
"""Of games that are played there; broadcasts and studies have longer addresses."""
_JSON_SITE = pattern(
    rb'"(?:createdAt|lastMoveAt|time_class|end_time)"\s*:|"url"\s*:\s*"https://www\.chess\.com/game'
)
_BY_MAIL = frozenset({"correspondence", "daily"})
_NOT_PLAYED = frozenset({"aborted", "noStart", "created", "started", "unknownFinish"})
_DRAWS = frozenset({
    "agreed", "repetition", "stalemate", "insufficient", "50move", "timevsinsufficient",
})  # fmt: skip


class NoGames(ValueError):
    """A file is not what it begins as."""


def columns_of(head: bytes) -> tuple[str, ...] | None:
    """The columns of a file of games that begins so; None where it is none.

    Games of a site for playing are rated day by day, and not by the pools that it calls events.
    """
    if is_json_games(head):
        return _ONLINE_COLUMNS
    if not is_pgn(head):
        return None
    return _ONLINE_COLUMNS if is_of_site(head) else _COLUMNS


def is_of_site(head: bytes) -> bool:
    """Whether a file begins as the games of a site for playing do, which are nobody's report."""
    if is_json_games(head):
        return _JSON_SITE.search(head) is not None
    return is_pgn(head) and _ONLINE_SITE.search(head) is not None


def is_pgn(head: bytes) -> bool:
    """Whether a file begins with a tag of PGN."""
    return _BEGINS.match(head.removeprefix(b"\xef\xbb\xbf").lstrip()) is not None


def is_json_games(head: bytes) -> bool:
    """Whether a file begins with an object of JSON."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def encoding_of_pgn(path: Path, findings: Findings) -> str:
    """In which encoding the tags of a PGN file are that are not UTF-8; a guess is a finding."""
    told = named()
    guess = None if told else _guess(path)
    if guess is None:
        return told or "utf-8"
    read_as = guess.with_example(label(guess.encoding))
    said = f"Names are not UTF-8; by their letters they are read as {read_as}"
    findings.extend([guess.finding("history.encoding", said, Place(file=str(path)))])
    return guess.encoding


def _guess(path: Path) -> Guess | None:
    """The encoding of the tags that are not UTF-8; None where there are none."""
    values: dict[bytes, None] = {}
    rest = b""
    with path.open("rb") as file:
        while (piece := file.read(_PIECE)) and len(values) < _MOST_VALUES:
            data = rest + piece
            # A line that may go on stays for the next piece.
            end = data.rfind(b"\n") + 1
            data, rest = data[:end], data[end:][-_LONGEST_TAG:]
            if not _is_utf_8(data):
                values.update(_values_in_doubt(data))
    if not _is_utf_8(rest):
        values.update(_values_in_doubt(rest))
    return guessed(b"\n".join(values)) if values else None


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _values_in_doubt(data: bytes) -> Iterator[tuple[bytes, None]]:
    for match in _TAG.finditer(data):
        if not match[2].isascii() and not _is_utf_8(match[2]):
            yield match[2], None


def read_pgn(
    path: Path, wanted: Sequence[str], encoding: str = "utf-8"
) -> Iterator[pa.RecordBatch]:
    """The games of a PGN file, whose texts are in ``encoding`` where they are not UTF-8."""
    with path.open("rb") as file:
        online = _ONLINE_SITE.search(file.read(HEAD)) is not None
        file.seek(0)
        yield from _batches(_pgn_games(file, encoding, online), wanted)


def read_json(path: Path, wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The games of a file with one object in each line, or with the games of a month."""
    with path.open("rb") as file:
        yield from _batches(_json_games(file, named() or "utf-8"), wanted)


def _batches(games: Iterable[_Game], wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
    columns: dict[str, list[str | None]] = {name: [] for name in wanted}
    count = 0
    for game in games:
        for name, values in columns.items():
            values.append(game.get(name))
        count += 1
        if count == _ROWS:
            yield _batch(columns)
            columns = {name: [] for name in wanted}
            count = 0
    if count and columns:
        yield _batch(columns)


def _batch(columns: Mapping[str, list[str | None]]) -> pa.RecordBatch:
    arrays = [pa.array(values, pa.string()) for values in columns.values()]
    return pa.RecordBatch.from_arrays(arrays, names=list(columns))


# PGN


def _pgn_games(file: BinaryIO, encoding: str, online: bool) -> Iterator[_Game]:
    text = _text_of(encoding)
    tags: dict[bytes, bytes] = {}
    rest = file.read(3).removeprefix(b"\xef\xbb\xbf")
    while True:
        piece = file.read(_PIECE)
        data = rest + piece
        end = data.rfind(b"\n[") + 1 if piece else len(data)
        if not end and piece:
            if len(data) > _LONGEST_GAME:
                raise NoGames("No tag follows for many megabytes")
            rest = data
            continue
        # A tag that may go on stays for the next piece.
        for name, value in _TAG.findall(data, 0, end):
            if name in tags:
                yield _pgn_game(tags, text, online)
                tags = {}
            tags[name] = value
        rest = data[end:]
        if not piece:
            break
    if tags:
        yield _pgn_game(tags, text, online)


def _text_of(encoding: str) -> Callable[[bytes], str]:
    """What the value of a tag says."""
    told = named()

    def text(value: bytes) -> str:
        if b"\\" in value:
            value = value.replace(b'\\"', b'"').replace(b"\\\\", b"\\")
        if told:
            return value.decode(told, errors="replace").strip()
        try:
            return value.decode().strip()
        except UnicodeDecodeError:
            return value.decode(encoding, errors="replace").strip()

    return lru_cache(1 << 14)(text)


def _pgn_game(tags: Mapping[bytes, bytes], text: Callable[[bytes], str], online: bool) -> _Game:
    said = tags.get
    day = _day(text(said(b"UTCDate", b""))) or _day(text(said(b"Date", b"")))
    number = _ROUND.match(text(said(b"Round", b"")))
    event, told = text(said(b"Event", b"")) or "?", text(said(b"TimeControl", b""))
    rated = text(said(b"Variant", b"")).casefold() in _CHESS
    if online:
        rated = rated and not _is_by_mail(told) and not event.startswith("Casual")
        control = _control(told)
    else:
        of_event = _speed(event)
        control = _speed(text(said(b"EventType", b""))) or of_event or _control(told)
        if control and control != of_event:
            # Blitz games that decide a tie have the name of the event.
            event = f"{event}, {control}"
    return {
        "date": day,
        "white": _person(text(said(b"White", b""))),
        "black": _person(text(said(b"Black", b""))),
        "score": _SCORES.get(text(said(b"Result", b""))),
        "event": event,
        "round": number[0] if number else None,
        "rated": str(rated).lower(),
        "status": _status(text(said(b"Termination", b""))),
        "time_control": control,
    }


@lru_cache(1 << 10)
def _control(text: str) -> str | None:
    """A time control in minutes, as events have it; None where it tells none."""
    control = control_of_seconds(text) or parsed_time_control(text)
    return minutes_text(control) if control else text.strip("?- ") or None


_speed = lru_cache(1 << 12)(speed_named)


@lru_cache(1 << 10)
def _is_by_mail(control: str) -> bool:
    """Whether a site gives days for a move, or any time."""
    return control == "-" or is_by_days(control)


def _person(name: str) -> str | None:
    return None if name in ("", "?") else name


@lru_cache(1 << 12)
def _day(text: str) -> str | None:
    match = _DATE.fullmatch(text)
    return "-".join(match.groups()) if match else None


@lru_cache(1 << 8)
def _status(text: str) -> str:
    found = status_of(text)
    return found.value if found else "played"


# JSON


def _json_games(file: BinaryIO, encoding: str) -> Iterator[_Game]:
    for number, line in enumerate(file, 1):
        text = line.decode(encoding, errors="replace").strip().removeprefix("\ufeff")
        if not text:
            continue
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise NoGames(f"Line {number} is no object of JSON") from None
        if not isinstance(data, dict):
            raise NoGames(f"Line {number} is no object of JSON")
        games = data["games"] if isinstance(data.get("games"), list) else [data]
        for game in games:
            if not isinstance(game, dict):
                raise NoGames(f"Line {number} holds something else than games")
            yield _of_lichess(game) if "players" in game else _of_chess_com(game, number)


def _of_lichess(game: Mapping[str, Any]) -> _Game:
    players = _object(game, "players")
    names = [_name(_object(_object(players, side), "user"), "name") for side in ("white", "black")]
    status = str(game.get("status", ""))
    winner = game.get("winner")
    score = {"white": "1", "black": "0"}.get(winner) if isinstance(winner, str) else "0.5"
    rated = game.get("rated") is True and str(game.get("variant", "standard")) in _CHESS
    created, speed, clock = game.get("createdAt"), game.get("speed"), _object(game, "clock")
    times = [clock.get(each) for each in ("initial", "increment")]
    control = speed if isinstance(speed, str) else None
    if all(isinstance(each, int) for each in times):
        control = _control("{}+{}".format(*times))
    return {
        "date": _moment(created / 1000) if isinstance(created, int) else None,
        "white": names[0],
        "black": names[1],
        "score": None if status in _NOT_PLAYED else score,
        "rated": str(rated and speed not in _BY_MAIL).lower(),
        "status": "played",
        "time_control": control,
    }


def _of_chess_com(game: Mapping[str, Any], number: int) -> _Game:
    white, black = _object(game, "white"), _object(game, "black")
    if not white or not black:
        raise NoGames(f"Line {number} holds no game of lichess or chess.com")
    results = (white.get("result"), black.get("result"))
    score = "1" if results[0] == "win" else "0" if results[1] == "win" else None
    if score is None and results[0] in _DRAWS:
        score = "0.5"
    ended = game.get("end_time")
    rated = game.get("rated") is True and str(game.get("rules", "chess")) in _CHESS
    told, speed = game.get("time_control"), game.get("time_class")
    return {
        "date": _moment(ended) if isinstance(ended, int) else None,
        "white": _name(white, "username"),
        "black": _name(black, "username"),
        "score": score,
        "rated": str(rated and speed not in _BY_MAIL).lower(),
        "status": "played",
        "time_control": _control(told) if isinstance(told, str) else None,
    }


def _object(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _name(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    return value if isinstance(value, str) and value else None


def _moment(seconds: float) -> str | None:
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OSError, OverflowError):
        return None
