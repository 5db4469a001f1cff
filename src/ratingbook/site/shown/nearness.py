"""Whose numbers tell an age by their decimals: from whoever came in by one, game by game.

Within a batch the rules bring a number to those whom its player met, and to whom these met.
Editions that go on with decimals bring it into the later batches of all of them, and there again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from itertools import chain

from django.db import connection

from ratingbook.desk.birth_dates import reached_from
from ratingbook.engine.history.published import keeps_decimals
from ratingbook.office.store.rows import is_among, these
from ratingbook.site.shown.events import EventNamed, day_of
from ratingbook.site.shown.games import keys_of
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.persons import merged_at
from ratingbook.site.shown.pools import Published, batches_of, newcomers_of, published

_PAIRS = """
SELECT s.event, s.name, s."end", white.person_id, black.person_id FROM office_section s
JOIN office_runsection r ON r.section = s.id AND r.run_id = %s
JOIN office_game g ON g.section_id = s.id
JOIN office_link white ON white.entry_id = g.white_id
JOIN office_link black ON black.entry_id = g.black_id
WHERE {}
"""
"""Who met whom, whoever an entry was held for: rather one too many than one too few."""
_MOST_ROWS = 200_000
"""Of runs of which it is looked up who met whom in all of their batches."""
_Pair = tuple[int, int]


def tells_an_age(
    one: Published, key: str, events: Collection[str], person: int, *, is_own: bool
) -> bool:
    """Whether a number of a person in a batch tells an age; ``is_own``: the own one may be told."""
    if not keeps_decimals(one.rules.book()):
        new = newcomers_of(one, key) - {person}
        if not new or not events:
            return False
        pairs = chain.from_iterable(_pairs(one, events).values())
        return person in reached_from(new, pairs)
    near = _near(one.pool.id, person if is_own else None).get(key)
    return near is None or person in near


@by_ledger
def _near(pool: int, without: int | None) -> Mapping[str, frozenset[int] | None]:
    """By batch whose numbers there tell an age; None: those of anybody may.

    Of a run with very many rows that is so from the first batch on to which somebody new came.
    """
    one = published()[pool]
    spans = batches_of(one)
    met = _pairs(one, None) if sum(spans.values()) <= _MOST_ROWS else None
    found: dict[str, frozenset[int] | None] = {}
    carry: set[int] = set()
    for key in spans:
        new = newcomers_of(one, key)
        if met is None:
            carry |= new
            found[key] = None if carry else frozenset()
            continue
        # Who came in by an age has it in the rating, whoever was met.
        near = reached_from((carry | new) - {without}, met.get(key, ()))
        carry = near
        found[key] = frozenset(near)
    return found


def _pairs(one: Published, events: Collection[str] | None) -> dict[str, list[_Pair]]:
    """By batch who met whom, in some events or in all."""
    merged = merged_at(one.run.upto)
    some = is_among("s.event") if events is not None else "1 = 1"
    asked = [one.run.id] if events is None else [one.run.id, these(sorted(events))]
    found: dict[str, list[_Pair]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_PAIRS.format(some), asked)
        for event, section, end, white, black in cursor.fetchall():
            both = merged.get(white, white), merged.get(black, black)
            for key in _keys(one, event, section, day_of(end)):
                found.setdefault(key, []).append(both)
    return found


def _keys(one: Published, event: str, section: str, end: date | None) -> Iterable[str]:
    days = [end] if end else []
    return keys_of(one, days, EventNamed(0, "", None, end), event, section)
