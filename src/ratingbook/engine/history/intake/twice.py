"""Rows that say the same as an earlier one: files that overlap, or a file put in twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from ratingbook.engine.history.columns import GameColumns
from ratingbook.model import Findings, Severity
from ratingbook.rules.wording import counted

Array = np.ndarray[Any, Any]

_BLOCK = 1 << 16
_PART = 1 << 18
"""Rows that are compared at a time, about, where the games come by their dates."""
_FACTORS = np.random.default_rng(1).integers(1 << 62, 1 << 63, 32, np.uint64) * 2 + 1


def tell_twice(games: GameColumns, left_out: Array, findings: Findings) -> None:
    """Warn of rows that are alike in everything; players may well have played so, so they count.

    ``left_out`` are the rows that are not among the games, ascending.
    """
    columns = [values for values in vars(games).values() if values is not None]
    again = _again(columns)
    if len(again):
        first = int(again[0])
        row = first + int(np.searchsorted(left_out - np.arange(len(left_out)), first, "right")) + 1
        both = "both" if len(again) == 1 else "all"
        findings.add(
            Severity.WARNING,
            "history.twice",
            f"{counted(len(again), 'row says', 'rows say')} all that an earlier one says; {both} "
            f"are rated (the first is row {row:,} of all).",
            remedy="If they are the same games, give each once; else a column round tells them "
            "apart.",
        )


def _again(columns: list[Array]) -> Array:
    """The rows that are alike to an earlier one, ascending."""

    def within(part: slice) -> Array:
        again: Array = part.start + _again_within([values[part] for values in columns])
        return again

    # Sorting holds no lock of Python, and short parts stay in the cache.
    with ThreadPoolExecutor() as threads:
        found: Array = np.concatenate(list(threads.map(within, _parts(columns[0]))))
    return found


def _parts(values: Array) -> list[slice]:
    """Parts of the rows such that equal values are in one: several where the values ascend."""
    borders = [0, len(values)]
    if len(values) > _PART and bool((values[1:] >= values[:-1]).all()):
        borders[1:1] = np.unique(np.searchsorted(values, values[_PART::_PART])).tolist()
    return [slice(*ends) for ends in pairwise(borders)]


def _again_within(columns: list[Array]) -> Array:
    marks, low = _marks(columns)
    # In place, since histories are long.
    marks.sort()
    pairs = np.flatnonzero((marks[1:] ^ marks[:-1]) <= low)
    earlier, later = ((marks[ends] & low).astype(np.int64) for ends in (pairs, pairs + 1))
    alike = np.ones(len(pairs), bool)
    for values in columns:
        alike &= _whole(values[earlier]) == _whole(values[later])
    if alike.all():
        return np.sort(later)
    # Rows that differ came to the same mark: all with that mark are compared with each other.
    runs = np.cumsum(np.diff(pairs, prepend=pairs[0]) > 1)
    mixed = np.isin(runs, runs[~alike])
    rows = np.unique(np.concatenate([earlier[mixed], later[mixed]]))
    _, first = np.unique(
        np.stack([_whole(values[rows]) for values in columns]), axis=1, return_index=True
    )
    return np.sort(np.concatenate([later[~mixed], np.delete(rows, first)]))


def _whole(values: Array) -> Array:
    """The values as whole numbers, those with decimals by their bits."""
    return values.view(np.int64) if values.dtype.kind == "f" else values.astype(np.int64)


def _marks(columns: list[Array]) -> tuple[Array, np.uint64]:
    """A number for each row, which has the row in its lowest bits; these bits as well.

    Rows that are alike have the same bits above them.
    """
    marks = np.empty(len(columns[0]), np.uint64)
    low = np.uint64((1 << len(marks).bit_length()) - 1)
    rows = np.arange(_BLOCK, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for begin in range(0, len(marks), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            mixed = np.zeros(len(marks[part]), np.uint64)
            for values, factor in zip(columns, _FACTORS, strict=False):
                mixed += _whole(values[part]).view(np.uint64)
                mixed *= factor
                mixed ^= mixed >> np.uint64(32)
            mixed &= ~low
            mixed |= rows[: len(mixed)] + np.uint64(begin)
            marks[part] = mixed
    return marks, low
