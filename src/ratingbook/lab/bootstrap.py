"""What a difference of two systems means, if other events had been played.

Games of one block (an event, a month) are not independent of each other, so whole blocks are
drawn again, the same for both systems.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

DRAWS = 2000
_AT_ONCE = 1 << 22
"""Numbers that are drawn at once, at most."""


@dataclass(frozen=True)
class Interval:
    """A mean over games, with the interval that holds it in 95 of 100 samples of blocks."""

    mean: float
    low: float
    high: float


def interval(values: Array, blocks: Array, *, draws: int = DRAWS, seed: int = 1) -> Interval:
    """The mean of ``values`` and its interval by the percentiles of the block bootstrap.

    ``blocks`` are whole numbers, one a game.  The same seed gives the same bits.
    """
    _, number = np.unique(blocks, return_inverse=True)
    count = int(number.max()) + 1
    sums = np.bincount(number, weights=values, minlength=count)
    games = np.bincount(number, minlength=count).astype(float)
    chance = np.random.Generator(np.random.PCG64(seed))
    means = np.empty(draws)
    step = max(1, _AT_ONCE // count)
    for first in range(0, draws, step):
        last = min(draws, first + step)
        drawn = chance.integers(0, count, (last - first, count))
        means[first:last] = sums[drawn].sum(axis=1) / games[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(values.mean()), float(low), float(high))


def difference(one: Array, other: Array, blocks: Array, *, seed: int = 1) -> Interval:
    """By how much the first mean is above the second, on the same games and the same draws."""
    return interval(one - other, blocks, seed=seed)
