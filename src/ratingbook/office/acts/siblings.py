"""Pools of one federation, which read each other: what they have published, as known at a fact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import pyarrow as pa

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.setup import ALL, policy, rules_of
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.others import is_of_one_federation, openings_told_by, reads, told_by
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.logic.feeding import OTHERS
from ratingbook.office.placing import own_pool
from ratingbook.office.store import models as m

FedOf = Callable[[Home, int, int], Fed]
"""What the rules are fed of a pool that hears of no other, as known at a fact."""


def has_siblings(pool: m.Pool) -> bool:
    """Whether the office has another pool that may ask what this one publishes."""
    mine = rules_of(pool)
    return any(
        is_of_one_federation(mine, rules_of(each)) for each in m.Pool.objects.exclude(id=pool.id)
    )


def heard_of_others(home: Home, pool: int, upto: int, fed_of: FedOf) -> pa.Table:
    """What the rules of a pool read of the others, as published at a fact."""
    found = [OTHERS.empty_table()]
    for name, other, run in _read_by(m.Pool.objects.get(id=pool), upto):
        if run is None:
            told = openings_told_by(fed_of(home, other.id, upto), rules_of(other))
        elif run.told_id is not None:
            told = table_of(home, run.told_id)
        else:
            told = _taken_down(home, run, run.digest, fed_of)
        column = pa.array([name] * len(told), pa.string())
        found.append(told.add_column(1, "pool", column).cast(OTHERS))
    return pa.concat_tables(found).combine_chunks()


def _read_by(pool: m.Pool, upto: int) -> Iterator[tuple[str, m.Pool, m.Run | None]]:
    """The pools that are read: what the rule book calls each, and its newest published run.

    Where none is published yet, what it opens with counts.
    """
    for name, some in sorted(_read(pool).items()):
        if len(some) == 1:
            known = m.Publication.objects.filter(pool=some[0], fact__lte=upto)
            last = known.select_related("run").order_by("seq").last()
            yield name, some[0], None if last is None else last.run


def _read(pool: m.Pool) -> dict[str, list[m.Pool]]:
    """The pools that may be read, by what the rule book calls them."""
    wanted, rules = policy(pool, "reads"), rules_of(pool)
    found: dict[str, list[m.Pool]] = {}
    for each in m.Pool.objects.exclude(id=pool.id).order_by("id"):
        if (wanted == ALL or each.name in wanted) and reads(rules, rules_of(each)):
            found.setdefault(own_pool(rules_of(each).book()), []).append(each)
    return found


@lru_cache(maxsize=4)
def _taken_down(home: Home, run: m.Run, digest: str, fed_of: FedOf) -> pa.Table:
    """What a run of before has to tell, of which nothing was taken down."""
    return told_of(run, fed_of(home, run.pool_id, run.upto).as_of(run.snapshot))


def told_of(run: m.Run, fed: Fed) -> pa.Table:
    """What a run has to tell."""
    return told_by(fed, Rules(run.rulebook, run.parameters, run.assume), run.until)


def tell_read(pool: m.Pool, run: m.Run, findings: Findings) -> None:
    """Pools of which nobody knows which is meant, and those that go less far than the run."""
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
