"""The tables of pools that are rated together: those of each, with the column ``pool``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.published import published_changes
from ratingbook.engine.history.run import Changes
from ratingbook.engine.history.tables import batch_table
from ratingbook.engine.history.together import Together

Array = np.ndarray[Any, Any]


def ratings_of(together: Together) -> pa.Table:
    """The ratings after the turns so far."""
    return with_pools({pool: run.table() for pool, run in together.runs.items()})


def changes_of(together: Together, rows: Mapping[str, Changes]) -> pa.Table:
    """Rows of changes of all pools, in the order of their batches.

    A number of a batch is that of its time: what several pools rate at once has the same one.
    """
    tables = {}
    for pool, some in rows.items():
        table = published_changes(together.runs[pool], own_numbers(together, pool, some))
        place = table.column_names.index("batch")
        tables[pool] = table.set_column(place, "batch", pa.array(some.batch))
    return in_order(with_pools(tables), ["batch"])


def own_numbers(together: Together, pool: str, rows: Changes) -> Changes:
    """The changes of a pool by its own numbers of batches."""
    if not len(rows):
        return rows
    own = np.searchsorted(together.numbers[pool], rows.batch).astype(np.int32)
    return Changes(**{**vars(rows), "batch": own})


def batches_of_pools(together: Together) -> pa.Table:
    """What the numbers of the batches stand for, in each pool."""
    tables = {}
    for pool, run in together.runs.items():
        table = batch_table(run)
        if pool in together.numbers:
            table = table.set_column(0, "batch", pa.array(together.numbers[pool]))
        tables[pool] = table
    table = with_pools(tables)
    return in_order(table.filter(pc.greater(table["games"], 0)), ["batch"])


def with_pools(
    tables: Mapping[str, pa.Table], more: Mapping[str, Mapping[str, Array]] | None = None
) -> pa.Table:
    """The tables of the pools as one, with their names beside the players, or in front."""
    found = []
    for pool, own in tables.items():
        table = own
        for name, columns in (more or {}).items():
            values = columns[pool]
            missing = np.isnan(values) if values.dtype.kind == "f" else None
            table = table.append_column(name, pa.array(values, mask=missing))
        at = 1 + table.column_names.index("player") if "player" in table.column_names else 0
        column = pa.array([pool] * len(table), pa.string())
        found.append(table.add_column(at, "pool", column))
    return pa.concat_tables(found, promote_options="default").combine_chunks()


def in_order(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """The rows by some columns; those of one value stay in their order."""
    keys = table.select(list(names)).append_column("", pa.array(np.arange(len(table))))
    return table.take(pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names]))
