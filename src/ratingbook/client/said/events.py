"""Rated events and the cross tables of their sections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class EventLine:
    """A rated event in a line."""

    report: int
    name: str
    start: date | None
    end: date | None
    pool: int
    pool_name: str
    sections: int
    players: int
    list_day: date | None


@dataclass(frozen=True)
class EventFinding:
    """What the office noticed in the report of an event."""

    severity: str
    message: str
    remedy: str


@dataclass(frozen=True)
class EventCorrection:
    """A correction of an event."""

    number: int
    says: tuple[str, ...]
    day: date


@dataclass(frozen=True)
class Event:
    """A rated event; ``sections`` have their number and name."""

    report: int
    name: str
    place: str
    federation: str
    start: date | None
    end: date | None
    kind: str
    time_control: str
    state: str
    sections: tuple[tuple[int, str], ...]
    notations: tuple[tuple[str, str], ...]
    """In which cross tables are given, each with its title."""
    findings: tuple[EventFinding, ...]
    more_findings: int
    version: int
    format: str
    received: date
    sha256: str
    corrections: tuple[EventCorrection, ...]


@dataclass(frozen=True)
class Cell:
    """A game in a cross table; ``text`` in the notation that was asked for."""

    title: str
    opponent: int | None
    colour: str
    result: str
    is_rated: bool
    text: str
    is_substituted: bool


@dataclass(frozen=True)
class CrossLine:
    """A player of a section, with the games of each round."""

    number: int
    person: int | None
    name: str
    title: str
    federation: str
    before: float | None
    after: float | None
    change: float | None
    points: float
    expected: float | None
    average: float | None
    performance: float | None
    is_published: bool
    key: str
    """Asks for the explanation of the change."""
    cells: tuple[tuple[Cell, ...], ...]
