"""The order of events, and of their sections, that end on the same day.

What is rated one after the other needs an order, and neither names nor the place in a file
may settle it.  So events go by their end, start and number of games, and where these are
the same by who plays whom in them: by a number drawn from the players' first ratings and
the rounds.  Scores are left out, so that a correction of one leaves the order alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ratingbook.engine.history.columns import GameColumns, HistoryInput

Array = np.ndarray[Any, Any]

_PASSES = 3
"""The first knows the players' ratings, each later one whom they met."""
_ODD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def in_order_of_contents(
    codes: Array, columns: GameColumns, given: HistoryInput, *first: Array
) -> Array:
    """The order of what ``codes`` number: by the columns ``first``, then by its games.

    ``codes`` has the number of each game's event or section; ``first`` one row for each.
    """
    count = len(first[0]) if first else int(codes.max(initial=-1)) + 1
    sizes = np.bincount(codes, minlength=count)
    keys = [sizes, *reversed(first)]
    order = np.lexsort(keys)
    tied = _tied(order, keys)
    if not tied.any():
        return order
    drawn = np.zeros(count, np.uint64)
    games = np.flatnonzero(tied[codes])
    players = _ratings(given)
    for _ in range(_PASSES):
        numbers = _of_games(columns, games, players)
        drawn[:] = 0
        np.add.at(drawn, codes[games], numbers)
        order = np.lexsort([drawn, *keys])
        if not _tied(order, [drawn, *keys]).any():
            break
        met = np.zeros(len(players), np.uint64)
        for side in (columns.white, columns.black):
            np.add.at(met, side[games], drawn[codes[games]])
        players = _mixed(players + met)
    return order


def _tied(order: Array, keys: list[Array]) -> Array:
    """Which have the same keys as another."""
    same = np.ones(max(0, len(order) - 1), bool)
    for key in keys:
        same &= key[order][1:] == key[order][:-1]
    tied = np.zeros(len(order), bool)
    tied[order] = np.r_[same, False][: len(order)] | np.r_[False, same][: len(order)]
    return tied


def _ratings(given: HistoryInput) -> Array:
    """A number for each player, drawn from the rating that the players file gives."""
    numbers = np.zeros(len(given.players), np.uint64)
    said = given.standings
    if said is not None and "rating" in said.column_names:
        ratings = said["rating"].combine_chunks().fill_null(0).to_numpy(zero_copy_only=False)
        numbers[said["player"].to_numpy()] = ratings.astype(np.float64).view(np.uint64)
    return _mixed(numbers)


def _of_games(columns: GameColumns, games: Array, players: Array) -> Array:
    """A number for each of these games."""
    numbers = players[columns.white[games]] * _ODD[1] + players[columns.black[games]]
    numbers += columns.day[games].astype(np.uint64) * _ODD[2]
    if columns.round is not None:
        numbers += columns.round[games].astype(np.uint64) * _ODD[0]
    return _mixed(numbers)


def _mixed(numbers: Array) -> Array:
    """Numbers from which nothing of the old ones is seen (the finalizer of splitmix64)."""
    numbers = numbers + _ODD[0]
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _ODD[1]
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _ODD[2]
    mixed: Array = numbers ^ (numbers >> np.uint64(31))
    return mixed
