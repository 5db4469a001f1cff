"""What JSON says, as values with types; what a newer server says besides is left aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def made(kind: type[T], said: Any) -> T:
    """A value of this type of what JSON says; ``ValueError`` where that is none."""
    try:
        found: T = _made(kind, said)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"this is no {kind.__name__}: {error!r}") from None
    return found


def _made(kind: Any, said: Any) -> Any:
    origin, of = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return None if said is None else _made(next(x for x in of if x is not type(None)), said)
    if origin is tuple and of[1:] == (...,):
        return tuple(_made(of[0], each) for each in said)
    if origin is tuple:
        return tuple(_made(one, each) for one, each in zip(of, said, strict=True))
    if origin is Mapping:
        return dict(said)
    if kind is datetime or kind is date:
        return kind.fromisoformat(said)
    hints = _hints(kind)
    if hints is not None:
        return kind(**{name: _made(of, said[name]) for name, of in hints.items()})
    if kind is float:
        return float(said)
    if not isinstance(said, kind):
        raise TypeError(f"{said!r} is no {kind.__name__}")
    return said


@cache
def _hints(kind: Any) -> dict[str, Any] | None:
    try:
        names = [each.name for each in fields(kind)]
    except TypeError:
        return None
    found = get_type_hints(kind)
    return {name: found[name] for name in names}
