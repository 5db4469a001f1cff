"""The team records of a written file: 013 for TRF16, 310 for TRF26."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.fields import Fields
from ratingbook.formats.fide.trf.table import Table
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Entry, Place, Severity
from ratingbook.model.sentences import sentence

TEAM_SIZE = Remark(
    "trf.team-size",
    Severity.INFO,
    "The standard has room for fourteen players of a team; the others were written behind them",
    "Nothing to do, unless a program refuses the file.",
)
TOO_MANY_TEAMS = Remark(
    "trf.too-many-teams",
    Severity.WARNING,
    "There is room for 999 teams; the team records were left out",
    "Write one file for each section.",
)

TEAM_POINTS = Remark(
    "trf.team-points",
    Severity.INFO,
    "Match points, game points and ranks of the teams were left out, for not every team has met "
    "another one in every round, and what the other rounds brought is not known",
    "Enter them in columns 55 to 71 of the records 310 if the file goes to FIDE.",
)

_NAME = 32
_MOST_PLAYERS = 14
_MOST_TEAMS = 999
_WIN, _DRAW = 2.0, 1.0
"""Match points as record 362 has them where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Squad:
    """A team as it is written."""

    name: str
    players: tuple[int, ...]


class _Score(NamedTuple):
    """What a team won; more match points come first."""

    match_points: float
    game_points: float


def make_squads(entries: Iterable[Entry], table: Table, notes: Notes) -> list[Squad]:
    """The teams, in the order of their best starting rank."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for entry in entries:
        if entry.team and entry.team.strip():
            members[entry.team].append(table.ranks[entry.id])
    if len(members) > _MOST_TEAMS:
        notes.add(TOO_MANY_TEAMS, sentence("{n} teams", n=len(members)), Place())
        return []
    squads: list[Squad] = []
    names: set[str] = set()
    for team, ranks in sorted(members.items(), key=lambda item: min(item[1])):
        name = _unlike(Fields(notes).text(team, _NAME, "team"), names)
        names.add(name)
        if len(ranks) > _MOST_PLAYERS:
            notes.add(TEAM_SIZE, sentence("{name} with {n}", name=name, n=len(ranks)), Place())
        squads.append(Squad(name, tuple(sorted(ranks))))
    return squads


def _unlike(name: str, names: set[str]) -> str:
    """A name that no other team has after it was cut."""
    number, unlike = 1, name
    while unlike in names:
        number += 1
        tail = f" {number}"
        unlike = name[: _NAME - len(tail)].rstrip() + tail
    return unlike


def lines_of_16(squads: Iterable[Squad]) -> list[str]:
    """The records 013."""
    return [
        f"{layout.TEAM_OF_16} {squad.name:{_NAME}}{_numbers(squad.players)}" for squad in squads
    ]


def lines_of_26(squads: list[Squad], table: Table, notes: Notes) -> list[str]:
    """The records 310; with match points, game points and rank where the games tell them."""
    scores = _scores(squads, table)
    if squads and scores is None:
        notes.add(TEAM_POINTS, sentence("{n} teams", n=len(squads)), Place())
    return [
        f"{layout.TEAM_OF_26} {number:>3} {squad.name:{_NAME}} {'':5} {'':6} "
        f"{_result(number - 1, scores)}  {_numbers(squad.players)}"
        for number, squad in enumerate(squads, 1)
    ]


def _result(team: int, scores: list[_Score] | None) -> str:
    """The columns 55 to 71: match points, game points, rank."""
    if scores is None:
        return f"{'':17}"
    own = scores[team]
    rank = 1 + sum(score > own for score in scores)
    return f"{own.match_points:>6.1f} {own.game_points:>6.1f} {rank:>3}"


def _numbers(ranks: Iterable[int]) -> str:
    return " ".join(f"{rank:>4}" for rank in ranks)


def _scores(squads: list[Squad], table: Table) -> list[_Score] | None:
    """The points of the teams; None where a team has not met another one in every round.

    What the bye or the forfeited match of a team brings is said of the team, not of its
    players, and the report has no place for it.
    """
    team_of = {rank: number for number, squad in enumerate(squads) for rank in squad.players}
    scores = [_Score(0.0, 0.0)] * len(squads)
    for number in range(1, table.last_round + 1):
        points = [0.0] * len(squads)
        opponents: list[set[int | None]] = [set() for _ in squads]
        for rank, team in team_of.items():
            half = table.cells[rank].get(number)
            if half and (half.opponent or half.points):
                points[team] += half.points
                opponents[team].add(team_of.get(half.opponent))
        for team, met in enumerate(opponents):
            other = met.pop() if len(met) == 1 else None
            if other is None or other == team:
                return None
            won = _match_points(points[team], points[other])
            before = scores[team]
            scores[team] = _Score(before.match_points + won, before.game_points + points[team])
    return scores


def _match_points(own: float, other: float) -> float:
    if own == other:
        return _DRAW if own else 0.0
    return _WIN if own > other else 0.0
