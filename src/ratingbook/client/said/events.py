"""Rated events and the cross tables of their sections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ratingbook.client.said.corrections import Difference


@dataclass(frozen=True)
class EventLine:
    """A rated event in a line."""

    report: int
    name: str
    start: date | None
    end: date | None
    pool: str
    sections: int
    players: int
    list_day: date | None


@dataclass(frozen=True)
class EventFinding:
    """What the office noticed in the report of an event."""

    severity: str
    message: str
    remedy: str
    is_english: bool
    """Whether there are no words for it in the language that was asked for."""


@dataclass(frozen=True)
class Added:
    """What a correction of an event added to ratings, while the event stays as it was rated."""

    correction: int
    says: tuple[str, ...]
    pool: str
    day: date
    list_day: date | None
    reports: tuple[int, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class EventCorrection:
    """A correction of an event."""

    number: int
    says: tuple[str, ...]
    day: date
    added: tuple[Added, ...]
    taken_back_by: tuple[int, ...]


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
    versions: tuple[int, ...]
    """Of each of these sections the version of the report that it is shown from."""
    notations: tuple[tuple[str, str], ...]
    """In which cross tables are given, each with its title."""
    findings: tuple[EventFinding, ...]
    more_findings: int
    version: int
    before: int | None
    """The version that was published before it; None: none was."""
    otherwise: tuple[str, ...]
    """What is otherwise than in that one, as far as all may know."""
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
class OnList:
    """What one of several lists that took games of an event made of a player's rating."""

    day: date
    key: str
    """Asks for the explanation of the change."""
    decimals: int
    before: float | None
    after: float | None
    change: float | None
    is_published: bool


@dataclass(frozen=True)
class CrossLine:
    """A player of a section, with the games of each round."""

    number: int
    person: int | None
    name: str
    title: str
    federation: str
    began: float | None
    """With what the rules let a player begin who had no rating: with that of another pool."""
    before: float | None
    after: float | None
    change: float | None
    points: float
    expected: float | None
    average: float | None
    performance: float | None
    is_published: bool
    key: str
    """Asks for the explanation of the change; empty where several lists took the games."""
    lists: tuple[OnList, ...]
    """Those that took games of the player; empty where one list took all games of the event."""
    cells: tuple[tuple[Cell, ...], ...]
