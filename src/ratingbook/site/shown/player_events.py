"""The events and games of a player, by the batches that took them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import connection

from ratingbook.office.acts.explain import counted
from ratingbook.office.home import current
from ratingbook.office.store.rows import is_among, these
from ratingbook.site.shown.as_rated import holding, kept_sections, moved, moved_sections
from ratingbook.site.shown.events import EventNamed, day_of, event_named
from ratingbook.site.shown.games import GameOf, games_of, keys_of
from ratingbook.site.shown.persons import Identity
from ratingbook.site.shown.pools import Published

_EVENTS = """
SELECT DISTINCT p.pool_id AS pool, v.report_id AS report, s.id, s.event, s.name AS section,
  {start} AS start, {end} AS "end", s.facts
FROM office_link l
JOIN office_entry e ON e.id = l.entry_id
JOIN office_section s ON s.version_id = e.version_id
JOIN office_reportversion v ON v.id = e.version_id
JOIN office_runsection r ON r.section = s.id
JOIN office_publication p ON p.run_id = r.run_id
JOIN office_pool q ON q.id = p.pool_id AND q.head = p.seq
JOIN office_run u ON u.id = p.run_id
WHERE {holds} AND {own}
"""


_DAYS = """
SELECT g.section_id, {day}, g.reported
FROM office_link l JOIN office_game g ON g.white_id = l.entry_id
WHERE {own}
UNION SELECT g.section_id, {day}, g.reported
FROM office_link l JOIN office_game g ON g.black_id = l.entry_id
WHERE {own}
UNION SELECT g.section_id, {day}, g.reported
FROM office_link l JOIN office_substitution x ON x.entry_id = l.entry_id
JOIN office_section s ON s.version_id = x.version_id
JOIN office_game g ON g.section_id = s.id AND g.number = x.number
WHERE {own}
"""
"""The sections in which somebody was ever said to play, or to be replaced by a substitute.

With the days of the games, and of reports.
"""


@dataclass(frozen=True)
class Event:
    """A section in which somebody is entered, as a published run rated it."""

    pool: int
    days: tuple[date, ...]
    """By which lists take the own games, where a pool is rated by these."""
    event: str
    section: str
    named: EventNamed


def events_of(people: Sequence[int], in_force: Mapping[int, Published]) -> list[Event]:
    """The events that the published runs rated and in which somebody is entered."""
    kept, own = kept_sections(in_force.values()), is_among("l.person_id")
    by = moved_sections(in_force.values())
    with connection.cursor() as cursor:
        query = _EVENTS.format(
            holds=holding("l", "s.id", "u.upto", kept), own=own,
            start=moved("s.start", "s.id", by), end=moved('s."end"', "s.id", by),
        )  # fmt: skip
        cursor.execute(query, [these(people)])
        columns = [each[0] for each in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    days: dict[int, list[tuple[date, date | None]]] = {}
    if any(one.by_game for one in in_force.values()):
        with connection.cursor() as cursor:
            query = _DAYS.format(own=own, day=moved('g."end"', "g.section_id", by))
            cursor.execute(query, [these(people)] * 3)
            for section, day, reported in cursor.fetchall():
                if (end := day_of(day)) is not None:
                    days.setdefault(section, []).append((end, day_of(reported)))
    return [
        Event(
            row["pool"],
            tuple(in_force[row["pool"]].day_taken(*each) for each in days.get(row["id"], ())),
            row["event"], row["section"], event_named(row["report"], row),
        )
        for row in rows
    ]  # fmt: skip


def events_by_batch(one: Published, events: Iterable[Event]) -> dict[str, list[EventNamed]]:
    """The events of a pool by the batches that took them."""
    found: dict[str, list[EventNamed]] = {}
    for each in events:
        if each.pool != one.pool.id:
            continue
        for key in keys_of(one, each.days, each.named, each.event, each.section):
            found.setdefault(key, []).append(each.named)
    return found


Batch = tuple[int, str]
"""Pool and key."""


def games_in(
    wanted: Collection[Batch], pools: Mapping[int, Published], who: Identity,
    events: Iterable[Event],
) -> dict[Batch, list[GameOf]]:  # fmt: skip
    """The games of a person that some batches took, and that were to be rated."""
    named = {
        each.event for each in events
        if any((each.pool, key) in wanted for key in keys_of(
            pools[each.pool], each.days, each.named, each.event, each.section
        ))
    }  # fmt: skip
    shown = [one for number, one in pools.items() if any(number == pool for pool, _ in wanted)]
    games = games_of(shown, named, who)
    found: dict[Batch, list[GameOf]] = {}
    for one in shown:
        for game in games[one.run.id]:
            # Of a run that knows of no merge yet the games under the other number are not here.
            if game.side_of(who.person) is None or not game.is_rated_for(who.person):
                continue
            days = [one.day_taken(game.end, game.reported)] if game.end else []
            for key in keys_of(one, days, game.named, game.event_id, game.section):
                if (one.pool.id, key) in wanted:
                    found.setdefault((one.pool.id, key), []).append(game)
    for (pool, key), own in found.items():
        if any(each.of_substitute for each in own):
            rated = counted(current(), pools[pool].run, [who.person], key)[who.person]
            own[:] = [each for each in own if each.ledger in rated]
    return found
