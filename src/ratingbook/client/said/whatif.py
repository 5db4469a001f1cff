"""What becomes of a rating, and what is expected of a game."""

from __future__ import annotations

from dataclasses import dataclass

from ratingbook.client.said.rules import Step


@dataclass(frozen=True)
class Told:
    """What is to be known of an answer."""

    code: str
    severity: str
    message: str
    remedy: str
    is_english: bool
    """Whether there are no words for it in the language that was asked for."""


@dataclass(frozen=True)
class Expected:
    """What a player is expected to score; None: the rule book expects nothing of such a game."""

    rulebook: str
    edition: str
    rating: float
    opponent: float
    expected: float | None
    notes: tuple[Told, ...]


@dataclass(frozen=True)
class Points:
    """What so many points bring, against the weakest opponents and against the strongest."""

    points: float
    least: float | None
    greatest: float | None
    change: float | None
    is_chosen: bool
    reaches: bool | None
    published: bool


@dataclass(frozen=True)
class Answered:
    """What becomes of a rating; with open games the table by points alone."""

    before: float | None
    after: float | None
    change: float | None
    score: float | None
    games: int
    expected: float | None
    status: str
    published: bool
    open: int
    enough: float | None
    """The least points that reach the target whoever they are scored against."""
    target: float | None
    by_points: tuple[Points, ...]
    steps: tuple[Step, ...]
    grade: str
    notes: tuple[str, ...]
    decimals: int | None
    as_grown_up: bool
    """Whether a child has another K, and nobody has said an age."""


@dataclass(frozen=True)
class Choice:
    """A value that a field may have, and what it is called."""

    value: str
    title: str


@dataclass(frozen=True)
class AskedField:
    """What the rule book reads of a player or of an event, and what was taken."""

    name: str
    title: str
    value: str
    kind: str
    choices: tuple[Choice, ...]
    is_elsewhere: bool
    """Whether it is about ratings elsewhere, or what the office decided."""


@dataclass(frozen=True)
class Columns:
    """What the rule book reads of a game beside opponent and score."""

    stones: bool
    margin: bool
    ground: bool


@dataclass(frozen=True)
class AskedGame:
    """A game as it was asked for."""

    number: int
    opponent: str
    score: str
    stones: str
    margin: str


@dataclass(frozen=True)
class WhatIf:
    """What was asked, as it was understood, and the answer; None: of no game."""

    rulebook: str
    edition: str
    books: tuple[Choice, ...]
    """The rule books that can be asked."""
    player: int | None
    name: str
    own: tuple[AskedField, ...]
    event: tuple[AskedField, ...]
    columns: Columns
    rows: tuple[AskedGame, ...]
    target: str
    answer: Answered | None
    findings: tuple[Told, ...]
