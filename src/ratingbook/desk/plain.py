"""Numbers and days of other libraries made Python's own, once, at the door of the library.

A rating out of a column of NumPy or pandas may be a number that is no ``int`` and no ``float``;
behind the door only these are known, and another would be taken for one that nobody has given.
So would a result or a status that is the text of one.  What is Python's own already is left as it
is, and its noun with it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache, partial
from math import isfinite, isnan
from numbers import Integral, Real
from operator import attrgetter
from os import PathLike
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from ratingbook.model import Entry, Place, Portable, Report

_T = TypeVar("_T")
Made = Callable[[Any], Any]
"""What gives a value as Python's own; raises :class:`Wrong`."""
A_NUMBER = "a number"
_UNKNOWN = "; what is not known is None"


class Wrong(Portable):
    """A value that is none of its kind."""

    def __init__(self, value: Any, wanted: str, path: str = "") -> None:
        self.value, self.wanted, self.path = value, wanted, path
        super().__init__(f"{path}: {value!r}")

    def within(self, path: str) -> Wrong:
        """The same, seen from the noun that holds it there."""
        return Wrong(self.value, self.wanted, path + self.path)


def number_of(value: Any) -> int | float | None:
    """The finite number that a value is, whatever library it is of; None: it is none."""
    if type(value) is int:
        return value
    if type(value) is not float:
        if isinstance(value, bool) or not isinstance(value, Real | Decimal):
            return None
        value = int(value) if isinstance(value, Integral) else float(value)
    return value if isinstance(value, int) or isfinite(value) else None


def whole_of(value: Any) -> int | None:
    """The whole number that a value is; None: it is none."""
    number = number_of(value)
    return int(number) if number is not None and number == int(number) else None


def day_of(value: Any) -> date | None:
    """The day that a value is, or in which that time lies; None: it is none."""
    if type(value) is date:
        return value
    if isinstance(value, datetime):
        return None if is_missing(value) else value.date()
    if getattr(getattr(value, "dtype", None), "kind", None) == "M":
        day = value.astype("datetime64[D]").item()
        return day if isinstance(day, date) else None
    return value if isinstance(value, date) else None


def truth_of(value: Any) -> bool | None:
    """The truth value that a value is; None: it is none."""
    if isinstance(value, bool):
        return value
    dtype: Any = getattr(value, "dtype", None)
    return bool(value) if getattr(dtype, "kind", None) == "b" else None


def is_missing(value: Any) -> bool:
    """Whether a value says that it is none: not a number, or not a time."""
    if isinstance(value, Real | Decimal):
        return isnan(value)
    # Of a day NumPy tells it by no other way that needs no NumPy; pandas calls it a time.
    is_time = isinstance(value, datetime) or getattr(value, "dtype", None) is not None
    return is_time and str(value) == "NaT"


def scalar_of(value: Any) -> Any:
    """What a further key may hold: a truth value, a number, a text, or a day."""
    if isinstance(value, str):
        return value
    found: Any = truth_of(value)
    found = number_of(value) if found is None else found
    return day_of(value) if found is None else found


def plain(noun: _T) -> _T:
    """The noun with Python's own numbers and days; the same one where it has no others."""
    noun_kind: Any = type(noun)
    shape = _shape_of(noun_kind)
    values = shape.values(noun)
    kinds = tuple(map(type, values))
    if kinds in shape.seen:
        return noun
    new = {}
    for part, value, kind in zip(shape.parts, values, kinds, strict=True):
        if kind in part.own or (not value and kind in _HOLDERS):
            continue
        try:
            found = part.made(value)
        except Wrong as wrong:
            raise wrong.within(f".{part.name}") from None
        if found is not value:
            new[part.name] = found
    if all(kind in part.own for part, kind in zip(shape.parts, kinds, strict=True)):
        shape.seen.add(kinds)
    changed: Any = noun
    return replace(changed, **new) if new else noun


def plain_report(given: Any) -> Any:
    """Reports as :func:`plain` has them, one or a list; whatever else is given as it is."""
    if isinstance(given, Report):
        return plain(given)
    if isinstance(given, list | tuple):
        return _each(plain_report, given)
    return given


