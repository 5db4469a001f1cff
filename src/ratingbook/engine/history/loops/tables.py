"""The loops over all players: before the first batch, at a reform, and for the final table."""

from __future__ import annotations

from typing import Any

import numpy as np

from ratingbook.engine.history.loops.names import (
    HAS_IN_FORCE,
    assumed,
    in_force,
    listed,
    load_known,
    load_standing,
    reformed,
    standing_of,
    store_standing,
)


def first_standings(known: Any, standings: Any, assume: float, in_force_row: Any, p: Any) -> None:
    """The standings before the first batch; ``assume`` NaN: nobody is assumed to have a rating."""
    for player in range(len(standings)):
        said = load_known(known, player)
        standing = standing_of(said, p)
        if not np.isnan(assume) and np.isnan(listed(standing, p).rating):
            standing = assumed(said, assume, p)
        store_standing(standings, player, standing)
        if HAS_IN_FORCE:
            in_force_row[player] = in_force(standing, p)


def reform_all(standings: Any, in_force_row: Any, p: Any) -> None:
    """A one-off change of all standings, after the list to which it belongs."""
    for player in range(len(standings)):
        standing = reformed(load_standing(standings, player), p)
        store_standing(standings, player, standing)
        if HAS_IN_FORCE:
            in_force_row[player] = in_force(standing, p)


def final_table(
    standings: Any, rating: Any, games: Any, status: Any, published: Any, p: Any
) -> None:
    """What the table of ratings says of everybody."""
    for player in range(len(standings)):
        row = listed(load_standing(standings, player), p)
        rating[player] = row.rating
        games[player] = row.games
        status[player] = row.status
        published[player] = row.published
