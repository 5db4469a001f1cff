"""What is in force: of each pool the published run, and what everybody's number is by it."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import F, OuterRef, Subquery
from django.utils.translation import gettext_noop

from ratingbook.desk.birth_dates import rates_by_age
from ratingbook.model import GameStatus
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.lists import list_named
from ratingbook.office.acts.pools import pool_as_known
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.unpublished import public_until
from ratingbook.office.caching import CacheBySize
from ratingbook.office.engine.lists import is_rated_by_lists, list_that_takes
from ratingbook.office.engine.rules import Rules, never_rated, publishes, reforms_of
from ratingbook.office.home import Home, current
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.rules.book import RatedBy
from ratingbook.site.shown.kept import by_ledger

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Reformed:
    """A day on which the rules changed all ratings once, or how many decimals lists show of them.

    ``paragraph`` is empty where no number says it; ``text`` is in English, and pages translate it.
    """

    day: date
    edition: str
    paragraph: str
    text: str
    is_of_decimals: bool = False


_LONGEST_PERIOD = 800
"""Days before a list in which what it takes may have ended; those of all rule books take a year."""
_MORE = gettext_noop("Lists show more decimals from here on; the rating has had them all the time.")
_FEWER = gettext_noop("Lists show fewer decimals from here on; the rating keeps them all.")


@dataclass(frozen=True)
class Published:
    """A pool with something published; ``by_lists``: its batches are periods, not events."""

    pool: m.Pool
    run: m.Run
    seq: int
    list: int | None
    """The newest list."""
    _decimals: dict[date, int] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def rules(self) -> Rules:
        """By which the published numbers were made."""
        return Rules(self.run.rulebook, self.run.parameters, self.run.assume)

    @cached_property
    def by_age(self) -> bool:
        """Whether a first rating may follow from an age."""
        return rates_by_age(self.rules.book())

    @property
    def by_lists(self) -> bool:
        """Whether a change is that of a list, else that of an event."""
        return is_rated_by_lists(self.rules)

    @property
    def by_game(self) -> bool:
        """Whether games are taken by their own days, not events when they end."""
        book = self.rules.book()
        calendar = book.bulk.calendar if book.bulk else None
        return book.rated_by is RatedBy.GAME if calendar is None else calendar.by_game

    @property
    def knows_substitutes(self) -> bool:
        """Whether the rules say for whom the game of a substitute counts."""
        return self.rules.book().edition(self.run.until).substitutes

    @property
    def by_report(self) -> bool:
        """Whether the day of the report decides which list takes a game, where it is later."""
        bulk = self.rules.book().bulk
        return bulk is not None and bulk.calendar is not None and bulk.calendar.by_report

    def day_taken(self, end: date, reported: date | None) -> date:
        """The day that says which batch takes a game, where days take them."""
        return max(end, reported) if reported is not None and self.by_report else end

    def batch_of(self, end: date, reported: date | None) -> str:
        """The key of the batch that takes the games of a day, where days take them."""
        day = self.day_taken(end, reported)
        return str(self.list_of(day) or day)

    @property
    def decimals(self) -> int:
        """Of a published number, as it stands now."""
        return self.decimals_on(self.run.until)

    def decimals_on(self, day: date) -> int:
        """Of a number as it was published on a day."""
        if day not in self._decimals:
            self._decimals[day] = decimals_of(self.pool, self.rules, day)
        return self._decimals[day]

    def rounded(self, value: float | None, day: date | None = None) -> float | None:
        """A number as it is published, or as it was on a day."""
        return rounded_one(value, self.decimals if day is None else self.decimals_on(day))

    def publishes(self, number: float, games: int) -> bool:
        """Whether the rules publish a rating of so many games, as they stand now."""
        return publishes(self.rules, number, games)

    @cached_property
    def never_rated(self) -> frozenset[GameStatus]:
        """How games came to their results that are not rated, not even where a report says so."""
        return never_rated(self.rules)

    @cached_property
    def reforms(self) -> tuple[Reformed, ...]:
        """The changes of all ratings, and of their decimals, until the day of the run."""
        made = [
            Reformed(day, edition, reform.paragraph, reform.text)
            for day, edition, reform in reforms_of(self.rules, self.run.until)
        ]
        # By a reform of the same day the numbers are others anyway.
        taken = {each.day for each in made}
        made += [each for each in self._of_decimals() if each.day not in taken]
        return tuple(sorted(made, key=lambda each: each.day))

    def _of_decimals(self) -> Iterator[Reformed]:
        """The days from which on lists show the same ratings with more decimals, or with fewer."""
        for stage in self.rules.book().stages():
            day = stage.since
            if day is None or day > self.run.until:
                continue
            before, then = self.decimals_on(day - timedelta(days=1)), self.decimals_on(day)
            if before != then:
                text = _MORE if then > before else _FEWER
                yield Reformed(day, stage.edition, "", text, is_of_decimals=True)

    def list_of(self, day: date) -> date | None:
        """The day of the list that takes what ended on a day; None: there are events only."""
        return _list_of(self.run.rulebook, _frozen(self.run.parameters), self.run.assume, day)

    def days_of_list(self, day: date) -> tuple[date, date]:
        """The first and the last day of what the list of a day takes: it may close before."""
        asked = [day - timedelta(days=back) for back in range(_LONGEST_PERIOD, -1, -1)]
        first, behind = (
            find(asked, day, key=lambda each: self.list_of(each) or each)
            for find in (bisect_left, bisect_right)
        )
        return asked[min(first, _LONGEST_PERIOD)], asked[behind - 1]


@by_ledger
def published() -> dict[int, Published]:
    """The pools of which something is published, by number."""
    newest = m.List.objects.filter(pool=OuterRef("pool")).order_by("-date", "-revision")
    found = (
        m.Publication.objects.filter(seq=F("pool__head"))
        .annotate(newest=Subquery(newest.values("id")[:1]))
        .select_related("pool", "run")
        .defer("run__report", "run__counts")
        .order_by("pool__id")
    )
    return {each.pool_id: Published(each.pool, each.run, each.seq, each.newest) for each in found}


@by_ledger
def published_with(number: int) -> Published:
    """What was published of a pool when a list was made; refused where there is no such list."""
    one = list_named(str(number))
    of_run = m.Publication.objects.select_related("run").defer("run__report", "run__counts")
    made = of_run.get(run=one.run_id)
    pool = pool_as_known(made.pool_id, one.fact)
    return Published(pool, made.run, made.seq, one.id)


def one_named(name: str) -> Published | None:
    """The pool of a name; None: nothing is published of one that is called so."""
    return next((each for each in published().values() if each.pool.name == name), None)


def refuse_unknown(name: str) -> None:
    """Refuse the name of a pool of which nothing is published: a table of it would be empty."""
    if name and one_named(name) is None:
        known = ", ".join(sorted(each.pool.name for each in published().values()))
        raise refuse(
            "office.no-pool",
            sentence("There is no pool {name!r}.", name=name),
            sentence("There is {known}.", known=known),
        )


@dataclass(frozen=True)
class Now:
    """What a pool knows of a person."""

    rating: float | None
    games: int
    status: str
    is_published: bool
    last_played: date | None


def now_of(one: Published, person: int) -> Now | None:
    """A person's number by the published run; None: the pool does not know the person."""
    table = _ratings(one.run.ratings_id or "", current().folder)
    at = pc.index(table["player"], pa.scalar(str(person))).as_py()
    if at < 0:
        return None
    row = table.slice(at, 1).to_pylist()[0]
    return Now(
        one.rounded(row["rating"]), row["games"], row["status"], row["published"],
        row["last_played"],
    )  # fmt: skip


