"""The columns of the Irish rules: NamedTuples of scalars, so that the kernels over them compile."""

from enum import IntEnum
from typing import NamedTuple

from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.units import (
    SCORE_SCALE,
    Coefficient,
    Day,
    Difference,
    ExactRating,
    Expectation,
    Games,
    HalfPoints,
    Points,
    Rating,
)

NO_RATING = NOT_GIVEN
"""A player without a rating; 0 and less are ratings that weak players can have."""

NO_NUMBER_YET = NOT_GIVEN * SCORE_SCALE
"""A player without a performance so far, or an opponent without a number."""

FULL_GAMES = 20
"""From so many games on a rating is not provisional."""


class Kind(IntEnum):
    """The kinds of player of paragraph 2."""

    UNRATED = 0
    PROVISIONAL = 1
    RATED = 2
    FOREIGN = 3


class Following(IntEnum):
    """How bonus ratings follow the new change (reading I1)."""

    TOGETHER = 0
    """All change after everybody was rated once more."""
    IN_TURN = 1
    """Each as soon as its player is rated, in the order of the report."""


class Parameters(NamedTuple):
    """What a rating office chooses."""

    version: int = 3
    no_bonuses: bool = False
    following: Following = Following.TOGETHER


PARAMETER_DOCS = {
    "version": "version of the office's rules, 0 to 3 (paragraph 9)",
    "no_bonuses": "true: nobody gets a bonus",
    "following": "how bonus ratings follow the new change from version 2 on; together: after "
    "everybody was rated once more; in_turn: one after the other, in the order of the report",
}

PARAMETER_RANGES = {"version": (0, 3)}


class Known(NamedTuple):
    """What a players file says of a player; days are counted from 1970-01-01."""

    rating: Rating = NO_RATING
    games: Games = NOT_GIVEN
    foreign: bool = False
    joined: Day = NOT_GIVEN


class Standing(NamedTuple):
    """What is known of a player; the last five are what the round before left of him.

    ``start`` is the day on which the event starts; ``decided_k`` is 0 where the office
    did not set a K.
    """

    rating: Rating
    games: Games
    foreign: bool
    joined: Day
    born: Day
    start: Day
    decided_k: Coefficient
    kind: Kind
    k: Coefficient
    performance: ExactRating
    change: Points
    expected: Expectation
    bonus: Difference
    bonus_rating: ExactRating


class Side(NamedTuple):
    """One player's half of a game; ``opponent`` is the opponent's number so far."""

    opponent: ExactRating
    kind: Kind
    """That of the opponent."""
    score: HalfPoints
    other: int
    game: int


class Sums(NamedTuple):
    """What the games of a player come to."""

    change: Points
    expected: Expectation


class Reckoning(NamedTuple):
    """What a round leaves of a player; ``value`` is the performance."""

    value: ExactRating
    change: Points
    expected: Expectation
    bonus: Difference
    bonus_rating: ExactRating
    games: Games
    met: Games
    """Games against opponents who have a number."""
    score: HalfPoints
