"""What is published of a pool: readers take its head once, and see one generation."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from ratingbook.office.acts.pools import PoolNow
from ratingbook.office.caching import CacheBySize
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import only_in_bits
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m


def table_of(
    home: Home, sha256: str, columns: Sequence[str] | None = None, chosen: Any = None
) -> pa.Table:
    """A table that is kept by its hash, or some columns and rows of it."""
    data = pa.BufferReader(blobs.load_made(home, sha256))
    # A thread of Arrow that still holds the bytes when a command has ended aborts the process.
    return pq.read_table(data, columns=columns, filters=chosen, use_threads=False)


def bytes_of(table: pa.Table) -> bytes:
    """A table as it is kept: Parquet, with the rows of one batch near each other."""
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", row_group_size=1 << 17)
    return sink.getvalue()


CAUSES = pa.schema({"key": pa.string(), "person": pa.int64(), "correction": pa.int64()})
"""A row for each number, and each of several corrections of a run without which it were another."""


def causes_in(
    home: Home, of_run: QuerySet[m.Needed], person: int | None = None
) -> Mapping[tuple[str, int], tuple[int, ...]]:
    """By batch and person these corrections of a run; nothing where it brought one alone."""
    file = of_run.values_list("file", flat=True).first()
    if file is None:
        return {}
    chosen = None if person is None else pc.field("person") == person
    found: dict[tuple[str, int], list[int]] = {}
    for row in table_of(home, file, None, chosen).to_pylist():
        found.setdefault((row["key"], row["person"]), []).append(row["correction"])
    return {at: tuple(some) for at, some in found.items()}


def head_run(pool: m.Pool) -> m.Run | None:
    """The run that is published; None: none yet."""
    found = m.Publication.objects.filter(pool=pool, seq=pool.head).select_related("run").first()
    if found is None:
        return None
    found.run.pool = pool
    return found.run


def with_first_days(pools: QuerySet[m.Pool]) -> QuerySet[Any]:
    """Pools that know the first days of what is published: ``rated`` something, ``listed``.

    And to which day something was ``moved``.
    """
    of_run = m.Change.objects.filter(batch=OuterRef("id"), run__publication__isnull=False)
    batches: Any = m.Batch.objects.filter(Exists(of_run), pool=OuterRef("id")).order_by("day")
    moved = m.Change.objects.filter(
        day__isnull=False, batch__pool=OuterRef("id"), run__publication__isnull=False
    ).order_by("day")
    lists = m.List.objects.filter(pool=OuterRef("id")).order_by("date")
    return pools.annotate(
        rated=Subquery(batches.values("day")[:1]),
        moved=Subquery(moved.values("day")[:1]),
        listed=Subquery(lists.values("date")[:1]),
    )


def first_days(pools: Iterable[Any]) -> dict[int, date]:
    """By pool the first day of which something is published: of what was rated, or of a list."""
    found = (
        (each.id, [day for day in (each.rated, each.moved, each.listed) if day]) for each in pools
    )
    return {pool: min(days) for pool, days in found if days}


def base_of(run: m.Run) -> m.Run | None:
    """The run that was published when a run was made; None: none yet."""
    found = m.Publication.objects.filter(pool=run.pool_id, seq=run.base).select_related("run")
    base = found.first()
    return base.run if base else None


def steps_of(pool: int, after: int, upto: int | None = None) -> list[tuple[m.Run, m.Run]]:
    """The runs published later than a publication, each with the one published before it.

    Up to another publication, or to the newest; the oldest first.
    """
    every = m.Publication.objects.filter(pool=pool, seq__gte=after).order_by("seq")
    if upto is not None:
        every = every.filter(seq__lte=upto)
    runs = [each.run for each in every.select_related("run__pool")]
    return [(here, before) for before, here in pairwise(runs)]


def is_repeated(here: m.Run, before: m.Run) -> bool:
    """Whether all numbers of the run before are in this one to the bit, by what is noted of it."""
    rules = [(each.rulebook, each.parameters, each.assume) for each in (here, before)]
    noted = "rows_differing_in_bits" in here.report and not only_in_bits(here.report)
    if not noted or here.report["gone_rows"] or rules[0] != rules[1]:
        return False
    # What differs is new, or of what was rated already, wherever it was rated.
    until = before.until
    rows = m.Change.objects.filter(Q(batch__day__lte=until) | Q(day__lte=until), run=here)
    return not rows.exists()


def heads() -> list[m.Publication]:
    """What is published of each pool."""
    every = m.Publication.objects.filter(seq=F("pool__head")).select_related("pool", "run")
    return list(every.order_by("pool"))


def ratings_now(pool: int | None) -> Mapping[int, float]:
    """The published rating of everybody in a pool, for the desk; without a pool there is none."""
    own = m.Publication.objects.filter(pool=pool, seq=F("pool__head"))
    kept = own.values_list("run__ratings", flat=True).first() if pool is not None else None
    return shown_ratings_in(kept, pool)


def shown_ratings_in(sha256: str | None, pool: m.Pool | int | None) -> Mapping[int, float]:
    """The ratings of a file of a run of a pool as they are published, with which people compare."""
    if not sha256 or pool is None:
        return {}
    from ratingbook.office.acts.setup import decimals_of

    one = pool if isinstance(pool, m.Pool) else m.Pool.objects.get(id=pool)
    return _rounded(sha256, _files(), decimals_of(one))


def shown_ratings_of(one: PoolNow | None) -> Mapping[int, float]:
    """The same of a pool as it stands; None: of no pool."""
    return shown_ratings_in(one.ratings, one.pool) if one is not None else {}


def ratings_in(sha256: str | None) -> Mapping[int, float]:
    """The ratings of a file of a run; none where there is no file."""
    return _ratings(sha256, _files()) if sha256 else {}


def _files() -> Path:
    """Where the files of the office lie that Django is connected to."""
    from ratingbook.office.home import current

    return current().folder


@CacheBySize(4_000_000)
def _ratings(sha256: str, folder: Path) -> Mapping[int, float]:
    table = table_of(Home(folder), sha256)
    numbers = zip(table["player"].to_pylist(), table["rating"].to_pylist(), strict=True)
    return {int(person): rating for person, rating in numbers if rating is not None}


@CacheBySize(4_000_000)
def _rounded(sha256: str, folder: Path, decimals: int) -> Mapping[int, float]:
    exact = _ratings(sha256, folder)
    return {
        person: shown for person, rating in exact.items()
        if (shown := rounded_one(rating, decimals)) is not None
    }  # fmt: skip


HISTORY = """
SELECT b.key, b.day, c.day AS moved, c.turn, c.before, c.after, c.games, c.score, c.run_id
FROM office_change c
JOIN office_batch b ON b.id = c.batch_id
JOIN office_publication p ON p.run_id = c.run_id AND p.seq <= %s
WHERE c.person = %s AND b.pool_id = %s AND NOT c.gone AND NOT EXISTS (
  SELECT 1 FROM office_change d JOIN office_publication e ON e.run_id = d.run_id AND e.seq <= %s
  WHERE d.person = c.person AND d.batch_id = c.batch_id AND d.turn = c.turn AND e.seq > p.seq)
