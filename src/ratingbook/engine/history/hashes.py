"""Ids as numbers that say the same in any history."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.intake.arrays import from_arrow

Array = np.ndarray[Any, Any]


def hashes_of(ids: pa.Array) -> Array:
    """A number for each id that does not depend on the other ids."""
    if pa.types.is_integer(ids.type):
        values: Array = from_arrow(ids).astype(np.int64).astype(np.uint64)
        with np.errstate(over="ignore"):
            values = (values + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            values ^= values >> np.uint64(31)
        return values
    return np.array([_hash(str(each).encode()) for each in ids.to_pylist()], np.uint64)


def _hash(text: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
