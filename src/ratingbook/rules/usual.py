"""What many editions have alike: records, sums of games, days of lists.

An edition says only what it has otherwise.  The records are of whole ratings; the sums are
on the scale of :data:`.SCORE_SCALE`, so that they do not depend on the order of the games.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from ratingbook.rules.half import Half
from ratingbook.rules.units import (
    SCORE_SCALE,
    Day,
    ExactRating,
    Expectation,
    Games,
    HalfPoints,
    Points,
    Rating,
)

NO_RATING = 0
"""The rating of a player without a rating."""


class Standing(NamedTuple):
    """What a pool knows of a player, and what a report or a players file says."""

    rating: Rating = NO_RATING
    games: Games = 0


class Side(NamedTuple):
    """One player's half of a game, with the ratings at which it is rated."""

    own: Rating
    opponent: Rating
    score: HalfPoints
    other: int
    game: int
    """−1: of an earlier batch, and still needed."""


class Sums(NamedTuple):
    """What the games of a batch come to for one player; ``value`` is the unrounded new rating."""

    value: ExactRating
    total: Points
    """The changes together."""
    games: Games
    score: HalfPoints
    expected: Expectation


def side_of(half: Half, own: Any, opponent: Any, facts: Any, p: Any) -> Side:
    """The half at the ratings that the game names, else at those with which both entered."""
    mine = half.own if half.own > 0 else own.rating
    theirs = half.opponent if half.opponent > 0 else opponent.rating
    return Side(mine, theirs, half.score, half.other, half.game)


def assumed(known: Standing, rating: float, p: Any) -> Standing:
    """A player without a rating, for whom one is assumed: for editions with this standing."""
    return Standing(int(rating), known.games)


class Kept(NamedTuple):
    """A side that later batches rate once more, at the ratings that were frozen for it."""

    own: Rating
    opponent: Rating
    score: HalfPoints
    start: Day


def kept_of(side: Any, start: Day, entered: Any, left: Any, p: Any) -> Kept:
    """What is kept of a side: its ratings stay those with which it was rated."""
    return Kept(side.own, side.opponent, side.score, start)


def carried(kept: Kept, entered: Any, p: Any) -> Side:
    """The side of an earlier batch."""
    return Side(kept.own, kept.opponent, kept.score, -1, -1)


def is_sum_of_games(score: float, opponents: int, games: Games) -> bool:
    """Whether a standing says what its earlier games come to: their points, and their opponents.

    Beside the rating it is all that a performance over all games needs of them.
    """
    return games > 0 and opponents >= 0 and 0 <= score <= games


def no_games(entered: Any, p: Any) -> Sums:
    """Nothing played yet: the rating with which the player entered."""
    return Sums(entered.rating * SCORE_SCALE, 0, 0, 0, 0)


def one_more(so_far: Sums, score: HalfPoints, expected: Expectation, change: Points) -> Sums:
    """The sums with one game more."""
    return Sums(
        so_far.value + change,
        so_far.total + change,
        so_far.games + 1,
        so_far.score + score,
        so_far.expected + expected,
    )


def lists_every(months: int) -> Callable[[date, Any], date]:
    """For a calendar of lists on the first day of every so many months, from January on.

    A list takes the events that ended before its day.
    """

    def taking(end: date, facts: Any) -> date:
        return months_on(end, months - (end.month - 1) % months)

    return taking


def months_on(day: date, months: int) -> date:
    """The first day of the month that lies so many months on."""
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


PARAMETER_DOCS = {
    "k": "development coefficient: the most points that one game can move",
    "k_new": "development coefficient in a player's first games",
    "new_games": "number of a player's first games",
    "start": "rating of a player without a rating",
    "scale": "difference of ratings at which the stronger is expected to score ten times as much",
    "floor": "least rating",
}
"""What parameters of these names mean, where an edition does not say it in other words."""
