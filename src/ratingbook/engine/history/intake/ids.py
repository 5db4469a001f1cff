"""Ids of any kind as codes from 0 in ascending order of the ids.

While rows come in, a column keeps what is cheapest: whole numbers as they are, and
other ids as positions in a dictionary of the chunk.  When all rows are in, the ids of
all columns are numbered together and replaced in place.  Whole numbers that lie close
together need no hashing: a table with a place for each of them does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.columns import Codes
from ratingbook.engine.history.intake.arrays import (
    Mask,
    blank_in,
    from_arrow,
    missing_in,
    texts_of,
    to_arrow,
)
from ratingbook.engine.history.intake.grow import Growing
from ratingbook.engine.history.intake.values import WrongType, is_text, plain

_INT32 = np.iinfo(np.int32)
_BLOCK = 1 << 16
"""Rows at a time: what they need besides stays in the processor's cache."""
_LARGEST_EXACT = 2**53
"""Whole numbers up to here are exact as floats."""
_SMALL_RANGE = 1 << 16
_SPARSENESS = 4
"""A table for whole numbers has at most so many places for each row."""
_DIGITS = r"^(0|-?[1-9][0-9]{0,17})$"
"""Text that is a whole number and is written as the number would be."""


@dataclass(slots=True)
class _Dictionary:
    """Rows that hold positions in ``values``; other rows hold the id less the space's base."""

    start: int
    stop: int
    values: pa.Array
    undecided: bool
    """From a file without types, in which whole numbers are texts too."""
    seen: Mask


@dataclass(slots=True)
class _Plain:
    start: int
    stop: int


@dataclass(slots=True)
class IdColumn:
    """One column of ids; after :meth:`IdSpace.number`, ``codes`` are the numbers."""

    space: IdSpace
    blank_is_id: bool = False
    """Whether an absent id is one of its own, the empty text."""
    _rows: Growing = field(default_factory=lambda: Growing(np.dtype(np.int32)))
    _segments: list[_Dictionary | _Plain] = field(default_factory=list)

    @property
    def codes(self) -> Codes:
        """The rows so far."""
        return self._rows.array

    def reserve(self, rows: int) -> None:
        """Make room for ``rows`` rows in all."""
        self._rows.reserve(rows)

    def append(self, array: pa.Array, *, undecided: bool = False) -> Mask | None:
        """Add rows; returns which of them have no id.

        ``undecided`` is set for a file without types: its ids are whole numbers if
        all of them look so.  Raises :class:`WrongType` for what can be no id.
        """
        array = as_ids(array)
        missing = missing_in(array)
        if pa.types.is_integer(array.type) and self._append_plain(array, missing):
            return missing
        if not pa.types.is_dictionary(array.type):
            array = _encoded(array)
        return self._append_dictionary(array, missing, undecided)

    def _append_plain(self, array: pa.Array, missing: Mask | None) -> bool:
        """Keep whole numbers as they are, if 32 bits hold them."""
        if missing is not None and (self.blank_is_id or missing.all()):
            return False
        numbers = from_arrow(array)
        if missing is not None:
            # Any other number would become an id that no row has.
            numbers = np.where(missing, numbers[~missing][0], numbers)
        base = self.space.base_for(numbers)
        if base is None:
            return False
        rows = self._rows.extend(len(numbers))
        if base:
            np.subtract(numbers, base, out=rows, casting="unsafe")
        else:
            rows[:] = numbers
        stop = len(self._rows)
        if self._segments and isinstance(last := self._segments[-1], _Plain):
            last.stop = stop
        else:
            self._segments.append(_Plain(stop - len(rows), stop))
        return True

    def _append_dictionary(
        self, array: pa.DictionaryArray, missing: Mask | None, undecided: bool
    ) -> Mask | None:
        values = array.dictionary
        absent = missing_in(values)
        if is_text(values.type):
            blank = blank_in(values)
            absent = blank if blank.any() else None
        codes = from_arrow(array.indices)
        if self.blank_is_id and (missing is not None or absent is not None):
            # Absent ids become the empty text, at the end of the dictionary.
            codes = codes.astype(np.int32)
            if absent is not None:
                codes[absent.take(codes)] = len(values)
            if missing is not None:
                codes[missing] = len(values)
            values = pa.concat_arrays([values.cast(pa.large_string()), texts_of("")])
            missing = absent = None
        if absent is not None and len(codes):
            missing = absent.take(codes) if missing is None else missing | absent.take(codes)
        rows = self._rows.extend(len(codes))
        rows[:] = codes
        stop = len(self._rows)
        last = self._segments[-1] if self._segments else None
        if not (
            isinstance(last, _Dictionary)
            and last.undecided == undecided
            and _is_same(last.values, values)
        ):
            last = _Dictionary(
                stop - len(rows), stop, values, undecided, np.zeros(len(values), bool)
            )
            self._segments.append(last)
        last.stop = stop
        if missing is not None:
            codes = codes[~missing]
        last.seen[codes] = True
        return missing


