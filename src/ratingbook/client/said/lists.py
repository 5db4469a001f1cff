"""Pools, their lists, and what moved on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from ratingbook.client.said.corrections import Difference


@dataclass(frozen=True)
class Pool:
    """A pool of which something is published."""

    name: str
    rulebook: str
    is_rated_by_lists: bool
    decimals: int
    list: int | None
    """The number of the newest list."""


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
class Moved:
    """A player whose rating is another than on the list before, who entered, or who left."""

    person: int
    name: str
    old: float | None
    new: float | None
    place: int | None


@dataclass(frozen=True)
class Movement:
    """What moved since the list before, in numbers."""

    since: date
    entered: int
    left: int
    moved: int
    most_gained: Moved | None
    most_lost: Moved | None


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
    active: int | None
    not_listed: int
    digest: str
    head: str
    run: int
    engine: str
    """With which the run was made."""
    columns: tuple[tuple[str, bool], ...]
    """The other columns of its lines: title, and whether they are numbers."""
    movement: Movement | None
    corrections: tuple[int, ...]
    """Those that brought this revision."""
    reasons: tuple[str, ...]
    """Why it was revised, where corrections alone did not make it so."""
    corrected_by: tuple[int, ...]
    """Those that changed numbers of it since it was published, while it stayed as it was."""
    revised: int
    """Ratings that differ from those of the revision before."""
    added: tuple[Difference, ...]
    """What corrections added on it."""
    forms: tuple[str, ...]
    """Of its files."""
    before: date | None
    following: date | None


@dataclass(frozen=True)
class ListColumn:
    """A column of a list as it is printed."""

    key: str
    title: str
    numeric: bool


@dataclass(frozen=True)
class NotListed:
    """For what reason so many are not on a list."""

    reason: str
    players: int


@dataclass(frozen=True)
class ListPrinted:
    """A list as it was printed: in the columns of its federation, with their titles."""

    title: str
    columns: tuple[ListColumn, ...]
    rows: tuple[Mapping[str, object], ...]
    not_listed: tuple[NotListed, ...]


@dataclass(frozen=True)
class ListLine:
    """A player on a list."""

    place: int
    is_tied: bool
    person: int
    name: str
    title: str
    federation: str
    club: str
    rating: float | None
    change: float | None
    moved: int | None
    """By how many places up."""
    is_inactive: bool
    was_revised: bool
    """Whether the rating differs from that of the revision before."""
    batch: str
    """By which the rating changed, if by one alone."""
    is_then: bool
    """Whether that batch is told otherwise by now: ``Client.explain`` tells it as it was with the
    number of this list as ``listed``."""
    others: tuple[object, ...]
    """What stands in the list's other columns."""


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
