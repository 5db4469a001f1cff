"""Ratings in force that games themselves name, as columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ratingbook.engine.loops.arrays import Games
from ratingbook.rules.bulk import NOT_GIVEN

Array = np.ndarray[Any, Any]

_WIDTH = 1 << 32
"""More than any number that is named."""


def numbers_of(named: Array | None, moved: Array | None, count: int) -> Array:
    """The numbers in the order of the games: whole ones where all of them are."""
    if named is None:
        return np.full(count, NOT_GIVEN, np.int64)
    taken: Array = named if moved is None else named[moved]
    whole = taken.astype(np.int64)
    return whole if bool((whole == taken).all()) else taken


def with_memory(games: Games, starts: Array) -> Games:
    """The games with the highest number that those of the batch name for their players.

    Of events that started no later; ``starts`` are the days on which events started.
    """
    count = len(games.white)
    batches = np.searchsorted(games.offsets, np.arange(count), side="right") - 1
    batch = np.r_[batches, batches]
    player = np.r_[games.white, games.black].astype(np.int64)
    day = np.tile(starts[games.event], 2)
    number = np.maximum(np.r_[games.white_number, games.black_number], 0).astype(np.int64)
    order = np.lexsort((day, player, batch))
    batch, player, day = batch[order], player[order], day[order]
    same = (batch[1:] == batch[:-1]) & (player[1:] == player[:-1])
    group = np.r_[0, np.cumsum(~same)]
    highest = np.maximum.accumulate(group * _WIDTH + number[order]) - group * _WIDTH
    # Events that started on one day know of each other.
    last = np.r_[~(same & (day[1:] == day[:-1])), True]
    place = np.flatnonzero(last)[np.r_[0, np.cumsum(last[:-1])]]
    found = np.empty(2 * count, np.int32)
    found[order] = highest[place]
    return games._replace(white_reached=found[:count], black_reached=found[count:])
