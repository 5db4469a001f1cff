"""Findings: what a check noticed, where, and what to do about it.

A finding is written for the person who made the file, not for us.  Its code is
stable: programs and translations may rely on it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import islice
from typing import Any

from ratingbook.model.making import QuicklyMade
from ratingbook.model.sentences import sentence

_LONGEST = 2_000
"""How many characters a finding of several notes has; ``parts`` says them all."""
PLACES = 5
"""Of how many cases a finding that sums them up keeps the places."""


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
class Place(metaclass=QuicklyMade):
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
class Finding(metaclass=QuicklyMade):
    """One thing that a check noticed.

    ``message`` says what is the matter, ``remedy`` what to do about it.  ``first``: all the
    numbers hang on it, so it stands before the others of its severity.  ``assumed``: a warning
    of what the file does not say and was taken for its players or for the event, which is no
    fault of what it says; numbers are made of it, so it comes next.  ``parts``: the notes that
    are one finding for people, see :meth:`Findings.joined`; the first is what was assumed, if
    anything was.  ``count``: how many cases it sums
    up, and ``places`` where the first of them are.
    """

    code: str
    severity: Severity
    message: str
    where: Place = Place()
    remedy: str = ""
    first: bool = False
    assumed: bool = False
    parts: tuple[Finding, ...] = ()
    count: int = 1
    places: tuple[Place, ...] = ()

    @property
    def is_note(self) -> bool:
        """Whether it is about no fault of the file: what was assumed, left out or understood."""
        return self.severity is Severity.INFO or self.assumed

    @property
    def place(self) -> str:
        """Where it lies, for people; of several rounds each is named."""
        rounds = sorted({place.round for place in self.places if place.round is not None})
        if (
            len({replace(each, line=None, round=None) for each in self.places}) > 1
            or not rounds[1:]
        ):
            return str(self.where)
        whole = replace(self.where, line=None, column=None, round=None)
        return f"{whole}, rounds {', '.join(map(str, rounds))}"

    @property
    def below(self) -> tuple[Finding, ...]:
        """The parts that people are shown below it: what was assumed is the finding itself."""
        return self.parts[1:] if self.assumed else self.parts

    @property
    def title(self) -> str:
        """The message; of several notes, which people are shown one by one, what they are.

        What was assumed and settles numbers speaks for itself, with the rest below it.
        """
        if not self.parts:
            return self.message
        if self.assumed:
            return self.parts[0].message
        of_what = " of the file" if self.where.file else ""
        return f"{len(self.parts)} notes, none of them on a fault{of_what}"

    def as_dict(self) -> dict[str, object]:
        """The finding as the commands print it in JSON."""
        told: dict[str, object] = {
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "where": self.where.as_dict(),
            "remedy": self.remedy,
        }
        if self.count > 1:
            told |= {"count": self.count, "places": [place.as_dict() for place in self.places]}
        if self.parts:
            told["parts"] = [part.as_dict() for part in self.parts]
        return told


class Findings:
    """A collector: readers and checks add to it and go on; equal findings are kept once."""

    def __init__(self, items: Iterable[Finding] = ()) -> None:
        self._items = dict(_known(items))

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        where: Place = Place(),
        remedy: str = "",
        *,
        first: bool = False,
        assumed: bool = False,
    ) -> None:
        """Add one finding."""
        self.extend([Finding(code, severity, message, where, remedy, first, assumed)])

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add all of ``findings``."""
        self._items |= _known(findings)

    def in_file(self, file: str) -> Findings:
        """The same findings, each that has no file yet placed in ``file``."""
        return Findings(
            replace(
                item,
                where=_in_file(item.where, file),
                places=tuple(_in_file(place, file) for place in item.places),
            )
            for item in self
        )

    def joined(self) -> Findings:
        """The same for people: what is said of a player again and again is one finding.

        So is, of a file, all that is about no fault: one note alone stays as it is, several
        stand below what was assumed, or else below one finding that says how many there are.
        Where several things were assumed, the message says all of them; the code, the place and
        the count are those of the first.
        """
        said: dict[Finding, list[Finding]] = {}
        for item in self:
            said.setdefault(_but_for_round(item), []).append(item)
        once = [_of_several(items) for items in said.values()]
        notes: dict[str | None, list[Finding]] = {}
        for item in once:
            if item.is_note:
                notes.setdefault(item.where.file, []).append(item)
        several = {file: parts for file, parts in notes.items() if len(parts) > 1}
        told = Findings(i for i in once if not i.is_note or i.where.file not in several)
        told.extend(_one(file, parts) for file, parts in several.items())
        return told

    def causes(self) -> list[dict[str, Any]]:
        """One entry for each cause: how many cases there are, and where the first of them are.

        Findings have one cause if they have one code and severity and ask for the same.
        """
        found: dict[tuple[str, Severity, str], list[Finding]] = {}
        for item in self:
            found.setdefault((item.code, item.severity, item.remedy), []).append(item)
        return [
            {
                "code": code,
                "severity": severity.value,
                "count": sum(item.count for item in items),
                "message": items[0].message,
                "places": [place.as_dict() for place in _first_places(items)],
                "remedy": remedy,
            }
            for (code, severity, remedy), items in found.items()
        ]

    def as_dict(self) -> dict[str, Any]:
        """What the commands print in JSON: the findings as people see them, and their causes."""
        return {"findings": [each.as_dict() for each in self.joined()], "causes": self.causes()}

    @property
    def refused(self) -> bool:
        """Whether one of the findings refuses the report."""
        return any(item.severity.refuses for item in self._items)

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._items, key=_order))

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        lines = [f"{each.severity.value}: {each.message} [{each.code}]" for each in self]
        return "\n".join([f"<{len(self)} finding{'' if len(self) == 1 else 's'}>", *lines])


