"""The columns of plain Elo: NamedTuples of scalars, so that the kernel over them compiles."""

from typing import NamedTuple

from ratingbook.rules.units import ExactRating, Expectation, Games, HalfPoints, Points, Rating

NO_RATING = 0
"""A player without a rating, until ``enter`` gives one."""


class Parameters(NamedTuple):
    """The numbers that a commission may want to try otherwise."""

    k: int = 20
    start: Rating = 1500


PARAMETER_DOCS = {
    "k": "development coefficient: the most points that one game can move",
    "start": "rating of a player who has none yet",
}


class Standing(NamedTuple):
    """What the pool knows of a player, and what a report or a players file says."""

    rating: Rating = NO_RATING
    games: Games = 0


class Side(NamedTuple):
    """One player's half of a game, with the ratings of before the report."""

    own: Rating
    opponent: Rating
    score: HalfPoints
    other: int
    game: int


class Reckoning(NamedTuple):
    """What a report comes to for one player; ``value`` is the unrounded new rating."""

    value: ExactRating
    total: Points
    games: Games
    score: HalfPoints
    expected: Expectation
