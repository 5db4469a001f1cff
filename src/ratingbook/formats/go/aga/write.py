"""A report becomes an AGA file."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain

from ratingbook.formats.go import common
from ratingbook.formats.go.aga.games import LEAST_KOMI
from ratingbook.formats.go.aga.read import MAX_ROUND, UNKNOWN_RANK
from ratingbook.formats.go.writing import MAX_STONES, counts, encoded, note_game, one_line
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.written import Written
from ratingbook.model import Entry, Event, Game, Place, Report, Result, Severity
from ratingbook.model.sentences import sentence

NUMBER = Remark(
    "aga.no-number",
    Severity.WARNING,
    "Players without a number of the American Go Association were given temporary ones",
    "Write their numbers into the file, or tell with their addresses who they are.",
)
NAME = Remark(
    "aga.name",
    Severity.WARNING,
    "Names were changed, because the format would read them as something else or not whole",
    "Look at these names in the file.",
)
GRADE = Remark(
    "aga.grade",
    Severity.WARNING,
    "Players without a grade have a question mark as their rank",
    "Write the rank at which they played into the file.",
)
LEFT_OUT = Remark(
    "aga.left-out",
    Severity.WARNING,
    "Byes, forfeits, jigos and games that are not rated have no place and were left out",
    "Nothing to do if they were not to be rated.",
)
NO_ROUNDS = Remark(
    "aga.no-rounds",
    Severity.WARNING,
    "The games are not divided into rounds, because players have several games in one",
    "Nothing to do; ratings do not depend on it.",
)
HALF_POINT = Remark(
    "aga.half-point",
    Severity.INFO,
    "Komi was written without its half point, as the format wants it",
    "Nothing to do.",
)
NO_KOMI = Remark(
    "aga.no-komi",
    Severity.WARNING,
    "The komi of even games is not known, or none that can be written; 7 was written",
    "Correct the komi, the last number of each game, if it was another one.",
)
INCOMPLETE = Remark(
    "aga.incomplete",
    Severity.WARNING,
    "The report does not say of the event what the American Go Association asks for",
    "Write it below TOURNEY.",
)
RULES = Remark(
    "aga.rules",
    Severity.INFO,
    "The rules of play are not in the report",
    "Add a line below TOURNEY: rules=AGA, rules=Ing or rules=Japanese.",
)

_TEMPORARY = range(99_999, 89_999, -1)
_MORE = range(100_000, 1_000_000)
"""When these are used up."""
_LONGEST = 120
_USUAL_KOMI = 7
_RESULTS = {Result.WHITE_WINS: "w", Result.BLACK_WINS: "b", Result.NONE: "?"}
_COMMENT = str.maketrans("#", " ")


def write_aga(report: Report) -> Written:
    """The file of a report: the event, the players, and the games round by round."""
    notes = Notes()
    numbers = _numbers(report.entries, notes)
    games = [game for game in report.games if _has_place(game, numbers, notes)]
    komi = _komi(report.event, games, notes)
    lines = [
        *_event(report.event, notes),
        "PLAYERS",
        *_players(report.entries, numbers, notes),
    ]
    for heading, played in _rounds(games, notes):
        lines.append(heading)
        for game in played:
            note_game(game, notes)
            lines.append(_game(game, numbers, komi))
    data = encoded("\n".join([*lines, "END"]) + "\n", notes)
    return Written({"": data}, notes.findings(), numbers)


def _numbers(entries: Iterable[Entry], notes: Notes) -> dict[str, str]:
    """A number for every player, each once: his own, or else a temporary one."""
    numbers: dict[str, str] = {}
    waiting = []
    taken = set()
    for entry in entries:
        own = common.aga(entry.ids.get("aga", "")) or _temporary(entry.id)
        if own and own not in taken:
            numbers[entry.id] = own
            taken.add(own)
        else:
            waiting.append(entry)
    free = (str(number) for number in chain(_TEMPORARY, _MORE) if str(number) not in taken)
    for entry, number in zip(waiting, free, strict=False):
        numbers[entry.id] = number
        notes.add(NUMBER, f"{entry.name or entry.id}: {number}", Place(player=entry.id))
    return numbers


def _temporary(player: str) -> str | None:
    """A temporary number that the player has already."""
    return player if common.number(player) in _TEMPORARY and len(player) == 5 else None


def _has_place(game: Game, numbers: Mapping[str, str], notes: Notes) -> bool:
    known = game.white in numbers and game.black in numbers and game.white != game.black
    if known and counts(game) and game.result in _RESULTS:
        return True
    what = f"{game.white} against {game.black or 'nobody'} in round {game.round or '?'}"
    notes.add(LEFT_OUT, what, game.place)
    return False


def _event(event: Event, notes: Notes) -> Iterator[str]:
    # What stands behind the first comma is the place.
    name, place = _text(event.name, notes, {",": ";"}), _text(event.place, notes)
    yield f"TOURNEY {', '.join((name, place) if place else (name,))}".rstrip()
    for key, day in (("start", event.start), ("finish", event.end)):
        if day:
            yield f"        {key}={_date(day)}"
        else:
            notes.add(INCOMPLETE, sentence("the {key}", key=key), Place())
    if not name:
        notes.add(INCOMPLETE, sentence("the name"), Place())
    notes.add(RULES, "rules=", Place())


def _date(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year:04}"


def _text(text: str | None, notes: Notes, more: Mapping[str, str] | None = None) -> str:
    """A text without what begins a comment, and not longer than a line should be."""
    table = _COMMENT | str.maketrans(dict(more or {}))
    written = one_line((text or "").translate(table))[:_LONGEST].strip(" ,")
    if written != one_line(text):
        notes.add(NAME, one_line(text)[:_LONGEST], Place())
    return written


def _players(entries: Sequence[Entry], numbers: Mapping[str, str], notes: Notes) -> Iterator[str]:
    names = [_text(entry.name, notes) for entry in entries]
    width = max(map(len, names), default=0)
    for entry, name in zip(entries, names, strict=True):
        grade = common.grade(entry.grade or "")
        if grade is None:
            notes.add(GRADE, name or entry.id, Place(player=entry.id))
        if not name:
            notes.add(common.NAME, entry.id, Place(player=entry.id))
        if entry.id in numbers:
            yield f"{numbers[entry.id]:>6} {name:<{width}} {grade or UNKNOWN_RANK}"


def _rounds(games: Sequence[Game], notes: Notes) -> Iterator[tuple[str, list[Game]]]:
    """The games below the headings of their rounds; those without a round come last."""
    busy = Counter((g.round, player) for g in games if g.round for player in (g.white, g.black))
    several = [f"{player} in round {number}" for (number, player), n in busy.items() if n > 1]
    beyond = [f"round {g.round}" for g in games if g.round and not 1 <= g.round <= MAX_ROUND]
    for what in (*several, *beyond):
        notes.add(NO_ROUNDS, what, Place())
    rounds: dict[int, list[Game]] = defaultdict(list)
    for game in games:
        rounds[0 if several or beyond else game.round or 0].append(game)
    for number in sorted(rounds, key=lambda number: (number == 0, number)):
        yield f"GAMES {number}" if number else "GAMES", rounds[number]


def _komi(event: Event, games: Iterable[Game], notes: Notes) -> int:
    """The komi of even games without its half point."""
    known = event.komi if event.komi is not None and math.isfinite(event.komi) else 0.0
    if not any(game.handicap == 0 for game in games):
        return _USUAL_KOMI
    if not LEAST_KOMI <= known < 1000:
        notes.add(NO_KOMI, f"{event.komi}", Place())
        return _USUAL_KOMI
    if known % 1:
        notes.add(HALF_POINT, f"{known:g}", Place())
    return int(known)


def _game(game: Game, numbers: Mapping[str, str], komi: int) -> str:
    """White, Black, winner, stones and komi; a handicap of 1 is a game without komi."""
    stones = min(game.handicap, MAX_STONES)
    conditions = f"{stones if stones > 1 else 0} {0 if stones else komi}"
    white, black = numbers[game.white], numbers[game.black or ""]
    return f"{white:>6} {black:>6} {_RESULTS[game.result]} {conditions}"
