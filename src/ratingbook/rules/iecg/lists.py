"""Section II, III.4, VIII.4–VIII.5, IX.4: periods, lists, and who is on them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from ratingbook.model import Event
from ratingbook.rules.iecg.columns import FixedRating, Inactive, Parameters
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import rounded_by
from ratingbook.rules.units import FIXED_SCALE, Rating, within_lists
from ratingbook.rules.usual import months_on

MONTHS_OF_A_PERIOD = 2
PERIODS_OF_A_YEAR = 6

INAUGURATION = date(1997, 1, 1)
"""First day of the scheme."""

_SATURDAY = 5


class Period(NamedTuple):
    """A rating period: ``number`` 1 is January and February."""

    year: int
    number: int


@paragraph("II.1", "{day} lies in period {value.number} of {value.year}")
def period_of(day: date) -> Period:
    """II.1: periods of two months, the first of a year starts on 1 January."""
    return Period(day.year, (day.month - 1) // MONTHS_OF_A_PERIOD + 1)


def _first_weekend(year: int, month: int) -> date:
    """The first Saturday of a month (reading B5)."""
    first = date(year, month, 1)
    return first + timedelta(days=(_SATURDAY - first.weekday()) % 7)


@paragraph("II.2", "the list of period {period.number} of {period.year} appears on {value}")
def list_date(period: Period) -> date:
    """II.2: the first weekend after the end of the period."""
    if period.number == PERIODS_OF_A_YEAR:
        return _first_weekend(period.year + 1, 1)
    return _first_weekend(period.year, MONTHS_OF_A_PERIOD * period.number + 1)


@paragraph("III.4", "an intermediate list of the period can appear on {value}")
def intermediate_list_date(period: Period) -> date:
    """III.4: the first weekend of the month within the period.

    It is rated as if the period had ended then; the TERs stay those of the last
    list.
    """
    return _first_weekend(period.year, MONTHS_OF_A_PERIOD * period.number)


def list_in_force(day: date) -> Period:
    """The period of the newest list that has appeared by a day."""
    period = before(period_of(day))
    return period if list_date(period) <= day else before(period)


def last_day(period: Period) -> date:
    """The last day of a period."""
    last_month = date(period.year, MONTHS_OF_A_PERIOD * period.number, 1)
    return months_on(last_month, 1) - timedelta(days=1)


def before(period: Period) -> Period:
    """The period before."""
    if period.number == 1:
        return Period(period.year - 1, PERIODS_OF_A_YEAR)
    return Period(period.year, period.number - 1)


@paragraph("IX.4", "finished on {finished}, before the scheme: treated as finished on {value}")
def finished_under_scheme(finished: date) -> date:
    """IX.4: games finished before the scheme are treated as finished afterwards."""
    return max(finished, INAUGURATION)


@paragraph("II.5", "{exact}, in the list as a whole number: {value}")
def listed_rating(exact: FixedRating, p: Parameters) -> Rating:
    """II.5 f: the rating of the list, a whole number (reading B3)."""
    return whole(exact, p)


@paragraph("II.5", "a list has no rating of {rating}: {value}")
def bounded_rating(rating: Rating) -> Rating:
    """II.5 f: a number that no list has becomes the nearest that it has (reading B30)."""
    return within_lists(rating)


def whole(exact: FixedRating, p: Parameters) -> Rating:
    """An unrounded rating as a whole number."""
    return rounded_by(p.tie, exact, FIXED_SCALE)


@paragraph("II.5", "class {value}")
def class_number(rating: Rating, p: Parameters) -> int:
    """II.5 b: the class that a rating lies in; a greater number is a stronger class (B19)."""
    return (rating - p.class_origin) // p.class_width


def periods_from(earlier: Period, later: Period) -> int:
    """How many periods ``later`` comes after ``earlier``."""
    return (later.year - earlier.year) * PERIODS_OF_A_YEAR + later.number - earlier.number


@paragraph("VIII.4", "last active in period {value.number} of {value.year}")
def last_active(finished: Period, in_progress: Period, p: Parameters) -> Period:
    """VIII.4: the last period in which a player played (reading B4).

    ``finished`` is the last one in which a game was finished, ``in_progress`` the last one in
    which a game was known to be in progress.
    """
    if p.inactive == Inactive.NONE_FINISHED:
        return finished
    return max(finished, in_progress)


@paragraph("VIII.5", "on the list", otherwise="inactive for a year: off the list")
def is_listed(last_active: Period, of_list: Period, p: Parameters) -> bool:
    """VIII.5: off the list after a year of six inactive periods (reading B18)."""
    return periods_from(last_active, of_list) < p.off_list_periods


@paragraph("VIII.5", "kept in the database", otherwise="inactive for five years: deleted")
def is_kept(last_active: Period, of_list: Period, p: Parameters) -> bool:
    """VIII.5: the rating stays valid for another four years, then it is deleted.

    Until then the stored rating counts again on return (VIII.6).
    """
    return periods_from(last_active, of_list) < p.deleted_periods


def last_day_of(event: Event) -> date | None:
    """The last day of the period that a report is of; None where it does not say."""
    if event.end is None or event.end < INAUGURATION:
        return None
    return last_day(period_of(event.end))
