"""The installed rule books."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Edition:
    """An edition in a line."""

    name: str
    title: str
    federation: str
    game: str
    valid_from: date | None
    valid_until: date | None
    rates_by: str


@dataclass(frozen=True)
class Family:
    """The editions of one rule book; several are a series, which has a name of its own."""

    name: str
    federation: str
    is_series: bool
    editions: tuple[Edition, ...]


@dataclass(frozen=True)
class BookParagraph:
    """A paragraph of an edition, and who performs it: a function, the office, or nobody now."""

    number: str
    anchor: str
    """On the page of the edition."""
    title: str
    text: str
    article: str
    url: str
    performed: str
    by: str
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Parameter:
    """A number or reading of an edition that can be set."""

    name: str
    value: object
    meaning: str


@dataclass(frozen=True)
class Reading:
    """An open place of the text, and what is taken."""

    id: str
    question: str
    taken: str
    why: str
    parameter: str | None


@dataclass(frozen=True)
class BookTable:
    """A table of the regulation."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class ExampleLine:
    """A worked example in a line."""

    number: int
    title: str
    source: str
    results: tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class RuleBook:
    """An edition, whole."""

    edition: Edition
    series: str | None
    before: str | None
    after: str | None
    source: str
    url: str
    numbering: str
    paragraphs: tuple[BookParagraph, ...]
    counts: tuple[tuple[str, int], ...]
    """How many paragraphs are performed in which way."""
    parameters: tuple[Parameter, ...]
    amendments: tuple[tuple[date | None, str], ...]
    readings: tuple[Reading, ...]
    tables: tuple[BookTable, ...]
    examples: tuple[ExampleLine, ...]


@dataclass(frozen=True)
class Series:
    """The editions of a series over time: day, edition, what changed."""

    name: str
    title: str
    federation: str
    timeline: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Step:
    """A step of a derivation."""

    game: str
    paragraph: str
    anchor: str
    article: str
    text: str


@dataclass(frozen=True)
class Derived:
    """How the rating of a player of an example came about."""

    player: str
    before: float | None
    after: float | None
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Example:
    """A worked example, step by step; ``report`` is the document that is rated in it."""

    edition: str
    number: int
    count: int
    title: str
    source: str
    players: tuple[Derived, ...]
    report: str
