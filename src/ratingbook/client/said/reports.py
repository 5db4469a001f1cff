"""Reports that are sent, where they stand, and who sends them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class Finding:
    """What the office noticed."""

    code: str
    severity: str
    message: str
    where: Mapping[str, str | int]
    """File, line, column, section, player, round and path, as far as they are known."""
    remedy: str
    count: int = 1
    """How often, of what is told once for several cases; ``places`` are some of these."""
    places: tuple[Mapping[str, str | int], ...] = ()


@dataclass(frozen=True)
class Received:
    """What the office did with a report."""

    id: int
    version: int
    state: str
    is_new: bool
    sha256: str
    waiting: int
    difference: tuple[str, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class ReportLine:
    """A report in its newest version."""

    report: int
    name: str
    end: date | None
    sender: str
    at: datetime
    version: int
    players: int
    waiting: int
    asked: int
    state: str
    pool: str
    reason: str
    published: int | None = None
    """The version that is published: an earlier one where the newest is kept out."""


@dataclass(frozen=True)
class RoadStep:
    """A step of the way of a report, and how far it is."""

    name: str
    state: str
    said: str


@dataclass(frozen=True)
class Note:
    """What the office noticed in a report, as its sender is told it."""

    code: str
    severity: str
    message: str
    where: str
    remedy: str


@dataclass(frozen=True)
class ReportState:
    """How far a report is."""

    line: ReportLine
    road: tuple[RoadStep, ...]
    receipt: str
    file: str
    games: int
    waiting: tuple[str, ...]
    head: str
    notes: tuple[Note, ...]
    versions: tuple[Mapping[str, object], ...]
    corrections: tuple[Mapping[str, object], ...]
    has_page: bool
    """Whether everybody can see the event."""


@dataclass(frozen=True)
class Me:
    """Whose token it is, and what it may do."""

    name: str
    actor: str
    roles: tuple[str, ...]
    person: int | None
    scopes: tuple[str, ...]
    until: datetime
