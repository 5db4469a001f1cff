"""The register of corrections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class CorrectionLine:
    """A correction in a line of the register."""

    number: int
    of: str
    says: tuple[str, ...]
    asked: date
    asked_by: str
    state: str
    since: date
    players: int | None
    lists: int | None
    largest: float | None


@dataclass(frozen=True)
class CorrectionStep:
    """What was done about a correction."""

    what: str
    at: datetime
    by: str
    reason: str
    files: int


@dataclass(frozen=True)
class CorrectedGame:
    """A game as it was, and as it is now."""

    event: str
    report: int
    round: int | None
    white: str
    black: str
    was: str
    now: str


@dataclass(frozen=True)
class RevisedList:
    """A list that came out anew."""

    number: int
    pool: str
    day: date
    revision: int


@dataclass(frozen=True)
class Mover:
    """Somebody whom a correction changed; one difference for each list, None: none there."""

    person: int
    name: str
    largest: float | None
    differences: tuple[float | None, ...]
    before: float | None
    after: float | None
    together: tuple[int, ...]
    """Other corrections that acted at once, so that nobody can tell which did how much."""
    with_reports: bool


@dataclass(frozen=True)
class Correction:
    """A correction: what was asked, decided and changed, and whom it changed most."""

    entry: CorrectionLine
    steps: tuple[CorrectionStep, ...]
    games: tuple[CorrectedGame, ...]
    joined: int | None
    beside: tuple[int, ...]
    largest: float | None
    batches: int | None
    lists: tuple[RevisedList, ...]
    shown_lists: tuple[RevisedList, ...]
    """Those that the differences of the movers are of."""
    movers: tuple[Mover, ...]
    players: int
    together: tuple[int, ...]
    with_reports: bool
    on_next_list: bool
    next_list: date | None
