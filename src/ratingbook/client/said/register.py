"""What the register says of a correction, fact by fact and number by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from ratingbook.client.said.corrections import CorrectionStep


@dataclass(frozen=True)
class Beside:
    """Another request about the same, and how it is to this one."""

    correction: int
    state: str
    contradicts: bool
    joined: bool
    takes_back: bool
    taken_back: bool


@dataclass(frozen=True)
class InList:
    """A list in the revision that a correction brought."""

    list: int
    date: date
    revision: int


@dataclass(frozen=True)
class InPublication:
    """By what a correction came to be published in a pool."""

    pool: str
    publication: int
    run: int
    lists: tuple[InList, ...]
    besides: tuple[str, ...]
    """What else it published that can have moved numbers of the correction, too."""


@dataclass(frozen=True)
class Reach:
    """How much a correction changed, or is going to change."""

    players: int
    batches: int
    lists: tuple[str, ...]
    largest: Mapping[str, float]
    """The largest difference in each pool."""


@dataclass(frozen=True)
class RegisterEntry:
    """A correction as the register has it."""

    correction: int
    state: str
    says: tuple[str, ...]
    outlook: tuple[str, ...]
    beside: tuple[Beside, ...]
    joined: int | None
    until: date | None
    next_list: date | None
    facts: tuple[CorrectionStep, ...]
    published: tuple[InPublication, ...]
    reach: Reach | None
    """None: it is not accepted."""


@dataclass(frozen=True)
class ChangedNumber:
    """A published number that a correction made another one."""

    pool: str
    batch: str
    day: date
    person: int
    name: str
    was: float | None
    now: float | None
    corrections: tuple[int, ...]
    change: float | None
    """By how much they did, by themselves: all of the difference, but ``with_others``."""
    with_others: bool
    """Whether something else of the same run moved it, too."""
    listing: str
