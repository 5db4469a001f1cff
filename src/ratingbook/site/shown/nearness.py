"""Who met somebody new in a batch, or somebody who had: their numbers tell an age by decimals."""

from __future__ import annotations

from collections.abc import Collection

from django.db import connection

from ratingbook.desk.birth_dates import reached_from
from ratingbook.office.store.rows import is_among, these
from ratingbook.site.shown.persons import merged_at
from ratingbook.site.shown.pools import Published, newcomers_of

_PAIRS = """
SELECT white.person_id, black.person_id FROM office_section s
JOIN office_runsection r ON r.section = s.id AND r.run_id = %s
JOIN office_game g ON g.section_id = s.id
JOIN office_link white ON white.entry_id = g.white_id
JOIN office_link black ON black.entry_id = g.black_id
WHERE {}
"""
"""Who met whom, whoever an entry was held for: rather one too many than one too few."""


def is_near_somebody_new(one: Published, key: str, events: Collection[str], person: int) -> bool:
    """Whether a person met somebody new in a batch, or somebody who had."""
    new = newcomers_of(one, key) - {person}
    if not new or not events:
        return False
    merged = merged_at(one.run.upto)
    with connection.cursor() as cursor:
        query = _PAIRS.format(is_among("s.event"))
        cursor.execute(query, [one.run.id, these(sorted(events))])
        pairs = [tuple(merged.get(each, each) for each in pair) for pair in cursor.fetchall()]
    return person in reached_from(new, pairs)
