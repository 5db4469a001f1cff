"""Frozen nouns of which there are millions, made and sent in a third of the time."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


class _Signature:
    """What a noun is made of, for whoever documents it or completes a line."""

    def __get__(self, noun: type | None, kind: type) -> inspect.Signature:
        if noun is None:
            raise AttributeError("the kind itself is made of nothing")
        known = vars(sys.modules[noun.__module__])
        own = inspect.signature(noun.__new__, globals=known, eval_str=True)
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
        known: dict[str, Field[Any]] | None = told.get("__dataclass_fields__")
        if known is None:
            return super().__new__(cls, name, bases, told)
        written = told.pop("__init__")
        noun = super().__new__(cls, name, bases, told)
        made = _maker(name, [*known.values()])
        made.__annotations__ = written.__annotations__
        made.__module__ = written.__module__
        values = attrgetter(*known)
        vars_of: Any = noun
        vars_of.__new__ = made
        vars_of.__reduce__ = lambda self: (noun, values(self))
        return noun


def _maker(name: str, known: list[Field[Any]]) -> Callable[..., Any]:
    """What makes a noun of its fields, as a function of them all."""
    open_class = type(name, (), {"__slots__": tuple(each.name for each in known)})
    names: dict[str, Any] = {"new": object.__new__, "OPEN": open_class, "NOTHING": object()}
    takes, sets = [], []
    for each in known:
        takes.append(each.name)
        value = each.name
        if each.default is not MISSING:
            names[f"default_{each.name}"] = each.default
            takes[-1] += f"=default_{each.name}"
        elif each.default_factory is not MISSING:
            names[f"make_{each.name}"] = each.default_factory
            takes[-1] += "=NOTHING"
            value = f"make_{each.name}() if {each.name} is NOTHING else {each.name}"
        sets.append(f"    made.{each.name} = {value}\n")
    exec(
        f"def __new__(cls, {', '.join(takes)}):\n    made = new(OPEN)\n{''.join(sets)}"
        "    made.__class__ = cls\n    return made\n",
        names,
    )
    maker: Callable[..., Any] = names["__new__"]
    maker.__qualname__ = f"{name}.__new__"
    return maker


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
