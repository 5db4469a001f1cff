"""Of several corrections that one run brings, without which a published number were another one.

What a correction reaches is known from when it was accepted: it may have moved a number by less
than is published, and come over the limit only with the next one.  So each of them is taken back
on what the run has been fed, once all of them hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.acts.accepting import is_stale
from ratingbook.office.acts.corrections import new_in
from ratingbook.office.acts.effects import beside_of, published_side, ratings_of
from ratingbook.office.acts.next_list import RERATE
from ratingbook.office.acts.preview import PoolBench
from ratingbook.office.acts.published import CAUSES, causes_in, table_of
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.taken_back import left_in, moot_in
from ratingbook.office.engine.amended import Amended
from ratingbook.office.engine.rating import RatedTables
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import Differing
from ratingbook.office.logic.corrections import Content, about, left_by
from ratingbook.office.logic.effects import (
    At,
    Course,
    Side,
    amended,
    key_of_list,
    of_persons,
    side,
)
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m


def causes(
    home: Home, run: m.Run, base: m.Run | None, found: Differing, rated: RatedTables
) -> pa.Table:
    """A row for each number that a run changes, and each of these corrections that it needs.

    A number stands after a batch, or on a list that was published already.  Nothing where the run
    is the first to have one alone: that one made all that corrections did.
    """
    some = new_in(home, run, base)
    if len(some) < 2 or base is None:
        return CAUSES.empty_table()
    bench, changed = PoolBench(home, run, run.upto, RERATE), _Changed(home, run, base, found, rated)
    rows = [
        {"key": key, "person": person, "correction": number}
        for number, back in _taken_back(some)
        for key, person in sorted(changed.otherwise(_without(bench, back)))
    ]
    return pa.Table.from_pylist(rows, CAUSES)


class _Changed:
    """The numbers that a run changes of those whose rows differ: after batches, and on lists.

    Who has no game in the period of a published list is on it with the number of before, and so
    it is after a batch that is gone.
    """

    def __init__(
        self, home: Home, run: m.Run, base: m.Run, found: Differing, rated: RatedTables
    ) -> None:
        self._decimals, batches = decimals_of(run.pool), _batches(found)
        people = {person for _, person in batches}
        was = published_side(home, base, people, self._decimals)
        shown = ratings_of(rated.ratings, people, self._decimals)
        rows = of_persons(rated.changes, people)
        made = side(rows, shown, self._decimals, beside_of(run, people))
        # Also who has no row any more has one without what took it away.
        courses = {each: made.courses.get(each, Course()) for each in people}
        self._now = replace(made, courses=courses)
        was = replace(was, hidden={})
        every = m.List.objects.filter(pool=run.pool_id, date__lte=run.until)
        days = sorted(set(every.values_list("date", flat=True)))
        places: list[_Place] = [
            *((key, person, day, key) for (key, person), day in sorted(batches.items())),
            *((key_of_list(day), person, day, None) for person in sorted(people) for day in days),
        ]
        self._numbers = {
            place: now
            for place in places
            if (now := _standing(self._now, place)) != _standing(was, place)
        }

    def otherwise(self, made: Amended | None) -> set[At]:
        """Those of them that are others with other rows."""
        if made is None:
            return set()
        shown = ratings_of(made.ratings, self._now.courses, self._decimals)
        then = amended(self._now, made.was, made.now, shown)
        return {place[:2] for place, now in self._numbers.items() if _standing(then, place) != now}


_Place = tuple[str, int, date, str | None]
"""A number: how it is told, of whom, on which day, and within it after which batch."""


def _standing(side: Side, place: _Place) -> float | None:
    """What stands in a place."""
    _, person, day, key = place
    its = side.day(key, person) if key else None
    return side.standing(person, its or day, key)


def _batches(found: Differing) -> dict[At, date]:
    """The batches of which rows of persons differ, with their days."""
    return {
        (key, int(player)): day
        for table in (found.gone, found.rows)
        for key, player, day in zip(
            *(table[name].to_pylist() for name in ("key", "player", "date")), strict=True
        )
    }


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


def _without(bench: PoolBench, contents: Sequence[Content]) -> Amended | None:
    """What contents make of it; None: nothing, or without it the facts are none to be rated."""
    try:
        return bench.otherwise(contents)
    except OfficeRefused:
        return None
