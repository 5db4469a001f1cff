"""The register of corrections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class Difference:
    """What a correction added to a rating on a list, where nothing was rated again."""

    correction: int
    pool: str
    person: int
    name: str
    value: float
    accepted: date
    day: date
    list_day: date | None
    decimals: int


@dataclass(frozen=True)
class LargestDifference:
    """The largest difference in a pool, with the decimals of its numbers."""

    pool: str
    difference: float
    decimals: int


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
    largest: tuple[LargestDifference, ...]
    """Of each pool in which a number became another one."""


@dataclass(frozen=True)
class CorrectionStep:
    """What was done about a correction."""

    fact: int
    what: str
    at: datetime
    by: str
    """Empty: it followed from what the owner of another request did."""
    reason: str
    is_by_program: bool
    """Whether nobody wrote the reason: the program says what follows."""
    pool: str
    """In which it was published; empty: it is a step in all pools."""
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
    """The results; empty: another one is not asked for."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """What else is asked for: who has White, for whom it is rated, its status."""


@dataclass(frozen=True)
class RevisedList:
    """A list that came out anew."""

    number: int
    pool: str
    day: date
    revision: int


@dataclass(frozen=True)
class Mover:
    """Somebody whom a correction changed in a pool; one difference for each of its lists.

    None: the number is the same there, or the list is one of another pool.
    """

    person: int
    name: str
    pool: str
    decimals: int
    day: date
    """Of the last number."""
    is_on_list: bool
    largest: float | None
    differences: tuple[float | None, ...]
    became_on_lists: tuple[str, ...]
    """On each list ``first`` or ``gone`` of a rating, ``left`` or ``came`` of its line alone."""
    before: float | None
    after: float | None
    became: str
    """The same of the last number, of which these two are."""
    together: tuple[int, ...]
    """Other corrections that acted at once, so that nobody can tell which did how much."""
    with_others: bool


@dataclass(frozen=True)
class Besides:
    """What else the run published that brought a correction into a pool."""

    pool: str
    says: tuple[str, ...]


@dataclass(frozen=True)
class Correction:
    """A correction: what was asked, decided and changed, and whom it changed most."""

    entry: CorrectionLine
    steps: tuple[CorrectionStep, ...]
    games: tuple[CorrectedGame, ...]
    outlook: tuple[str, ...]
    """What accepting it would not change, and why: of one that is open."""
    joined: int | None
    beside: tuple[int, ...]
    takes_back: tuple[int, ...]
    """Those of ``beside`` of which this one takes back what they said."""
    taken_back_by: tuple[int, ...]
    """Those of ``beside`` that take back what this one said, or ask for it."""
    contradicting: tuple[int, ...]
    """Those of ``joined`` and ``beside`` that ask for something else of the same."""
    pools: tuple[str, ...]
    """Those in which it changed numbers."""
    batches: int | None
    lists: tuple[RevisedList, ...]
    shown_lists: tuple[RevisedList, ...]
    """Those that the differences of the movers are of: the newest of each pool."""
    movers: tuple[Mover, ...]
    players: int
    together: tuple[int, ...]
    with_others: bool
    """Whether something else of the same run moved some of the numbers, too."""
    besides: tuple[Besides, ...]
    """What that was, pool by pool."""
    on_next_list: bool
    next_list: date | None
