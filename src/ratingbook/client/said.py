"""What an office says, with types; what a newer server says besides is left aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


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
class PlayerFound:
    """A player as a search finds one."""

    id: int
    name: str
    federation: str
    club: str


@dataclass(frozen=True)
class PoolRating:
    """A player in a pool: on the newest list, and now."""

    pool: int
    name: str
    rulebook: str
    official: float | None
    list_day: date | None
    now: float | None
    games: int
    status: str
    last_played: date | None
    peak: float | None


@dataclass(frozen=True)
class EventNamed:
    """An event."""

    report: int
    name: str
    start: date | None
    end: date | None


@dataclass(frozen=True)
class Result:
    """What an event, or all events of a list, did to a rating; ``key`` asks for its explanation."""

    pool: int
    key: str
    day: date
    events: tuple[EventNamed, ...]
    games: int
    score: float
    before: float | None
    after: float | None
    change: float | None
    first: float | None
    is_published: bool
    """Else the rules do not publish the rating yet, and the numbers are left out."""
    corrections: tuple[int, ...]


@dataclass(frozen=True)
class Player:
    """A player."""

    id: int
    name: str
    title: str
    federation: str
    club: str
    ids: tuple[tuple[str, str], ...]
    last_played: date | None
    pools: tuple[PoolRating, ...]
    results: tuple[Result, ...]


@dataclass(frozen=True)
class GameRow:
    """A game of an explanation."""

    event: str
    round: int | None
    colour: str
    opponent: int | None
    name: str
    rating: float | None
    result: str
    expected: float | None
    change: float | None
    why_unrated: str


@dataclass(frozen=True)
class Paragraph:
    """A paragraph as it acted."""

    number: str
    title: str
    article: str
    text: str
    said: tuple[str, ...]
    games: tuple[tuple[str, str], ...]
    result: str


@dataclass(frozen=True)
class Part:
    """A part of a sentence."""

    text: str


@dataclass(frozen=True)
class Explanation:
    """Why a rating changed."""

    person: int
    name: str
    pool_name: str
    key: str
    day: date
    edition: str
    before: float | None
    after: float | None
    change: float | None
    sentence: tuple[Part, ...]
    games: tuple[GameRow, ...]
    paragraphs: tuple[Paragraph, ...]
    is_withheld: bool

    @property
    def text(self) -> str:
        """The sentence."""
        return "".join(each.text for each in self.sentence)


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
class PoolStatus:
    """Where a pool stands."""

    pool: str
    until: date | None
    last_list: date | None
    next_list: date | None


@dataclass(frozen=True)
class Status:
    """How the office is."""

    is_well: bool
    pools: tuple[PoolStatus, ...]
    facts: int
    head: str


def made(kind: type[T], said: Any) -> T:
    """A value of this type of what JSON says; ``ValueError`` where that is none."""
    try:
        found: T = _made(kind, said)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"this is no {kind.__name__}: {error!r}") from None
    return found


def _made(kind: Any, said: Any) -> Any:
    origin, of = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return None if said is None else _made(next(x for x in of if x is not type(None)), said)
    if origin is tuple and of[1:] == (...,):
        return tuple(_made(of[0], each) for each in said)
    if origin is tuple:
        return tuple(_made(one, each) for one, each in zip(of, said, strict=True))
    if origin is Mapping:
        return dict(said)
    if kind is datetime or kind is date:
        return kind.fromisoformat(said)
    hints = _hints(kind)
    if hints is not None:
        return kind(**{name: _made(of, said[name]) for name, of in hints.items()})
    if kind is float:
        return float(said)
    if not isinstance(said, kind):
        raise TypeError(f"{said!r} is no {kind.__name__}")
    return said


@cache
def _hints(kind: Any) -> dict[str, Any] | None:
    try:
        names = [each.name for each in fields(kind)]
    except TypeError:
        return None
    found = get_type_hints(kind)
    return {name: found[name] for name in names}
