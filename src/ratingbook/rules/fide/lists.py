"""Paragraphs 5a and 5c: the calendar of the lists, which changed in July 2012."""

from __future__ import annotations

from datetime import date, timedelta

from ratingbook.rules.fide.columns import EditionBy, Parameters, Pool
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.usual import months_on

LIST_MONTHS = (1, 3, 5, 7, 9, 11)
"""Until June 2012 lists appeared on the first day of these months."""

MONTHLY_FROM = date(2012, 7, 1)
"""From this list on there is one on the first day of every month."""

FIRST_OF_POOLS = date(2012, 1, 1)
"""Rapid and blitz events from this day on counted for the first lists of July 2012."""

CLOSING_DAYS = 7
"""An event must have ended this many days before the list that takes it."""

MONTHLY_CLOSING_DAYS = 3
"""The same for monthly lists."""


def is_list(day: date) -> bool:
    """Whether a list appears on a day."""
    return day.day == 1 and (day >= MONTHLY_FROM or day.month in LIST_MONTHS)


def next_list(day: date) -> date:
    """The first list after a day."""
    found = months_on(day, 1)
    while not is_list(found):
        found = months_on(found, 1)
    return found


def closing_days(day: date) -> int:
    """How many days before a list its events must have ended."""
    return MONTHLY_CLOSING_DAYS if day >= MONTHLY_FROM else CLOSING_DAYS


def deciding_day(start: date, end: date, official: bool, p: Parameters) -> date:
    """Regulation 0.1: the day that says which edition an event is rated by (reading F19)."""
    day = start
    if p.edition_by == EditionBy.LIST:
        day = list_taking(end, official) - timedelta(days=1)
    if p.pool != Pool.STANDARD and FIRST_OF_POOLS <= day < MONTHLY_FROM:
        return MONTHLY_FROM
    return day


@paragraph("5a", "{event} starts on {start}: ratings of the list of {value}")
def list_in_force(start: date, event: str = "the event") -> date:
    """Paragraph 5: the list in force on the day when the event starts."""
    first = start.replace(day=1)
    while not is_list(first):
        first = months_on(first, -1)
    return first


@paragraph("5c", "the event ends on {end}: counts for the list of {value}")
def list_taking(end: date, official: bool = False) -> date:
    """Paragraph 5: the first list whose closing date the event met.

    The closing date is three days before the list (until June 2012 seven); for
    official FIDE events the day before it.
    """
    found = next_list(end)
    while not official and end > found - timedelta(days=closing_days(found)):
        found = next_list(found)
    return found


@paragraph(
    "5d",
    "the event ended on {end}, its report came on {reported}: after {lists} lists, not rated",
    silent=False,
)
def is_too_late(end: date, reported: date, lists: int) -> bool:
    """Paragraph 5, from March 2024: a report that misses the third list is not rated.

    The first list is the next one after the end of the event; a report is in time for
    a list that closes after it.
    """
    last = end
    for _ in range(lists):
        last = next_list(last)
    return reported > last - timedelta(days=closing_days(last))


def is_long_event(days: int, p: Parameters) -> bool:
    """Whether an event of so many days, both ends counted, is rated month by month (5e)."""
    return days > p.longest_event > 0


@paragraph("5e", "longer than {longest} days: the games of {value} are an event of their own")
def month_of_long_event(end: date, longest: int) -> date:
    """Paragraph 5, from March 2024: events over 30 days are reported and rated by months."""
    del longest
    return end.replace(day=1)
