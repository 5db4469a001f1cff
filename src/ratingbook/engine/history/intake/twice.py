"""Rows that say the same as an earlier one: files that overlap, or a file put in twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from ratingbook.engine.history.columns import GameColumns
from ratingbook.model import Findings, Severity
from ratingbook.rules.wording import counted

Array = np.ndarray[Any, Any]

_BLOCK = 1 << 16
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
    """The rows that are alike to an earlier one."""
    marks = _marks(columns)
    # In place, since histories are long; marks are made again if any are alike.
    marks.sort()
    is_again = marks[1:] == marks[:-1]
    if not is_again.any():
        return np.empty(0, np.int64)
    repeated = np.unique(marks[1:][is_again])
    marks = _marks(columns)
    rows = np.flatnonzero(np.isin(marks, repeated))
    _, first = np.unique(
        np.stack([_whole(values[rows]) for values in columns]), axis=1, return_index=True
    )
    again: Array = np.delete(rows, first)
    return again


def _whole(values: Array) -> Array:
    """The values as whole numbers, those with decimals by their bits."""
    return values.view(np.int64) if values.dtype.kind == "f" else values.astype(np.int64)


def _marks(columns: list[Array]) -> Array:
    """A number for each row; rows that are alike have the same."""
    marks = np.empty(len(columns[0]), np.uint64)
    with np.errstate(over="ignore"):
        for begin in range(0, len(marks), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            mixed = np.zeros(len(marks[part]), np.uint64)
            for values, factor in zip(columns, _FACTORS, strict=False):
                mixed += _whole(values[part]).view(np.uint64)
                mixed *= factor
                mixed ^= mixed >> np.uint64(32)
            marks[part] = mixed
    return marks
