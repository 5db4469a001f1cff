"""Differences that an office adds to ratings at the ends of days, beside all games.

A mistake that is not rated again goes on the next list as a difference.  It is added once, after
all batches up to its day, and no row of changes tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from ratingbook.engine.history.records import accessors
from ratingbook.rules.bulk import Bulk

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, order=True)
class Difference:
    """What is added to the rating of a player at the end of a day."""

    day: date
    player: str
    value: float


def add_differences(
    some: Sequence[tuple[int, float]],
    standings: Array,
    in_force: Array,
    bulk: Bulk,
    parameters: Any,
) -> None:
    """Add each value to the rating of its player, and to the number in force."""
    load, store = accessors(bulk.standing, int)
    number: Callable[[Any, Any], Any] | None = bulk.in_force
    for player, value in some:
        standing = load(standings, player)
        whole = isinstance(standing.rating, int)
        rating = standing.rating + (round(value) if whole else value)
        standing = standing._replace(rating=rating)
        store(standings, player, standing)
        if number is not None:
            in_force[player] = number(standing, parameters)
