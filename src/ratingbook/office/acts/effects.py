"""What corrections changed of what was published, as every place of the office tells it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import BigIntegerField, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Cast

from ratingbook.office.acts.decisions import openings_held
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import base_of, causes_in, ratings_in, table_of
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.taken_back import moot_in, void_in
from ratingbook.office.acts.unpublished import on_lists_at, public_until
from ratingbook.office.engine import Rules, is_rated_by_lists, reforms_of
from ratingbook.office.home import Home
from ratingbook.office.logic.effects import (
    Beside,
    Figures,
    Lines,
    Number,
    OnList,
    Side,
    Waiting,
    added,
    added_later,
    as_came,
    by_themselves,
    figures,
    numbers,
    of_persons,
    on_lists,
    side,
    together,
    without,
)
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import once

PUBLISHED = "correction published"


class Listed(NamedTuple):
    """A list on which a correction shows."""

    id: int
    pool: str
    date: date
    revision: int
    pool_id: int


@dataclass(frozen=True)
class Told:
    """What a correction changed, or is going to change, of what was published."""

    numbers: tuple[Number, ...] = ()
    on_lists: tuple[OnList, ...] = ()
    """The ratings that differ on the lists that were revised."""
    lists: tuple[Listed, ...] = ()
    """Those that were revised by it, and those that are the first to have it."""

    @property
    def figures(self) -> Figures:
        """How much it is."""
        return figures(self.numbers)

    @property
    def revised(self) -> tuple[Listed, ...]:
        """The lists of before that got a revision by it."""
        return tuple(each for each in self.lists if each.revision > 1)

    @property
    def is_on_next_list(self) -> bool:
        """Whether nothing was rated again, and a difference was added on the next list."""
        return bool(self.numbers) and all(each.is_added for each in self.numbers)


class _Runs(NamedTuple):
    """Two runs, one published after the other, and the decimals of their published numbers."""

    was: m.Run
    now: m.Run
    decimals: int


_Reached = tuple[tuple[int, str], ...]
"""Corrections, in the order in which they were accepted, with the files of what they reach."""


@lru_cache(maxsize=32)
def _between(
    folder: Path, runs: _Runs, reached: _Reached, days: tuple[date, ...], lists: tuple[date, ...]
) -> tuple[tuple[Number, ...], tuple[OnList, ...]]:
    """What differs by these corrections; it is a function of runs that never change.

    ``days`` are those of lists that are looked at, ``lists`` those that have what was added.
    """
    home, pool = Home(folder), runs.now.pool_id
    tables = {number: _rows(home, file, pool) for number, file in reached}
    people = {each for table in tables.values() for each in table["person"].to_pylist()}
    was, now = (published_side(home, each, people, runs.decimals) for each in (runs.was, runs.now))
    made, reach = by_themselves(was, tables)
    needed = m.Needed.objects.filter(run=runs.now)
    reach = without(reach, moot_in(tables))
    at = together(reach, causes_in(home, needed) if len(reached) > 1 else {})
    own = as_came(made, was, now)
    found = numbers(pool, was, now, own, at)
    found += added(pool, was, now, own, at, _put_on_next_list(tables), lists)
    stood, stands = on_lists_at(pool, [seq_of(each) for each in (runs.was, runs.now)], days, people)
    listed = {day: Lines(stood[day], stands[day]) for day in days if day in stood}
    return tuple(found), tuple(on_lists(pool, was, now, own, at, listed))


def _rows(home: Home, file: str, pool: int) -> pa.Table:
    """What a correction reaches in a pool."""
    return table_of(home, file, None, pc.field("pool") == pool)


def _put_on_next_list(tables: Mapping[int, pa.Table]) -> dict[tuple[date, int], tuple[int, ...]]:
    """By day and person which corrections went on the next list."""
    found: dict[tuple[date, int], list[int]] = {}
    for number, table in tables.items():
        for row in table.to_pylist():
            if row["was_games"] is None and row["games"] is None:
                found.setdefault((row["day"], row["person"]), []).append(number)
    return {at: tuple(sorted(some)) for at, some in found.items()}


def published_side(home: Home, run: m.Run, people: Iterable[int], decimals: int) -> Side:
    """What a run has of some persons."""
    wanted = set(people)
    rows, ratings = (table_of(home, each or "") for each in (run.file_id, run.ratings_id))
    shown = ratings_of(ratings, wanted, decimals)
    hidden = public_until(home, run, seq_of(run), wanted)
    return side(of_persons(rows, wanted), shown, decimals, beside_of(run, wanted), hidden)


def seq_of(run: m.Run) -> int:
    """The number of the publication of a published run in its pool."""
    return run.base + 1


def beside_of(run: m.Run, people: Collection[int], upto: int | None = None) -> Beside:
    """What moved the ratings of some persons beside all games, up to the end of a run.

    As the run knew it, or as known at a later fact.
    """
    upto = run.upto if upto is None else upto
    rules = Rules(run.rulebook, run.parameters, run.assume)
    days = tuple(day for day, _, _ in reforms_of(rules, run.until))
    held = openings_held(run.pool_id, people, upto) if days else {}
    came = {person: float(said["rating"]) for person, said in held.items() if said.get("rating")}
    added: dict[int, list[tuple[date, float]]] = {}
    for each in _differences(run.pool_id, upto):
        if each.person in people and each.day <= run.until:
            added.setdefault(each.person, []).append((each.day, each.value))
    return Beside(days, is_rated_by_lists(rules), added, came)


class _Difference(NamedTuple):
    """What a fact adds to the rating of a person at the end of a day."""

    fact: int
    person: int
    day: date
    value: float


def _differences(pool: int, upto: int) -> list[_Difference]:
    """What was known at a fact; nobody takes a difference back but by another one."""
    every = m.Decision.objects.filter(pool=pool, kind=DIFFERENCE).order_by("id")
    rows = once(("differences", pool), lambda: list(every.values_list("fact", "person", "value")))
    merged = merges(upto) if rows else {}
    return [
        _Difference(
            fact, merged.get(person, person), date.fromisoformat(said["from"]), said["value"]
        )
        for fact, person, said in rows
        if fact <= upto
    ]


def waiting_beside(run: m.Run, upto: int) -> dict[int, list[Waiting]]:
    """By person what is added to the ratings of a run later, as far as it is decided."""
    every = _differences(run.pool_id, upto)
    some = [each for each in every if each.fact > run.upto or each.day > run.until]
    facts = m.Fact.objects.in_bulk({each.fact for each in some}) if some else {}
    found: dict[int, list[Waiting]] = {}
    for each in some:
        number = facts[each.fact].payload["correction"]
        found.setdefault(each.person, []).append(Waiting(number, each.day, each.value))
    return found


def ratings_of(table: pa.Table, people: Iterable[int], decimals: int) -> dict[int, float]:
    """The ratings of some persons as they are published."""
    mine = of_persons(table.filter(pc.is_valid(table["rating"])), people)
    both = zip(mine["player"].to_pylist(), mine["rating"].to_pylist(), strict=True)
    shown = ((int(player), rounded_one(rating, decimals)) for player, rating in both)
    return {player: rating for player, rating in shown if rating is not None}


def of_run(home: Home, run: m.Run, some: Sequence[m.Correction]) -> tuple[Number, ...]:
    """The published numbers that a run changes by corrections of which it is the first to have."""
    before = base_of(run)
    if before is None:
        return ()
    files = _reached_by(each.id for each in some)
    lists = lists_with(run, days_of_lists([run.pool_id]))
    return _between(home.folder, _runs(run, before), files, (), lists)[0]


class _Day(NamedTuple):
    """The day of a list, and up to which fact it was made."""

    pool: int
    day: date
    upto: int


def days_of_lists(pools: Iterable[int]) -> list[_Day]:
    """The days of all lists of some pools."""
    return _lists(pools)[1]


def lists_with(run: m.Run, every: Iterable[_Day]) -> tuple[date, ...]:
    """The days of the lists that have all that a run knew."""
    found = {x.day for x in every if x.pool == run.pool_id and x.upto >= run.upto}
    return tuple(sorted(found))


def _runs(run: m.Run, before: m.Run) -> _Runs:
    return _Runs(before, run, decimals_of(run.pool))


def _reached_by(some: Iterable[int]) -> _Reached:
    """The files of what corrections reach, in the order in which these were accepted."""
    every = m.Reached.objects.filter(correction__in=list(some)).order_by("fact")
    return tuple(every.values_list("correction", "file"))


def of_corrections(home: Home, some: Sequence[int]) -> dict[int, Told]:
    """What published corrections changed, by their numbers."""
    own = m.FactSubject.objects.filter(
        kind="correction", subject__in=[str(each) for each in some], fact__kind=PUBLISHED
    )
    runs = m.FactSubject.objects.filter(kind="run", fact__in=own.values("fact")).values("subject")
    entered = _entered(runs)
    if not entered:
        return {}
    publications = _publications({each.run for each in entered})
    lists, every = _lists(run.pool_id for run, _ in publications)
    found: dict[int, Told] = {}
    for run, before in publications:
        of_run = [each for each in entered if each.run == run.id]
        here = tuple(lists[each] for each in of_run[0].lists if each in lists)
        days = tuple(sorted(each.date for each in here if each.revision > 1))
        both: tuple[tuple[Number, ...], tuple[OnList, ...]] = (), ()
        if before:
            reached = _files_of(of_run)
            with_it = lists_with(run, every)
            both = _between(home.folder, _runs(run, before), reached, days, with_it)
        for number in {each.correction for each in of_run}.intersection(some):
            found[number] = _joined(found.get(number, Told()), number, *both, here)
    return found


class _Entered(NamedTuple):
    """What a fact says by which a correction is published with a run."""

    run: int
    correction: int
    lists: Sequence[int]
    accepted: int
    """The fact by which it was accepted."""
    file: str
    """Of what it reaches; nothing: it reached nothing."""


def _entered(runs: Any) -> list[_Entered]:
    """The corrections that came with published runs; ``runs`` are their numbers as texts."""
    of = m.FactSubject.objects.filter(kind="run", subject__in=runs, fact__kind=PUBLISHED)
    reached = m.Reached.objects.filter(correction=Cast(OuterRef("subject"), BigIntegerField()))
    every = (
        m.FactSubject.objects.filter(kind="correction", fact__in=of.values("fact"))
        .annotate(accepted=Subquery(reached.values("fact")), file=Subquery(reached.values("file")))
        .order_by("fact")
    )
    return [
        _Entered(said["run"], said["correction"], said["lists"], accepted or 0, file or "")
        for said, accepted, file in every.values_list("fact__payload", "accepted", "file")
    ]


def _files_of(entered: Iterable[_Entered]) -> _Reached:
    """The files of what corrections reach, in the order in which these were accepted."""
    some = sorted((each.accepted, each.correction, each.file) for each in entered if each.file)
    return tuple((number, file) for _, number, file in some)


def _publications(runs: Iterable[int]) -> list[tuple[m.Run, m.Run | None]]:
    """These runs in the order in which they were published, each with the one before it."""
    wanted = set(runs)
    based = m.Run.objects.filter(id__in=wanted, pool=OuterRef("pool"), base=OuterRef("seq"))
    every = m.Publication.objects.filter(Q(run__in=wanted) | Exists(based))
    by_seq = {
        (each.pool_id, each.seq): each.run
        for each in every.select_related("run__pool").order_by("fact")
    }
    return [
        (run, by_seq.get((run.pool_id, run.base))) for run in by_seq.values() if run.id in wanted
    ]


def _lists(pools: Iterable[int]) -> tuple[dict[int, Listed], list[_Day]]:
    """All lists of some pools by number, and their days."""
    every = m.List.objects.filter(pool__in=set(pools)).order_by("date", "revision")
    rows = every.values_list("id", "pool__name", "date", "revision", "pool", "run__upto")
    lists = [(Listed(*row[:-1]), row[-1]) for row in rows]
    days = [_Day(one.pool_id, one.date, upto) for one, upto in lists]
    return {one.id: one for one, _ in lists}, days


def _joined(
    so_far: Told,
    number: int,
    every: Iterable[Number],
    on_them: Iterable[OnList],
    lists: Iterable[Listed],
) -> Told:
    """With what one more publication changed by a correction."""
    mine = tuple(each for each in every if number in each.corrections)
    rows = tuple(each for each in on_them if number in each.corrections)
    days = {each.day for each in rows}
    first = min((each.day for each in mine), default=date.max)
    shown = (
        each for each in lists if (each.date in days if each.revision > 1 else each.date >= first)
    )
    chosen = sorted((*so_far.lists, *shown), key=lambda each: (each.date, each.pool, each.revision))
    return Told((*so_far.numbers, *mine), (*so_far.on_lists, *rows), tuple(chosen))


def of_list(home: Home, steps: Sequence[tuple[m.Run, m.Run]], day: date) -> tuple[int, ...]:
    """The corrections that changed ratings on the list of a day.

    By runs that were published, each with the one before it.
    """
    runs = [str(here.id) for here, _ in steps]
    entered = _entered(runs)
    every = days_of_lists(here.pool_id for here, _ in steps) if entered else []
    found: set[int] = set()
    for run, before in steps:
        if reached := _files_of(each for each in entered if each.run == run.id):
            with_it = lists_with(run, every)
            numbers_, lists = _between(home.folder, _runs(run, before), reached, (day,), with_it)
            found.update(number for each in lists for number in each.corrections)
            put = (each for each in numbers_ if each.is_added and each.day <= day)
            found.update(number for each in put for number in each.corrections)
    return tuple(sorted(found))


def waiting_rows(home: Home, run: m.Run, upto: int) -> dict[int, pa.Table]:
    """What corrections reach that were accepted up to a fact, and are not in a published run."""
    every = m.Reached.objects.filter(fact__gt=run.upto, fact__lte=upto).order_by("fact")
    files = every.values_list("correction", "file")
    return {number: _rows(home, file, run.pool_id) for number, file in files}


def awaited(home: Home, number: int) -> Told:
    """What an accepted correction is going to change of what is published.

    Others that wait with it are told of together, as they will be; reports that wait are not
    told of: nothing of them is published.
    """
    files = dict(_reached_by([number]))
    if number not in files:
        return Told()
    pools = set(table_of(home, files[number], ["pool"])["pool"].to_pylist())
    heads = m.Publication.objects.filter(pool__in=pools, seq=F("pool__head"))
    found: list[Number] = []
    upto = ledger.head().seq
    for head in heads.select_related("run__pool").order_by("pool"):
        run = head.run
        found += _rated_again(home, run, number, waiting_rows(home, run, upto))
        later = {
            person: each
            for person, each in waiting_beside(run, upto).items()
            if any(one.correction == number for one in each)
        }
        exact = ratings_in(run.ratings_id)
        put = added_later(run.pool_id, exact, later, decimals_of(run.pool))
        found += [each for each in put if number in each.corrections]
    return Told(tuple(found))


def _rated_again(
    home: Home, run: m.Run, number: int, waiting: Mapping[int, pa.Table]
) -> list[Number]:
    """The published numbers that a correction is going to change with others that wait."""
    if number not in waiting:
        return []
    people = set(waiting[number]["person"].to_pylist())
    was = published_side(home, run, people, decimals_of(run.pool))
    now, at = by_themselves(was, {each: _of(table, people) for each, table in waiting.items()})
    left = without(at, void_in(waiting))
    mine = {each: some for each, some in left.items() if number in some}
    return numbers(run.pool_id, was, now, now, mine)


def _of(table: pa.Table, people: Iterable[int]) -> pa.Table:
    """The rows of some persons of what a correction reaches."""
    return table.filter(pc.is_in(table["person"], value_set=pa.array(sorted(people), pa.int64())))
