"""The events that are rated, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from json import loads

from django.db import connection
from django.db.models import Count

from ratingbook.office.store import models as m
from ratingbook.site.answers import Table
from ratingbook.site.shown.pools import Published, published

PER_PAGE = 50
_ALL = 1_000_000


@dataclass(frozen=True)
class EventRow:
    """An event in a table; ``list_day`` is the day of the list that takes it."""

    report: int
    name: str
    start: date | None
    end: date | None
    pool: int
    pool_name: str
    sections: int
    players: int
    list_day: date | None


@dataclass(frozen=True)
class Events:
    """The index of events."""

    rows: tuple[EventRow, ...]
    year: int | None
    years: tuple[int, ...]
    pool: int | None
    pools: tuple[tuple[int, str], ...]
    page: int
    there_are_more: bool

    @property
    def pages(self) -> int:
        """As many as are known of."""
        return self.page + self.there_are_more


_ROWS = """
SELECT v.report_id, v.id, p.pool_id, MIN(s.start), MAX(s."end") AS last, COUNT(*),
  MIN(CAST(s.facts AS text)), MIN(s.event)
FROM office_runsection r
JOIN office_section s ON s.id = r.section
JOIN office_reportversion v ON v.id = s.version_id
JOIN office_report o ON o.id = v.report_id
JOIN office_publication p ON p.run_id = r.run_id
JOIN office_pool q ON q.id = p.pool_id AND q.head = p.seq
WHERE {where}
GROUP BY v.report_id, v.id, p.pool_id
ORDER BY last DESC, v.report_id DESC
LIMIT {most} OFFSET {past}
"""
_YEARS = """
SELECT DISTINCT SUBSTR(CAST(s."end" AS text), 1, 4)
FROM office_runsection r
JOIN office_section s ON s.id = r.section
JOIN office_publication p ON p.run_id = r.run_id
JOIN office_pool q ON q.id = p.pool_id AND q.head = p.seq
WHERE s."end" IS NOT NULL
"""


def events(year: int | None = None, pool: int | None = None, page: int = 1) -> Events:
    """A page of the index."""
    in_force = published()
    pool = pool if pool in in_force else None
    year = year if year and 1 < year < date.max.year else None
    page = max(page, 1)
    rows = rows_of_events(
        in_force, year=year, pool=pool, most=PER_PAGE + 1, past=(page - 1) * PER_PAGE
    )
    with connection.cursor() as cursor:
        cursor.execute(_YEARS)
        years = sorted((int(each) for (each,) in cursor.fetchall()), reverse=True)
    return Events(
        tuple(rows[:PER_PAGE]), year, tuple(years), pool,
        tuple((each.pool.id, each.pool.name) for each in in_force.values()), page,
        len(rows) > PER_PAGE,
    )  # fmt: skip


def table(shown: Events) -> Table:
    """All events of the year and the pool that were chosen."""
    columns = ("report", "name", "start", "end", "pool", "sections", "players", "list")
    rows = rows_of_events(published(), year=shown.year, pool=shown.pool, most=_ALL)
    return Table(
        columns,
        [(e.report, e.name, e.start, e.end, e.pool_name, e.sections, e.players, e.list_day)
         for e in rows],
    )  # fmt: skip


def rows_of_events(
    in_force: Mapping[int, Published], *, year: int | None = None, pool: int | None = None,
    like: str = "", most: int = PER_PAGE, past: int = 0,
) -> Sequence[EventRow]:  # fmt: skip
    """Published events, the newest first; ``like`` is a part of the key of an event."""
    where, values = ["1 = 1"], list[object]()
    if year is not None:
        where.append('s."end" >= %s AND s."end" < %s')
        values += [date(year, 1, 1), date(year + 1, 1, 1)]
    if pool is not None:
        where.append("p.pool_id = %s")
        values.append(pool)
    if like:
        where.append("o.event_key LIKE %s")
        values.append(f"%{like}%")
    query = _ROWS.format(where=" AND ".join(where), most=int(most), past=int(past))
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows = cursor.fetchall()
    versions = [row[1] for row in rows]
    counts = dict(
        m.Entry.objects.filter(version__in=versions[:PER_PAGE]).values("version")
        .annotate(n=Count("id")).values_list("version", "n")
    )  # fmt: skip
    found = []
    for report, version, number, start, last, sections, facts, event in rows:
        one = in_force[number]
        end = date.fromisoformat(last) if isinstance(last, str) else last
        begin = date.fromisoformat(start) if isinstance(start, str) else start
        name = str(loads(facts).get("name") or event)
        found.append(
            EventRow(
                report, name, begin, end, number, one.pool.name, sections, counts.get(version, 0),
                one.list_of(end) if end else None,
            )
        )  # fmt: skip
    return found
