"""What other facts change, tried on a history that was rated once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.api import RatedHistory, rate_history
from ratingbook.engine.history.correct import Correction, joined, taken
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.run import Changes
from ratingbook.engine.history.tables import changes_table
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.history import _natural, history_of, keyed_batches
from ratingbook.office.engine.rating import _keyed, by_player, rate, standings_on
from ratingbook.office.engine.rules import Rules
from ratingbook.office.refused import OfficeRefused
from ratingbook.rules.book import RatedBy


@dataclass(frozen=True)
class Amended:
    """What other facts change: rows that differ in any bit, and all ratings."""

    was: pa.Table
    now: pa.Table
    ratings: pa.Table


def reaching(
    made: Amended, before: pa.Table, rows: Sequence[pa.Table], people: Collection[str]
) -> Amended:
    """What other facts change, as far as they change the same on fewer facts.

    There some ``rows`` are others, and the ratings of some ``people``; ``before`` are all ratings
    without those facts.
    """
    keys = pa.concat_arrays([_keys_of(each) for each in rows])
    was, now = (
        each.filter(pc.is_in(_keys_of(each), value_set=keys)) for each in (made.was, made.now)
    )
    wanted = pa.array(sorted(people), pa.string())
    ratings = pa.concat_tables(
        [
            made.ratings.filter(pc.is_in(made.ratings["player"], value_set=wanted)),
            before.filter(pc.invert(pc.is_in(before["player"], value_set=wanted))),
        ]
    )
    return Amended(was, now, ratings.take(pc.sort_indices(ratings["player"])))


def _keys_of(table: pa.Table) -> pa.Array:
    """Batch, player and turn of each row, as one text."""
    parts = (table[name].cast(pa.string()) for name in ("key", "player", "turn"))
    found = pc.binary_join_element_wise(*parts, "\0")
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


class Baseline:
    """What corrections are tried on: a history rated once, with places to go back to.

    What follows from other facts is the same as if all were rated anew, bit for bit.
    """

    def __init__(self, fed: Fed, rules: Rules, until: date) -> None:
        self._fed, self._rules, self._until = fed, rules, until

    @cached_property
    def _rated(self) -> RatedHistory:
        history, _ = history_of(self._fed, self._rules)
        return rate_history(
            history, self._rules.book(), assume=self._rules.assume, corrections=True
        )

    @cached_property
    def _is_whole(self) -> bool:
        days = self._rated.batch_table["day"]
        return not len(days) or pc.max(days).as_py() <= self._until

    @cached_property
    def ratings(self) -> pa.Table:
        """All ratings on the day."""
        if not self._fed.has_beside and self._is_whole:
            return by_player(self._rated.ratings)
        return next(standings_on(self._fed, self._rules, [self._until]))

    @cached_property
    def changes(self) -> pa.Table:
        """All rows up to the day."""
        return rate(self._fed, self._rules, self._until).changes

    def rows_of(self, people: pa.Array) -> pa.Table:
        """The rows of some players up to the day."""
        if self._fed.has_beside:
            return self.changes.filter(pc.is_in(self.changes["player"], value_set=people))
        table = self._rated.exact_changes
        mine = pc.is_in(table["player"].cast(pa.string()), value_set=people)
        return self._upto(_keyed(table.filter(mine), _natural(self._rated.batch_table)["key"]))

    def amended(self, fed: Fed, rules: Rules) -> Amended:
        """What other facts, or other rules, make of it."""
        is_beside = self._fed.has_beside or fed.has_beside
        if rules != self._rules or rules.book().rated_by is RatedBy.GAME or is_beside:
            made = rate(fed, rules, self._until)
            return Amended(self.changes, made.changes, made.ratings)
        history, _ = history_of(fed, rules)
        try:
            made_of = self._rated.correct(history)
        except HistoryRefused as error:
            raise OfficeRefused(error.findings) from None
        found = made_of.correction
        old, new = keyed_batches(found.old.run), keyed_batches(found.run)
        both = _with_moved(found, old, new)
        was = _keyed(changes_table(found.old.run, both[0]), old["key"])
        now = _keyed(changes_table(found.run, both[1]), new["key"])
        days = new["day"]
        if self._is_whole and (not len(days) or pc.max(days).as_py() <= self._until):
            ratings = by_player(found.table())
        else:
            ratings = next(standings_on(fed, rules, [self._until]))
        return Amended(self._upto(was), self._upto(now), ratings)

    def _upto(self, table: pa.Table) -> pa.Table:
        return table.filter(pc.less_equal(table["date"], self._until))


def _with_moved(found: Correction, old: pa.Table, new: pa.Table) -> tuple[Changes, Changes]:
    """The rows that differ, before and now, and all of batches that have another day."""
    was, now = (
        dict(zip(*(x.to_pylist() for x in each.columns), strict=True)) for each in (old, new)
    )
    moved = {key for key, day in now.items() if was.get(key, day) != day}
    if not moved:
        return found.was, found.now
    return (
        _joined_of(found.was, found.old.rows, old, moved),
        _joined_of(found.now, found.rows(), new, moved),
    )


def _joined_of(some: Changes, every: Changes, batches: pa.Table, keys: Collection[str]) -> Changes:
    """Some of all rows, and all those of batches by their keys; each once."""
    wanted = pc.is_in(batches["key"], value_set=pa.array(sorted(keys), pa.string()))
    mine = np.flatnonzero(wanted.to_numpy())
    others = taken(some, ~np.isin(some.batch, mine))
    return joined([others, taken(every, np.isin(every.batch, mine))])
