"""How the office is, and its figures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class PoolStatus:
    """Where a pool stands."""

    pool: str
    run: int | None
    published: datetime | None
    until: date | None
    last_list: date | None
    next_list: date | None


@dataclass(frozen=True)
class Status:
    """How the office is."""

    is_well: bool
    pools: tuple[PoolStatus, ...]
    received: tuple[tuple[str, int], ...]
    """Reports by their state, and how many; so jobs and corrections."""
    jobs: tuple[tuple[str, int], ...]
    corrections: tuple[tuple[str, int], ...]
    facts: int
    head: str
    public_key: str | None
    """By which bundles are signed."""


@dataclass(frozen=True)
class Figure:
    """A figure as a table; ``columns`` have a title, and whether they are numbers."""

    key: str
    title: str
    says: str
    columns: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class Statistics:
    """The figures of a pool."""

    pool: str
    pools: tuple[str, ...]
    rulebook: str
    players: int
    games: int
    day: date | None
    figures: tuple[Figure, ...]
