"""Of which pool of its rule book an event is, and what an office says of it to the engine.

A pool of an office has one list; a rule book may have several, and knows by words, time controls
and names of which an event is.  Here both meet, whatever the federation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

import pyarrow as pa

from ratingbook.model import Event
from ratingbook.rules.pooling import Pools
from ratingbook.rules.series import BookOrSeries, default_pool

POOL = "pool"
"""Column of events, and what a report may say."""
_TOLD_BY = (POOL, "time_control")
"""What tells of an event of which pool it is."""


def own_pool(book: BookOrSeries) -> str:
    """The pool of the rule book that is rated with these rules; empty: it has but one."""
    return default_pool(book)


def setting_of(book: BookOrSeries, name: str) -> str | None:
    """The parameter by which the rules rate the list of a name; None: they do, or have no such."""
    pools = pools_of(book)
    if pools is None or name not in pools.settings or name == own_pool(book):
        return None
    return ",".join(f"{key}={name}" for key in pools.settings[name])


def event_of(said: Mapping[str, Any], end: date | None, own_name: str = "") -> Event:
    """The event of a section, by what a report says of it.

    ``own_name`` is that of the office's pool, which rule books do not know.
    """
    pool = said.get(POOL)
    return Event(
        name=str(said.get("name") or ""),
        end=end,
        time_control=said.get("time_control"),
        pool=None if pool == own_name else pool,
    )


def pools_of_event(book: BookOrSeries, event: Event) -> Sequence[str] | None:
    """The pools of the rule book in which an event counts, by the edition of its last day.

    None where nothing tells, and of a book of one pool.
    """
    pools = pools_of(book)
    if pools is None:
        return None
    return pools.of_event(event, book.edition(event.end).on(event.end).parameters)


def elsewhere(book: BookOrSeries, event: Event) -> Sequence[str] | None:
    """The pools of the rule book of which an event is, where that of these rules is none of them.

    None: it is of this one, or nothing tells.
    """
    found = pools_of_event(book, event)
    return None if found is None or own_pool(book) in found else tuple(found)


def placed(events: pa.Table | None, book: BookOrSeries) -> pa.Table | None:
    """The events as the rules take them: each is of the pool that an office has it in.

    Whoever let an event of another pool in has decided that.  What is of this pool, and perhaps
    of another one, too, is left as it is told.
    """
    pools = pools_of(book)
    if events is None or pools is None or not {*_TOLD_BY} & {*events.column_names}:
        return events
    own = own_pool(book)

    @cache
    def word(said: str | None, control: str | None, day: date | None) -> str | None:
        event = Event(pool=said, time_control=control, end=day)
        return said if elsewhere(book, event) is None else own

    told = [
        events[name].to_pylist() if name in events.column_names else [None] * len(events)
        for name in _TOLD_BY
    ]
    ends = events["end"].to_pylist()
    words = [word(said, control, day) for said, control, day in zip(*told, ends, strict=True)]
    if words == told[0]:
        return events
    column = pa.array(words, pa.string())
    if POOL in events.column_names:
        return events.set_column(events.column_names.index(POOL), POOL, column)
    return events.append_column(POOL, column)


def pools_of(book: BookOrSeries) -> Pools | None:
    """The pools of a rule book, whichever of them is rated."""
    return None if book.bulk is None else book.bulk.pools
