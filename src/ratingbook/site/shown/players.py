"""A player as pages and programs are told: ratings, their history, the results, corrections.

What was rated and is not published by the rules of a pool has games and a score, and no numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from ratingbook.model.decimals import change_of
from ratingbook.site.answers import DRAWN
from ratingbook.site.shown.charts import Stair
from ratingbook.site.shown.corrected import Corrected
from ratingbook.site.shown.differences import Difference
from ratingbook.site.shown.events import EventNamed
from ratingbook.site.shown.otherwise import Revision


@dataclass(frozen=True)
class Reform:
    """A change of all ratings that the rules made once, and where they say it.

    Where it ``is_of_decimals`` lists show the same ratings with more decimals, or with fewer.
    """

    edition: str
    paragraph: str
    anchor: str
    """Of the paragraph on the page of the edition."""
    text: str
    is_of_decimals: bool


@dataclass(frozen=True)
class Result:
    """What an event, or all events of a list, did to a rating; ``change`` is of printed numbers.

    ``first`` is the rating as it was first published, where that was otherwise.  Where there is a
    ``reform`` no game was rated: the rules changed all ratings; nor where there are
    ``differences``: corrections added them at once, on a list.
    """

    pool: str
    pool_number: int = field(metadata=DRAWN)
    key: str
    """Of the batch, by which its explanation is found; nothing where no games made the number."""
    day: date
    events: tuple[EventNamed, ...]
    games: int
    score: float
    expected: float | None
    """None: the rules expect no score, or the rating is the first one."""
    average: float | None
    """Of the opponents' ratings in the rated games."""
    performance: float | None
    before: float | None
    after: float | None
    change: float | None
    first: float | None
    is_revised: bool
    is_published: bool
    """Else the rules do not publish the rating yet, and the numbers are left out."""
    corrections: tuple[int, ...]
    decimals: int
    """Of numbers of the day; ``decimals_before`` those of the day before, with ``before``."""
    decimals_before: int
    was_listed: bool = True
    """Else the list of then had no rating of the player: the rules published one later."""
    follows: bool = True
    """Else it does not begin where the last one ended: the rules, or the office, put another number
    in its place, as the explanation says."""
    reform: Reform | None = None
    differences: tuple[Difference, ...] = ()
    began: float | None = None
    """With what the rules let a player begin who had no rating: with that of another pool."""

    @property
    def moved(self) -> float | None:
        """The change from where it began: of a first rating of games alone there is none."""
        return change_of(self.began, self.after) if self.change is None else self.change

    @property
    def batch(self) -> tuple[int, str]:
        """Which batch it is of, as the tables of the office have it."""
        return self.pool_number, self.key

    @property
    def place(self) -> tuple[str, str]:
        """Which result of the player it is; without a batch by the day and what moved it then."""
        if self.is_rated:
            return self.pool, self.key
        by = self.differences[0].correction if self.differences else "reform"
        return self.pool, f"{by} {self.differences[0].day if self.differences else self.day}"

    @property
    def is_rated(self) -> bool:
        """Whether games made it."""
        return self.reform is None and not self.differences

    @property
    def added_with(self) -> date | None:
        """The day of the list that has the differences first; None: no list has them yet."""
        return self.differences[0].list_day if self.differences else None

    @property
    def added_by(self) -> str:
        """The numbers of the corrections that added something, in a row."""
        return ", ".join(str(each.correction) for each in self.differences)


@dataclass(frozen=True)
class PoolRating:
    """A player in a pool; ``official`` is the number on the newest list, ``now`` what followed."""

    pool: str
    pool_number: int = field(metadata=DRAWN)
    rulebook: str
    by_lists: bool
    decimals: int
    official: float | None
    decimals_listed: int
    """Of the number on the newest list, which the rules may have made with others."""
    list: int | None
    list_day: date | None
    list_revision: int | None
    is_to_come: bool
    """Whether the day from which on the list is in force is still to come."""
    now: float | None
    games: int
    status: str
    last_played: date | None
    peak: float | None
    decimals_of_peak: int
    peak_day: date | None
    """None: the player came in with it."""
    last: Result | None
    is_live: bool

    @property
    def rating(self) -> float | None:
        """The number that counts: of the list, or of the last event where none is official."""
        return self.now if self.official is None else self.official

    @property
    def decimals_of_rating(self) -> int:
        """With how many it is written."""
        return self.decimals if self.official is None else self.decimals_listed


@dataclass(frozen=True)
class Apart:
    """Another number of a person whom a pool has apart until its next run: a merge came later."""

    number: int
    pool: str
    rating: float | None
    decimals: int


@dataclass(frozen=True)
class History:
    """The graph of a pool, newest numbers last, with its table newest first."""

    pool: str
    decimals: int
    chart: Stair = field(metadata=DRAWN)
    begin: date
    end: date
    first: float
    """The first that was in force."""
    last: float
    peak: float
    peak_day: date | None
    revised: int
    is_shortened: bool
    rows: tuple[Result, ...]


@dataclass(frozen=True)
class Player:
    """The page of a player."""

    id: int
    name: str
    spoken: str
    title: str
    federation: str
    club: str
    ids: tuple[tuple[str, str], ...]
    """Numbers in registers; of a merged person there may be several of one."""
    last_played: date | None
    pools: tuple[PoolRating, ...]
    history: History | None
    results: tuple[Result, ...]
    results_of: str
    """The pool whose results stand here; empty: there are none."""
    page: int
    pages: int
    corrections: tuple[Corrected, ...]
    """Of that pool."""
    revisions: tuple[Revision, ...]
    """What else made its published numbers others."""
    apart: tuple[Apart, ...]

    @property
    def main(self) -> PoolRating | None:
        """The pool with most games: the sentence is about it."""
        rated = [each for each in self.pools if each.rating is not None]
        return max(rated, key=lambda each: each.games, default=None)

    @property
    def chosen(self) -> PoolRating | None:
        """The pool whose results stand here."""
        return next((each for each in self.pools if each.pool == self.results_of), None)

    @property
    def with_average(self) -> bool:
        """Whether opponents of these results had ratings."""
        return any(each.average is not None for each in self.results)

    @property
    def with_performance(self) -> bool:
        """Whether the rule book knows one."""
        return any(each.performance is not None for each in self.results)

    @property
    def with_unpublished(self) -> bool:
        """Whether numbers are left out of these results."""
        return any(not each.is_published for each in self.results)

    @property
    def with_breaks(self) -> bool:
        """Whether one of these results does not begin where the last one ended."""
        return any(not each.follows for each in self.results)
