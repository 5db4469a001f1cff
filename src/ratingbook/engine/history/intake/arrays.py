"""Between Arrow and NumPy, over the memory itself.

Arrow's own conversions of arrays and of single values load pandas where it is
installed, which takes longer than to read a million games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Mask = npt.NDArray[np.bool_]


def from_arrow(array: pa.Array) -> npt.NDArray[Any]:
    """An array of numbers or of true and false as NumPy's, with 0 where there is no value.

    Numbers are not copied, and must not be written to.
    """
    dtype = _dtype(array.type)
    data = array.buffers()[1]
    if data is None or not len(array):
        return np.zeros(len(array), dtype)
    if dtype == np.bool_:
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        numbers: npt.NDArray[Any] = bits[array.offset : array.offset + len(array)].view(np.bool_)
    else:
        numbers = np.frombuffer(data, dtype, len(array), array.offset * dtype.itemsize)
    missing = missing_in(array)
    return numbers if missing is None else np.where(missing, dtype.type(0), numbers)


def column_of(table: pa.Table, name: str) -> npt.NDArray[Any]:
    """A column of a table as an array, like :func:`from_arrow`."""
    return from_arrow(table[name].combine_chunks())


def own_column_of(table: pa.Table, name: str) -> npt.NDArray[Any]:
    """A column of a table, copied: it may be written to."""
    pieces = [from_arrow(each) for each in table[name].chunks]
    return np.concatenate(pieces) if pieces else column_of(table, name).copy()


def _dtype(kind: pa.DataType) -> np.dtype[Any]:
    return np.dtype(np.bool_ if pa.types.is_boolean(kind) else kind.to_pandas_dtype())


def to_arrow(numbers: npt.NDArray[Any], missing: Mask | None = None) -> pa.Array:
    """NumPy's array as Arrow's; ``missing`` marks what has no value.  Numbers are not copied."""
    numbers = np.ascontiguousarray(numbers)
    kind = pa.from_numpy_dtype(numbers.dtype)
    data = np.packbits(numbers, bitorder="little") if numbers.dtype == np.bool_ else numbers
    valid = None if missing is None else pa.py_buffer(np.packbits(~missing, bitorder="little"))
    return pa.Array.from_buffers(kind, len(numbers), [valid, pa.py_buffer(data)])


def as_table(columns: Mapping[str, Any]) -> pa.Table:
    """A table of columns of which some are NumPy's and some Arrow's."""
    return pa.table({name: to_arrow(each) if isinstance(each, np.ndarray) else each
                     for name, each in columns.items()})  # fmt: skip


def floats_of(values: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    """A column of numbers, NaN where there is none."""
    column = values.combine_chunks().cast(pa.float64())
    numbers, missing = from_arrow(column), missing_in(column)
    return numbers if missing is None else np.where(missing, np.nan, numbers)


def mask_of(array: pa.Array) -> Mask:
    """True and false of Arrow as NumPy's; false where there is neither."""
    mask: Mask = from_arrow(array)
    return mask


def missing_in(array: pa.Array) -> Mask | None:
    """The rows without a value; None where every row has one."""
    return mask_of(array.is_null()) if array.null_count else None


def blank_in(texts: pa.Array) -> Mask:
    """The rows whose text is empty but for blanks, or absent."""
    mask: Mask = from_arrow(pc.binary_length(pc.utf8_trim_whitespace(texts))) == 0
    return mask


def texts_of(*values: str | None) -> pa.Array:
    """A few texts as an array."""
    encoded = [(value or "").encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    valid = np.packbits([value is not None for value in values], bitorder="little")
    buffers = [pa.py_buffer(valid), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.large_string(), len(values), buffers)
