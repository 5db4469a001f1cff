"""What the numbers of the rules mean: types that tell a rating from a score.

Every public rule function annotates its numbers with one of these types.  For
the computer they are plain ``int`` or ``float``; the explanation reads the unit
from the annotation, so that 79 hundredths are shown as 0.79.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, NamedTuple

from ratingbook.rules.rounding import TOLERANCE, half_up

SCORE_SCALE = 10**10
"""An expected score of 1 as the integer that the rules compute with.

A table in hundredths is exact on this scale; a value of a formula is rounded to
it once, so that sums are sums of integers and do not depend on their order.
K · n · SCORE_SCALE stays below 2**63 for ten million games of a player.
"""


FIXED_SCALE = 2**40
"""The same for rules that compute in floats: each term is rounded once to this."""


LEAST_RATING, GREATEST_RATING = 1, 4000
"""The ratings that a list and a standing can hold, where an edition does not say otherwise."""


def within_lists(rating: int) -> int:
    """The nearest rating that a list can hold."""
    return max(LEAST_RATING, min(GREATEST_RATING, rating))


def scaled(number: float) -> int:
    """A number of the text, which may have decimals, on SCORE_SCALE."""
    return math.floor(number * SCORE_SCALE + 0.5)


def fixed(number: float) -> int:
    """A term of a sum, rounded once to a whole multiple of 1 / FIXED_SCALE."""
    return math.floor(number * FIXED_SCALE + 0.5)


_HALF = FIXED_SCALE // 2
_NEAR = int(TOLERANCE * FIXED_SCALE)


def settled(exact: int) -> int:
    """A sum on FIXED_SCALE as the half or whole number that it is within TOLERANCE of.

    The terms of a text can come to exactly that, which their floats and the rounding to the
    scale miss by 2⁻⁴¹ a term; TOLERANCE is more than that for two thousand terms.
    """
    nearest = half_up(exact, _HALF) * _HALF
    return nearest if abs(exact - nearest) <= _NEAR else exact


class Ratio(NamedTuple):
    """An exact fraction; ``denominator`` is positive and need not be in lowest terms."""

    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True)
class Unit:
    """How a number of the rules is meant.

    ``scale`` is the integer that stands for 1; ``signed`` asks for a plus sign; ``few`` says
    that eight bits hold it; ``words`` say a number that people do not call by its digits: a
    day, a grade.
    """

    name: str
    scale: int = 1
    signed: bool = False
    few: bool = False
    words: Callable[[int], str] | None = field(default=None, repr=False)

    def natural(self, number: float) -> float | str:
        """The number in natural units: 79 hundredths as 0.79; whole ones stay ``int``."""
        if self.words is not None:
            return self.words(int(number))
        if self.scale == 1:
            return number
        whole, rest = divmod(number, self.scale)
        return whole if rest == 0 else number / self.scale


Rating = Annotated[int, Unit("rating")]
"""A rating in whole points."""

Difference = Annotated[int, Unit("difference", signed=True)]
"""A difference of two ratings, or a change, in whole points."""

Points = Annotated[int, Unit("points", SCORE_SCALE, signed=True)]
"""Rating points on the scale of :data:`SCORE_SCALE`."""

ExactRating = Annotated[int, Unit("exact rating", SCORE_SCALE)]
"""An unrounded rating on the scale of :data:`SCORE_SCALE`."""

FixedPoints = Annotated[int, Unit("points", FIXED_SCALE, signed=True)]
"""Rating points on the scale of :data:`FIXED_SCALE`."""

FixedScore = Annotated[int, Unit("expected score", FIXED_SCALE)]
"""An expected score on the scale of :data:`FIXED_SCALE`."""

FloatRating = Annotated[float, Unit("rating")]
"""A rating with decimals."""

Probability = Annotated[float, Unit("probability")]
"""A number between 0 and 1."""

HalfPoints = Annotated[int, Unit("score", 2)]
"""A score in half points: 0, 1, 2 for one game."""

Percent = Annotated[int, Unit("percentage", 100)]
"""A share in whole percent: 79 for 0.79."""

Expectation = Annotated[int, Unit("expected score", SCORE_SCALE)]
"""An expected score on the scale of :data:`SCORE_SCALE`."""

Games = Annotated[int, Unit("games")]
"""A number of games."""

Events = Annotated[int, Unit("events")]
"""A number of events."""

Number = Annotated[int, Unit("number")]
"""A number that counts nothing: of an event, of a player, of a word."""

Code = Annotated[int, Unit("number", few=True)]
"""A number that stands for one of a few words."""

Player = Annotated[int, Unit("player")]
"""The number of a player; explanations say the id."""


def day_in_words(day: int) -> str:
    """A day as people write it: 1996-01-01."""
    return date.fromordinal(_FIRST_DAY + day).isoformat()


_FIRST_DAY = date(1970, 1, 1).toordinal()

Day = Annotated[int, Unit("day", words=day_in_words)]
"""A day, counted from 1 January 1970."""

Year = Annotated[int, Unit("year")]
"""A year of the calendar."""

Coefficient = Annotated[int, Unit("coefficient")]
"""A development coefficient (K), in points a game."""
