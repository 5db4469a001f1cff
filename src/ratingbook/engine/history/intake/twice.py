"""Rows that say the same as an earlier one: files that overlap, or a file put in twice."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from ratingbook.engine.history.columns import GameColumns
from ratingbook.model import Findings, Severity
from ratingbook.rules.wording import counted

Array = np.ndarray[Any, Any]

_BLOCK = 1 << 16
_PART = 1 << 15
"""Rows that are compared at a time, about: what sorting them needs stays in the cache."""
_PIECE = 1 << 10
"""Rows of a piece of a part, at least in the mean: rows in no order are one part."""
_FLAGS = 1 << 25
"""Places for keys that are met again, at most."""
_FACTORS = np.random.default_rng(1).integers(1 << 62, 1 << 63, 32, np.uint64) * 2 + 1
_KEYS = _FACTORS[:3].astype(np.uint32)
"""Factors of the columns that tell nearly all games apart: the day, White and Black.

The sums of 32 bits are alike of few rows that differ.
"""


def tell_twice(games: GameColumns, left_out: Array, findings: Findings) -> None:
    """Warn of rows that are alike in everything; players may well have played so, so they count.

    ``left_out`` are the rows that are not among the games, ascending.
    """
    again = _again([values for values in vars(games).values() if values is not None])
    if len(again):
        first = int(again.min())
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
    """The rows that are alike to an earlier one, in any order."""
    # By their bits: what is no number is alike to itself.
    columns = [values.view(np.int64) if values.dtype.kind == "f" else values for values in columns]
    firsts = [
        values.astype(np.int32, copy=False).view(np.uint32) for values in columns[: len(_KEYS)]
    ]
    parts = _parts(columns[0])
    count = min(len(parts), os.cpu_count() or 1)

    def among(some: list[list[slice]]) -> list[Array]:
        # Made once, since to ask the system for memory takes longer than to compare.
        room = np.empty((2, max(sum(p.stop - p.start for p in part) for part in some)), np.uint32)
        return [_again_in(columns, firsts, part, room) for part in some]

    # Sorting holds no lock of Python.
    with ThreadPoolExecutor(count) as threads:
        found = threads.map(among, [parts[number::count] for number in range(count)])
        again: Array = np.concatenate([each for some in found for each in some])
    return again


def _parts(values: Array) -> list[list[slice]]:
    """Parts of the rows such that equal values are in one, each of some pieces.

    Files that overlap are some runs of ascending values, and a part has a piece of each.
    """
    whole = [[slice(0, len(values))]]
    if len(values) <= _PART:
        return whole
    borders = np.unique(values[_PART::_PART])
    starts = np.r_[0, np.flatnonzero(values[1:] < values[:-1]) + 1]
    most = len(values) // _PIECE
    if len(starts) > most:
        return whole
    stops = np.r_[starts[1:], len(values)]
    low, high = (np.searchsorted(borders, values[ends], "right") for ends in (starts, stops - 1))
    if int((high - low).sum()) > most:
        return whole
    parts: list[list[slice]] = [[] for _ in range(len(borders) + 1)]
    for start, stop, first, last in zip(starts, stops, low, high, strict=True):
        inner = start + np.searchsorted(values[start:stop], borders[first:last])
        for number, ends in enumerate(pairwise([start, *inner, stop]), first):
            parts[number].append(slice(*map(int, ends)))
    return [part for part in parts if part]


def _again_in(columns: list[Array], firsts: list[Array], part: list[slice], room: Array) -> Array:
    """The rows of a part that are alike to earlier ones of it."""
    known: dict[tuple[int, int], slice] = {}
    again, kept, end = [np.empty(0, np.int64)], [], 0
    for piece in part:
        keys, other = room[:, end : end + piece.stop - piece.start]
        np.multiply(firsts[0][piece], _KEYS[0], out=keys)
        for values, factor in zip(firsts[1:], _KEYS[1:], strict=True):
            keys += np.multiply(values[piece], factor, out=other)
        like = known.setdefault((len(keys), int(keys.sum())), piece) if len(part) > 1 else piece
        # Files that overlap mostly say the same of a day, and in the same order.
        if like is not piece and all(np.array_equal(v[piece], v[like]) for v in columns):
            again.append(np.arange(piece.start, piece.stop))
        else:
            kept.append(piece)
            end += len(keys)
    keys, ascending = room[:, :end]
    ascending[:] = keys
    ascending.sort()
    met_again = ascending[1:][ascending[1:] == ascending[:-1]]
    if len(met_again):
        # Few rows are looked at in all of their columns.
        bits = min(2 * end, _FLAGS).bit_length()
        shift = np.uint32(32 - bits)
        flags = np.zeros(1 << bits, bool)
        flags[met_again >> shift] = True
        rows = np.concatenate([np.arange(piece.start, piece.stop) for piece in kept])
        rows = rows[flags[np.right_shift(keys, shift, out=keys)]]
        again.append(rows[_again_within([values[rows] for values in columns])])
    return np.concatenate(again)


def _again_within(columns: list[Array]) -> Array:
    marks, low = _marks(columns)
    # In place, since histories are long.
    marks.sort()
    pairs = np.flatnonzero((marks[1:] ^ marks[:-1]) <= low)
    earlier, later = ((marks[ends] & low).astype(np.int64) for ends in (pairs, pairs + 1))
    alike = np.ones(len(pairs), bool)
    for values in columns:
        alike &= values[earlier] == values[later]
    if alike.all():
        return np.sort(later)
    # Rows that differ came to the same mark: all with that mark are compared with each other.
    runs = np.cumsum(np.diff(pairs, prepend=pairs[0]) > 1)
    mixed = np.isin(runs, runs[~alike])
    rows = np.unique(np.concatenate([earlier[mixed], later[mixed]]))
    _, first = np.unique(np.stack([values[rows] for values in columns]), axis=1, return_index=True)
    return np.sort(np.concatenate([later[~mixed], np.delete(rows, first)]))


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
                mixed += values[part].astype(np.uint64)
                mixed *= factor
                mixed ^= mixed >> np.uint64(32)
            mixed &= ~low
            mixed |= rows[: len(mixed)] + np.uint64(begin)
            marks[part] = mixed
    return marks, low
