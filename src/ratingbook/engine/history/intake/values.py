"""Values of a column as numbers: dates, scores, rated sides, small whole numbers.

A column may come as numbers, as text or with a dictionary.  Of text and
dictionaries just the different values are read, and each row takes what its value
means.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.intake.arrays import (
    Mask,
    blank_in,
    from_arrow,
    mask_of,
    missing_in,
    to_arrow,
)
from ratingbook.engine.loops.arrays import BLACK_RATED, RATED_SAID, WHITE_RATED
from ratingbook.model import GameStatus
from ratingbook.model.patterns import pattern
from ratingbook.rules.half import Status

FIRST_DAY = (date(1500, 1, 1) - date(1970, 1, 1)).days
LAST_DAY = (date(2200, 12, 31) - date(1970, 1, 1)).days
"""No event was before and none is after; such a date is a slip, or somebody's word for none."""

_TIME = pattern(
    r"[T ]([01][0-9]|2[0-3]|24(?=(:?00)*([.,]0*)?$))"
    r"(:?[0-5][0-9](:?([0-5][0-9]|60)([.,][0-9]{1,9})?)?)?"
    r" ?(Z|[A-Za-z][A-Za-z_/]{1,30})?( ?[+-][0-9]{2}(:?[0-9]{2}){0,2})?( ?\(?[A-Z]{2,5}\)?)?"
)
"""What may follow a date: a time of the day, and where in the world that is."""
_WHOLE = r"^[+-]?[0-9]{1,9}(\.0*)?$"
_NUMBER = r"^[+-]?([0-9]{1,15}(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?$"


class WrongType(ValueError):
    """The column holds something else altogether; the text says what is expected."""


class Values(NamedTuple):
    """The values of some rows; ``missing`` and ``bad`` mark rows whose value means nothing."""

    data: npt.NDArray[Any]
    missing: Mask | None = None
    bad: Mask | None = None


Reader = Callable[[pa.Array], Values]
"""Reads an array that has no dictionary; raises :class:`WrongType`."""


def plain(array: pa.Array) -> pa.Array:
    """``array`` without an extension type, and text in one of Arrow's forms of it.

    Raises :class:`WrongType` for bytes that are no text.
    """
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    kind = array.type
    if pa.types.is_dictionary(kind):
        values = plain(array.dictionary)
        if values is array.dictionary:
            return array
        return pa.DictionaryArray.from_arrays(array.indices, values)
    if pa.types.is_run_end_encoded(kind):
        return plain(pc.run_end_decode(array))
    if is_text(kind) and not pa.types.is_large_string(kind):
        return array.cast(pa.large_string())
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        try:
            return array.cast(pa.large_string())
        except pa.ArrowInvalid:
            raise WrongType("text in UTF-8") from None
    return array


def is_text(kind: pa.DataType) -> bool:
    """Whether the type is one of Arrow's for text."""
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def read(array: pa.Array, reader: Reader) -> Values:
    """The values of ``array``, whatever form it has."""
    array = plain(array)
    if is_text(array.type):
        array = array.dictionary_encode()
    if not pa.types.is_dictionary(array.type):
        return reader(array)
    known = reader(array.dictionary)
    missing = missing_in(array)
    codes = from_arrow(array.indices)
    if not len(known.data):
        return Values(np.zeros(len(array), known.data.dtype), missing)
    bad = _taken(known.bad, codes)
    if bad is not None and missing is not None:
        # What is missing has the code of the first word, whatever that is.
        bad &= ~missing
    return Values(known.data.take(codes), _either(missing, _taken(known.missing, codes)), bad)


def _taken(mask: Mask | None, codes: npt.NDArray[Any]) -> Mask | None:
    return None if mask is None or not mask.any() else mask.take(codes)


def _either(one: Mask | None, other: Mask | None) -> Mask | None:
    if one is None or other is None:
        return other if one is None else one
    return one | other


def days(array: pa.Array) -> Values:
    """Dates as days since 1970-01-01, from 1500 to 2200; bad is what is no such date."""
    kind = array.type
    if is_text(kind):
        read_days = [_day_of(text) for text in array.to_pylist()]
        bad = np.array([day is None for day in read_days], dtype=bool)
        data = np.array([day or 0 for day in read_days], dtype=np.int32)
        return Values(data, missing_in(array), bad)
    if pa.types.is_null(kind):
        return _nothing(array, np.int32)
    if pa.types.is_timestamp(kind) and kind.tz is not None:
        try:
            array = pc.local_timestamp(array)
        except pa.ArrowException:
            raise WrongType(f"dates; the time zone {kind.tz} is not known") from None
        kind = array.type
    if pa.types.is_timestamp(kind) or pa.types.is_date64(kind):
        unit = "ms" if pa.types.is_date64(kind) else kind.unit
        ticks = from_arrow(array.view(pa.int64()))
        whole = ticks // (86_400 * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit])
    elif pa.types.is_date32(kind):
        whole = from_arrow(array.view(pa.int32()))
    else:
        raise WrongType("dates (YYYY-MM-DD)")
    missing = missing_in(array)
    if not len(whole) or (whole.min() >= FIRST_DAY and whole.max() <= LAST_DAY):
        return Values(whole.astype(np.int32, copy=False), missing)
    bad = (whole < FIRST_DAY) | (whole > LAST_DAY)
    return Values(np.where(bad, 0, whole).astype(np.int32), missing, bad)


