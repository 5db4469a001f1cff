"""The columns of the Nowhere rules: NamedTuples of scalars."""

from typing import NamedTuple

from ratingbook.rules.units import (
    Coefficient,
    Difference,
    ExactRating,
    Expectation,
    Games,
    HalfPoints,
    Points,
    Rating,
)

NO_RATING = 0
"""A player without a rating."""


class Parameters(NamedTuple):
    """The numbers of the rules, which anybody can set otherwise with ``--set``."""

    first_opponent: Rating = 1200
    first_draws: Games = 2
    most_difference: int = 400
    spread: int = 1000
    k_new: Coefficient = 40
    k_old: Coefficient = 20
    new_games: Games = 20
    bonus: Difference = 10
    bonus_from: int = 2
    bonus_for_new: bool = True
    floor: Rating = 800


PARAMETER_DOCS = {
    "first_opponent": "rating of the imagined opponents of a first rating",
    "first_draws": "number of imagined draws in a first rating",
    "most_difference": "the greatest difference that counts",
    "spread": "difference at which the line of the expected score would reach a whole point",
    "k_new": "coefficient in the first games",
    "k_old": "coefficient afterwards",
    "new_games": "number of the first games",
    "bonus": "points of the bonus",
    "bonus_from": "points above the expected score that bring the bonus",
    "bonus_for_new": "whether the bonus is also for players in their first games",
    "floor": "least rating",
}


class Known(NamedTuple):
    """What a players file says of a player."""

    rating: Rating = NO_RATING
    games: Games = 0


class Standing(NamedTuple):
    """What the pool knows of a player."""

    rating: Rating
    games: Games


class Side(NamedTuple):
    """One player's half of a game against a rated opponent, with the ratings of before."""

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
    opponents: Rating
    """The sum of the opponents' ratings."""
