"""What a run hears of pools that are not rated beside it: their published ratings, day by day.

Pools that are rated together tell each other (:mod:`.together`). An office publishes each of its
pools by itself: what one reads of the others is then a table, taken down from their runs
(:mod:`.telling`) and heard on the way, at the same places and with the same bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ratingbook.engine.history.program import Program

Array = np.ndarray[Any, Any]


class Rows(NamedTuple):
    """What is told, in the order in which it is."""

    batch: Array
    """Before which batch of the run that hears it; ascending."""
    day: Array
    """Since when it holds, in days since 1970."""
    player: Array
    pool: Array
    """The name of the pool, for each row."""
    rating: Array
    """NaN: none is published any more."""
    games: Array


class Heard:
    """The ratings in other pools as a run hears of them."""

    def __init__(self, rows: Rows, program: Program, players: int) -> None:
        assert program.bulk.pools is not None
        self._rows = rows
        self._others = program.bulk.pools.others
        self._now = np.empty(players, program.others)
        self._done = 0
        self._forget()

    @property
    def batches(self) -> Array:
        """Before which batches something is heard; ascending."""
        return self._rows.batch

    def before(self, batch: int, last: int | None = None) -> tuple[Array, Array]:
        """Of whom something is heard before a batch, and all that is known of them then.

        What was heard before earlier batches is known, too, wherever the run comes from.
        ``last`` is the last day of what is heard.
        """
        begin, stop = np.searchsorted(self._rows.batch, [batch, batch + 1])
        if last is not None:
            stop = begin + np.searchsorted(self._rows.day[begin:stop], last, side="right")
        if begin == stop:
            return np.empty(0, np.int32), self._now[:0]
        if self._done > stop:
            self._forget()
        self._hear(int(stop))
        players = np.unique(self._rows.player[begin:stop])
        return players, self._now[players]

    def _forget(self) -> None:
        self._done = 0
        for name, nothing in self._others._field_defaults.items():
            self._now[name] = nothing

    def _hear(self, stop: int) -> None:
        some = slice(self._done, stop)
        _, _, player, pool, rating, games = (each[some] for each in self._rows)
        for name in np.unique(pool).tolist():
            for field, values in ((name, rating), (f"{name}_games", games)):
                if field not in self._others._fields:
                    continue
                own = pool == name
                nothing = self._others._field_defaults[field]
                # Of several rows of a player the last one holds.
                self._now[field][player[own]] = np.where(
                    np.isnan(rating[own]), nothing, values[own]
                )
        self._done = stop
