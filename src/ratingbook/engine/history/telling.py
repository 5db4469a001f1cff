"""What a run has to tell other pools of its federation: its published ratings, as they change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import numpy as np

from ratingbook.engine.history.run import Run
from ratingbook.rules.bulk import EPOCH

Array = np.ndarray[Any, Any]


class Told(NamedTuple):
    """What is published otherwise once a batch is rated."""

    batch: int
    """-1: with what the players come in."""
    player: Array
    rating: Array
    """NaN: none is published."""
    games: Array


def published_course(run: Run, until: int) -> Iterator[Told]:
    """The published ratings of a run that stands at its beginning, as they change.

    ``until`` is the number of batches up to which it is rated.
    """
    everybody = np.arange(run.players)
    was = np.full(run.players, np.nan), np.full(run.players, -1, np.int32)

    def told(batch: int, players: Array) -> Told:
        is_published, row = published_in(run, players)
        rating = np.where(is_published, row["rating"], np.nan)
        games = np.where(is_published, row["games"], -1).astype(np.int32)
        same = (rating == was[0][players]) | (np.isnan(rating) & np.isnan(was[0][players]))
        new = ~(same & (games == was[1][players]))
        players, rating, games = players[new], rating[new], games[new]
        was[0][players], was[1][players] = rating, games
        return Told(batch, players, rating, games)

    yield told(-1, everybody)
    for batch in range(until):
        for _rows in run.batches(batch + 1):
            pass
        beside = run.take_in(EPOCH + timedelta(int(run.plan.keys[batch])))
        reformed = any(each.before == batch + 1 for each in run.reforms)
        yield told(batch, everybody if beside or reformed else run.players_in(batch, batch + 1))


def published_in(run: Run, players: Array) -> tuple[Array, dict[str, Array]]:
    """Who of some players has a published rating; the ratings, and the numbers of games."""
    count = len(players)
    rating, games = np.empty(count, np.float64), np.empty(count, np.int32)
    status, published = np.empty(count, np.int8), np.empty(count, np.bool_)
    p = run.stretch_of(max(0, run.state.next_batch - 1)).parameters
    standings = run.state.people.standings[players]
    run.program.final_table(standings, rating, games, status, published, p)
    return published & ~np.isnan(rating), {"rating": rating, "games": games}
