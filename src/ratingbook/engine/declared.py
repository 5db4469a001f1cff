"""What the functions of somebody's own rule book give: the numbers that they declare, or a fault.

A rule that gives a text, None or NaN does its harm later, in the columns of a history or in a
sum; it is named where it gave it.  The rule books that are ours are looked at by tests instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import lru_cache
from numbers import Integral, Real
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple, get_args

from ratingbook.engine.natural import hints_of
from ratingbook.engine.trace import listen_again
from ratingbook.model import Portable
from ratingbook.rules import registry
from ratingbook.rules.bulk import Bulk, Listed, Outcome
from ratingbook.rules.paragraph import RuleFault

_OURS = "ratingbook."
_SHOWN = 60
_REMEMBERED = 64
"""Of how many rule books it is known whose they are."""


class Wrong(NamedTuple):
    """What somebody gave, and what was wanted."""

    given: str
    wanted: str


class NotAsDeclared(Portable):
    """A rule gives something else than it declares; the compiler adds words of its own."""

    def __init__(self, fault: RuleFault) -> None:
        self.fault = fault
        super().__init__(str(fault))


def results_of(bulk: Bulk) -> dict[str, Any]:
    """What the loops take of the functions that they call by these names: records, or a number."""
    standing = "standing_of", "assumed", "reformed", "told", "corrected", "enter", "leave"
    found: dict[str, Any] = dict.fromkeys((*standing, "recalled", "remembers"), bulk.standing)
    found |= dict.fromkeys(("side_of", "carried_side"), bulk.side)
    found |= {"kernel_of": bulk.value, "fold_value": bulk.value, "in_force": int}
    found |= {"outcome": Outcome, "listed": Listed}
    if bulk.fold is not None:
        found |= dict.fromkeys(("fold_begin", "fold_add"), bulk.fold.tally)
    if bulk.keeping is not None:
        found |= dict.fromkeys(("kept_side", "renewed"), bulk.keeping.kept)
    return found


@lru_cache(_REMEMBERED)
def is_of_others(bulk: Bulk) -> bool:
    """Whether some of the functions of a rule book are none of ours."""
    return any(not _is_ours(each) for each in functions_in(bulk))


def functions_in(value: Any) -> Iterator[FunctionType]:
    """All functions that a declaration names, in its own order."""
    if isinstance(value, FunctionType):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from functions_in(getattr(value, each.name))
    elif isinstance(value, dict):
        for name in sorted(value, key=str):
            yield from functions_in(value[name])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from functions_in(each)


def looked_at(names: Mapping[str, Any], bulk: Bulk) -> dict[str, Any]:
    """The names of the loops; of a rule book of others with a look at what its functions give.

    For plain Python; the compiler looks at types once.
    """
    if not is_of_others(bulk):
        return dict(names)
    results = results_of(bulk)
    return {
        name: _looked_at(value, results[name]) if name in results else value
        for name, value in names.items()
    }


def declared_by(function: FunctionType, result: Any = None) -> Any:
    """What a function of others gives, by its annotation or as the loops take it; else None."""
    if _is_ours(function):
        return None
    with suppress(NameError, TypeError, AttributeError):
        return hints_of(function).get("return", result)
    return result


def fault_in(code: CodeType, line: int, wrong: Wrong) -> RuleFault:
    """The rule at fault, with its place."""
    package = registry.package_of(code.co_filename)
    whose = f"the rule book of the package {package}" if package else "the rule book"
    return RuleFault(
        f"{whose} fails in {code.co_name}, {code.co_filename}, line {line}: it gives "
        f"{wrong.given}, and must give {wrong.wanted}"
    )


def _looked_at(function: Callable[..., Any], kind: Any) -> Callable[..., Any]:
    """The function, with a look at whether it gives what it must."""
    quick = _quick(kind)

    def looked_at(*arguments: Any) -> Any:
        made = function(*arguments)
        is_right = type(made) is kind
        if is_right and quick:
            is_right = all(map(_contains, quick, map(type, made)))
        if not is_right and (wrong := wrong_in(made, kind)):
            raise _innermost(function, arguments, wrong)
        return made

    return looked_at


_contains = frozenset.__contains__


def _quick(kind: Any) -> tuple[frozenset[type], ...]:
    """For each field of a record the kinds of most values, which are right."""
    names = getattr(kind, "_fields", ())
    return tuple(_KINDS.get(plain_hint(hints_of(kind)[name]), frozenset()) for name in names)


_KINDS: Mapping[Any, frozenset[type]] = {
    int: frozenset({int}), float: frozenset({int, float}), bool: frozenset({bool}),
}  # fmt: skip


def wrong_in(value: Any, kind: Any) -> Wrong | None:
    """What is wrong with a value of which this kind is declared; None: nothing, or none is."""
    kind = plain_hint(kind)
    if hasattr(kind, "_fields"):
        for name, hint in hints_of(kind).items():
            if not hasattr(value, name):
                return Wrong(_shown(value), f"a {kind.__name__}")
            wrong = wrong_in(getattr(value, name), hint)
            if wrong is not None:
                return Wrong(f"{wrong.given} for {name} of {kind.__name__}", wrong.wanted)
        return None
    wanted = wanted_of(kind)
    if wanted is None or isinstance(value, Integral if wanted == WHOLE else Real):
        return None
    return Wrong(_shown(value), wanted)


WHOLE, NUMBER = "a whole number", "a number"


def wanted_of(kind: Any) -> str | None:
    """What is wanted of a number of a kind; None: it is no number."""
    if kind is float:
        return NUMBER
    is_whole = isinstance(kind, type) and issubclass(kind, int) and not issubclass(kind, bool)
    return WHOLE if is_whole else None


def plain_hint(hint: Any) -> Any:
    """An annotation without its unit."""
    return get_args(hint)[0] if hasattr(hint, "__metadata__") else hint


def _innermost(function: Callable[..., Any], arguments: tuple[Any, ...], wrong: Wrong) -> RuleFault:
    """The first rule on the way that gave what it must not: rules are asked again, and say so."""
    found: list[RuleFault] = []
    code = getattr(function, "__code__", None)
    seen = fault_in(code, code.co_firstlineno, wrong) if code else None

    def watch(frame: FrameType, event: str, value: object) -> None:
        if event != "return" or found or _is_name_of_ours(frame.f_globals.get("__name__", "")):
            return
        code = frame.f_code
        if code.co_filename.startswith("<"):
            # What Python writes for a record stands nowhere.
            return
        known: Any = frame.f_globals.get(code.co_name)
        kind = declared_by(known) if getattr(known, "__code__", None) is code else None
        if kind is None and hasattr(value, "_fields"):
            kind = type(value)
        wrong = wrong_in(value, kind)
        if wrong is not None:
            found.append(fault_in(code, frame.f_lineno, wrong))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        function(*arguments)
    finally:
        listen_again(before)
    return found[0] if found else seen or RuleFault(f"{function!r} gives {wrong.given}")


def _is_ours(function: FunctionType) -> bool:
    return _is_name_of_ours(function.__module__ or "")


def _is_name_of_ours(module: str) -> bool:
    return module.startswith(_OURS)


def _shown(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= _SHOWN else f"{told[:_SHOWN]}…"