def as_ids(array: pa.Array) -> pa.Array:
    """``array`` with values that can be ids: texts or whole numbers of 64 bits."""
    try:
        array = plain(array)
    except WrongType:
        raise WrongType(_EXPECTED) from None
    if pa.types.is_dictionary(array.type):
        values = as_ids(array.dictionary)
        if values is array.dictionary:
            return array
        return pa.DictionaryArray.from_arrays(array.indices, values)
    kind = array.type
    if pa.types.is_null(kind):
        return array.cast(pa.large_string())
    if pa.types.is_floating(kind):
        # A column of whole numbers with a gap is one of floats in some libraries.
        numbers = from_arrow(array).astype(np.float64)
        absent = np.isnan(numbers)
        whole = np.where(absent, 0, numbers)
        if (whole != np.floor(whole)).any() or (np.abs(whole) > _LARGEST_EXACT).any():
            raise WrongType(_EXPECTED)
        missing = missing_in(array)
        absent = absent if missing is None else absent | missing
        return to_arrow(whole.astype(np.int64), absent)
    if pa.types.is_decimal(kind):
        try:
            return array.cast(pa.int64())
        except pa.ArrowInvalid:
            raise WrongType(_EXPECTED) from None
    if pa.types.is_uint64(kind) and array.null_count < len(array):
        if pc.max(array).as_py() > np.iinfo(np.int64).max:
            return array.cast(pa.large_string())
        return array.cast(pa.int64())
    if pa.types.is_integer(kind) or is_text(kind):
        return array
    raise WrongType(_EXPECTED)


_EXPECTED = "ids: texts or whole numbers"


def _encoded(array: pa.Array) -> pa.DictionaryArray:
    """``array`` with a dictionary; numbers in ascending order need no hashing."""
    if pa.types.is_integer(array.type) and not array.null_count and len(array):
        numbers = from_arrow(array)
        steps = numbers[1:] != numbers[:-1]
        if (numbers[1:] >= numbers[:-1]).all():
            codes = np.zeros(len(numbers), np.int32)
            np.cumsum(steps, out=codes[1:])
            first = np.concatenate([[True], steps])
            return pa.DictionaryArray.from_arrays(to_arrow(codes), to_arrow(numbers[first]))
    return array.dictionary_encode()


def _is_same(one: pa.Array, other: pa.Array) -> bool:
    """Whether two arrays are one piece of memory, as chunks with a common dictionary have."""
    return (
        one.type == other.type
        and len(one) == len(other)
        and one.offset == other.offset
        and all(
            (a is None and b is None)
            or (a is not None and b is not None and a.address == b.address)
            for a, b in zip(one.buffers(), other.buffers(), strict=True)
        )
    )


