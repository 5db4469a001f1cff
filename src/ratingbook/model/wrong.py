"""What functions of the library raise: for an argument that they cannot take, and for facts."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

from ratingbook.model.findings import Findings


class Portable(Exception):
    """An exception that is made of more than its text, and goes to other processes as it is.

    By itself Python makes it again of the text alone, which fails where the process waits for it.
    """

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Remembers what it is made of."""
        made = super().__new__(cls, *given)
        made.__dict__["_made"] = partial(cls, *given, **named)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """What makes it again, and what was noted on it since."""
        noted = {name: value for name, value in self.__dict__.items() if name != "_made"}
        return self.__dict__["_made"], (), noted


class Refused(Portable):
    """What was given cannot be rated, or read; ``findings`` say why, and what to do."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        grave = [each for each in findings if each.severity.refuses]
        lines = [
            f"{each.where}: {each.message} {each.remedy}".removeprefix(": ").strip()
            for each in grave[:5]
        ]
        more = [f"… and {len(grave) - 5} more"] if len(grave) > 5 else []
        super().__init__("\n".join([*lines, *more]))


class BadArgument(ValueError, TypeError):
    """An argument of the library is wrong; the message says which, and what is wanted.

    A ``ValueError`` and a ``TypeError`` at once: whoever calls need not know which of them
    a wrong word, a wrong type or a misspelt name is.
    """