def _day_of(text: str | None) -> int | None:
    """Days since 1970 of an ISO date, also one with a time; None for what is not a date."""
    if text is None:
        return 0
    text = text.strip()
    head, rest = text[:10], text[10:]
    if rest and not _TIME.fullmatch(rest):
        return None
    try:
        day = (date.fromisoformat(head) - date(1970, 1, 1)).days
    except ValueError:
        return None
    return day if FIRST_DAY <= day <= LAST_DAY else None


def _nothing(array: pa.Array, dtype: type[np.generic]) -> Values:
    return Values(np.zeros(len(array), dtype), np.ones(len(array), bool))


_SCORES = {
    **dict.fromkeys(("1", "1.0", "1-0"), 2),
    **dict.fromkeys(("0.5", ".5", "0,5", "½", "1/2", "1/2-1/2", "½-½"), 1),
    **dict.fromkeys(("0", "0.0", "0-1"), 0),
}


def half_points(array: pa.Array) -> Values:
    """White's scores in half points (0, 1, 2); missing where a game is not finished."""
    kind = array.type
    if is_text(kind):
        return _in_words(array, _SCORES, np.int8, missing=("", "*"))
    if pa.types.is_null(kind):
        return _nothing(array, np.int8)
    numbers = _numbers(array, "scores: 1, 0.5 or 0")
    missing = missing_in(array)
    if numbers.dtype.kind == "f":
        missing = _either(missing, _not_numbers(numbers))
    with np.errstate(invalid="ignore", over="ignore"):
        doubled = numbers + numbers if numbers.dtype.kind == "f" else numbers * 2.0
        points = doubled.astype(np.int8)
        right = points == doubled
    # As unsigned numbers what is below 0 is above 2 too.
    right &= points.view(np.uint8) <= 2
    if right.all():
        return Values(points, missing)
    bad = ~right
    if missing is not None:
        bad &= ~missing
    return Values(np.where(right, points, 0).astype(np.int8), missing, bad)


def _not_numbers(numbers: npt.NDArray[Any]) -> Mask | None:
    """Where a float is NaN, some libraries' word for no value."""
    # The sum is NaN if one of them is: a cheaper question than asking each.
    with np.errstate(invalid="ignore", over="ignore"):
        if not np.isnan(numbers.sum()):
            return None
    mask: Mask = np.isnan(numbers)
    return mask


_SIDES = {
    **dict.fromkeys(("both", "true", "yes", "1"), WHITE_RATED | BLACK_RATED | RATED_SAID),
    **dict.fromkeys(("none", "false", "no", "0"), RATED_SAID),
    "white": WHITE_RATED | RATED_SAID,
    "black": BLACK_RATED | RATED_SAID,
}


STATUSES_OF_GAMES = {status.value: int(Status[status.name]) for status in GameStatus}
"""How a game can have come to its result."""


def statuses(array: pa.Array) -> Values:
    """How games came to their results; played where the row does not say."""
    if pa.types.is_null(array.type):
        return Values(np.zeros(len(array), np.int8))
    if not is_text(array.type):
        raise WrongType("words like played and forfeit")
    return _in_words(array, STATUSES_OF_GAMES, np.int8)


def rated_sides(array: pa.Array) -> Values:
    """The bits of the sides for whom a game is rated, and of a row that says so; else both."""
    kind = array.type
    both = WHITE_RATED | BLACK_RATED
    if is_text(kind):
        return _in_words(array, _SIDES, np.uint8, default=both)
    if pa.types.is_null(kind):
        return Values(np.full(len(array), both, np.uint8))
    if pa.types.is_boolean(kind):
        said = mask_of(array).astype(np.uint8) * np.uint8(both) | np.uint8(RATED_SAID)
        if (missing := missing_in(array)) is not None:
            said = np.where(missing, np.uint8(both), said)
        return Values(said)
    if pa.types.is_integer(kind):
        numbers = from_arrow(array)
        said = (np.where(numbers == 0, 0, both) | RATED_SAID).astype(np.uint8)
        bad = (numbers != 0) & (numbers != 1)
        if (missing := missing_in(array)) is not None:
            said, bad = np.where(missing, np.uint8(both), said), bad & ~missing
        return Values(said, None, bad)
    raise WrongType("true and false, or both, white, black and none")


