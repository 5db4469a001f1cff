"""Who can have had a part in what a run changed of somebody: whom they met, and whom these met."""

from __future__ import annotations

from collections import deque

from django.db import connection

from ratingbook.office.acts.people import merges
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import is_among, these

_MOST = 2_000
"""Persons whose numbers a run changes: where there are more, who met whom takes long."""
_PAIRS = """
SELECT mine.person_id, other.person_id FROM office_link mine
JOIN office_game g ON g.white_id = mine.entry_id
JOIN office_runsection r ON r.section = g.section_id AND r.run_id = %s
JOIN office_link other ON other.entry_id = g.black_id
WHERE {own} AND {others}
"""
"""Who met whom, whoever an entry was held for: rather one too many than one too few."""


def near_in(run: m.Run, person: int) -> frozenset[int] | None:
    """Those from whom a change of a run can have come to a person, who is one of them.

    From game to game, by way of those of whom the run changes something. None: they are many.
    """
    changed = set(m.Change.objects.filter(run=run).values_list("person", flat=True)[: _MOST + 1])
    if len(changed) > _MOST:
        return None
    merged = merges(run.upto)
    changed |= {person, *(source for source, target in merged.items() if target in changed)}
    met: dict[int, set[int]] = {}
    for one, other in _pairs(run, changed):
        both = merged.get(one, one), merged.get(other, other)
        met.setdefault(both[0], set()).add(both[1])
        met.setdefault(both[1], set()).add(both[0])
    found, waiting = {person}, deque([person])
    while waiting:
        new = met.get(waiting.popleft(), set()) - found
        found |= new
        waiting += new
    return frozenset(found)


def _pairs(run: m.Run, people: set[int]) -> list[tuple[int, int]]:
    query = _PAIRS.format(own=is_among("mine.person_id"), others=is_among("other.person_id"))
    with connection.cursor() as cursor:
        cursor.execute(query, [run.id, these(people), these(people)])
        return [(one, other) for one, other in cursor.fetchall()]
