"""What is known of each day, looked up for the days of many games.

All of it is done block by block: of places that are as long as the games, the system would have to
bring memory first, which takes longer than looking them up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratingbook.rules.bulk import EPOCH, day_number

Array = np.ndarray[Any, Any]

_BLOCK = 1 << 16


def blocks(count: int) -> Iterator[slice]:
    """Slices of so many games, one after the other."""
    return (slice(start, start + _BLOCK) for start in range(0, count, _BLOCK))


def looked_up(values: Array, places: Array, first: int = 0) -> Array:
    """The values at these places, which count from ``first`` on."""
    found = np.empty(len(places), values.dtype)
    room = np.empty(min(len(places), _BLOCK), np.intp)
    for part in blocks(len(places)):
        here = room[: len(found[part])]
        np.subtract(places[part], first, out=here)
        # All places are there: to look whether they are would take a copy.
        values.take(here, out=found[part], mode="clip")
    return found


def distinct(days: Array) -> Array:
    """The days that there are, ascending."""
    if not len(days):
        return days
    first = int(days.min())
    seen = np.zeros(int(days.max()) - first + 1, bool)
    for part in blocks(len(days)):
        seen[days[part] - first] = True
    found: Array = (np.flatnonzero(seen) + first).astype(np.int32)
    return found


def table_of(days: Array, values: Array) -> tuple[Array, int]:
    """The values of some days, ascending, as a table of all days from the first; and that day."""
    first = int(days[0]) if len(days) else 0
    table = np.zeros(int(days[-1]) - first + 1 if len(days) else 0, values.dtype)
    table[days - first] = values
    return table, first


def by_day(days: Array, of: Callable[[date], date]) -> Array:
    """A function of a date over many days, called once for each."""
    several = distinct(days)
    found = [day_number(of(EPOCH + timedelta(days=day))) for day in several.tolist()]
    table, first = table_of(several, np.array(found, np.int32))
    return looked_up(table, days, first)
