"""Digests over tables by what they say, not by how a library writes them."""

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def table_digest(table: pa.Table) -> str:
    """SHA-256 over names, types and values, row by row order as given; bits of floats count."""
    total = hashlib.sha256()
    for name in table.column_names:
        column = table[name].combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.nulls(0)
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        total.update(f"{name}\x00{len(column)}\x00".encode())
        valid = np.asarray(column.is_valid())
        total.update(np.packbits(valid).tobytes())
        total.update(_values(column))
    return total.hexdigest()


def _values(column: pa.Array) -> bytes:
    kind = column.type
    if pa.types.is_null(kind):
        return b""
    if pa.types.is_floating(kind):
        filled = np.asarray(column.cast(pa.float64()).fill_null(0.0))
        return b"f" + filled.astype("<f8").tobytes()
    if pa.types.is_integer(kind) or pa.types.is_date(kind) or pa.types.is_boolean(kind):
        if pa.types.is_date32(kind):
            column = column.cast(pa.int32())
        filled = np.asarray(column.cast(pa.int64()).fill_null(0))
        return b"i" + filled.astype("<i8").tobytes()
    texts = column.cast(pa.large_string()).fill_null("")
    every = pa.LargeListArray.from_arrays(pa.array([0, len(texts)], pa.int64()), texts)
    together = pc.binary_join(every, pa.scalar("\x00", pa.large_string()))
    return b"t" + bytes(together.buffers()[2] or b"")
