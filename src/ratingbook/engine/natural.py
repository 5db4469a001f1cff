"""Numbers of the rules as people read them, in data and in sentences, by their annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum
from functools import cache, lru_cache
from math import isnan
from typing import Any, get_type_hints

from ratingbook.rules.bulk import EPOCH, NOT_GIVEN
from ratingbook.rules.units import Day, Ratio, Unit

_NO_DAY = NOT_GIVEN // 2
"""Days before this one are not given."""
_DECIMALS = 6
"""Digits after the point in texts; data keep all of them."""
_REMEMBERED = 1 << 12
"""Of how many whole numbers of a unit the texts are kept: ratings and scores come again."""


def hints_of(function: Callable[..., object]) -> Mapping[str, object]:
    """The annotations of a function or NamedTuple, with their units."""
    return _hints_of(function)


@cache
def _hints_of(function: Callable[..., object]) -> Mapping[str, object]:
    return get_type_hints(function, include_extras=True)


def unit_of(hint: object) -> Unit | None:
    """The unit that an annotation carries."""
    # Asked for each number that is told: `typing.get_origin` takes ten times as long.
    for extra in getattr(hint, "__metadata__", ()):
        if isinstance(extra, Unit):
            return extra
    return None


@cache
def units_of(function: Callable[..., object]) -> dict[str, Unit | None]:
    """The units of a function or NamedTuple: they are asked for with each number of a step."""
    return {name: unit_of(hint) for name, hint in hints_of(function).items()}


def natural(value: object, hint: object = None) -> object:
    """A value of the rules in natural units, fit for JSON; None for what is no value."""
    return in_unit(value, unit_of(hint))


def in_unit(value: object, unit: Unit | None) -> object:
    """The same, where the unit is known."""
    # Nearly all of what is told is a number.
    if type(value) is int or type(value) is float:
        return _number_in_unit(value, unit)
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, int | float):
        return _number_in_unit(value, unit)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Ratio):
        return value.numerator / value.denominator
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {
            name: read(part)
            for (name, read), part in zip(_readers_of(type(value)), value, strict=True)
        }
    return None


@cache
def reader_of(unit: Unit | None) -> Callable[[object], object]:
    """What tells the values of a unit as :func:`in_unit` does; whole numbers each once."""

    @lru_cache(_REMEMBERED)
    def whole(value: int) -> object:
        return _number_in_unit(value, unit)

    def read(value: object) -> object:
        # Exactly these: to a cache True is 1, and a float as good as the whole number.
        return whole(value) if type(value) is int else in_unit(value, unit)

    return read


@cache
def _readers_of(record: Any) -> tuple[tuple[str, Callable[[object], object]], ...]:
    """What tells each field of a NamedTuple."""
    units = units_of(record)
    return tuple((name, reader_of(units.get(name))) for name in record._fields)


def _number_in_unit(value: float, unit: Unit | None) -> object:
    if value == NOT_GIVEN or isnan(value):
        return None
    if unit is None or (unit.scale == 1 and unit.words is None):
        return value
    if unit is _DAY:
        # What is reckoned from a day that is not given is none either.
        return (EPOCH + timedelta(days=int(value))).isoformat() if value > _NO_DAY else None
    return unit.natural(value)


_DAY = unit_of(Day)
_PLAIN = Unit("")


@cache
def writer_of(unit: Unit | None, how: str) -> Callable[[object], str]:
    """What writes the values of a unit as :func:`shown` does; whole numbers each once."""

    @lru_cache(_REMEMBERED)
    def whole(value: int) -> str:
        return shown(value, unit, how)

    def write(value: object) -> str:
        return whole(value) if type(value) is int else shown(value, unit, how)

    return write


def shown(value: object, unit: Unit | None, how: str = "") -> str:
    """A value as the sentence of a step has it, by its unit."""
    if isinstance(value, Ratio):
        value = Decimal(value.numerator) / value.denominator
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | Decimal) and not isinstance(value, IntEnum):
        unit = unit or _PLAIN
        if unit.words is not None:
            return str(in_unit(value, unit) or "none")
        number: float | Decimal = value
        if isinstance(value, int) and value % unit.scale == 0:
            number = value // unit.scale
        elif unit.scale != 1:
            number = Decimal(value) / unit.scale
        if how in ("sum", "less"):
            taken = number < 0 if how == "sum" else number >= 0
            return f"{'−' if taken else '+'} {_digits(number)}"
        if value == NOT_GIVEN:
            return "none"
        if how:
            raise ValueError(f"the formats of a number are 'sum' and 'less', not {how!r}")
        sign = "−" if number < 0 else "+" if unit.signed and number > 0 else ""
        return sign + _digits(number)
    return str(in_unit(value, None))


def _digits(number: float | Decimal) -> str:
    """The number without its sign, and with no needless digits."""
    if isinstance(number, int):
        return str(abs(number))
    text = f"{abs(number):.{_DECIMALS}f}"
    return text.rstrip("0").rstrip(".")
