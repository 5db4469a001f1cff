"""Pools of one federation, which read each other: what they have published, as known at a fact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.run_states import READ
from ratingbook.office.acts.setup import ALL, every_pool, policy, rules_of
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.others import is_of_one_federation, openings_told_by, reads, told_by
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.logic.feeding import OTHERS
from ratingbook.office.placing import own_pool
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m

FedOf = Callable[[Home, int, int], Fed]
"""What the rules are fed of a pool that hears of no other, as known at a fact."""


def has_siblings(pool: m.Pool) -> bool:
    """Whether the office has another pool that may ask what this one publishes."""
    return any(_is_so(is_of_one_federation, pool, each) for each in every_pool())


def _is_so(question: Callable[[Rules, Rules], bool], pool: m.Pool, other: m.Pool) -> bool:
    """What is asked of the rules of two pools; not so where a rule book is not installed."""
    try:
        return question(rules_of(pool), rules_of(other))
    except OfficeRefused:
        return False


def heard_of_others(home: Home, pool: int, upto: int, fed_of: FedOf) -> pa.Table:
    """What the rules of a pool read of the others, as published at a fact."""
    found = [OTHERS.empty_table()]
    (mine,) = (each for each in every_pool() if each.id == pool)
    for name, other, run in _read_by(mine, upto):
        if run is None:
            told = openings_told_by(fed_of(home, other.id, upto), rules_of(other))
        elif run.told_id is not None:
            told = table_of(home, run.told_id)
        else:
            told = _taken_down(home, run, run.digest, fed_of)
        found.append(_called(name, told))
    return pa.concat_tables(found).combine_chunks()


def heard_instead(others: pa.Table, told: Mapping[str, pa.Table]) -> pa.Table:
    """What is heard of other pools, with what some of them would tell in its place."""
    names = {*others["pool"].to_pylist(), *told}
    parts = [
        _called(name, told[name]) if name in told
        else others.filter(pc.equal(others["pool"], name))
        for name in sorted(names)
    ]  # fmt: skip
    return pa.concat_tables([OTHERS.empty_table(), *parts]).combine_chunks()


def _called(name: str, told: pa.Table) -> pa.Table:
    column = pa.array([name] * len(told), pa.string())
    return told.add_column(1, "pool", column).cast(OTHERS)


def _read_by(pool: m.Pool, upto: int) -> Iterator[tuple[str, m.Pool, m.Run | None]]:
    """The pools that are read: what the rule book calls each, and its newest published run.

    Where none is published yet, what it opens with counts.
    """
    for name, one in pools_read(pool).items():
        known = m.Publication.objects.filter(pool=one, fact__lte=upto)
        last = known.select_related("run").order_by("seq").last()
        yield name, one, None if last is None else last.run


def pools_read(pool: m.Pool) -> dict[str, m.Pool]:
    """The pools that are read, by what the rule book calls them."""
    return {name: some[0] for name, some in sorted(_read(pool).items()) if len(some) == 1}


def _read(pool: m.Pool) -> dict[str, list[m.Pool]]:
    """The pools that may be read, by what the rule book calls them: several are none."""
    wanted = policy(pool, "reads")
    found: dict[str, list[m.Pool]] = {}
    for each in every_pool():
        is_wanted = each.id != pool.id and (wanted == ALL or each.name in wanted)
        if is_wanted and _is_so(reads, pool, each):
            found.setdefault(own_pool(rules_of(each).book()), []).append(each)
    return found


@lru_cache(maxsize=4)
def _taken_down(home: Home, run: m.Run, digest: str, fed_of: FedOf) -> pa.Table:
    """What a run of before has to tell, of which nothing was taken down."""
    return told_of(run, fed_of(home, run.pool_id, run.upto).as_of(run.snapshot))


def told_of(run: m.Run, fed: Fed) -> pa.Table:
    """What a run has to tell."""
    return told_by(fed, Rules(run.rulebook, run.parameters, run.assume), run.until)


@dataclass(frozen=True)
class Anew:
    """What a run read of another pool otherwise than the run before it."""

    pool: str
    is_new: bool
    """Whether nothing of it was read before."""
    day: date | None
    """From when on; None: from the beginning, or nobody can tell."""
    people: frozenset[int] | None
    """Of whom; None: nobody can tell."""


def read_anew(home: Home, here: m.Run, base: m.Run) -> list[Anew]:
    """What a run read otherwise than the one that was published before it."""
    now, then = (each.counts.get(READ) or {} for each in (here, base))
    return _anew(home, now, then)


def to_be_read_anew(home: Home, run: m.Run, upto: int) -> list[Anew]:
    """What the next run will read otherwise than the published one, as known at a fact."""
    return _anew(home, _runs_read(run.pool, upto), run.counts.get(READ) or {})


def reread(home: Home, pool: m.Pool, upto: int) -> list[Anew]:
    """What the published run of a pool has read of others otherwise than it is, up to its day.

    What they have published of later days is nothing that it could have read.
    """
    if not _read(pool):
        return []
    known = m.Publication.objects.filter(pool=pool, fact__lte=upto)
    last = known.select_related("run__pool").order_by("seq").last()
    if last is None or READ not in last.run.counts:
        return []
    return [
        each for each in to_be_read_anew(home, last.run, upto)
        if each.day is None or each.day <= last.run.until
    ]  # fmt: skip


def tell_readers(home: Home, pool: m.Pool, upto: int, findings: Findings) -> None:
    """Tell which pools have read of this one what is otherwise by now."""
    for reader in every_pool():
        if reader.id == pool.id or not any(
            each.pool == pool.name for each in reread(home, reader, upto)
        ):
            continue
        findings.add(
            Severity.INFO,
            "office.read-otherwise",
            sentence(
                "The pool {reader} has read numbers of {pool} that may be others by now.",
                reader=reader.name,
                pool=pool.name,
            ),
            remedy=sentence(
                "A new run of {reader} says what follows from it: `ratingbook office run --pool "
                "{reader}`.",
                reader=reader.name,
            ),
        )


def _runs_read(pool: m.Pool, upto: int) -> dict[str, int]:
    return {each.name: 0 if one is None else one.id for _, each, one in _read_by(pool, upto)}


def _anew(home: Home, now: Mapping[str, int], then: Mapping[str, int]) -> list[Anew]:
    if now == then:
        return []
    runs = m.Run.objects.in_bulk({*now.values(), *then.values()})
    found = []
    for name in sorted(now.keys() | then.keys()):
        mine, before = now.get(name), then.get(name)
        if mine == before:
            continue
        files = [runs[each].told_id if each else None for each in (mine, before)]
        if None in files:
            found.append(Anew(name, before is None, None, None))
        elif rows := _otherwise(home, *map(str, files)):
            days = [day for day, _ in rows]
            day = None if None in days else min(each for each in days if each is not None)
            found.append(Anew(name, False, day, frozenset(person for _, person in rows)))
    return found


@lru_cache(maxsize=8)
def _otherwise(home: Home, one: str, other: str) -> frozenset[tuple[date | None, int]]:
    """Since when of whom two runs tell otherwise."""
    both = [{tuple(row.values()) for row in table_of(home, each).to_pylist()}
            for each in (one, other)]  # fmt: skip
    return frozenset((day, person) for person, day, *_ in both[0] ^ both[1])


def tell_read(pool: m.Pool, run: m.Run, findings: Findings) -> None:
    """Note what a run read, and tell of pools of which nobody knows which is meant.

    And of those that go less far than the run.
    """
    run.counts = {
        **run.counts,
        READ: {
            each.name: 0 if one is None else one.id for _, each, one in _read_by(pool, run.upto)
        },
    }
    for name, some in sorted(_read(pool).items()):
        if len(some) > 1:
            named = ", ".join(each.name for each in some)
            findings.add(
                Severity.WARNING,
                "office.reads-which",
                sentence(
                    "The rules read the {name} ratings of players, and several pools have such: "
                    "{named}. None is read.",
                    name=name,
                    named=named,
                ),
                remedy=sentence(
                    "Say which: `ratingbook office pool policy {pool} reads={one} --reason TEXT`; "
                    "with reads=none it reads none.",
                    pool=pool.name,
                    one=some[0].name,
                ),
            )
    for name, pool_read, other in _read_by(pool, run.upto):
        if other is not None and other.until < run.until:
            findings.add(
                Severity.INFO,
                "office.reads-behind",
                sentence(
                    "The {name} ratings of players are read as the pool {pool} has published them: "
                    "up to {until}.",
                    name=name,
                    pool=pool_read.name,
                    until=other.until,
                ),
                remedy=sentence(
                    "Publish {pool} first where its events count here; else the next run has them.",
                    pool=pool_read.name,
                ),
            )
