"""The tag that ties a rule function to its paragraph.

``@paragraph("2.3", "K = {value}")`` returns the function unchanged: there is no
wrapper, so the very object that is read is also traced and compiled.  What the
tag says is kept beside the function, by its code object.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from string import Formatter
from types import CodeType, FunctionType
from typing import Literal, TypeVar, cast, get_type_hints

Role = Literal[
    "coefficient", "expected", "change", "begin", "opponent", "level", "bonus", "whole bonus"
]
"""What the value of a rule is to readers of a table: K of a player, and of one game the expected
score, what it changes, what the opponent counts as, and the level that stands for a rating which
one of its players (``who``) has not; a bonus is of each game, or of all together.  With what is
the ``begin`` is reckoned: in place of the ``rating`` that it was given, or where there is none.  Of
several in one step the last one counts."""

F = TypeVar("F", bound=Callable[..., object])


FORMATS = ("", "sum", "less")
"""The format specifications of a text."""


class RuleFault(Exception):
    """A rule that cannot be told, or compiled; the message says which one, where and why."""


@dataclass(slots=True)
class Rule:
    """A tagged function.

    ``numbers`` gives the paragraph by edition or series; the key None holds for every
    edition that has no number of its own.  Without a number the rule is silent.
    ``text`` is the sentence of the explanation, a format string over the arguments and
    ``value``; ``otherwise`` takes its place where the value is false.  A call with the
    value ``silent`` goes without saying and is left out of explanations, and so is one
    that says what a rule of which one word is enough (``once``) has said already.  ``role`` says
    in which column of a table of games its value belongs.
    """

    function: FunctionType
    text: str = ""
    otherwise: str = ""
    silent: object = None
    once: bool = False
    role: Role | None = None
    numbers: dict[str | None, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    @property
    def module(self) -> str:
        """Module of the function."""
        return self.function.__module__

    @property
    def place(self) -> str:
        """Where the function stands, for people: ``rules.py:331``."""
        return place_of(self.function)

    def number(self, edition: str) -> str:
        """The paragraph that the function implements in that edition, or in its series."""
        series = edition.rpartition("-")[0]
        return self.numbers.get(edition, self.numbers.get(series, self.numbers.get(None, "")))


_RULES: dict[CodeType, Rule] = {}
_BY_IDENTITY: dict[int, Rule] = {}
"""The same by the identity of the code: to look up the code itself hashes all that is in it."""
_CODES: list[CodeType] = []
"""Keeps what is known by its identity."""


def paragraph(
    number: str,
    text: str = "",
    *,
    otherwise: str = "",
    edition: str | None = None,
    silent: object = None,
    once: bool = False,
    role: Role | None = None,
) -> Callable[[F], F]:
    """Tag a function with the paragraph that it implements.

    Tags can be stacked where editions number the same rule differently:
    ``edition`` then names the edition, or the series, that the number belongs to.  Raises
    :class:`RuleFault` for a text that cannot be filled in.
    """

    def tag(function: F) -> F:
        plain = cast(FunctionType, function)
        for each in (text, otherwise):
            _check_text(each, plain, number)
        rule = _RULES.setdefault(plain.__code__, Rule(plain))
        _CODES.append(plain.__code__)
        _BY_IDENTITY[id(plain.__code__)] = rule
        rule.numbers[edition] = number
        rule.text = text or rule.text
        rule.otherwise = otherwise or rule.otherwise
        rule.silent = silent if silent is not None else rule.silent
        rule.once = once or rule.once
        rule.role = role or rule.role
        return function

    return tag


def place_of(function: FunctionType) -> str:
    """File and line of a function."""
    code = function.__code__
    name = code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{name}:{code.co_firstlineno}"


def _check_text(text: str, function: FunctionType, number: str) -> None:
    """Raise :class:`RuleFault` if the text asks for what a call of the function does not have."""
    if "{" not in text and "}" not in text:
        return

    def fault(why: str) -> RuleFault:
        told = f"paragraph {number}, {function.__name__} ({place_of(function)})"
        return RuleFault(f"the text of {told}: {why}")

    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    known = ", ".join((*names, "value"))
    try:
        parts = [*Formatter().parse(text)]
    except ValueError as error:
        raise fault(f"{error}") from None
    for _, name, how, conversion in parts:
        if name is None:
            continue
        root, *fields = name.split(".")
        if root != "value" and root not in names:
            raise fault(f"{{{name}}} is no argument of the function; it knows {known}")
        if conversion is not None or how not in FORMATS:
            said = f"!{conversion}" if conversion is not None else f":{how}"
            raise fault(
                f"{{{name}{said}}} has another format than {{{name}:sum}} or {{{name}:less}}"
            )
        if fields:
            _check_field(name, fields[0], root, function, fault)


def _check_field(
    name: str, field: str, root: str, function: FunctionType, fault: Callable[[str], RuleFault]
) -> None:
    """Raise if the argument is a record, and has no such field."""
    try:
        hint = get_type_hints(function).get("return" if root == "value" else root)
    except (NameError, TypeError):
        # A type that is declared further down, or for type checkers only.
        return
    known = getattr(hint, "_fields", None)
    if known is not None and field not in known and not hasattr(hint, field):
        raise fault(f"{{{name}}}: {root} has no field {field}; it has {', '.join(known)}")


def rules_of(roles: Collection[Role] | None) -> Mapping[int, Rule]:
    """The tagged functions of these roles, or all, by the identity of their code."""
    if roles is None:
        return _BY_IDENTITY
    return {code: rule for code, rule in _BY_IDENTITY.items() if rule.role in roles}


def rules_in(package: str) -> list[Rule]:
    """The tagged functions of a package, in the order of their definition."""
    return [
        rule
        for rule in _RULES.values()
        if rule.module == package or rule.module.startswith(package + ".")
    ]


def usual_rules(edition: str) -> list[Rule]:
    """The rules that are everybody's, of which the edition says in which paragraph it has them."""
    return [
        rule for rule in _RULES.values() if not rule.numbers.get(None, "?") and rule.number(edition)
    ]
