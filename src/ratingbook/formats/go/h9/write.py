"""A report becomes an h9 file, with the columns that OpenGotha gives to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ratingbook.formats.go import common
from ratingbook.formats.go.h9.cells import JIGO, LOSS, OPEN, WIN, is_result
from ratingbook.formats.go.h9.header_lines import header_lines
from ratingbook.formats.go.h9.lines import MAX_ROUNDS, graded
from ratingbook.formats.go.h9.placing import (
    Criteria,
    Grid,
    Placed,
    colour_of,
    grid_of,
    placed,
    reduction_of,
)
from ratingbook.formats.go.writing import MAX_STONES, counts, encoded, note_game, one_line
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.written import Written
from ratingbook.model import Colour, Entry, Event, Game, GameStatus, Place, Report, Result, Severity

NAME = Remark(
    "h9.name",
    Severity.WARNING,
    "Names were changed, because the format would read them as something else or not whole",
    "Look at these players in the file.",
)
CLUB = Remark(
    "h9.club",
    Severity.INFO,
    "Clubs were cut to the four characters of their column",
    "Nothing to do; the European Go Database knows clubs by such abbreviations.",
)
COUNTRY = Remark(
    "h9.country",
    Severity.INFO,
    "Federations that are no two-letter code of a country were written as XX",
    "Write the two-letter codes into the file.",
)
GRADE = Remark(
    "h9.grade",
    Severity.WARNING,
    "Players without a grade have 0K in the file, which is none",
    "Write their grades into the file; the European Go Database refuses it otherwise.",
)
UNRATED = Remark(
    "h9.unrated",
    Severity.WARNING,
    "Games that are not rated were written as forfeits, the only games of that kind in this format",
    "Nothing to do; a forfeit is not rated either.",
)
PIN = Remark(
    "h9.pin",
    Severity.WARNING,
    "PINs that are none, or stand with another player too, were left out",
    "Correct the PINs.",
)

_LONGEST_NAME = 40
_NAMES = 30
"""The width of the column, if no name is longer."""
_CLUB = 4
_UNKNOWN_CLUB = "xxxx"
_UNKNOWN_COUNTRY = "XX"
_UNKNOWN_GRADE = "0K"
_FOURTH = "0"
"""In place of a fourth criterion; a whole number there keeps half points apart from results."""
_SYMBOLS = {2: WIN, 1: JIGO, 0: LOSS}
_BYES = {Result.WHITE_WINS: "0+", Result.DRAW: "0="}
_NO_GAME = "0-"
_NOT_ALLOWED = str.maketrans({";": ",", "|": "/", "_": " "})
"""What begins a comment or a PIN, or stands for a blank."""


def write_h9(report: Report) -> Written:
    """The file of a report: players by points, each with the results of all rounds.

    A player is known by his PIN, else by his place.
    """
    notes = Notes()
    grid = grid_of(report, notes)
    table = placed(report.entries, grid, notes)
    places = {line.entry.id: place for place, line in enumerate(table, 1)}
    pins = _pins(table, notes)
    games = [game for game in report.games if _stands_in(game, grid)]
    for game in games:
        note_game(game, notes)
        if not counts(game) and game.status is not GameStatus.FORFEIT:
            what = f"{game.white} against {game.black} in round {game.round or '?'}"
            notes.add(UNRATED, what, game.place)
    rounds = max(
        [min(report.event.rounds or 0, MAX_ROUNDS), *map(max, filter(None, grid.values()))]
    )
    lines = [
        *header_lines(report.event, _reduction(report.event, games, table), notes),
        *_caption(),
    ]
    names = {line.entry.id: _names(line.entry, notes) for line in table}
    width = max([_NAMES, *map(len, names.values())])
    for line in table:
        player = line.entry.id
        cells = (_cell(grid[player].get(n), player, places) for n in range(1, rounds + 1))
        pin = f" |{pins[player]}" if player in pins else ""
        head = f"{places[player]:>4} {names[player]:<{width}} {_middle(line, notes)}"
        lines.append(head + "".join(f" {cell:>8}" for cell in cells) + pin)
    data = encoded("\n".join(lines) + "\n", notes)
    ids = {player: pins.get(player, str(place)) for player, place in places.items()}
    return Written({"": data}, notes.findings(), ids)


def _pins(table: Iterable[Placed], notes: Notes) -> dict[str, str]:
    """The PINs by player, each once."""
    pins: dict[str, str] = {}
    taken = set()
    for line in table:
        written = line.entry.ids.get("egd", "")
        pin = common.pin(written)
        if pin and pin not in taken:
            pins[line.entry.id] = pin
            taken.add(pin)
        elif written:
            notes.add(PIN, f"{_label(line.entry)}: {written}", Place(player=line.entry.id))
    return pins


def _stands_in(game: Game, grid: Grid) -> bool:
    """Whether a game of two players is in the table."""
    return game.black is not None and any(
        game is other for other in grid.get(game.white, {}).values()
    )


def _reduction(event: Event, games: Sequence[Game], table: Iterable[Placed]) -> int | None:
    """What the header HA says: how the stones follow from the grades, or what was read."""
    grades = {line.entry.id: common.grade(line.entry.grade or "") for line in table}
    found = reduction_of(
        (g for g in games if counts(g) and g.white in grades and g.black in grades), grades
    )
    return event.handicap_reduction if found is None else found


def _caption() -> tuple[str, str]:
    return ";", f"; Pl {'Name':<{_NAMES}}  Rk Co Club  Pts  SOS SOSOS"


def _label(entry: Entry) -> str:
    return entry.name or entry.id


def _names(entry: Entry, notes: Notes) -> str:
    """Surname and first name, each one word; one word only where there is no comma."""
    parts = _parts(entry.name)
    # First what is not allowed: a semicolon becomes a comma, which parts names.
    allowed = _parts(entry.name.translate(_NOT_ALLOWED))
    words = [word for word in map(_word, allowed) if word]
    if [word.replace("_", " ").strip() for word in words] != parts:
        notes.add(NAME, _label(entry), Place(player=entry.id))
    if not words:
        notes.add(common.NAME, _label(entry), Place(player=entry.id))
    return " ".join(words)


def _parts(name: str) -> list[str]:
    """Surname and first name; commas at the ends would come back as another name."""
    return [part for part in map(one_line, name.strip(", \t").partition(",")[::2]) if part]


def _word(text: str) -> str:
    """A name as one word that is neither a grade nor a ghost."""
    word = text[:_LONGEST_NAME].strip().replace(" ", "_")
    if common.is_ghost(word):
        return f"{word}."
    return f"{word}_" if graded(word) else word


def _middle(line: Placed, notes: Notes) -> str:
    """Grade, country, club and criteria."""
    entry, place = line.entry, Place(player=line.entry.id)
    grade = common.grade(entry.grade or "")
    if grade is None:
        notes.add(GRADE, _label(entry), place)
    country = common.country(entry.federation or "")
    if entry.federation and country is None:
        notes.add(COUNTRY, f"{_label(entry)}: {entry.federation}", place)
    club = _club(entry, notes)
    columns = (
        f"{(grade or _UNKNOWN_GRADE).upper():>3} {country or _UNKNOWN_COUNTRY} {club:>{_CLUB}}"
    )
    return f"{columns} {_criteria(line.criteria)}"


def _club(entry: Entry, notes: Notes) -> str:
    whole = one_line((entry.club or "").translate(_NOT_ALLOWED))
    club = whole[:_CLUB].strip()
    if club != one_line(entry.club):
        notes.add(CLUB, f"{_label(entry)}: {whole}", Place(player=entry.id))
    word = club.replace(" ", "_")
    return f"{word}_" if is_result(word) else word or _UNKNOWN_CLUB


def _criteria(criteria: Criteria) -> str:
    return " ".join(f"{_half_points(value):>4}" for value in criteria) + f" {_FOURTH}"


def _half_points(value: int) -> str:
    """Points; a half is written as the sign of a jigo."""
    return f"{value // 2}{JIGO if value % 2 else ''}"


def _cell(game: Game | None, player: str, places: Mapping[str, int]) -> str:
    """What a player's line says of one round."""
    if game is None:
        return _NO_GAME
    if game.black is None:
        return _BYES.get(game.result, _NO_GAME)
    colour = colour_of(game, player)
    opponent = places.get(game.player(colour.other) or "")
    if opponent is None:
        return _NO_GAME
    mark = "/" if counts(game) else "!"
    letter = "w" if colour is Colour.WHITE else "b"
    return f"{opponent}{_symbol(game, colour)}{mark}{letter}{min(game.handicap, MAX_STONES)}"


def _symbol(game: Game, colour: Colour) -> str:
    """The player's result; a forfeit without a winner was lost by both."""
    half_points = game.result.half_points(colour)
    if half_points is None:
        return LOSS if game.status is GameStatus.FORFEIT else OPEN
    return _SYMBOLS[half_points]
