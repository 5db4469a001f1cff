"""Rows of changes as lists print them: both numbers published, the exact one beside.

A pool that goes on with decimals brings them into the next batch, and publishes fewer.  The
engine's own rows, by which runs are compared bit for bit, have ``before`` as it came in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.tables import changes_table, or_null
from ratingbook.engine.report.run import RatedRow
from ratingbook.rules.book import RuleBook
from ratingbook.rules.rounding import as_published
from ratingbook.rules.series import BookOrSeries, Series

Array = np.ndarray[Any, Any]

EXACT = "exact_before"
"""The column of the exact rating, where lists print another."""


def keeps_decimals(book: BookOrSeries) -> bool:
    """Whether a rating may enter a batch with more decimals than lists print."""
    editions = book.editions if isinstance(book, Series) else (book,)
    return any(_decimals(each) is not None for each in editions)


def published_changes(run: Run, some: Changes) -> pa.Table:
    """As :func:`.changes_table`, with both ratings as lists print them.

    Where the pool goes on with decimals, ``exact_before`` follows: the rating with which the
    player entered the batch.
    """
    table = changes_table(run, some)
    if not keeps_decimals(run.program.book):
        return table
    place = table.column_names.index("before")
    published = table.set_column(place, "before", or_null(published_before(run, some)))
    return published.append_column(EXACT, table["before"])


def published_before(run: Run, some: Changes) -> Array:
    """The ratings with which players entered batches, as lists print them."""
    if not keeps_decimals(run.program.book):
        return some.before
    starts = [each.first for each in run.stretches]
    stretch = np.searchsorted(starts, some.batch, side="right") - 1
    before = some.before.copy()
    for number, each in enumerate(run.stretches):
        decimals = _decimals(each.book_of(run.program.book))
        if decimals is not None:
            own = stretch == number
            before[own] = as_published(before[own], decimals)
    return before


def shown_number(run: Run, some: Changes, name: str) -> Array:
    """A column of numbers of :func:`published_changes`, by its name.

    The exact rating is there also where no more decimals are kept than are published.
    """
    if name == EXACT:
        return some.before
    found: Array = published_before(run, some) if name == "before" else getattr(some, name)
    return found


def published_rows(run: Run, batch: int, rows: Sequence[RatedRow]) -> list[RatedRow]:
    """Explained rows of a batch with the rating of before as lists print it."""
    decimals = _decimals(run.stretch_of(batch).book_of(run.program.book))
    return [_published_row(each, decimals) for each in rows]


def _published_row(rated: RatedRow, decimals: int | None) -> RatedRow:
    exact = rated.row.before
    if decimals is None or exact is None:
        return rated
    told = as_published(float(exact), decimals)
    before = int(told) if told == int(told) else told
    return replace(rated, row=replace(rated.row, before=before), exact_before=exact)


def _decimals(book: RuleBook) -> int | None:
    """How many decimals are published; None: as many as go on, or nobody says."""
    return None if book.whole_ratings else book.published_decimals