def plain_entries(given: Any) -> Any:
    """Entries as :func:`plain` has them, one or several; paths as they are."""
    if isinstance(given, Entry):
        return plain(given)
    if given is None or isinstance(given, str | PathLike):
        return given
    if isinstance(given, list | tuple):
        return _each(plain_entries, given)
    return _each(plain_entries, [*given]) if isinstance(given, Iterable) else given


class _Part(NamedTuple):
    """A field that may hold numbers or days."""

    name: str
    own: frozenset[type]
    """Kinds that are right as they are."""
    made: Made


class _Shape(NamedTuple):
    """What there is to look at in nouns of a kind."""

    parts: tuple[_Part, ...]
    values: Callable[[Any], tuple[Any, ...]]
    """What reads them all."""
    seen: set[tuple[type, ...]]
    """Kinds of all values of a noun that are right as they are: games are many, and alike."""


@cache
def _shape_of(kind: type) -> _Shape:
    """The fields of a noun that may hold numbers, days or words, as they are annotated."""
    found = []
    for name, hint in get_type_hints(kind).items():
        hints = {*get_args(hint)} if get_origin(hint) in (Union, types.UnionType) else {hint}
        made = _made_of(hints - {type(None)})
        if made is not None:
            own = {each for each in hints if each in _OWN or _is_word(each)}
            own |= {int} if float in hints else set()
            found.append(_Part(name, frozenset(own), made))
    names = [part.name for part in found]
    several = attrgetter(*names) if len(names) > 1 else None
    return _Shape(tuple(found), several or (lambda noun: (getattr(noun, names[0]),)), set())


def _made_of(hints: set[Any]) -> Made | None:
    """What makes values of these kinds plain; None: they are never numbers or days."""
    if len(hints) > 1:
        return (
            partial(_as, scalar_of, "a number, a text or a truth value") if int in hints else None
        )
    (hint,) = hints
    if _is_word(hint):
        return partial(_word, hint)
    if hint in _OF_KINDS:
        return partial(_as, *_OF_KINDS[hint])
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        made = _made_of({args[0]})
        return made and partial(_each, made)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        said = {*get_args(args[1])} if isinstance(args[1], types.UnionType) else {args[1]}
        made = _made_of(said - {type(None)})
        return made and partial(_values, made)
    # Where something stands in a file is no matter of the rules.
    return partial(_noun, hint) if is_dataclass(hint) and hint is not Place else None


_OF_KINDS: Mapping[Any, tuple[Callable[[Any], Any], str]] = {
    int: (whole_of, "a whole number"),
    float: (number_of, A_NUMBER),
    date: (day_of, "a day"),
    bool: (truth_of, "True or False"),
}

_HOLDERS = frozenset({dict, tuple})
_OWN = frozenset({int, date, bool, type(None)})
"""Kinds of which every value is right; a float may be none."""


def _is_word(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, StrEnum)


def _word(kind: type[StrEnum], value: Any) -> StrEnum:
    """A word of the report, which is found by what it is, not by its text."""
    try:
        return kind(value)
    except ValueError:
        words = ", ".join(kind)
        raise Wrong(value, f"one of {words}") from None


def _as(kind: Callable[[Any], Any], wanted: str, value: Any) -> Any:
    found = kind(value)
    if found is None:
        raise Wrong(value, wanted + _UNKNOWN)
    return found


def _noun(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind):
        raise Wrong(value, f"of the kind {kind.__name__}")
    return plain(value)


def _each(made: Made, values: Any) -> Any:
    """The values in a row; the same row where all of them are as they were."""
    found, differs = [], False
    for number, value in enumerate(values):
        try:
            one = made(value)
        except Wrong as wrong:
            raise wrong.within(f"[{number}]") from None
        found.append(one)
        differs = differs or one is not value
    if not differs:
        return values
    return found if isinstance(values, list) else tuple(found)


def _values(made: Made, values: Any) -> Any:
    """The values of a mapping; the same mapping where all of them are as they were."""
    if not values:
        return values
    new = {}
    for key, value in values.items():
        if value is None:
            continue
        try:
            one = made(value)
        except Wrong as wrong:
            raise wrong.within(f"[{key!r}]") from None
        if one is not value:
            new[key] = one
    return {**values, **new} if new else values