class IdSpace:
    """Columns whose ids name the same things: the players, the events or the sections."""

    def __init__(self) -> None:
        self._columns: list[IdColumn] = []
        self._base: int | None = None
        self.mixed = False
        """Whether numbers met texts, so that all ids were compared as text."""

    def column(self, *, blank_is_id: bool = False) -> IdColumn:
        """A new column; with ``blank_is_id`` rows without an id share the empty one."""
        column = IdColumn(self, blank_is_id)
        self._columns.append(column)
        return column

    def base_for(self, numbers: npt.NDArray[Any]) -> int | None:
        """What to subtract so that 32 bits hold ``numbers``; None where nothing helps."""
        if self._base == 0 and np.can_cast(numbers.dtype, np.int32):
            return 0
        if not len(numbers):
            return self._base or 0
        low, high = int(numbers.min()), int(numbers.max())
        if self._base is None:
            self._base = 0 if _INT32.min <= low and high <= _INT32.max else low
        fits = _INT32.min <= low - self._base and high - self._base <= _INT32.max
        return self._base if fits else None

    def number(self) -> pa.Array:
        """Replace the ids of all columns by codes; the ids in ascending order.

        Whole numbers ascend as numbers (int64), texts by code point (string).
        """
        dictionaries = [
            (column, segment)
            for column in self._columns
            for segment in column._segments
            if isinstance(segment, _Dictionary)
        ]
        for _, segment in dictionaries:
            # Values that no row has are no ids: a table may be a part of a larger one.
            if not segment.seen.all():
                segment.values = segment.values.filter(to_arrow(segment.seen))
            if is_text(segment.values.type):
                segment.values = pc.utf8_trim_whitespace(segment.values)
        has_text = self._settle_kinds([segment for _, segment in dictionaries])
        if not has_text and (lowest_highest := self._range()) is not None:
            low, high = lowest_highest
            rows = sum(len(column.codes) for column in self._columns)
            if high - low < max(_SPARSENESS * rows, _SMALL_RANGE):
                return self._number_by_table(low, high)
        return self._number_by_hashing(pa.large_string() if has_text else pa.int64())

    def _settle_kinds(self, segments: list[_Dictionary]) -> bool:
        """Make undecided texts numbers where nothing is against it; whether ids are texts."""
        has_plain = any(
            isinstance(segment, _Plain) for column in self._columns for segment in column._segments
        )
        filled_segments = [segment for segment in segments if len(segment.values)]
        undecided = [segment for segment in filled_segments if segment.undecided]
        decided = [segment for segment in filled_segments if not segment.undecided]
        has_numbers = has_plain or any(not is_text(segment.values.type) for segment in decided)
        has_text = any(is_text(segment.values.type) for segment in decided) or not all(
            pc.all(pc.match_substring_regex(segment.values, _DIGITS)).as_py()
            for segment in undecided
        )
        self.mixed = self.mixed or (has_text and has_numbers)
        for segment in segments:
            segment.values = segment.values.cast(pa.large_string() if has_text else pa.int64())
        return has_text

    def _range(self) -> tuple[int, int] | None:
        """The lowest and the highest id; None where there is none."""
        ends: list[int] = []
        for column in self._columns:
            for segment in column._segments:
                if isinstance(segment, _Plain):
                    rows, base = column.codes[segment.start : segment.stop], self._base or 0
                    ends += [int(rows.min()) + base, int(rows.max()) + base] if len(rows) else []
                elif len(segment.values):
                    ends += pc.min_max(segment.values).as_py().values()
        return (min(ends), max(ends)) if ends else None

    def _number_by_table(self, low: int, high: int) -> pa.Array:
        shift = low - (self._base or 0)
        present = self._present(low, high, shift)
        is_dense = bool(present.all())
        rank = np.cumsum(present, dtype=np.int32) - np.int32(1)
        for column in self._columns:
            for segment in column._segments:
                if isinstance(segment, _Dictionary):
                    _replace(column, segment, rank[from_arrow(segment.values) - low])
                elif not is_dense:
                    for block in _blocks(column.codes, segment):
                        rank.take(_shifted(block, shift), out=block, mode="clip")
                elif shift:
                    column.codes[segment.start : segment.stop] -= shift
        return to_arrow(np.flatnonzero(present) + low)

    def _present(self, low: int, high: int, shift: int) -> Mask:
        """Which of the whole numbers from the lowest to the highest id are ids."""
        present = np.zeros(high - low + 1, bool)
        # A players file mostly names all, so that games need not be asked.
        for column in sorted(self._columns, key=lambda column: len(column.codes)):
            for segment in column._segments:
                if isinstance(segment, _Dictionary):
                    present[from_arrow(segment.values) - low] = True
                elif not present.all():
                    for block in _blocks(column.codes, segment):
                        present[_shifted(block, shift)] = True
        return present

    def _number_by_hashing(self, kind: pa.DataType) -> pa.Array:
        segments: list[tuple[IdColumn, _Dictionary]] = []
        for column in self._columns:
            for segment in column._segments:
                if isinstance(segment, _Dictionary):
                    segments.append((column, segment))
                else:
                    parts = self._dictionaries(column.codes, segment, kind)
                    segments += ((column, part) for part in parts)
        # Games without a score are left out, so a file may have rows and no ids.
        for column, segment in segments:
            if not len(segment.values):
                _replace(column, segment, np.empty(0, np.int32))
        segments = [each for each in segments if len(each[1].values)]
        if not segments:
            return pa.nulls(0, pa.string())
        unified = pa.chunked_array([segment.values for _, segment in segments], kind)
        unified = unified.dictionary_encode()
        ids = unified.chunk(0).dictionary
        order = pc.sort_indices(ids)
        rank = np.empty(len(ids), np.int32)
        rank[from_arrow(order)] = np.arange(len(ids), dtype=np.int32)
        for (column, segment), chunk in zip(segments, unified.chunks, strict=True):
            _replace(column, segment, rank.take(from_arrow(chunk.indices)))
        ids = ids.take(order)
        # Arrow's small form of text holds 2 GiB.
        is_small = is_text(ids.type) and ids.nbytes < _INT32.max
        return ids.cast(pa.string()) if is_small else ids

    def _dictionaries(self, codes: Codes, segment: _Plain, kind: pa.DataType) -> list[_Dictionary]:
        """Whole numbers that lie far apart, piece by piece with dictionaries."""
        parts = []
        for start in range(segment.start, segment.stop, _BLOCK * 16):
            stop = min(start + _BLOCK * 16, segment.stop)
            rows = codes[start:stop]
            encoded = _encoded(to_arrow(rows))
            rows[:] = from_arrow(encoded.indices)
            values = pc.add(encoded.dictionary.cast(pa.int64()), self._base or 0).cast(kind)
            parts.append(_Dictionary(start, stop, values, False, np.ones(len(values), bool)))
        return parts


def _shifted(block: Codes, shift: int) -> npt.NDArray[np.intp]:
    """The places of a block of ids in a table that begins with the lowest id."""
    return block.astype(np.intp) - shift


def _blocks(codes: Codes, segment: _Dictionary | _Plain) -> list[Codes]:
    rows = codes[segment.start : segment.stop]
    return [rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK)]


def _replace(column: IdColumn, segment: _Dictionary, codes: Codes) -> None:
    """Replace the positions in the segment's dictionary by ``codes`` of its values."""
    if not len(codes):
        # Every row of the segment lacks its id.
        column.codes[segment.start : segment.stop] = 0
        return
    if not segment.seen.all():
        # The dictionary lost the values that no row has.
        table = np.zeros(len(segment.seen), np.int32)
        table[segment.seen] = codes
        codes = table
    for block in _blocks(column.codes, segment):
        codes.take(block, out=block, mode="clip")
