"""Items 12 and 13: the calendar of the lists (reading A17: the windows of 2012)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.usual import months_on

_QUARTER = 3


class RatingList(NamedTuple):
    """A list and its deadlines; all days are included."""

    year: int
    number: int
    """1 to 4 within the year."""
    valid_from: date
    valid_until: date
    reports_from: date
    reports_until: date
    published: date

    @property
    def name(self) -> str:
        """The list as it is cited: 2012/2."""
        return f"{self.year}/{self.number}"


def rating_list(year: int, number: int) -> RatingList:
    """The list of a year's quarter ``number`` (1 to 4), with its deadlines."""
    first = date(year, _QUARTER * (number - 1) + 1, 1)
    return RatingList(
        year,
        number,
        first,
        months_on(first, _QUARTER) - timedelta(days=1),
        months_on(first, -_QUARTER - 1),
        months_on(first, -1) - timedelta(days=1),
        months_on(first, -1).replace(day=15),
    )


def list_in_force(day: date) -> RatingList:
    """The list that is valid on a day."""
    return rating_list(day.year, (day.month - 1) // _QUARTER + 1)


@paragraph("12", "reported on {reported}: list {value.year}/{value.number}")
def list_taking(reported: date) -> RatingList:
    """Item 12: the list that takes a result reported on that day.

    The month before the list is left for the work on it: a report of December
    belongs to the April list.
    """
    return list_in_force(months_on(reported, _QUARTER + 1))


@paragraph("13", "registered by the tournament director until {value}")
def registration_deadline(taking: RatingList) -> date:
    """Item 13: two weeks before publication, which is the last day of reports."""
    return taking.published - timedelta(days=taking.published.day)
