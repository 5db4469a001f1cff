"""The loops over all players: before the first batch, at a reform, and for the final table."""

from __future__ import annotations

import math
from typing import Any

from ratingbook.engine.loops.names import (
    EXPLAINS,
    HAS_IN_FORCE,
    NOBODY,
    about,
    assumed,
    in_force,
    listed,
    load_known,
    load_others,
    load_standing,
    reformed,
    standing_of,
    store_standing,
    told,
)


def first_standings(known: Any, standings: Any, assume: float, in_force_row: Any, p: Any) -> None:
    """The standings before the first batch; ``assume`` NaN: nobody is assumed to have a rating."""
    for player in range(len(standings)):
        if EXPLAINS:
            about(player)
        said = load_known(known, player)
        standing = standing_of(said, p)
        if not math.isnan(assume) and math.isnan(listed(standing, p).rating):
            standing = assumed(said, assume, p)
        store_standing(standings, player, standing)
        if EXPLAINS:
            about(NOBODY)
        if HAS_IN_FORCE:
            in_force_row[player] = in_force(standing, p)


def reform_all(standings: Any, in_force_row: Any, p: Any) -> None:
    """A one-off change of all standings, after the list to which it belongs."""
    for player in range(len(standings)):
        standing = reformed(load_standing(standings, player), p)
        store_standing(standings, player, standing)
        if HAS_IN_FORCE:
            in_force_row[player] = in_force(standing, p)


def tell_others(standings: Any, players: Any, others: Any, in_force_row: Any, p: Any) -> None:
    """Some players are told what ``others`` hold: their ratings in other pools."""
    for place in range(len(players)):
        player = players[place]
        before = load_standing(standings, player)
        standing = told(before, load_others(others, place), p)
        store_standing(standings, player, standing)
        if HAS_IN_FORCE:
            now = in_force(standing, p)
            # What the office decided of the number in force stays.
            if now != in_force(before, p):
                in_force_row[player] = now


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
