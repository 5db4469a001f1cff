"""The games of a report as PGN, without moves.

Export format: the tags of the roster first, then the others in the order of the
alphabet, then the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from ratingbook.formats.pgn import tags
from ratingbook.formats.pgn.players import REGISTER
from ratingbook.formats.tools.characters import one_line
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import decode
from ratingbook.formats.tools.written import Written
from ratingbook.model import Colour, Entry, Event, Game, Place, Report, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.rounding import as_published
from ratingbook.rules.time_control import seconds_text
from ratingbook.rules.time_words import is_by_mail, parsed_time_control

NO_GAMES = Remark(
    "pgn.no-games",
    Severity.ERROR,
    "The report has no game of two players; the format has no place for anything else",
    "Choose another format, or write the games when they are entered.",
)
LOST = Remark(
    "pgn.left-out",
    Severity.ERROR,
    "Games could not be written, because a player has no entry or plays against himself",
    "Correct the games in the report.",
)
NAMES = Remark(
    "pgn.name",
    Severity.WARNING,
    "Names that several players have, or that name nobody, were written with the player's id",
    "Give every player a name of his own, or a FIDE ID.",
)
SAME_ID = Remark(
    "pgn.fide-id",
    Severity.WARNING,
    "FIDE IDs that are no numbers, or that several players have, were left out",
    "Correct the IDs.",
)
CUT = Remark(
    "pgn.cut",
    Severity.WARNING,
    f"Texts were cut after {tags.LONGEST} characters",
    "Shorten the text.",
)
RATING = Remark(
    "pgn.rating",
    Severity.WARNING,
    "Ratings that are no whole numbers from 10 to 9999 were rounded, or left out",
    "Rate the games with a players file that has the exact ratings.",
)
TIME_CONTROL = Remark(
    "pgn.time-control",
    Severity.WARNING,
    "The format has no way to write the time control; it was left out",
    "Write it as 90+30, or as 40/120,SD/60;+30, if it is such a one.",
)
ENCODING = Remark(
    "pgn.encoding",
    Severity.INFO,
    "The file is in UTF-8, because in the encoding of the standard of 1994 (ISO 8859-1) its "
    "letters cannot be written, or would be taken for others",
    "Nothing to do: programs of today read UTF-8.",
)

_STANDARD_ENCODING = "iso-8859-1"
_RATINGS = range(10, 10_000)
_LINE_END = "\n"


class _Player(NamedTuple):
    """How a player is written."""

    name: str
    fide: str


class _Texts:
    """Texts of one line that are no longer than a string may be."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def fitted(self, text: str | None, room: int = tags.LONGEST) -> str:
        clean = one_line(text or "")
        if len(clean) <= room:
            return clean
        self._notes.add(CUT, f"{clean[:60]}…", Place())
        return clean[:room].rstrip()


def write_pgn(report: Report) -> Written:
    """The games as one file; where the findings refuse the report there is none.

    A player's id in it is the FIDE ID if all have one, otherwise the name.
    """
    notes = Notes()
    texts = _Texts(notes)
    entries = {entry.id: entry for entry in report.entries}
    games = [game for game in report.games if _is_writable(game, entries, notes)]
    if not games:
        notes.add(NO_GAMES, sentence("{n} byes", n=len(report.games)), Place())
    players = _players(games, entries, texts, notes)
    event = _event_tags(report.event, texts, notes)
    written = [_game(game, event, players, entries, texts, notes) for game in games]
    data = _encoded("".join(written), notes)
    findings = notes.findings()
    if findings.refused:
        return Written({}, findings)
    by_id = all(player.fide for player in players.values())
    ids = {old: player.fide if by_id else player.name for old, player in players.items()}
    return Written({"": data}, findings, ids)


def _is_writable(game: Game, entries: Mapping[str, Entry], notes: Notes) -> bool:
    """Whether it is a game of two players; byes have no place, which is no fault of theirs."""
    if game.black is None:
        return False
    if game.white in entries and game.black in entries and game.white != game.black:
        return True
    place = Place(player=game.white, round=game.round)
    notes.add(LOST, sentence("{white} and {black}", white=game.white, black=game.black), place)
    return False


# Players


def _players(
    games: list[Game], entries: Mapping[str, Entry], texts: _Texts, notes: Notes
) -> dict[str, _Player]:
    """How each player of the games is written, so that nobody is taken for somebody else."""
    ids = dict.fromkeys(p for game in games for p in (game.white, game.black) if p is not None)
    fide = _fide_ids([entries[player] for player in ids], notes)
    by_id = len(fide) == len(ids)
    wanted = {player: texts.fitted(entries[player].name) for player in ids}
    count = Counter(wanted.values())
    taken = {name for name in wanted.values() if count[name] == 1}
    players = {}
    for player, name in wanted.items():
        nobody = name.casefold() in tags.NOBODY
        written = name
        if nobody and by_id:
            written = tags.UNKNOWN
        elif nobody or tags.is_bye(name) or (count[name] > 1 and not by_id):
            written = _name_with_id(name, player, taken)
            notes.add(NAMES, written, Place(player=player))
        players[player] = _Player(written, fide.get(player, ""))
    return players


