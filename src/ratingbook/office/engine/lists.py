"""When the rules of a pool make lists, and which of them takes what."""

from __future__ import annotations

from datetime import date, timedelta

from ratingbook.model import Event
from ratingbook.office.engine.rules import Rules

_LONGEST_CLOSED = 62
"""Days for which a list can be closed before its own day."""


def list_that_takes(rules: Rules, day: date) -> date | None:
    """The day of the list that takes what ends on a day; None: events are rated as they come."""
    book = rules.book()
    if book.bulk is None or book.bulk.calendar is None:
        return None
    edition = book.edition(day).on(day)
    assert edition.bulk is not None
    facts = edition.bulk.facts_of(Event(start=day, end=day), edition.parameters)
    calendar = edition.bulk.calendar
    return None if calendar is None else calendar.taking(day, facts)


def next_list(rules: Rules, today: date, last: date | None) -> date | None:
    """The day of the list to come; ``last`` is that of the newest one, which may be of a later day.

    It may have closed: then it takes nothing that ends today.  None: there are only events.
    """
    day = max(today, last or today)
    found = list_that_takes(rules, day)
    if found is None:
        return None
    # What ends later goes on no earlier list: the first day whose list is to come is looked for.
    low, high = day - timedelta(days=_LONGEST_CLOSED), day
    while low < high:
        middle = low + (high - low) // 2
        taken = list_that_takes(rules, middle)
        if taken is not None and taken >= today and (last is None or taken > last):
            high, found = middle, taken
        else:
            low = middle + timedelta(days=1)
    return found


def is_rated_by_lists(rules: Rules) -> bool:
    """Whether the batches are periods with a list at their ends."""
    book = rules.book()
    return book.bulk is not None and book.bulk.calendar is not None