def _known(items: Iterable[Finding]) -> dict[Finding, None]:
    """Each once; what was collected before need not be compared again."""
    return items._items if isinstance(items, Findings) else dict.fromkeys(items)


def _order(item: Finding) -> tuple[int, bool, bool]:
    """The gravest first, and what numbers were made of before what may be wrong with them."""
    return item.severity.rank, not item.first, not item.assumed


def _in_file(place: Place, file: str) -> Place:
    return place if place.file else replace(place, file=file)


def _but_for_round(item: Finding) -> Finding:
    """What findings of a player that differ only in the round have in common."""
    if item.where.player is None or item.where.round is None or item.count > 1:
        return item
    return replace(item, where=replace(item.where, line=None, column=None, round=None))


def _of_several(items: Sequence[Finding]) -> Finding:
    """One finding that stands where the first of several does, with the places of all."""
    if len(items) == 1:
        return items[0]
    return replace(items[0], count=len(items), places=tuple(item.where for item in items))


def _first_places(items: Iterable[Finding]) -> list[Place]:
    """Where the first cases are, each place once."""
    places = (place for item in items for place in (item.places or (item.where,)))
    return list(islice(dict.fromkeys(place for place in places if place.as_dict()), PLACES))


def _one(file: str | None, parts: Sequence[Finding]) -> Finding:
    """One finding of several notes on a file, the gravest first.

    What was assumed is no note among others: numbers hang on it, so the finding is that one.
    """
    first = parts[0]
    if first.assumed:
        message = " ".join(part.message for part in parts if part.assumed)
        return replace(first, message=message, parts=tuple(parts))
    joined = Finding(
        "report.notes",
        first.severity,
        "",
        Place(file),
        sentence("Nothing to do, unless one of them is not so."),
        parts=tuple(parts),
    )
    message = f"{joined.title}: {' '.join(part.message for part in parts)}"
    return replace(joined, message=textwrap.shorten(message, _LONGEST, placeholder=" …"))
