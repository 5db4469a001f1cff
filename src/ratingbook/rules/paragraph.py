"""The tag that ties a rule function to its paragraph.

``@paragraph("2.3", "K = {value}")`` returns the function unchanged: there is no
wrapper, so the very object that is read is also traced and compiled.  What the
tag says is kept beside the function, by its code object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Literal, TypeVar, cast

Role = Literal["coefficient", "expected", "change"]
"""What the value of a rule is to readers of a table: K of a player, and of one game the expected
score and what it changes.  Of several in one step the last one counts."""

F = TypeVar("F", bound=Callable[..., object])


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

    def number(self, edition: str) -> str:
        """The paragraph that the function implements in that edition, or in its series."""
        series = edition.rpartition("-")[0]
        return self.numbers.get(edition, self.numbers.get(series, self.numbers.get(None, "")))


_RULES: dict[CodeType, Rule] = {}


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
    ``edition`` then names the edition, or the series, that the number belongs to.
    """

    def tag(function: F) -> F:
        plain = cast(FunctionType, function)
        rule = _RULES.setdefault(plain.__code__, Rule(plain))
        rule.numbers[edition] = number
        rule.text = text or rule.text
        rule.otherwise = otherwise or rule.otherwise
        rule.silent = silent if silent is not None else rule.silent
        rule.once = once or rule.once
        rule.role = role or rule.role
        return function

    return tag


def rule_of(code: CodeType) -> Rule | None:
    """The tagged function with that code, if there is one."""
    return _RULES.get(code)


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
