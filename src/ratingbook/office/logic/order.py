"""The order of the rows of a table, by code points: databases sort texts in ways of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Array = np.ndarray[Any, Any]


def order_of(table: pa.Table, columns: Sequence[str]) -> Array:
    """The rows in the order of columns, what is not there last; texts by their code points.

    Each text is compared once, and not for each row.
    """
    keys = []
    for name in columns:
        column = table[name]
        if pa.types.is_string(column.type):
            texts = column.combine_chunks().dictionary_encode()
            if isinstance(texts, pa.ChunkedArray):
                texts = texts.unify_dictionaries().combine_chunks()
            ranks = np.empty(len(texts.dictionary), np.int64)
            ranks[np.asarray(pc.sort_indices(texts.dictionary))] = np.arange(len(ranks))
            keys.append(ranks[np.asarray(texts.indices)])
        else:
            whole = column.cast(pa.int32()) if pa.types.is_date(column.type) else column
            last = np.iinfo(np.int64).max
            keys.append(np.asarray(whole.cast(pa.int64()).fill_null(last)))
    return np.lexsort(keys[::-1])