_PLACES_OF_AN_AGE = 2
"""Decimals of an expected score that leave a year of an age open."""
_MOST_ROWS = 8_000_000
"""Of what is kept of published runs in a process, of all pools together; one takes 64 bytes."""


@CacheBySize(_MOST_ROWS)
def _ratings(sha256: str, folder: Path) -> pa.Table:
    """A file that never changes, since it goes by its hash."""
    return table_of(Home(folder), sha256)


def published_until(
    pools: Iterable[Published], people: Iterable[int]
) -> dict[tuple[int, int], date]:
    """Until when numbers are public of those whose rating the rules do not publish now.

    By pool and person.  Who was on no list has the first of all days, and who is not named here
    may be shown whole.
    """
    home, asked = current(), set(people)
    # Of an event several sections are rated in the same pool.
    of_pools = {one.pool.id: one for one in pools}
    return {
        (pool, person): until
        for pool, one in of_pools.items()
        for person, until in public_until(home, one.run, one.seq, asked).items()
    }


def expected_of(one: Published, person: int, keys: Iterable[str]) -> dict[str, float]:
    """What was expected of a person in some batches; not of those in which nothing is expected."""
    rows = _rows(one.run.file_id or "", current().folder)
    found: dict[str, float] = {}
    for key in keys:
        own = rows.of_batch(key, person)
        total = float(rows.expected[own].sum())
        if len(own) and not math.isnan(total):
            found[key] = told_of(one, total)
    return found


def told_of(one: Published, expected: float) -> float:
    """An expected score as it may be told: a first rating by age is known by more of it."""
    return round(expected, _PLACES_OF_AN_AGE) if one.by_age else expected


def newcomers_of(one: Published, key: str) -> set[int]:
    """Who went into a batch without a rating."""
    rows = _rows(one.run.file_id or "", current().folder)
    first, last = rows.spans.get(key, (0, 0))
    new = np.isnan(rows.before[first:last])
    return set(map(int, rows.players[first:last][new]))


def in_force_of(one: Published, person: int, key: str, start: date | None) -> float | None:
    """With what a person went into the games of a batch: by lists, those that began on a day.

    None: with no rating, or none that the rules published then, or with that of a grade.
    """
    rows = _rows(one.run.file_id or "", current().folder)
    own = rows.of(person)
    if one.by_lists and start is not None:
        # Whoever was rated since then went into the games with the number of the list before.
        here = own[np.searchsorted(rows.days[own], np.datetime64(start), side="right") :]
    else:
        here = rows.of_batch(key, person)
    known = None if len(here) else now_of(one, person)
    if len(here):
        number = float(rows.before[here[0]])
    elif known is None or known.rating is None or not known.is_published:
        number = math.nan
    else:
        number = float(rows.after[own[-1]]) if len(own) else known.rating
    if math.isnan(number):
        return one.run.assume
    if not _was_published(one, rows, person, number, here[0] if len(here) else None):
        return None
    return one.rounded(number, _day_of(rows, key))


