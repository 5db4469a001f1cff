"""Section 4: individual matches."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from ratingbook.model import FrozenSide
from ratingbook.model.patterns import pattern
from ratingbook.rules.bulk import EPOCH, NOT_GIVEN, Outcome, day_number, month_number
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FIXED_SCALE, Day, FloatRating, Year, fixed
from ratingbook.rules.uscf.columns import FloatChange, Match, Parameters, Standing

MOST_DIFFERENCE = 400.0
MOST_CHANGE = 50.0
MOST_IN_180_DAYS = 100.0
MOST_IN_3_YEARS = 200.0
DAYS = 180
YEARS = 3
REDUCTION = 100.0
"""By so much a floor is lowered for a match."""

_FLOOR = ", floor -100"
_MATCH = pattern(rf"match ([+-]\d+(?:\.\d+)?(?:e-?\d+)?)({_FLOOR})?", re.IGNORECASE)


@paragraph(
    "4.4.1",
    "both established, {difference} points apart: a match between them is rated",
    otherwise="established: {established}, {difference} points apart: such a match is not rated",
    once=True,
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
    return floor - REDUCTION


@paragraph("4.4.4", "{rating} is below the floor of {floor}; the request to lower it is refused")
def floor_kept_in_match(rating: FloatRating, floor: FloatRating) -> FloatRating:
    """4: where the office does not grant the request, the floor holds."""
    return max(rating, floor)


def past_match(frozen: FrozenSide) -> Match | None:
    """An earlier match of the history, ``match +20`` or ``match -12, floor -100``; None: no such.

    A frozen side stands for a whole match: `own` and `opponent` are the ratings
    before it, `score` its result, `start` its last day, and `event` says what it
    changed.
    """
    found = _MATCH.fullmatch((frozen.event or "").replace("−", "-").strip())
    if found is None:
        return None
    return Match(day_number(frozen.start), float(found[1]), found[2] is not None)


def thawed(frozen: FrozenSide, standing: Standing, p: Parameters) -> Match:
    """The match that a side of a history stands for; another side is kept, and changes nothing."""
    return past_match(frozen) or Match(NOT_GIVEN, 0.0, False)


def frozen(
    match: Match, was: FrozenSide | None, made: Outcome, opponent: Outcome, p: Parameters
) -> FrozenSide:
    """The side of a history that stands for a match."""
    if was is not None and past_match(was) is None:
        return was
    change = int(match.change) if match.change == int(match.change) else match.change
    event = f"match {change:+}" + (_FLOOR if match.lowers_floor else "")
    if was is not None:
        return replace(was, event=event)
    score = 0.5 if made.score == made.games else float(made.score > made.games)
    day = None if match.day == NOT_GIVEN else EPOCH + timedelta(days=match.day)
    return FrozenSide(opponent.before, score, made.before, day, event)


def change_in_sums(change: float) -> float:
    """A change rounded once to 2⁻⁴⁰, so that a sum of them is exact and has no order."""
    return fixed(change) / FIXED_SCALE


def is_in_180_days(match: Day, end: Day) -> bool:
    """Whether a match of that day is in the 180 days before the end of an event (U16).

    One without a day is, and so are all where the event has none.
    """
    return match == NOT_GIVEN or match >= end - DAYS


def is_in_3_years(match: Day, end: Day) -> bool:
    """Whether a match of that day is in the three years before the end of an event (U16)."""
    return match == NOT_GIVEN or match >= years_before(end, YEARS)


def years_before(day: Day, years: int) -> Day:
    """The same day some years before; 28 February for a 29 February that does not exist."""
    # Years begin in March here, so that 29 February is the last day of its year.
    year = (month_number(day) - 2) // 12
    earlier = first_of_march(year - years) + day - first_of_march(year)
    return min(earlier, first_of_march(year - years + 1) - 1)


def first_of_march(year: Year) -> Day:
    """1 March."""
    return 365 * year + year // 4 - year // 100 + year // 400 - 719468
