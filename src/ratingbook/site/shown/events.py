"""The events that are rated, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from json import loads
from typing import Any

from django.db import connection
from django.db.models import Count

from ratingbook.office.acts.people import portions
from ratingbook.office.home import Home, current
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import is_among, these
from ratingbook.site.answers import Table
from ratingbook.site.shown.as_rated import day_of_game, moved, moved_sections
from ratingbook.site.shown.pools import Published, one_named, published

PER_PAGE = 50
_ALL = 1_000_000


@dataclass(frozen=True)
class EventNamed:
    """An event as it is linked to."""

    report: int
    name: str
    start: date | None
    end: date | None


def event_named(report: int, row: Mapping[str, Any]) -> EventNamed:
    """By ``facts``, ``event``, ``section``, ``start`` and ``end`` of a row of a query."""
    said = row["facts"]
    said = loads(said) if isinstance(said, str) else said
    name = str(said.get("name") or row["event"])
    shown = f"{name}, {row['section']}" if row["section"] else name
    return EventNamed(report, shown, day_of(row["start"]), day_of(row["end"]))


def day_of(value: date | str | None) -> date | None:
    """A day: databases give some as texts."""
    return date.fromisoformat(value) if isinstance(value, str) else value


@dataclass(frozen=True)
class EventRow:
    """An event in a table.

    ``list_day`` is the day of the list that takes it: of several, as it takes games by their own
    days, the last one.
    """

    report: int
    name: str
    start: date | None
    end: date | None
    pool: str
    sections: int
    players: int
    list_day: date | None


@dataclass(frozen=True)
class Events:
    """The index of events."""

    rows: tuple[EventRow, ...]
    year: int | None
    years: tuple[int, ...]
    pool: str
    """Whose events alone stand here; empty: those of all."""
    pools: tuple[str, ...]
    page: int
    there_are_more: bool

    @property
    def pages(self) -> int:
        """As many as are known of."""
        return self.page + self.there_are_more


_ROWS = """
SELECT v.report_id, v.id, p.pool_id, MIN({start}), MAX({end}) AS last, COUNT(*),
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
_LAST_GAMES = """
SELECT s.version_id, MAX({day})
FROM office_game g
JOIN office_section s ON s.id = g.section_id
JOIN office_runsection r ON r.section = s.id AND r.run_id = %s
WHERE {of_versions}
GROUP BY s.version_id
"""
_YEARS = """
SELECT DISTINCT SUBSTR(CAST({end} AS text), 1, 4)
FROM office_runsection r
JOIN office_section s ON s.id = r.section
JOIN office_publication p ON p.run_id = r.run_id
JOIN office_pool q ON q.id = p.pool_id AND q.head = p.seq
WHERE s."end" IS NOT NULL
"""


def events(year: int | None = None, pool: str = "", page: int = 1) -> Events:
    """A page of the index."""
    in_force = published()
    pool = pool if one_named(pool) else ""
    year = year if year and 1 < year < date.max.year else None
    page = max(page, 1)
    rows = rows_of_events(
        in_force, year=year, pool=pool, most=PER_PAGE + 1, past=(page - 1) * PER_PAGE
    )
    return Events(
        tuple(rows[:PER_PAGE]), year, _years(current(), _runs(in_force)), pool,
        tuple(each.pool.name for each in in_force.values()), page,
        len(rows) > PER_PAGE,
    )  # fmt: skip


def table(shown: Events) -> Table:
    """All events of the year and the pool that were chosen."""
    return table_of(part_of(shown.year, shown.pool, 0, _ALL))


def part_of(year: int | None, pool: str, first: int, most: int) -> Sequence[EventRow]:
    """So many events of a year and a pool, the newest first, from a place on."""
    return rows_of_events(published(), year=year, pool=pool, most=most, past=first)


def table_of(rows: Sequence[EventRow]) -> Table:
    """Events as a table."""
    columns = ("report", "name", "start", "end", "pool", "sections", "players", "list")
    return Table(
        columns,
        [(e.report, e.name, e.start, e.end, e.pool, e.sections, e.players, e.list_day)
         for e in rows],
    )  # fmt: skip


def rows_of_events(
    in_force: Mapping[int, Published], *, year: int | None = None, pool: str = "",
    like: str = "", most: int = PER_PAGE, past: int = 0,
) -> Sequence[EventRow]:  # fmt: skip
    """Published events, the newest first; ``like`` is a part of the key of an event."""
    rows = _rows(current(), _runs(in_force), year, pool, like, most, past)
    found = []
    for report, players, last_game, number, start, last, sections, facts, event in rows:
        one = in_force[number]
        end, taken = day_of(last), day_of(last_game or last)
        row = {"facts": facts, "event": event, "section": "", "start": start, "end": last}
        named = event_named(report, row)
        found.append(
            EventRow(
                report=report, name=named.name, start=named.start, end=end,
                pool=one.pool.name, sections=sections, players=players,
                list_day=one.list_of(taken) if taken else None,
            )
        )  # fmt: skip
    return found


def _runs(in_force: Mapping[int, Published]) -> tuple[int, ...]:
    return tuple(each.run.id for each in in_force.values())


# Whatever is published next comes with other runs: what was found of these stays as it is.


@lru_cache(maxsize=256)
def _rows(
    home: Home, runs: tuple[int, ...], year: int | None, pool: str, like: str, most: int,
    past: int,
) -> tuple[tuple[Any, ...], ...]:  # fmt: skip
    del home, runs
    days = _days()
    where, values = ["1 = 1"], list[int | date | str]()
    if year is not None:
        where.append(f"{days['end']} >= %s AND {days['end']} < %s")
        values += [date(year, 1, 1), date(year + 1, 1, 1)]
    if pool:
        where.append("q.name = %s")
        values.append(pool)
    if like:
        where.append("o.event_key LIKE %s")
        values.append(f"%{like}%")
    query = _ROWS.format(where=" AND ".join(where), most=int(most), past=int(past), **days)
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows = cursor.fetchall()
    counts: dict[int, int] = {}
    for some in portions([row[1] for row in rows]):
        entries = m.Entry.objects.filter(version__in=some).values("version")
        counts |= dict(entries.annotate(n=Count("id")).values_list("version", "n"))
    taken = _last_games({version: pool for _, version, pool, *_ in rows})
    return tuple((row[0], counts.get(row[1], 0), taken.get(row[1]), *row[2:]) for row in rows)


def _last_games(pools: Mapping[int, int]) -> dict[int, date | str | None]:
    """By version the day by which its last game is taken, where lists take games by their own."""
    found: dict[int, date | str | None] = {}
    for number, one in published().items():
        if not (one.by_game and one.by_lists):
            continue
        day = day_of_game(one, "s.id")
        for some in portions([version for version, pool in pools.items() if pool == number]):
            query = _LAST_GAMES.format(day=day, of_versions=is_among("s.version_id"))
            with connection.cursor() as cursor:
                cursor.execute(query, [one.run.id, these(some)])
                found |= dict(cursor.fetchall())
    return found


def _days() -> dict[str, str]:
    """The days of sections in a query, as they were rated."""
    by = moved_sections(published().values())
    return {name: moved(f's."{name}"', "s.id", by) for name in ("start", "end")}


@lru_cache(maxsize=4)
def _years(home: Home, runs: tuple[int, ...]) -> tuple[int, ...]:
    del home, runs
    with connection.cursor() as cursor:
        cursor.execute(_YEARS.format(end=_days()["end"]))
        return tuple(sorted((int(each) for (each,) in cursor.fetchall()), reverse=True))