def before_of_batch(one: Published, key: str, people: Iterable[int]) -> dict[int, float | None]:
    """With what some went into a batch, as it is published; not of those who were not in it.

    None: without a rating, or with one that the rules did not publish then.
    """
    rows = _rows(one.run.file_id or "", current().folder)
    found: dict[int, float | None] = {}
    for person in people:
        own = rows.of_batch(key, person)
        if len(own):
            number = float(rows.before[own[0]])
            is_told = not math.isnan(number) and _was_published(one, rows, person, number, own[0])
            found[person] = one.rounded(number, _day_of(rows, key)) if is_told else None
    return found


def _was_published(
    one: Published, rows: _Rows, person: int, number: float, place: int | None
) -> bool:
    """Whether the rules published a number that a person had before a row, or has after all."""
    if one.publishes(number, 0):
        return True
    known, own = now_of(one, person), rows.of(person)
    later = own[np.flatnonzero(own == place)[0] :] if place is not None else own[:0]
    games = known.games - int(rows.games[later].sum()) if known else 0
    return one.publishes(number, max(0, games))


def _day_of(rows: _Rows, key: str) -> date | None:
    """The day of a batch; None: nobody was rated in it."""
    first, last = rows.spans.get(key, (0, 0))
    day: date | None = rows.days[first].item() if last > first else None
    return day


@dataclass(frozen=True)
class _InOrder:
    """Places of rows, in an order in which the rows of a player stand together."""

    places: Array
    players: Array

    @classmethod
    def by(cls, players: Array, *keys: Array) -> _InOrder:
        """The order of some keys, the last one first."""
        places = np.lexsort(keys)
        return cls(places, players[places])

    def of(self, person: int, span: slice = slice(None)) -> Array:
        """The places of a person's rows, or of those of them that lie in a span."""
        bounds = np.array([person, person + 1], self.players.dtype)
        first, last = self.players[span].searchsorted(bounds)
        return self.places[span][first:last]


@dataclass(frozen=True)
class _Rows:
    """All rows of a run, batch by batch."""

    spans: Mapping[str, tuple[int, int]]
    players: Array
    by_player: _InOrder
    """By player, then by day."""
    by_batch: _InOrder
    """By batch, then by player."""
    days: Array
    before: Array
    after: Array
    expected: Array
    games: Array

    def __len__(self) -> int:
        return len(self.players)

    def of(self, person: int) -> Array:
        """The places of a person's rows, the oldest first."""
        return self.by_player.of(person)

    def of_batch(self, key: str, person: int) -> Array:
        """The places of a person's rows in a batch."""
        return self.by_batch.of(person, slice(*self.spans.get(key, (0, 0))))


@CacheBySize(_MOST_ROWS)
def _rows(sha256: str, folder: Path) -> _Rows:
    """The rows of a file that never changes; they stand in the order of their batches."""
    columns = ["key", "player", "before", "after", "expected", "date", "games"]
    table = table_of(Home(folder), sha256, columns).combine_chunks()
    keys = table["key"].combine_chunks().dictionary_encode()
    codes = keys.indices.to_numpy(zero_copy_only=False)
    begins = np.flatnonzero(np.diff(codes, prepend=-1))
    ends = np.append(begins[1:], len(codes))
    names = keys.dictionary.to_pylist()
    players = table["player"].cast(pa.int32()).to_numpy()
    days = table["date"].to_numpy()
    before, after, expected = (
        table[name].cast(pa.float64()).to_numpy() for name in ("before", "after", "expected")
    )
    batches = np.repeat(np.arange(len(begins)), ends - begins)
    return _Rows(
        spans={names[codes[b]]: (int(b), int(e)) for b, e in zip(begins, ends, strict=True)},
        players=players, days=days, before=before, after=after, expected=expected,
        by_player=_InOrder.by(players, days, players),
        by_batch=_InOrder.by(players, players, batches),
        games=table["games"].to_numpy(),
    )  # fmt: skip


def _frozen(parameters: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(parameters.items()))


@lru_cache(maxsize=1 << 16)
def _list_of(
    rulebook: str, parameters: tuple[tuple[str, str], ...], assume: float | None, day: date
) -> date | None:
    return list_that_takes(Rules(rulebook, dict(parameters), assume), day)


@dataclass(frozen=True)
class PoolShown:
    """A pool of which something is published; ``list`` is the newest one."""

    name: str
    rulebook: str
    is_rated_by_lists: bool
    decimals: int
    list: int | None


def shown() -> list[PoolShown]:
    """The pools of which something is published."""
    return [
        PoolShown(x.pool.name, x.run.rulebook, x.by_lists, x.decimals, x.list)
        for x in published().values()
    ]
