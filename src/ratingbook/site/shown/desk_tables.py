"""What waits at the desk of the office, as programs of officers read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratingbook.office.acts.desk import told_waiting
from ratingbook.office.acts.register import standing
from ratingbook.site.shown.kept import by_ledger


@dataclass(frozen=True)
class Candidate:
    """A person whom an entry may be."""

    person: int
    name: str
    score: float
    reasons: tuple[str, ...]
    birth_years: tuple[int, ...] | None
    """Those of the report and of the office, where they differ."""


@dataclass(frozen=True)
class Waiting:
    """An entry of which nobody knows yet who it is."""

    id: int
    report: int
    version: int
    entry: str
    name: str
    printed: Mapping[str, object]
    """What the report says of the player."""
    why: str
    """Why nobody is certain."""
    is_certain: bool
    """Whether somebody is by now; who is matched again is linked."""
    candidates: tuple[Candidate, ...]
    method: str
    """``id``, ``name``: whether candidates have one of its numbers, or about its name."""
    event: str
    about: Mapping[int, Mapping[str, str]]
    """What holds today of the candidates."""


@dataclass(frozen=True)
class Standing:
    """A correction, and where it stands."""

    correction: int
    state: str
    until: date | None
    """By when it is to be decided."""
    overdue: bool
    says: tuple[str, ...]
    outlook: tuple[str, ...]
    """What accepting it would not change, and why: of one that is open."""


def waiting_table(rows: Iterable[Waiting]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Who waits as a table: a line for each candidate, and one for who has none."""
    columns = ("report", "version", "entry", "name", "event", "why", "is_certain", "person",
               "candidate", "score", "reasons")  # fmt: skip
    return columns, [
        (x.report, x.version, x.entry, x.name, x.event, x.why, x.is_certain,
         *((one.person, one.name, one.score, "; ".join(one.reasons)) if one else (None,) * 4))
        for x in rows
        for one in x.candidates or (None,)
    ]  # fmt: skip


def corrections_table(
    rows: Iterable[Standing],
) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The corrections as a table."""
    columns = ("correction", "state", "until", "overdue", "says", "outlook")
    return columns, [
        (x.correction, x.state, x.until, x.overdue, "; ".join(x.says), " ".join(x.outlook))
        for x in rows
    ]


@by_ledger
def waiting(report: int | None, today: date) -> tuple[Waiting, ...]:
    """Who waits; another day other things are said of the candidates."""
    del today
    return tuple(_waiting(each) for each in told_waiting(report))


def _waiting(said: dict[str, Any]) -> Waiting:
    candidates = tuple(
        Candidate(
            each["person"], each["name"], each["score"], tuple(each["reasons"]),
            tuple(each["birth_years"]) if each["birth_years"] else None,
        )
        for each in said["candidates"]
    )  # fmt: skip
    return Waiting(**{**said, "candidates": candidates})


@by_ledger
def corrections(state: str | None, today: date) -> tuple[Standing, ...]:
    """The corrections in a state, or all; what is overdue depends on the day."""
    return tuple(
        Standing(
            each["correction"], each["state"],
            date.fromisoformat(each["until"]) if each["until"] else None, each["overdue"],
            tuple(each["says"]), tuple(each["outlook"]),
        )
        for each in standing(today, state)
    )  # fmt: skip
