"""Of several corrections that one run brings, without which a published number were another one.

What a correction reaches is known from when it was accepted: it may have moved a number by less
than is published, and come over the limit only with the next one.  So each of them is taken back
on what the run has been fed, once all of them hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.acts.accepting import is_stale
from ratingbook.office.acts.corrections import new_in
from ratingbook.office.acts.next_list import RERATE
from ratingbook.office.acts.preview import PoolBench
from ratingbook.office.acts.published import CAUSES, causes_in, table_of
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.taken_back import left_in, moot_in
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import Differing, published
from ratingbook.office.logic.corrections import Content, about, left_by
from ratingbook.office.logic.effects import At
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m


def causes(home: Home, run: m.Run, base: m.Run | None, found: Differing) -> pa.Table:
    """A row for each number that a run changes, and each of these corrections that it needs.

    Nothing where it is the first to have one alone: that one made all that corrections did.
    """
    some = new_in(home, run, base)
    if len(some) < 2:
        return CAUSES.empty_table()
    changed = _numbers(found)
    bench = PoolBench(home, run, run.upto, RERATE)
    rows = [
        {"key": key, "person": person, "correction": number}
        for number, back in _taken_back(some)
        for key, person in sorted(_otherwise(bench, back, decimals_of(run.pool)) & changed)
    ]
    return pa.Table.from_pylist(rows, CAUSES)


def reaching(home: Home, run: m.Run, some: Sequence[m.Correction], at: At) -> tuple[int, ...]:
    """Those of the corrections of a run that reach a row, whatever of it is published."""
    key, person = at
    chosen = pc.field("pool") == run.pool_id
    chosen &= (pc.field("person") == person) & (pc.field("key") == key)
    every = m.Reached.objects.filter(correction__in=some).values_list("correction", "file")
    found = {number for number, file in every if len(table_of(home, file, ["turn"], chosen))}
    needed = causes_in(home, m.Needed.objects.filter(run=run), person) if len(some) > 1 else {}
    left = found - moot_in(each.id for each in some)
    return tuple(sorted(left.union(needed.get(at, ()))))


def _taken_back(some: Sequence[m.Correction]) -> Iterator[tuple[int, list[Content]]]:
    """What takes each of them back, as far as nothing later is said of the same.

    What was taken back, and what did so, holds nowhere: without the one there was no other.
    """
    every = left_in(each.id for each in some)
    for place, one in enumerate(every, 1):
        later = {x for each in every[place:] for content in each.contents for x in about(content)}
        left = (left_by(later, each) for each in one.back if not is_stale(each))
        if holds := [each for each in left if each is not None]:
            yield one.number, holds


def _otherwise(bench: PoolBench, contents: Sequence[Content], decimals: int) -> set[At]:
    """The numbers that are others with contents."""
    try:
        made = bench.otherwise(contents)
    except OfficeRefused:
        # Without it the facts are none that can be rated.
        return set()
    if made is None:
        return set()
    was, now = (_left(published(each, decimals)) for each in (made.was, made.now))
    return {at for at in was.keys() | now.keys() if was.get(at) != now.get(at)}


def _left(table: pa.Table) -> Mapping[At, float | None]:
    """By batch and person the number that is left in the end."""
    columns: Any = (table[name].to_pylist() for name in ("turn", "key", "player", "after"))
    rows = sorted(zip(*columns, strict=True), key=lambda row: int(row[0]))
    return {(key, int(player)): after for _, key, player, after in rows}


def _numbers(found: Differing) -> set[At]:
    """The numbers of which rows differ."""
    return {
        (key, int(player))
        for table in (found.rows, found.gone)
        for key, player in zip(table["key"].to_pylist(), table["player"].to_pylist(), strict=True)
    }
