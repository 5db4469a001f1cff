"""Section 4: individual matches."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from ratingbook.model import FrozenSide
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating
from ratingbook.rules.uscf.columns import FloatChange

MOST_DIFFERENCE = 400.0
MOST_CHANGE = 50.0
MOST_IN_180_DAYS = 100.0
MOST_IN_3_YEARS = 200.0
DAYS = 180
YEARS = 3
REDUCTION = 100.0
"""By so much a floor is lowered for a match."""

_FLOOR = ", floor -100"
_MATCH = re.compile(rf"match ([+-]\d+(?:\.\d+)?(?:e-?\d+)?)({_FLOOR})?", re.IGNORECASE)


def plain(number: float) -> float:
    """A whole number as int, as reports write it."""
    return int(number) if number == int(number) else number


class PastMatch(NamedTuple):
    """What an earlier match changed."""

    day: date | None
    change: float
    lowers_floor: bool

    @property
    def text(self) -> str:
        """The change as the history of a report tells it."""
        return f"match {plain(self.change):+}" + (_FLOOR if self.lowers_floor else "")


@paragraph(
    "4.4.1",
    "both established, {difference} points apart: a match between them is rated",
    otherwise="established: {established}, {difference} points apart: such a match is not rated",
)
def match_is_rated(established: bool, difference: FloatRating) -> bool:
    """4: both players established, and published ratings not more than 400 points apart."""
    return established and difference <= MOST_DIFFERENCE


@paragraph("4.4.2", "a match changes a rating by at most 50 points: {change} becomes {value}")
def capped_change(change: FloatChange) -> FloatChange:
    """4: at most 50 points for one match."""
    return max(-MOST_CHANGE, min(MOST_CHANGE, change))


@paragraph(
    "4.4.2",
    "net change by matches in 180 days {net}, at most 100 with this one: {change} becomes {value}",
)
def capped_in_180_days(change: FloatChange, net: FloatChange) -> FloatChange:
    """4: at most 100 points net in 180 days."""
    return within(change, net, MOST_IN_180_DAYS)


@paragraph(
    "4.4.2",
    "net change by matches in 3 years {net}, at most 200 with this one: {change} becomes {value}",
)
def capped_in_3_years(change: FloatChange, net: FloatChange) -> FloatChange:
    """4: at most 200 points net in three years."""
    return within(change, net, MOST_IN_3_YEARS)


def within(change: float, net: float, most: float) -> float:
    """A change such that the net one stays within ``most``; never one to the other side."""
    return max(min(0.0, -most - net), min(max(0.0, most - net), change))


def match_rating(before: float, rating: float, net_180_days: float, net_3_years: float) -> float:
    """4, rule 2: the rating after a match, with its three limits."""
    change = rating - before
    if abs(change) > MOST_CHANGE:
        change = capped_change(change)
    if within(change, net_180_days, MOST_IN_180_DAYS) != change:
        change = capped_in_180_days(change, net_180_days)
    if within(change, net_3_years, MOST_IN_3_YEARS) != change:
        change = capped_in_3_years(change, net_3_years)
    return before + change


@paragraph("4.4.4", "{rating} is below the floor of {floor}, which a match lowers to {value}")
def floor_lowered_by_match(rating: FloatRating, floor: FloatRating) -> FloatRating:
    """4: a match that ends below the floor is a request to lower it by 100; granted."""
    del rating
    return floor - REDUCTION


@paragraph("4.4.4", "{rating} is below the floor of {floor}; the request to lower it is refused")
def floor_kept_in_match(rating: FloatRating, floor: FloatRating) -> FloatRating:
    """4: where the office does not grant the request, the floor holds."""
    return max(rating, floor)


def past_match(frozen: FrozenSide) -> PastMatch | None:
    """An earlier match of the history, ``match +20`` or ``match -12, floor -100``; None: no such.

    A frozen side stands for a whole match: `own` and `opponent` are the ratings
    before it, `score` its result, `start` its last day, and `event` says what it
    changed.
    """
    found = _MATCH.fullmatch((frozen.event or "").replace("−", "-").strip())
    if found is None:
        return None
    return PastMatch(frozen.start, float(found[1]), found[2] is not None)


def net_change(matches: Iterable[PastMatch], first: date | None) -> float:
    """Net change by the matches from a day on; those without a day count.

    Sorted, so that the sum has no order.
    """
    changes = [
        match.change
        for match in matches
        if first is None or match.day is None or match.day >= first
    ]
    return sum(sorted(changes), 0.0)


def years_before(day: date, years: int) -> date:
    """The same day some years before; 28 February for a 29 February that does not exist."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)
