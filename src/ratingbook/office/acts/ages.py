"""What is kept of the birth of somebody whom nobody may see any more.

Rules ask how old somebody is, and what was published rests on the answers.  So the first date by
which all published numbers are the same stays in its place, or the first year where no more than
the year was known: whoever has the numbers knows as much.

Published is what was ever published: a merge can be taken back, an event that was taken out can
come again, and `replay` makes all of it.  So each number of a person keeps what its own numbers
need, also of the time before its birth was said otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property, lru_cache, partial
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Min, Q

from ratingbook.desk.birth_dates import rates_by_age
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import is_repeated
from ratingbook.office.acts.setup import decimals_of, rules_of
from ratingbook.office.acts.snapshots import build, fed_of
from ratingbook.office.engine.fed import Born, Fed
from ratingbook.office.engine.rating import rate
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import digest_of_published
from ratingbook.office.logic.feeding import births_of
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.stand_ins import FIRST_DAY, Alike, alike_in, asks_for_ages, first_day
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.rules.bulk import EPOCH, day_number, year_number

_FIRST_YEAR = year_number(FIRST_DAY)
_STEP = 32
"""Days: so far back the first date is looked for at once, then twice as far, and so on."""
_SEEN = 4
"""Publications whose games are held at once: a pool of a million games takes some 200 MB."""
EVER = sys.maxsize
"""Up to which fact that is known of which no fact has said otherwise."""


class Known(NamedTuple):
    """By which number of a person something was known of a birth, and up to which fact."""

    person: int
    until: int = EVER


Births = Mapping[Known, Born | None]
"""What is known of births; before a fact that is named holds what was known up to it."""


def known_of(people: Collection[int]) -> dict[Known, Born | None]:
    """What was ever known of the births of persons."""
    private = m.PersonPrivate.objects.filter(person__in=people)
    found: dict[Known, Born | None] = {
        Known(person): day or year
        for person, day, year in private.values_list("person", "birth_date", "birth_year")
    }
    former = m.FormerBirth.objects.filter(person__in=people)
    rows = former.values_list("person", "until", "birth_date", "birth_year")
    return found | {Known(person, until): day or year for person, until, day, year in rows}


def kept_births(home: Home, numbers: Sequence[int]) -> dict[Known, Born | None]:
    """What stands in for the births of a person by each number; nothing where none needs it.

    The first number is who the others are.
    """
    mine = known_of(numbers)
    if not any(mine.values()):
        return {}
    kin = _ever_one_with(numbers)
    kept = known_of(kin - set(numbers)) | mine
    ways = _ways(home, kin, kept)
    # Who was found to be another one first: the birth of that one goes before, if it is needed.
    for number in reversed(numbers):
        # What was known last comes first: where that does as well, nothing else is kept.
        for each in sorted((x for x in mine if x.person == number), reverse=True):
            kept = _with_stand_in(each, kept, ways)
    return {each: born for each, born in sorted(kept.items()) if each in mine}


def columns_of(born: Born | None) -> dict[str, Born | None]:
    """What stands in for a birth as it is kept: a year alone says no day, nor a day its year."""
    day = born if isinstance(born, date) else None
    return {"birth_date": day, "birth_year": None if day else born}


def as_said(births: Iterable[Born | None]) -> list[str]:
    """What stands in for births as their fact commits to it."""
    return ["" if each is None else str(each) for each in births]


def _with_stand_in(each: Known, kept: Births, ways: Sequence[_Way]) -> dict[Known, Born | None]:
    """The same with what stands in for one of them."""
    without = {other: born for other, born in kept.items() if other != each}
    if all(way.is_same(without) for way in ways):
        return without
    return {**without, each: _stand_in(each, kept, ways)}


def _stand_in(each: Known, kept: Births, ways: Sequence[_Way]) -> Born | None:
    """The first date by which all published numbers are the same; None: they need none."""

    def gone_from(some: Iterable[_Way], born: Born | None) -> set[_Way]:
        return {way for way in some if not way.is_same({**kept, each: born})}

    found: Born | None = None
    needed: set[_Way] = set()
    while more := gone_from([way for way in ways if way not in needed], found):
        needed |= more
        pools = {way.pool for way in needed}
        asked = [way for way in ways if way in needed or (way.run is None and way.pool in pools)]
        found = _first(each, kept, asked)
    return found


def _first(each: Known, kept: Births, ways: Sequence[_Way]) -> Born:
    """The first date by which the rules make the same in all these ways, or the first year."""
    true = kept[each]
    assert true is not None, "what is true needs nothing in its place"

    def is_alike(way: _Way) -> Callable[[Born], bool]:
        return lambda born: way.is_alike(kept, {**kept, each: born})

    by_answers = [is_alike(way) for way in ways if not way.by_numbers]
    by_numbers = [is_alike(way) for way in ways if way.by_numbers]
    if isinstance(true, int):
        every = [*by_answers, *by_numbers]
        return first_day(lambda year: all(x(year) for x in every), _FIRST_YEAR, true)
    low, high = FIRST_DAY, max(day_number(true), FIRST_DAY)
    low = first_day(lambda day: all(x(_day(day)) for x in by_answers), low, high)
    before = None
    while before != low:
        before = low
        for holds in by_numbers:
            low = _first_date(day_number(true), low, holds)
    return _day(low)


def _first_date(born: int, low: int, holds: Callable[[date], bool]) -> int:
    """The first day from one on for which something holds, as it does from then to another."""

    def is_same(day: int) -> bool:
        return holds(_day(day))

    high, back = born, _STEP
    if low < high and is_same(low):
        high = low
    # It must not depend on the birth date how far is looked: only on what the numbers are.
    while high - back > low and is_same(high - back):
        high, back = high - back, 2 * back
    low = max(low, high - back)
    return first_day(is_same, low, high)


def _day(number: int) -> date:
    return EPOCH + timedelta(days=number)


def _ever_one_with(numbers: Iterable[int]) -> set[int]:
    """The numbers, and all that were ever one person with one of them."""
    found: set[int] = set()
    new = set(numbers)
    while new:
        found |= new
        pairs = m.PersonRelation.objects.filter(Q(source__in=new) | Q(target__in=new))
        new = {each for pair in pairs.values_list("source", "target") for each in pair} - found
    return found


def _ways(home: Home, kin: Collection[int], known: Births) -> list[_Way]:
    """In which ways the births were looked at: by all that is published, and by what comes."""
    seen = lru_cache(maxsize=_SEEN)(partial(_seen, home))
    ways: list[_Way] = []
    for pool in m.Pool.objects.filter(head__gt=0).order_by("id"):
        rows = m.Change.objects.filter(person__in=kin, run__pool=pool)
        first = rows.aggregate(seq=Min("run__publication__seq"))["seq"]
        if first is None:
            # Nothing was ever published of them there, so nothing rests on their births.
            continue
        runs = m.Run.objects.filter(publication__seq__gte=first, pool=pool)
        before: _Way | None = None
        for run in runs.select_related("publication").order_by("publication__seq"):
            rules = Rules(run.rulebook, run.parameters, run.assume)
            way = _Way(pool, rules, upto=run.upto, run=run, known=known, seen=seen)
            if before is not None and before.is_told_by(way, kin):
                ways.pop()
            ways.append(way)
            before = way
        upto = ledger.head().seq
        ways.append(_Way(pool, rules_of(pool), upto=upto, run=None, known=known, seen=seen))
    return [each for each in ways if each.asks_for_ages]


class _Seen(NamedTuple):
    """What is fed, with whom, and what the rules make of two births of a player there."""

    fed: Fed
    players: frozenset[str]
    alike: Alike | None


def _seen(home: Home, way: _Way) -> _Seen:
    is_newest = way.run is None or way.run.publication.seq == way.pool.head
    fed = fed_of(home, way.pool.id, way.upto) if is_newest else build(way.pool.id, way.upto)
    if way.run is not None:
        fed = fed.as_of(way.run.snapshot)
    players = frozenset() if fed.players is None else frozenset(fed.players["id"].to_pylist())
    return _Seen(fed, players, alike_in(fed, way.rules.book()))


@dataclass(frozen=True, eq=False)
class _Way:
    """What is published of a pool by a run, or the pool as it stands."""

    pool: m.Pool
    rules: Rules
    upto: int
    run: m.Run | None
    """None: what is to come."""
    known: Births
    """The true ones."""
    seen: Callable[[_Way], _Seen]
    made: dict[frozenset[tuple[str, Born | None]], str | None] = field(default_factory=dict)
    """What came of it by which births; None: it cannot be made."""

    @cached_property
    def asks_for_ages(self) -> bool:
        """Whether births matter to the rules; to those that are no longer there none do."""
        try:
            return self.by_numbers or asks_for_ages(self.rules.book())
        except OfficeRefused:
            return False

    @cached_property
    def by_numbers(self) -> bool:
        """Whether the rules make a number of the age itself: then no answers are compared."""
        return rates_by_age(self.rules.book())

    def is_told_by(self, later: _Way, kin: Collection[int]) -> bool:
        """Whether all that rests on the births here rests on them in the next publication."""
        if self.run is None or later.run is None or not is_repeated(later.run, self.run):
            return False
        own, others = (
            [{x.person: x for x in _in_force(self.known, way.upto)},
             {x: way.merged[x] for x in kin if x in way.merged}]
            for way in (self, later)
        )  # fmt: skip
        return own == others

    def is_same(self, kept: Births) -> bool:
        """Whether by these births comes what came by the true ones."""
        if self.run is None:
            return True
        if self._born(kept) == self._born(self.known):
            return True
        now, true = self._of_players(kept), self._of_players(self.known)
        if now == true:
            return True
        was = self._made_by(true)
        # What cannot be made again by the true births rests on nothing that could be kept.
        return was is None or self._made_by(now) == was

    def is_alike(self, one: Births, other: Births) -> bool:
        """Whether the rules make the same of two births in whatever comes of it."""
        if self.by_numbers:
            return self.is_same(other)
        alike = self.seen(self).alike
        assert alike is not None
        before, now = self._of_players(one), self._of_players(other)
        return all(alike(each, before[each], now[each]) for each in now)

    @cached_property
    def merged(self) -> Mapping[int, int]:
        """Who each merged person was."""
        return merges(self.upto)

    def _born(self, births: Births) -> dict[str, Born | None]:
        """When each one was born of whom births tell."""
        known = {each.person: births[each] for each in _in_force(births, self.upto)}
        every = {each.person for each in self.known}
        every |= {self.merged.get(each, each) for each in every}
        born = births_of(known, self.merged)
        return {str(each): born.get(each) for each in every}

    def _of_players(self, births: Births) -> dict[str, Born | None]:
        """The same of those who are fed as players."""
        players = self.seen(self).players
        return {name: born for name, born in self._born(births).items() if name in players}

    def _made_by(self, births: Mapping[str, Born | None]) -> str | None:
        key = frozenset(births.items())
        if key not in self.made:
            self.made[key] = self._made(births)
        return self.made[key]

    def _made(self, births: Mapping[str, Born | None]) -> str | None:
        assert self.run is not None
        try:
            rated = rate(self.seen(self).fed.born(births), self.rules, self.run.until)
        except OfficeRefused:
            return None
        if self.by_numbers:
            return digest_of_published(rated.changes, rated.ratings, decimals_of(self.pool))
        return rated.digest


def _in_force(births: Births, upto: int) -> list[Known]:
    """Which of them held at a fact: of each number the one that was said otherwise first."""
    later = sorted(each for each in births if each.until > upto)
    return [next(some) for _, some in groupby(later, attrgetter("person"))]
