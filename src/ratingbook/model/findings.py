"""Findings: what a check noticed, where, and what to do about it.

A finding is written for the person who made the file, not for us.  Its code is
stable: programs and translations may rely on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters; ``fatal`` and ``error`` refuse the report."""

    FATAL = "fatal"
    """The input cannot be read at all."""
    ERROR = "error"
    """The report can be read, but rating it would give wrong numbers."""
    WARNING = "warning"
    """The report is rated; a person should look at this."""
    INFO = "info"
    """What was assumed or left out, for the record."""

    @property
    def refuses(self) -> bool:
        """Whether a report with such a finding is refused."""
        return self in (Severity.FATAL, Severity.ERROR)

    @property
    def rank(self) -> int:
        """0 for the gravest; for sorting."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the input a finding lies; what is not known is None.

    Lines and columns count from 1.  ``player`` is the id that the report uses,
    ``path`` the place in a JSON document (``games[3].result``).
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    section: str | None = None
    player: str | None = None
    round: int | None = None
    path: str | None = None

    def as_dict(self) -> dict[str, str | int]:
        """The known parts, in the order of the fields."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) is not None
        }

    def __str__(self) -> str:
        return ", ".join(
            str(value) if name in ("file", "path") else f"{name} {value}"
            for name, value in self.as_dict().items()
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check noticed.

    ``message`` says what is the matter, ``remedy`` what to do about it.  ``first``: all the
    numbers hang on it, so it stands before the others of its severity.
    """

    code: str
    severity: Severity
    message: str
    where: Place = Place()
    remedy: str = ""
    first: bool = False

    def as_dict(self) -> dict[str, object]:
        """The finding as the commands print it in JSON."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "where": self.where.as_dict(),
            "remedy": self.remedy,
        }


class Findings:
    """A collector: readers and checks add to it and go on; equal findings are kept once."""

    def __init__(self, items: Iterable[Finding] = ()) -> None:
        self._items = dict.fromkeys(items)

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        where: Place = Place(),
        remedy: str = "",
    ) -> None:
        """Add one finding."""
        self.extend([Finding(code, severity, message, where, remedy)])

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add all of ``findings``."""
        self._items |= dict.fromkeys(findings)

    def in_file(self, file: str) -> Findings:
        """The same findings, each that has no file yet placed in ``file``."""
        return Findings(
            item if item.where.file else replace(item, where=replace(item.where, file=file))
            for item in self
        )

    @property
    def refused(self) -> bool:
        """Whether one of the findings refuses the report."""
        return any(item.severity.refuses for item in self._items)

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._items, key=lambda item: (item.severity.rank, not item.first)))

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        lines = [f"{each.severity.value}: {each.message} [{each.code}]" for each in self]
        return "\n".join([f"<{len(self)} finding{'' if len(self) == 1 else 's'}>", *lines])
