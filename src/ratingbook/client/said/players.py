"""Players, their ratings and results, and why a rating changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


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
class History:
    """The ratings of a pool over time; ``is_shortened`` where the oldest changes are left out."""

    pool: int
    name: str
    decimals: int
    begin: date
    end: date
    first: float
    last: float
    peak: float
    peak_day: date | None
    revised: int
    is_shortened: bool
    rows: tuple[Result, ...]


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