def _name_with_id(name: str, player: str, taken: set[str]) -> str:
    """A name that is nobody else's; ``taken`` takes it up."""
    known = "" if name.casefold() in tags.NOBODY else name
    tail = f"({one_line(player)[:40] or 'player'})"
    room = tags.LONGEST - len(tail) - 10
    base = f"{known[:room]} {tail}".strip()
    again = base
    number = 1
    while again in taken:
        number += 1
        again = f"{base} {number}"
    taken.add(again)
    return again


def _fide_ids(entries: list[Entry], notes: Notes) -> dict[str, str]:
    """The FIDE IDs that tell players apart."""
    said = {entry.id: entry.ids.get(REGISTER, "").strip().lstrip("0") for entry in entries}
    count = Counter(said.values())
    known = {}
    for player, number in said.items():
        if number.isascii() and number.isdigit() and count[number] == 1:
            known[player] = number
        elif number:
            notes.add(SAME_ID, f"{player}: {number[:40]}", Place(player=player))
    return known


# Games


def _event_tags(event: Event, texts: _Texts, notes: Notes) -> dict[str, str]:
    """The tags that are the same in all games; those without a value are left out."""
    known = parsed_time_control(event.time_control)
    control = seconds_text(known) if known else None
    by_mail = is_by_mail(event.time_control)
    if event.time_control and control is None and not by_mail:
        notes.add(TIME_CONTROL, event.time_control[:60], Place())
    return {
        "Event": texts.fitted(event.name) or tags.UNKNOWN,
        "Site": texts.fitted(event.place) or tags.UNKNOWN,
        "EventCountry": texts.fitted(event.federation),
        "EventDate": _date(event.start),
        "EventRounds": str(event.rounds) if event.rounds else "",
        "EventType": _event_type(event),
        "TimeControl": control or "",
        "Mode": "EM" if by_mail else "",
    }


def _event_type(event: Event) -> str:
    """The kind, and in brackets the list, as databases write them: ``swiss (rapid)``."""
    speed = event.pool if event.pool in tags.SPEEDS else None
    kind = tags.TYPE_OF.get(event.kind or "", "")
    return " ".join(filter(None, (kind, f"({speed})" if speed else "")))


def _game(
    game: Game,
    event: Mapping[str, str],
    players: Mapping[str, _Player],
    entries: Mapping[str, Entry],
    texts: _Texts,
    notes: Notes,
) -> str:
    pairs = {
        **event,
        "Date": _date(game.start) or tags.UNKNOWN_DATE,
        "Round": str(game.round) if game.round and game.round > 0 else tags.UNKNOWN,
        "Result": game.result.value,
        "EndDate": _date(game.end),
        "Section": texts.fitted(game.section),
        "Termination": tags.TERMINATION_OF.get(game.status, ""),
    }
    if game.event:
        pairs["Event"] = texts.fitted(game.event) or tags.UNKNOWN
    for colour in Colour:
        player = game.player(colour) or ""
        of = colour.value.capitalize()
        entry = entries[player]
        pairs |= {
            of: players[player].name,
            f"{of}Elo": _rating(game.rating(colour), entry, notes),
            f"{of}Fed": texts.fitted(entry.federation),
            f"{of}FideId": players[player].fide,
            f"{of}Team": texts.fitted(entry.team),
            f"{of}Title": texts.fitted(entry.title),
        }
    others = sorted(name for name, value in pairs.items() if value and name not in tags.ROSTER)
    lines = [f'[{name} "{_escaped(pairs[name])}"]' for name in (*tags.ROSTER, *others)]
    return _LINE_END.join([*lines, "", game.result.value, "", ""])


def _rating(in_force: float | None, entry: Entry, notes: Notes) -> str:
    standing = entry.standing.rating if entry.standing else None
    rating = standing if in_force is None else in_force
    if rating is None:
        return ""
    whole = int(as_published(float(rating), 0)) if 0 <= rating <= _RATINGS.stop else 0
    if whole != rating or whole not in _RATINGS:
        what = f"as {whole}" if whole in _RATINGS else "left out"
        notes.add(RATING, f"{entry.name or entry.id}: {rating:g} {what}", Place(player=entry.id))
    return str(whole) if whole in _RATINGS else ""


def _date(day: date | None) -> str:
    return day.isoformat().replace("-", ".") if day else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _encoded(text: str, notes: Notes) -> bytes:
    """The bytes, in the encoding of the standard if nobody can take them for another."""
    try:
        data = text.encode(_STANDARD_ENCODING)
    except UnicodeEncodeError as error:
        odd = error.object[error.start : error.start + 1]
    else:
        if text.isascii() or _is_read_as(text, data):
            return data
        odd = next(letter for letter in text if not letter.isascii())
    notes.add(ENCODING, odd, Place())
    return text.encode("utf-8")


def _is_read_as(text: str, data: bytes) -> bool:
    """Whether a reader who has to guess the encoding comes to the same text."""
    return data.decode(decode(data).encoding, "replace") == text
