"""What corrections changed of what was published, as every place of the office tells it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import BigIntegerField, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Cast

from ratingbook.office.acts.decisions import openings_that_count
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import (
    base_of,
    causes_in,
    ratings_in,
    shown_ratings_in,
    table_of,
    versions_of,
)
from ratingbook.office.acts.revisions import revised_of
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.taken_back import moot_in, void_in
from ratingbook.office.acts.unpublished import on_lists_at, public_until
from ratingbook.office.engine.lists import is_rated_by_lists
from ratingbook.office.engine.rules import Rules, reforms_of
from ratingbook.office.home import Home
from ratingbook.office.logic.corrections import Content, told_of
from ratingbook.office.logic.effects import (
    OF_A_LIST,
    At,
    Beside,
    Course,
    Figures,
    Lines,
    Number,
    Row,
    Side,
    Waiting,
    added,
    added_later,
    as_came,
    beside_each_other,
    by_themselves,
    each_once,
    figures,
    numbers,
    of_persons,
    on_lists,
    side,
    together,
    without,
)
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.logic.lines import Line, people_otherwise
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import is_any, once

PUBLISHED = "correction published"


class Listed(NamedTuple):
    """A list on which a correction shows."""

    id: int
    pool: str
    date: date
    revision: int
    pool_id: int
    run: int | None
    """The run with which it was published; None: it was made later."""


@dataclass(frozen=True)
class Told:
    """What a correction changed, or is going to change, of what was published."""

    numbers: tuple[Number, ...] = ()
    """After batches and on the lists that were revised: each once."""
    on_lists: tuple[Number, ...] = ()
    """All that differ on these lists, also those that a batch of the day left."""
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


Reached = tuple[tuple[int, str], ...]
"""Corrections, in the order in which they were accepted, with the files of what they reach."""


class _Added(NamedTuple):
    """What is known of runs of which one has differences on the next list."""

    was: Side
    now: Side
    own: Side
    at: Mapping[At, tuple[int, ...]]
    put: Mapping[tuple[date, int], tuple[int, ...]]


class _Between(NamedTuple):
    """What differs between two runs by corrections."""

    numbers: list[Number]
    on_lists: list[Number]
    added: _Added | None
    """None: nothing was put on the next list."""


def _told_between(
    folder: Path, runs: _Runs, reached: Reached, day: date | None,
    lists: Callable[[], tuple[date, ...]],
) -> tuple[tuple[Number, ...], tuple[Number, ...]]:  # fmt: skip
    """The numbers that corrections made others, and those on lists, which are among them, too.

    On the list of a ``day``; without one on those that were revised with the run.  ``lists`` are
    those that have what was added.
    """
    found = _between(folder, runs, reached, day)
    every = list(found.numbers)
    if found.added is not None:
        every += added(runs.now.pool_id, *found.added, lists())
    return tuple(each_once(every, found.on_lists)), tuple(found.on_lists)


@lru_cache(maxsize=32)
def _between(folder: Path, runs: _Runs, reached: Reached, day: date | None) -> _Between:
    """What differs by these corrections; it is a function of runs that never change."""
    home, pool = Home(folder), runs.now.pool_id
    tables = {number: _rows(home, file, pool) for number, file in reached}
    people = {each for table in tables.values() for each in table["person"].to_pylist()}
    was, now = (published_side(home, each, people, runs.decimals) for each in (runs.was, runs.now))
    made, reach = by_themselves(was, tables)
    of_run_ = m.Needed.objects.filter(run=runs.now)
    needed = causes_in(home, of_run_) if len(reached) > 1 else {}
    lost = people - now.courses.keys() - now.ratings.keys()
    at = together(without(reach, moot_in(tables)), needed, lost)
    own = as_came(made, was, now)
    days = _revised_with(runs.now) if day is None else [day]
    stood, stands = on_lists_at(pool, [seq_of(each) for each in (runs.was, runs.now)], days, people)
    lines = {day: Lines(some, stands[day]) for day, some in stood.items()}
    listed = on_lists(pool, was, now, own, at, needed, lines)
    put = _put_on_next_list(tables)
    # What was put there is told by the lists that there are by now.
    with_added = _Added(was, now, own, at, put) if put else None
    return _Between(numbers(pool, was, now, own, at), listed, with_added)


def _revised_with(run: m.Run) -> QuerySet[Any]:
    """The days of the lists of before of which a run brought another revision."""
    return _of_one_act(m.List.objects.filter(run=run, revision__gt=1)).values("date")


def _of_one_act(lists: QuerySet[m.List]) -> QuerySet[Any]:
    """Those of some lists that were published with their runs, and not made later."""
    return _with_times(lists).filter(at=F("published"))


def _with_times(lists: QuerySet[m.List]) -> QuerySet[Any]:
    """Lists with the times ``at`` which they were ``published``, and their runs: one of one act."""
    at, published = (
        Subquery(m.Fact.objects.filter(seq=OuterRef(fact)).values("at"))
        for fact in ("fact", "run__publication__fact")
    )
    return lists.annotate(at=at, published=published)


def _rows(home: Home, file: str, pool: int) -> pa.Table:
    """What a correction reaches in a pool."""
    return table_of(home, file, None, pc.field("pool") == pool)


def _put_on_next_list(tables: Mapping[int, pa.Table]) -> dict[tuple[date, int], tuple[int, ...]]:
    """By day and person which corrections went on the next list."""
    found: dict[tuple[date, int], list[int]] = {}
    for number, table in tables.items():
        for row in table.to_pylist():
            if row["key"].startswith(OF_A_LIST):
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
    came = came_in(run.pool_id, people, upto, merges(upto))
    added: dict[int, list[tuple[date, float]]] = {}
    for each in _differences(run.pool_id, upto):
        if each.person in people and each.day <= run.until:
            added.setdefault(each.person, []).append((each.day, each.value))
    return Beside(days, is_rated_by_lists(rules), added, came)


def came_in(
    pool: int,
    people: Collection[int],
    upto: int,
    merged: Mapping[int, int],
    tried: Mapping[int, Mapping[str, Any] | None] = MappingProxyType({}),
    undone: Collection[int] = (),
) -> dict[int, float]:
    """With which ratings some persons come in, as runs are fed it; as known at a fact.

    ``tried`` is what is said beside it, and ``undone`` are facts that do not hold.
    """
    said = openings_that_count(pool, people, merged, upto, tried, undone)
    return {who: float(value["rating"]) for who, value in said.items() if value.get("rating")}


class _Difference(NamedTuple):
    """What a fact adds to the rating of a person at the end of a day."""

    fact: int
    person: int
    day: date
    value: float


def _differences(pool: int, upto: int) -> list[_Difference]:
    """What was known at a fact; nobody takes a difference back but by another one."""
    if not is_any(DIFFERENCE):
        return []
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
    return brought_by(home, (run, before), _reached_by(each.id for each in some))


def brought_by(home: Home, step: tuple[m.Run, m.Run], reached: Reached) -> tuple[Number, ...]:
    """The same of a published run, and the one before it, where more is known already."""
    run, before = step

    def lists() -> tuple[date, ...]:
        return lists_with(run, days_of_lists([run.pool_id]))

    return _told_between(home.folder, _runs(run, before), reached, None, lists)[0]


class Moved(NamedTuple):
    """The numbers of a person that a publication made others, with the one before it."""

    base: m.Publication
    here: m.Publication
    numbers: list[Number]


def of_person(pool: m.Pool, every: Sequence[m.Publication], person: int) -> list[Moved]:
    """What publications of a pool, one after the other, made others of a person, whatever did it.

    For the office: also those that the rules do not publish, which are on no list.
    """
    versions = [each for each in versions_of(person) if each["pool"] == pool.id]
    decimals = decimals_of(pool)
    sides = [_side_of(one, versions, person, decimals) for one in every]
    lines = _lines_over(pool, every, person)
    found = []
    for (base, old), (here, new) in pairwise(zip(every, sides, strict=True)):
        on = lines.get(here.run_id, {})
        some = beside_each_other(pool.id, old, new, person, base.run.until, on)
        found += [Moved(base, here, some)] if some else []
    return found


def _side_of(
    one: m.Publication, versions: Iterable[Mapping[str, Any]], person: int, decimals: int
) -> Side:
    """What a publication has of a person, of whom all ``versions`` are known."""
    then = {(row["key"], row["turn"]): row for row in versions if row["seq"] <= one.seq}
    course = Course()
    for row in sorted(then.values(), key=lambda x: (x["day"], x["key"], x["turn"])):
        if not row["gone"]:
            said = Row(row["before"], row["after"], row["games"], row["score"])
            course.put(row["key"], row["turn"], row["day"], said)
    ratings = shown_ratings_in(one.run.ratings_id, one.pool)
    own = {person: ratings[person]} if person in ratings else {}
    return Side({person: course}, own, decimals, beside_of(one.run, [person]))


def _lines_over(
    pool: m.Pool, every: Sequence[m.Publication], person: int
) -> dict[int, dict[date, Lines]]:
    """By run and day whether a person was on the lists that it revised, before it and after."""
    revised: dict[int, list[date]] = {}
    lists = m.List.objects.filter(pool=pool, revision__gt=1)
    for run, day in _of_one_act(lists).values_list("run", "date"):
        revised.setdefault(run, []).append(day)
    steps = [step for step in pairwise(every) if step[1].run_id in revised]
    seqs = sorted({one.seq for step in steps for one in step})
    days = {day for some in revised.values() for day in some}
    stood = dict(zip(seqs, on_lists_at(pool.id, seqs, days, [person]), strict=True)) if seqs else {}
    return {
        here.run_id: {
            day: Lines(stood[base.seq][day], stood[here.seq][day]) for day in revised[here.run_id]
        }
        for base, here in steps
    }


class ListDay(NamedTuple):
    """The day of a list, and up to which fact it was made."""

    pool: int
    day: date
    upto: int


def days_of_lists(pools: Iterable[int]) -> list[ListDay]:
    """The days of all lists of some pools."""
    return _lists(pools)[1]


def lists_with(run: m.Run, every: Iterable[ListDay]) -> tuple[date, ...]:
    """The days of the lists that have all that a run knew."""
    found = {x.day for x in every if x.pool == run.pool_id and x.upto >= run.upto}
    return tuple(sorted(found))


def _runs(run: m.Run, before: m.Run) -> _Runs:
    return _Runs(before, run, decimals_of(run.pool))


def _reached_by(some: Iterable[int]) -> Reached:
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
        here = tuple(each for each in lists.values() if each.run == run.id)
        both: tuple[tuple[Number, ...], tuple[Number, ...]] = (), ()
        if before:
            reached = _files_of(of_run)
            with_it = partial(lists_with, run, every)
            both = _told_between(home.folder, _runs(run, before), reached, None, with_it)
        mine = {each.correction for each in of_run}.intersection(some)
        without = mine - {each for one in both[0] for each in one.corrections}
        revised = [each for each in here if each.revision > 1] if without else []
        lines = _by_lines(home, run, [x for x in of_run if x.correction in without], revised)
        for number in mine:
            shown = lines.get(number, frozenset())
            found[number] = _joined(found.get(number, Told()), number, *both, here, shown)
    return found


def _told_of(contents: Iterable[Content]) -> set[int]:
    """The persons of whom contents tell something beside their games, or take it back."""
    every = list(contents)
    undone = [each["fact"] for each in every if each["kind"] == "undo"]
    decided = m.Decision.objects.filter(fact__in=undone).values_list("person", flat=True)
    found = {person for each in every for person in told_of(each)}.union(decided if undone else ())
    # A merge is of the numbers that were named: lists have that of the whole person.
    merged = merges() if found else {}
    return found | {merged[each] for each in found if each in merged}


def _by_lines(
    home: Home, run: m.Run, entered: Sequence[_Entered], lists: Sequence[Listed]
) -> dict[int, frozenset[int]]:
    """By corrections the lists with other numbers beside the ratings of whom they reach."""
    if not lists or not entered:
        return {}
    about: dict[int, dict[int, date]] = {}
    for one in m.Correction.objects.filter(id__in={each.correction for each in entered}):
        about[one.id] = dict.fromkeys(_told_of(one.contents), date.min)
    for each in entered:
        for row in _rows(home, each.file, run.pool_id).to_pylist() if each.file else ():
            days = about[each.correction]
            days[row["person"]] = min(row["day"], days.get(row["person"], date.max))
    people = {person for days in about.values() for person in days}
    printed: dict[tuple[date, int], list[Line]] = {}
    rows = m.ListRow.objects.filter(
        list__pool=run.pool_id, list__date__in=[each.date for each in lists], person__in=people
    )
    for day, revision, line in rows.values_list("list__date", "list__revision", "printed"):
        printed.setdefault((day, revision), []).append(line)
    others: dict[Listed, set[int]] = {}
    for one_list in lists:
        at = one_list.date, one_list.revision
        was, now = printed.get((at[0], at[1] - 1), []), printed.get(at, [])
        columns = [key for key in now[0] if key != "rating"] if now else []
        others[one_list] = people_otherwise(was, now, columns)
    return {
        number: frozenset(
            of.id for of, some in others.items()
            if any(days.get(person, date.max) <= of.date for person in some)
        )
        for number, days in about.items()
    }  # fmt: skip


class _Entered(NamedTuple):
    """What a fact says by which a correction is published with a run."""

    run: int
    correction: int
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
        _Entered(said["run"], said["correction"], accepted or 0, file or "")
        for said, accepted, file in every.values_list("fact__payload", "accepted", "file")
    ]


def published_with(run: m.Run) -> list[m.Correction]:
    """The corrections that came with a published run."""
    of = m.FactSubject.objects.filter(kind="run", subject=str(run.id), fact__kind=PUBLISHED)
    every = m.FactSubject.objects.filter(kind="correction", fact__in=of.values("fact"))
    numbers = every.annotate(number=Cast("subject", BigIntegerField())).values("number")
    return list(m.Correction.objects.filter(id__in=numbers).order_by("id"))


def _files_of(entered: Iterable[_Entered]) -> Reached:
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


def _lists(pools: Iterable[int]) -> tuple[dict[int, Listed], list[ListDay]]:
    """All lists of some pools by number, and their days."""
    every = _with_times(m.List.objects.filter(pool__in=set(pools))).order_by("date", "revision")
    rows = every.values_list(
        "id", "pool__name", "date", "revision", "pool", "run", "at", "published", "run__upto"
    )
    lists = [
        (Listed(number, name, day, revision, pool, run if made == then else None), upto)
        for number, name, day, revision, pool, run, made, then, upto in rows
    ]
    days = [ListDay(one.pool_id, one.date, upto) for one, upto in lists]
    return {one.id: one for one, _ in lists}, days


def _joined(
    so_far: Told,
    number: int,
    every: Iterable[Number],
    on_them: Iterable[Number],
    lists: Iterable[Listed],
    by_lines: Collection[int],
) -> Told:
    """With what one more publication changed by a correction.

    ``by_lines`` are lists on which it changed other numbers than ratings.
    """
    mine = tuple(each for each in every if number in each.corrections)
    rows = tuple(each for each in on_them if number in each.corrections)
    days = {each.day for each in rows}
    first = min((each.day for each in mine), default=date.max)
    shown = (
        each for each in lists
        if each.id in by_lines
        or (each.date in days if each.revision > 1 else each.date >= first)
    )  # fmt: skip
    chosen = sorted((*so_far.lists, *shown), key=lambda each: (each.date, each.pool, each.revision))
    return Told((*so_far.numbers, *mine), (*so_far.on_lists, *rows), tuple(chosen))


def of_list(
    home: Home, steps: Sequence[tuple[m.Run, m.Run]], day: date, every: Iterable[ListDay],
    people: frozenset[int] = frozenset(),
) -> tuple[int, ...]:  # fmt: skip
    """The corrections that changed ratings on the list of a day; ``every`` are those of the pool.

    By runs that were published, each with the one before it.  Where they changed none, those that
    changed other numbers of ``people``.
    """
    entered = _entered([str(here.id) for here, _ in steps])
    found: set[int] = set()
    for run, before in steps:
        if reached := _files_of(each for each in entered if each.run == run.id):
            with_it = partial(lists_with, run, every)
            both = _told_between(home.folder, _runs(run, before), reached, day, with_it)
            numbers_, lists = both
            found.update(number for each in lists for number in each.corrections)
            put = (each for each in numbers_ if each.is_added and each.day <= day)
            found.update(number for each in put for number in each.corrections)
    if people and not found:
        pools = {run.id: run.pool_id for run, _ in steps}
        found = _of_lines(home, entered, pools, day, people)
    return tuple(sorted(found))


def _of_lines(
    home: Home, entered: Sequence[_Entered], pools: Mapping[int, int], day: date,
    people: frozenset[int],
) -> set[int]:  # fmt: skip
    """Those of some corrections that are about what lines of a list are made of, beside ratings.

    About games of these people up to its day, or about what is told of them.
    """
    every = m.Correction.objects.filter(id__in={each.correction for each in entered})
    found = {one.id for one in every if people & _told_of(one.contents)} if entered else set()
    wanted = (pc.field("day") <= day) & pc.field("person").isin(sorted(people))
    for each in entered:
        mine = wanted & (pc.field("pool") == pools[each.run])
        if each.file and len(table_of(home, each.file, ["person"], mine)):
            found.add(each.correction)
    return found


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
        found += _rated_again(home, run, number, upto)
        later = {
            person: each
            for person, each in waiting_beside(run, upto).items()
            if any(one.correction == number for one in each)
        }
        exact = ratings_in(run.ratings_id)
        put = added_later(run.pool_id, exact, later, decimals_of(run.pool))
        found += [each for each in put if number in each.corrections]
    return Told(tuple(found))


def _rated_again(home: Home, run: m.Run, number: int, upto: int) -> list[Number]:
    """The published numbers that a correction is going to change with others that wait."""
    waiting = waiting_rows(home, run, upto)
    if number not in waiting:
        return []
    people = set(waiting[number]["person"].to_pylist())
    was = published_side(home, run, people, decimals_of(run.pool))
    now, at = by_themselves(was, {each: _of(table, people) for each, table in waiting.items()})
    # On lists of before the first own game stands with what somebody came in.
    now = replace(now, beside=replace(was.beside, came=beside_of(run, people, upto).came))
    left = without(at, void_in(waiting))
    mine = {each: some for each, some in left.items() if number in some}
    found, _ = to_come(run, was, now, mine)
    return [each for each in found if number in each.corrections]


def to_come(
    run: m.Run,
    was: Side,
    now: Side,
    at: Mapping[At, tuple[int, ...]],
    stands: Mapping[date, frozenset[int]] = MappingProxyType({}),
) -> tuple[list[Number], set[date]]:
    """The published numbers that corrections are going to change, and the days of lists with such.

    Of lists only those are told that are going to be revised.  Who ``stands`` on them then is
    known by the day of such as were tried.
    """
    pool, people = run.pool_id, {person for _, person in at}
    (stood,) = on_lists_at(pool, [seq_of(run)], None, people, run.until)
    lines = {day: Lines(some, stands.get(day)) for day, some in stood.items()}
    listed = on_lists(pool, was, now, now, at, {}, lines)
    days = {each.day for each in listed}
    again = revised_of(run, days, stood)
    found = numbers(pool, was, now, now, at)
    return each_once(found, (each for each in listed if each.day in again)), days


def _of(table: pa.Table, people: Iterable[int]) -> pa.Table:
    """The rows of some persons of what a correction reaches."""
    return table.filter(pc.is_in(table["person"], value_set=pa.array(sorted(people), pa.int64())))
