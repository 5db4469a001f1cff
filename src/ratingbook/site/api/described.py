"""Dataclasses as OpenAPI describes them: field for field as ``answers.plain`` gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import cache, reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from django.utils.functional import Promise
from pydantic import create_model

_MANY = (list, tuple, set, frozenset, Sequence, AbstractSet)


@cache
def model_of(kind: Any) -> Any:
    """The model of a type; those of dataclasses are called as their modules and they are."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        told = [each.name for each in fields(kind) if not each.metadata.get("drawn")]
        return _named(kind, {name: hints[name] for name in told})
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _named(kind, get_type_hints(kind))
    origin, of = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return reduce(or_, map(model_of, of))
    if origin is tuple and of[1:] != (...,):
        return GenericAlias(tuple, tuple(map(model_of, of)))
    if origin in _MANY:
        return GenericAlias(list, (model_of(of[0]),))
    if origin in (dict, Mapping):
        return GenericAlias(dict, (str, model_of(of[1])))
    if kind is Promise:
        # A text that waits for the language of its reader.
        return str
    return Any if kind is object else kind


def _named(kind: type, hints: Mapping[str, Any]) -> Any:
    """A model with these fields, all of which are always there."""
    made: dict[str, Any] = {name: (model_of(each), ...) for name, each in hints.items()}
    module = kind.__module__.rpartition(".")[2].replace("_", " ").title().replace(" ", "")
    return create_model(f"{module}{kind.__name__}", __doc__=(kind.__doc__ or "").strip(), **made)


@cache
def part_model(kind: Any) -> Any:
    """The model of a part of a long table."""
    items = GenericAlias(list, (model_of(kind),))
    made: dict[str, Any] = {"items": (items, ...), "next": (str | None, ...)}
    text = "A part of a table; ``next`` is the cursor of the one that follows, if there is one."
    return create_model(f"Part{model_of(kind).__name__}", __doc__=text, **made)
