"""Paragraphs 5a and 5c: the calendar of the lists."""

from __future__ import annotations

from datetime import date, timedelta

from ratingbook.rules.paragraph import paragraph

LIST_MONTHS = (1, 3, 5, 7, 9, 11)
"""Lists appear on the first day of these months."""

CLOSING_DAYS = 7
"""An event must have ended this many days before the list that takes it."""

OFFICIAL_CLOSING_DAYS = 1
"""The same for FIDE's own events."""


def _list_from(day: date) -> date:
    """The first list date on or after ``day``."""
    for month in LIST_MONTHS:
        if day <= date(day.year, month, 1):
            return date(day.year, month, 1)
    return date(day.year + 1, LIST_MONTHS[0], 1)


@paragraph("5a", "{event} starts on {start}: ratings of the list of {value}")
def list_in_force(start: date, event: str = "the event") -> date:
    """Paragraph 5: the list in force on the day when the event starts."""
    del event
    return date(start.year, max(month for month in LIST_MONTHS if month <= start.month), 1)


@paragraph("5c", "the event ends on {end}: counts for the list of {value}")
def list_taking(end: date, official: bool = False) -> date:
    """Paragraph 5: the first list whose closing date the event met.

    The closing date is seven days before the list; for official FIDE events the
    day before it.
    """
    days = OFFICIAL_CLOSING_DAYS if official else CLOSING_DAYS
    return _list_from(end + timedelta(days=days))
