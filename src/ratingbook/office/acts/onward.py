"""What a correction brings to the pools that read those which it reaches, once they are published.

Rapid begins where standard is, and regular and quick tell each other how strong a newcomer is: a
correction in one of them moves numbers of the other, with the run that follows there.  Where
corrections go on the next list nothing that was read becomes otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.acts import revisions
from ratingbook.office.acts.preview import Preview
from ratingbook.office.acts.published import heads
from ratingbook.office.acts.setup import decimals_of, every_pool, marks_of, rules_of
from ratingbook.office.acts.siblings import heard_instead, pools_read
from ratingbook.office.acts.snapshots import raw_of
from ratingbook.office.acts.trials import accepted_since, as_published, fed_with, sections_of
from ratingbook.office.engine.others import told_by
from ratingbook.office.engine.rating import rate
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import Differing, differing, opened_in, report_of
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.feeding import Raw
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m


@dataclass(frozen=True)
class Onward:
    """What follows in a pool that reads the numbers of others."""

    pool: str
    reads: tuple[str, ...]
    """The pools whose numbers become others."""
    report: Mapping[str, Any] | None
    """What its next run tells of it; None: no number that it has becomes another."""
    lists: tuple[date, ...] = ()
    """The days of its lists from the first of these numbers on."""

    def as_dict(self) -> dict[str, Any]:
        """For programs: ``players`` and ``rows`` as a run counts them."""
        said = self.report or {}
        return {
            "pool": self.pool, "reads": list(self.reads), "players": said.get("players", 0),
            "rows": said.get("rows", 0) + said.get("gone_rows", 0),
            "lists": [each.isoformat() for each in self.lists], "differences": self.report,
        }  # fmt: skip


def onward(home: Home, contents: Sequence[Content], found: Preview) -> tuple[Onward, ...]:
    """What follows from contents in other pools; ``found`` is what they change in their own."""
    with ledger.one_moment():
        return tuple(_onward(home, contents, found))


def _onward(home: Home, contents: Sequence[Content], found: Preview) -> Iterator[Onward]:
    reached = {each.pool for each in found.reaches if each.made is None and len(each.rows)}
    if not reached or not any(map(pools_read, every_pool())):
        return
    every = {each.pool_id: each for each in heads()}
    told: dict[int, _Told] = {}
    for head in every.values():
        read = {name: x for name, x in pools_read(head.pool).items() if x.name in reached}
        for pool in read.values():
            if pool.id not in told:
                told[pool.id] = _tells(home, every[pool.id], contents)
        if read:
            heard = {name: told[each.id] for name, each in read.items()}
            yield _hears(home, head, contents, tuple(x.name for x in read.values()), heard)


_Told = tuple[pa.Table | None, pa.Table]
"""What a pool tells without contents, where that is not what it has published, and with them."""


def _tells(home: Home, head: m.Publication, contents: Sequence[Content]) -> _Told:
    pool, run = head.pool, head.run
    rules = rules_of(pool)
    is_mended = any(each["kind"] == "rules" for each in contents)
    # Of the program of before only its numbers are left, made of the facts that its run knew.
    upto = run.upto if is_mended else ledger.head().seq
    raw = _raw(home, run, upto)
    trial, fed = fed_with(contents, pool, rules, raw, upto)
    with_them = told_by(fed, trial.rules, run.until)
    if is_mended:
        return None, with_them
    _, stands = fed_with((), pool, rules, raw, upto)
    return told_by(stands, rules, run.until), with_them


def _hears(
    home: Home, head: m.Publication, contents: Sequence[Content], names: tuple[str, ...],
    told: Mapping[str, _Told],
) -> Onward:  # fmt: skip
    """What follows in a pool; ``told`` goes by what its rule book calls the others."""
    pool, run, upto = head.pool, head.run, ledger.head().seq
    rules, decimals = rules_of(pool), decimals_of(pool)
    raw = _raw(home, run, upto)
    without = {name: was for name, (was, _) in told.items() if was is not None}
    (trial, was), (_, now) = (
        fed_with(contents, pool, rules, replace(raw, others=heard), upto)
        for heard in (
            heard_instead(raw.others, without),
            heard_instead(raw.others, {name: is_ for name, (_, is_) in told.items()}),
        )
    )
    if was.is_same(now):
        return Onward(pool.name, names, None)
    before, after = (rate(each, trial.rules, run.until) for each in (was, now))
    others = differing(after.changes, before.changes, decimals)
    report = report_of(
        after.ratings, before.ratings, others, decimals, marks_of(pool), opened_in(now.players),
        merged={},
    )  # fmt: skip
    if not (report["players"] or report["rows"] or report["gone_rows"]):
        return Onward(pool.name, names, None)
    return Onward(pool.name, names, report, _lists(pool, run, others))


def _raw(home: Home, run: m.Run, upto: int) -> Raw:
    """The facts of a pool, without reports that wait."""
    raw = raw_of(home, run.pool_id, upto)
    return as_published(raw, run, sections_of(run), accepted_since(run, upto))


def _lists(pool: m.Pool, run: m.Run, others: Differing) -> tuple[date, ...]:
    """The lists from the first row on that is otherwise."""
    days = (pc.min(each["date"]).as_py() for each in (others.rows, others.gone))
    first = min((each for each in days if each is not None), default=None)
    every = [] if first is None else revisions.days_from(pool.id, first)
    return tuple(each for each in every if each <= run.until)
