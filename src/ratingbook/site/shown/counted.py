"""Which games of an event were rated, for each of their players.

A game that a report wants to be rated can be rated for one of the two, or for nobody: against an
opponent without a rating, or before there were enough games.  The published rows say how many were
rated; where that is not all of them, the run is asked which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from ratingbook.model import Game, Report
from ratingbook.office.acts import explain
from ratingbook.office.home import current
from ratingbook.office.intake import numbered
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import is_among, these
from ratingbook.site.shown.as_rated import (
    day_of_game,
    holding,
    kept_sections,
    moved,
    moved_sections,
)
from ratingbook.site.shown.parts import Parts
from ratingbook.site.shown.persons import merged_at
from ratingbook.site.shown.pools import Published, in_force_of

Batch = tuple[int, str]


@dataclass(frozen=True)
class Side:
    """An entry of a report in a batch that rated it: who it is, and of how many games."""

    entry: str
    person: int
    batch: Batch
    games: int
    """That were rated, of all events of the batch."""


def counted_games(
    report: Report, parts: Parts, pools: Mapping[Batch, Published],
    batch_of: Callable[[m.Section, Game], Batch], links: Mapping[str, int],
    sides: Collection[Side], of_substitutes: Collection[int],
) -> dict[tuple[Batch, str], list[Game]]:  # fmt: skip
    """By batch and entry the games that were rated for it.

    ``of_substitutes`` are those that may be rated for whom a substitute replaced, by ``id``.
    """
    wanted, starts = _to_be_rated(report, parts, batch_of, pools, of_substitutes)
    found, calls = {}, dict[int, int]()
    for batch, one in pools.items():
        own = [each for each in sides if each.batch == batch]
        others = _elsewhere(one, batch[1], {each.person for each in own}, parts.all)
        missing = set()
        for each in own:
            games, rated_here = (
                wanted.get((batch, each.entry), []),
                each.games - others[each.person],
            )
            if any(id(game) in of_substitutes for game in games):
                missing.add(each.person)
            elif not each.games:
                games = []
            elif rated_here != len(games):
                met = [x for x in games if _has_number(x, each, one, starts, links)]
                if rated_here != len(met):
                    # As where an event does not count by itself, and another one does.
                    missing.add(each.person)
                else:
                    # For hardly any other reason is a game not rated: the run need not be asked.
                    games = met
            found[batch, each.entry] = games
        if not missing:
            continue
        rated = explain.counted(current(), one.run, missing, batch[1])
        calls = calls or ledger_numbers(report, parts)
        for each in own:
            if each.person in missing:
                found[batch, each.entry] = [
                    game for game in found[batch, each.entry]
                    if calls.get(id(game)) in rated[each.person]
                ]  # fmt: skip
    return found


def _to_be_rated(
    report: Report,
    parts: Parts,
    batch_of: Callable[[m.Section, Game], Batch],
    pools: Mapping[Batch, Published],
    of_substitutes: Collection[int],
) -> tuple[dict[tuple[Batch, str], list[Game]], dict[int, date | None]]:
    """The games that were to be rated for each entry in each batch.

    And of each game the day from which numbers are in force in it.
    """
    found: dict[tuple[Batch, str], list[Game]] = {}
    starts = {}
    for part in report.sections():
        for game in part.games:
            section = parts.of(part.name, game.event)
            starts[id(game)] = section.start or section.end
            batch = batch_of(section, game)
            if not game.black or game.status in pools[batch].never_rated:
                continue
            replaced = (game.white_for, game.black_for) if id(game) in of_substitutes else ()
            rated = (game.white_rated, game.black_rated) * 2
            for entry, is_rated in zip((game.white, game.black, *replaced), rated, strict=False):
                if entry and is_rated:
                    found.setdefault((batch, entry), []).append(game)
    return found, starts


def _has_number(
    game: Game, of: Side, one: Published, starts: Mapping[int, date | None],
    links: Mapping[str, int],
) -> bool:  # fmt: skip
    """Whether the opponent of an entry went into a game with a rating."""
    person = links.get((game.black if game.white == of.entry else game.white) or "")
    start = starts[id(game)]
    return person is not None and in_force_of(one, person, of.batch[1], start) is not None


def ledger_numbers(report: Report, parts: Parts) -> dict[int, int]:
    """What the ledger calls the games of a report, by their ``id``."""
    rows = m.Game.objects.filter(section__in=[each.id for each in parts.all])
    calls = dict(rows.values_list("number", "id"))
    return {id(game): calls[number] for number, game in numbered(report) if number in calls}


_ELSEWHERE = """
WITH mine AS (
  SELECT l.person_id, l.entry_id, s.id AS section FROM office_link l
  CROSS JOIN office_entry e CROSS JOIN office_section s CROSS JOIN office_runsection r
  CROSS JOIN office_run u
  WHERE e.id = l.entry_id AND s.version_id = e.version_id AND r.section = s.id AND r.run_id = %s
    AND u.id = r.run_id AND {holds} AND {of_people} AND NOT {own}
    {in_section}
)
SELECT person_id, COUNT(*) FROM ({white} UNION ALL {black}) counted GROUP BY person_id
"""
"""How many games were to be rated for some people in other events of a list.

SQLite takes tables that are joined so in their order: it would begin with all events of the run.
"""
_OF_A_SIDE = """
  SELECT mine.person_id FROM mine CROSS JOIN office_game g
  WHERE g.{side}_id = mine.entry_id AND g.section_id = mine.section
    AND g.rated IN ('both', '{side}') AND NOT {not_rated} {in_game}
"""
_IN_PERIOD = "AND {day} BETWEEN %s AND %s"


def _elsewhere(
    one: Published, key: str, people: Collection[int], sections: Iterable[m.Section]
) -> Counter[int]:
    """The same of one list; of a batch that is an event there are none."""
    found = Counter[int]()
    if not one.by_lists or not people or not key:
        return found
    merged = merged_at(one.run.upto)
    numbers = [*people, *(each for each, who in merged.items() if who in people)]
    own, statuses = these(x.id for x in sections), these(x.value for x in one.never_rated)
    if one.by_game:
        day = day_of_game(one, "mine.section")
    else:
        day = moved('s."end"', "s.id", moved_sections([one]))
    within = _IN_PERIOD.format(day=day)
    of_sides = {
        side: _OF_A_SIDE.format(
            side=side, not_rated=is_among("g.status"), in_game=within if one.by_game else ""
        )
        for side in ("white", "black")
    }  # fmt: skip
    query = _ELSEWHERE.format(
        of_people=is_among("l.person_id"), own=is_among("s.id"),
        holds=holding("l", "s.id", "u.upto", kept_sections([one])),
        in_section="" if one.by_game else within, **of_sides,
    )  # fmt: skip
    period: list[Any] = list(one.days_of_list(date.fromisoformat(key)))
    of_section, of_game = ([], period) if one.by_game else (period, [])
    values = [one.run.id, these(numbers), own, *of_section, *([statuses, *of_game] * 2)]
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        for person, count in cursor.fetchall():
            found[merged.get(person, person)] += count
    return found