def _in_words(
    array: pa.Array,
    words: dict[str, int],
    dtype: type[np.generic],
    *,
    missing: tuple[str, ...] = (),
    default: int = 0,
) -> Values:
    """Texts by what they mean."""
    texts = [None if text is None else text.replace(" ", "").lower() for text in array.to_pylist()]
    absent = np.array([text is None or text in missing for text in texts], dtype=bool)
    data = np.array([words.get(text or "", default) for text in texts], dtype=dtype)
    bad = np.array([bool(text) and text not in words for text in texts], dtype=bool)
    return Values(data, absent if missing else None, bad & ~absent)


def whole_numbers(low: int, high: int, dtype: type[np.generic]) -> Reader:
    """A reader of whole numbers from ``low`` to ``high``; 0 where there is none."""

    def reader(array: pa.Array) -> Values:
        if pa.types.is_null(array.type):
            return _nothing(array, dtype)
        if is_text(array.type):
            array, unreadable = _read_text(array, _WHOLE)
        else:
            unreadable = None
        numbers = _numbers(array, f"whole numbers from {low} to {high}")
        missing = missing_in(array)
        if numbers.dtype.kind == "f":
            missing = _either(missing, _not_numbers(numbers))
            numbers = np.nan_to_num(numbers, posinf=high + 1, neginf=low - 1)
        if unreadable is not None and missing is not None:
            missing = missing & ~unreadable
        bad = (numbers < low) | (numbers > high)
        if numbers.dtype.kind == "f":
            bad |= numbers != np.floor(numbers)
        if missing is not None:
            # The place-holder of a row without a value need not be in the range.
            bad &= ~missing
        bad = bad if unreadable is None else bad | unreadable
        if bad.any():
            numbers = np.where(bad, 0, numbers)
        return Values(numbers.astype(dtype), missing, bad)

    return reader


def numbers(largest: float) -> Reader:
    """A reader of numbers from −``largest`` to ``largest``; missing where there is none."""

    def reader(array: pa.Array) -> Values:
        if pa.types.is_null(array.type):
            return _nothing(array, np.float64)
        unreadable = None
        if is_text(array.type):
            array, unreadable = _read_text(array, _NUMBER)
        data = _numbers(array, "numbers").astype(np.float64)
        missing = _either(missing_in(array), _not_numbers(data))
        bad = np.abs(data) > largest
        if unreadable is not None:
            bad |= unreadable
            missing = None if missing is None else missing & ~unreadable
        return Values(data, missing, bad)

    return reader


_AMOUNTS = {"true": "1", "yes": "1", "false": "0", "no": "0"}


def amounts(largest: float) -> Reader:
    """A reader of numbers, or of true and false as 1 and 0; missing where there is none."""
    read_numbers = numbers(largest)

    def reader(array: pa.Array) -> Values:
        if pa.types.is_boolean(array.type):
            return Values(mask_of(array).astype(np.float64), missing_in(array))
        if is_text(array.type):
            words = [None if text is None else text.strip() for text in array.to_pylist()]
            array = pa.array([w and _AMOUNTS.get(w.lower(), w) for w in words], array.type)
        return read_numbers(array)

    return reader


def _read_text(array: pa.Array, pattern: str) -> tuple[pa.Array, Mask]:
    """Texts as float64, and which of them are none; what is blank becomes missing."""
    texts = pc.utf8_trim_whitespace(array)
    fits = mask_of(pc.match_substring_regex(texts, pattern))
    readable = pc.if_else(to_arrow(fits), texts, pa.nulls(len(texts), texts.type))
    return readable.cast(pa.float64()), ~fits & ~blank_in(texts)


def _numbers(array: pa.Array, expected: str) -> npt.NDArray[Any]:
    """The numbers of an array of any numeric type."""
    kind = array.type
    if pa.types.is_decimal(kind):
        array = array.cast(pa.float64())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise WrongType(expected)
    return from_arrow(array)


def flags(array: pa.Array) -> Values:
    """True and false; missing where the row does not say."""
    sides = rated_sides(array)
    missing = missing_in(array)
    if is_text(array.type):
        missing = blank_in(array)
    both = sides.data & (WHITE_RATED | BLACK_RATED)
    one_side = (both == WHITE_RATED) | (both == BLACK_RATED)
    return Values(both != 0, missing, one_side if sides.bad is None else sides.bad | one_side)
