"""What the systems have alike: a rating with its deviation, and periods of whole months."""

import math
from datetime import date
from typing import Annotated, NamedTuple

from ratingbook.model import Event
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, month_number
from ratingbook.rules.half import Half
from ratingbook.rules.units import Day, FloatRating, Games, HalfPoints, Unit
from ratingbook.rules.usual import months_on

MOST = 300.0
"""10 to a power above 308 is too large for a float: Python refuses it, compiled code goes on."""

LOWEST, HIGHEST = -10_000, 10_000
"""No rating is lower or higher."""

Deviation = Annotated[float, Unit("deviation")]
"""Standard deviation of a rating, in points."""

FloatPoints = Annotated[float, Unit("points", signed=True)]
"""A change with decimals."""

PARAMETER_DOCS = {
    "deviation": "deviation of a player without a rating; no deviation is greater",
    "least_deviation": "least deviation",
    "months": "months of a rating period, counted from January of the year 0",
}


class Known(NamedTuple):
    """What a report or a players file says of a player."""

    rating: FloatRating = NO_NUMBER
    games: Games = 0
    deviation: Deviation = NO_NUMBER


class Standing(NamedTuple):
    """What the pool knows of a player: the deviation is that after the latest game."""

    rating: FloatRating
    games: Games
    deviation: Deviation


class Facts(NamedTuple):
    """What the calendar asks of an event: how long its period is."""

    months: int = 1


class Side(NamedTuple):
    """One player's half of a game: what was known of the opponent before the period."""

    opponent: FloatRating
    deviation: Deviation
    score: HalfPoints
    other: int
    game: int


def facts_of(event: Event, p: "HasMonths") -> Facts:
    """The months of a period, which are a parameter."""
    del event
    return Facts(p.months)


class HasMonths(NamedTuple):
    """Parameters with the length of a period."""

    months: int


def taking(end: date, facts: Facts) -> date:
    """The first day after the period in which an event ended."""
    month = end.year * 12 + end.month - 1
    return months_on(end, facts.months - month % facts.months)


def periods_between(last: Day, now: Day, months: int) -> int:
    """How many periods later than one day another is; 0 where either is not known."""
    if NOT_GIVEN in (last, now):
        return 0
    return max(0, month_number(now) // months - month_number(last) // months)


def within(deviation: Deviation, least: Deviation, most: Deviation) -> Deviation:
    """A deviation within its bounds; the greatest where none is known."""
    return min(max(deviation, least), most) if deviation > 0 else most


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: object) -> Side:
    """The half of a game, at what was known of the opponent before."""
    return Side(opponent.rating, opponent.deviation, half.score, half.other, half.game)


def tenfold(exponent: float) -> float:
    """10 to that power, within what a float can hold."""
    return 10 ** max(-MOST, min(exponent, MOST))


def kept(number: float) -> float:
    """A number to six decimals, as standings keep it."""
    return math.floor(number * 1_000_000 + 0.5) / 1_000_000


def has_no_rating(rating: FloatRating) -> bool:
    """Whether that is no rating yet."""
    return math.isnan(rating)
