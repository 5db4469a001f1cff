"""What is in force: of each pool the published run, and what everybody's number is by it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import F, OuterRef, Subquery

from ratingbook.office.acts.published import rounded_one, table_of
from ratingbook.office.acts.setup import policy
from ratingbook.office.engine import Rules, is_rated_by_lists, list_that_takes
from ratingbook.office.home import Home, current
from ratingbook.office.store import models as m


@dataclass(frozen=True)
class Published:
    """A pool with something published; ``by_lists``: its batches are periods, not events."""

    pool: m.Pool
    run: m.Run
    seq: int
    list: int | None
    """The newest list."""

    @property
    def rules(self) -> Rules:
        """By which the published numbers were made."""
        return Rules(self.run.rulebook, self.run.parameters, self.run.assume)

    @property
    def by_lists(self) -> bool:
        """Whether a change is that of a list, else that of an event."""
        return is_rated_by_lists(self.rules)

    @property
    def decimals(self) -> int:
        """Of a published number."""
        return int(policy(self.pool, "decimals"))

    def rounded(self, value: float | None) -> float | None:
        """A number as it is published."""
        return rounded_one(value, self.decimals)

    def change(self, before: float | None, after: float | None) -> float | None:
        """From one published number to the other."""
        one, other = self.rounded(before), self.rounded(after)
        return None if one is None or other is None else round(other - one, self.decimals)

    def list_of(self, day: date) -> date | None:
        """The day of the list that takes what ended on a day; None: there are events only."""
        return _list_of(self.run.rulebook, _frozen(self.run.parameters), self.run.assume, day)


def published() -> dict[int, Published]:
    """The pools of which something is published, by number; one query."""
    newest = m.List.objects.filter(pool=OuterRef("pool")).order_by("-date", "-revision")
    found = (
        m.Publication.objects.filter(seq=F("pool__head"))
        .annotate(newest=Subquery(newest.values("id")[:1]))
        .select_related("pool", "run")
        .defer("run__report", "run__counts")
        .order_by("pool__id")
    )
    return {each.pool_id: Published(each.pool, each.run, each.seq, each.newest) for each in found}


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


@lru_cache(maxsize=16)
def _ratings(sha256: str, folder: Path) -> pa.Table:
    """A file that never changes, since it goes by its hash."""
    return table_of(Home(folder), sha256)


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

    number: int
    name: str
    rulebook: str
    is_rated_by_lists: bool
    decimals: int
    list: int | None


def shown() -> list[PoolShown]:
    """The pools of which something is published."""
    return [
        PoolShown(number, x.pool.name, x.run.rulebook, x.by_lists, x.decimals, x.list)
        for number, x in published().items()
    ]