ORDER BY COALESCE(c.day, b.day), b.key, c.turn
"""


def publication_at(pool: m.Pool, upto: int) -> int:
    """The number of what was published of a pool as known at a fact; 0: nothing."""
    found = m.Publication.objects.filter(pool=pool, fact__lte=upto).order_by("-seq").first()
    return found.seq if found else 0


def history_of(pool: m.Pool, person: int, seq: int | None = None) -> list[dict[str, Any]]:
    """A person's changes as published at a publication; without one as they are now."""
    upto = pool.head if seq is None else seq
    with connection.cursor() as cursor:
        cursor.execute(HISTORY, [upto, person, pool.id, upto])
        return _dated(cursor)


def _dated(cursor: Any) -> list[dict[str, Any]]:
    """Rows with the days that they are of: SQLite knows a day by its column, and no expression."""
    names = [each[0] for each in cursor.description]
    found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    for each in found:
        each["day"] = each.pop("moved") or each["day"]
    return found


VERSIONS = """
SELECT b.pool_id AS pool, b.key, b.day, c.day AS moved, c.turn, p.seq, p.fact, p.run_id AS run,
  f.at AS published, c.before, c.after, c.games, c.score, c.gone
FROM office_change c
JOIN office_batch b ON b.id = c.batch_id
JOIN office_publication p ON p.run_id = c.run_id
JOIN office_pool q ON q.id = p.pool_id AND p.seq <= q.head
JOIN office_fact f ON f.seq = p.fact
WHERE c.person = %s
ORDER BY b.pool_id, b.key, c.turn, p.seq
"""


def versions_of(person: int) -> list[dict[str, Any]]:
    """All that was ever published of a person in all pools, the first version of each row first.

    Batches are in the order of the days that they have now; each version has that of its own time.
    """
    with connection.cursor() as cursor:
        cursor.execute(VERSIONS, [person])
        every = _dated(cursor)
    newest: dict[tuple[int, str], dict[str, Any]] = {}
    for row in every:
        known = newest.setdefault((row["pool"], row["key"]), row)
        if row["seq"] > known["seq"]:
            newest[row["pool"], row["key"]] = row
    return sorted(every, key=lambda x: (x["pool"], newest[x["pool"], x["key"]]["day"], x["key"]))
