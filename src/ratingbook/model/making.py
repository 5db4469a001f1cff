"""Frozen nouns of which there are millions, made and sent in less than half of the time."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import field, fields, make_dataclass
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


class _Signature:
    """What a noun is made of, for whoever documents it or completes a line."""

    def __get__(self, noun: type | None, kind: type) -> inspect.Signature:
        if noun is None:
            raise AttributeError("the kind itself is made of nothing")
        written = _WRITTEN.get(noun) or vars(noun)["__init__"]
        own = inspect.signature(written, eval_str=True)
        return own.replace(parameters=list(own.parameters.values())[1:])


class QuicklyMade(type):
    """The kind of frozen dataclasses with slots whose fields are set as those of any other object.

    What ``dataclass`` writes sets each field of a frozen noun by a call, since nobody may set one
    otherwise.  Here an object of an open class with the same slots is filled, and becomes the noun.
    Another process is sent the values alone.
    """

    __signature__ = _Signature()

    def __new__(cls, name: str, bases: tuple[type, ...], told: dict[str, Any]) -> QuicklyMade:
        """The class; ``dataclass`` makes it a second time, when it knows the fields."""
        if "__dataclass_fields__" not in told:
            return super().__new__(cls, name, bases, told)
        written = told.pop("__init__")
        noun = super().__new__(
            cls, name, bases, {**told, "__new__": _made, "__reduce__": _as_values}
        )
        _WRITTEN[noun] = written
        return noun


_WRITTEN: dict[type, Callable[..., None]] = {}
"""What ``dataclass`` wrote to set the fields of each noun, of which the signature is needed."""


def _made(cls: type, *given: Any, **named: Any) -> Any:
    """A noun of its fields."""
    open_class, fill = _OPEN[cls]
    made: Any = object.__new__(open_class)
    fill(made, *given, **named)
    made.__class__ = cls
    return made


def _as_values(noun: Any) -> tuple[type, tuple[Any, ...]]:
    """What another process makes the noun of."""
    kind = type(noun)
    return kind, _FIELDS[kind][1](noun)


def changed(noun: T, **new: Any) -> T:
    """The same noun but for some fields: what ``dataclasses.replace`` gives, much sooner."""
    places, values = _FIELDS[type(noun)]
    held = [*values(noun)]
    for name, value in new.items():
        held[places[name]] = value
    made: T = type(noun)(*held)
    return made


class _Fields(dict[type, tuple[dict[str, int], Callable[[Any], tuple[Any, ...]]]]):
    """The places of a noun's fields, and what reads them all."""

    def __missing__(self, noun: Any) -> tuple[dict[str, int], Callable[[Any], tuple[Any, ...]]]:
        names = [each.name for each in fields(noun)]
        self[noun] = {name: place for place, name in enumerate(names)}, attrgetter(*names)
        return self[noun]


_FIELDS = _Fields()


class _Open(dict[type, tuple[type, Callable[..., None]]]):
    """The open class beside each noun, and what fills its objects."""

    def __missing__(self, noun: Any) -> tuple[type, Callable[..., None]]:
        every: list[Any] = [
            (each.name, object, field(default=each.default, default_factory=each.default_factory))
            for each in fields(noun)
        ]
        open_class: Any = make_dataclass(noun.__name__, every, repr=False, eq=False, slots=True)
        self[noun] = open_class, open_class.__init__
        return self[noun]


_OPEN = _Open()
