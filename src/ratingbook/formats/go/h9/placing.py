"""From a report to a table: every game in a round, and the players in the order of places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ratingbook.formats.go import common
from ratingbook.formats.go.h9.games import NO_HANDICAP
from ratingbook.formats.go.h9.lines import MAX_ROUNDS
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Colour, Entry, Game, Place, Report, Result, Severity
from ratingbook.model.sentences import sentence

MAX_PLAYERS = 9_999
"""Results name opponents by four digits."""

ROUND = Remark(
    "h9.no-round",
    Severity.WARNING,
    f"Games without a round of their own, from 1 to {MAX_ROUNDS}, were put into free rounds",
    "Look whether the rounds matter; give each game the round in which it was played.",
)
LEFT_OUT = Remark(
    "h9.left-out",
    Severity.WARNING,
    "There is no place in the table for some players or games; they were left out",
    "Divide the event into several reports.",
)

Grid = Mapping[str, Mapping[int, Game]]
"""The game or bye of a player by the round."""

_BYES = {Result.WHITE_WINS: 2, Result.DRAW: 1}
_UNKNOWN_GRADE = -100
"""Below every grade."""


class Criteria(NamedTuple):
    """What a player is placed by, in half points."""

    points: int
    sos: int
    """The points of the opponents."""
    sosos: int
    """Their SOS."""


class Placed(NamedTuple):
    """A line of the table."""

    entry: Entry
    criteria: Criteria


def grid_of(report: Report, notes: Notes) -> Grid:
    """Every player's games by round, at most one in each."""
    grid: dict[str, dict[int, Game]] = {entry.id: {} for entry in report.entries}
    waiting = []
    for game in report.games:
        if not game.round or not _seat(game, [game.round], grid):
            waiting.append(game)
    for game in waiting:
        what = sentence(
            "{white} against {black} in round {number}",
            white=game.white,
            black=game.black or sentence("nobody"),
            number=game.round or "?",
        )
        number = _seat(game, range(1, MAX_ROUNDS + 1), grid)
        if number:
            notes.add(
                ROUND, sentence("{what} is in {number}", what=what, number=number), game.place
            )
        else:
            notes.add(LEFT_OUT, what, game.place)
    return grid


def _seat(game: Game, rounds: Iterable[int], grid: dict[str, dict[int, Game]]) -> int:
    """Put a game into the first of the rounds that all its players have free; 0: there is none."""
    players = [player for player in (game.white, game.black) if player is not None]
    if len(set(players)) < len(players) or any(player not in grid for player in players):
        return 0
    for number in rounds:
        if 1 <= number <= MAX_ROUNDS and all(number not in grid[player] for player in players):
            for player in players:
                grid[player][number] = game
            return number
    return 0


def placed(entries: Sequence[Entry], grid: Grid, notes: Notes) -> list[Placed]:
    """The players by points, then by grade, then by SOS and SOSOS, then as they came."""
    points = {
        player: sum(_points(g, player) for g in games.values()) for player, games in grid.items()
    }
    sos = _of_opponents(points, grid)
    sosos = _of_opponents(sos, grid)
    table = [Placed(e, Criteria(points[e.id], sos[e.id], sosos[e.id])) for e in entries]
    table.sort(key=lambda line: (-line.criteria.points, -_strength(line.entry),
                                 -line.criteria.sos, -line.criteria.sosos))  # fmt: skip
    for line in table[MAX_PLAYERS:]:
        notes.add(LEFT_OUT, line.entry.name or line.entry.id, Place(player=line.entry.id))
    return table[:MAX_PLAYERS]


def _points(game: Game, player: str) -> int:
    if game.black is None:
        return _BYES.get(game.result, 0)
    return game.result.half_points(colour_of(game, player)) or 0


def colour_of(game: Game, player: str) -> Colour:
    """The colour of one of the two players."""
    return Colour.WHITE if player == game.white else Colour.BLACK


def _of_opponents(values: Mapping[str, int], grid: Grid) -> dict[str, int]:
    """For every player the sum of what his opponents have."""
    return {
        player: sum(
            values[opponent]
            for game in games.values()
            if (opponent := game.player(colour_of(game, player).other)) is not None
        )
        for player, games in grid.items()
    }


def _strength(entry: Entry) -> int:
    normal = common.grade(entry.grade or "")
    return common.strength(normal) if normal else _UNKNOWN_GRADE


def reduction_of(games: Iterable[Game], grades: Mapping[str, str | None]) -> int | None:
    """What was taken off every difference of grades to get the handicap.

    None where the handicaps follow no such rule, or there were none.
    """
    pairs = []
    for game in games:
        white, black = grades[game.white], grades[game.black or ""]
        if white is None or black is None:
            return None
        pairs.append((common.strength(white) - common.strength(black), game.handicap))
    if not any(stones for _, stones in pairs):
        return None
    # Files without handicap name a reduction, too.
    for reduction in range(NO_HANDICAP):
        if all(common.computed_handicap(gap, reduction) == stones for gap, stones in pairs):
            return reduction
    return None
