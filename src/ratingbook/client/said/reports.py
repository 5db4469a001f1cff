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
    at: datetime
    version: int
    players: int
    waiting: int
    state: str
    pool: str
    reason: str
    published: int | None = None
    """The version that is published: an earlier one where the newest is kept out."""


@dataclass(frozen=True)
class ReportState:
    """How far a report is."""

    line: ReportLine
    receipt: str
    games: int
    waiting: tuple[str, ...]
    head: str


@dataclass(frozen=True)
class Me:
    """Whose token it is, and what it may do."""

    name: str
    actor: str
    roles: tuple[str, ...]
    person: int | None
    scopes: tuple[str, ...]
    until: datetime
