"""Pools, their lists, and what moved on them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class Pool:
    """A pool of which something is published."""

    number: int
    name: str
    rulebook: str
    is_rated_by_lists: bool
    decimals: int


@dataclass(frozen=True)
class Listed:
    """A list in its newest revision."""

    number: int
    pool: str
    day: date
    revision: int
    title: str
    rows: int
    digest: str
    head: str


@dataclass(frozen=True)
class Year:
    """The lists of a year."""

    lists: tuple[Listed, ...]


@dataclass(frozen=True)
class PoolLists:
    """The lists of a pool."""

    years: tuple[Year, ...]


@dataclass(frozen=True)
class ListHead:
    """What a list is."""

    number: int
    pool: str
    day: date
    title: str
    revision: int
    newest: int
    published: datetime
    rulebook: str
    edition: str
    facts: tuple[str, ...]
    players: int
    digest: str
    head: str
    corrections: tuple[int, ...]
    before: date | None


@dataclass(frozen=True)
class ListLine:
    """A player on a list."""

    place: int
    person: int
    name: str
    title: str
    federation: str
    club: str
    rating: float | None
    change: float | None
    is_inactive: bool


@dataclass(frozen=True)
class Moved:
    """A player whose rating is another than on the list before, who entered, or who left."""

    person: int
    name: str
    old: float | None
    new: float | None
    place: int | None


@dataclass(frozen=True)
class ListFile:
    """A file of a list; size and checksum are known once somebody had it."""

    form: str
    name: str
    size: int | None
    sha256: str | None
    players: int


@dataclass(frozen=True)
class ListFiles:
    """The files of a list."""

    pool: str
    day: date
    revision: int
    title: str
    players: int
    digest: str
    head: str
    files: tuple[ListFile, ...]
    has_bundle: bool


@dataclass(frozen=True)
class NewestFiles:
    """The files of the newest list of a pool."""

    pool: str
    day: date
    revision: int
    title: str
    files: tuple[ListFile, ...]


@dataclass(frozen=True)
class Downloads:
    """The files of the newest lists, and the key by which bundles are signed."""

    pools: tuple[NewestFiles, ...]
    public_key: str | None
