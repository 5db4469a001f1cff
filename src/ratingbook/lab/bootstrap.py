"""What a difference of two systems means, if other events had been played.

Games of one block (an event, a month) are not independent of each other, so whole blocks are
drawn again, the same for both systems.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

DRAWS = 2000
FEW = 30
"""Of fewer blocks the intervals are themselves uncertain, and rather too narrow."""
_AT_ONCE = 1 << 22
"""Numbers that are drawn at once, at most."""


@dataclass(frozen=True)
class Interval:
    """A mean over games, with the interval that holds it in 95 of 100 samples of blocks.

    Of a single block nobody can say: the interval has no ends, and holds any number.
    """

    mean: float
    low: float
    high: float

    @property
    def is_known(self) -> bool:
        """Whether it has ends."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def is_sure(self) -> bool:
        """Whether the mean is other than 0 for more than chance explains."""
        return self.low > 0 or self.high < 0


def interval(values: Array, blocks: Array, *, draws: int = DRAWS, seed: int = 1) -> Interval:
    """The mean of ``values`` and its interval by the percentiles of the block bootstrap.

    ``blocks`` are whole numbers, one a game.  The same seed gives the same bits.
    """
    return intervals(values[None, :], blocks, draws=draws, seed=seed)[0]


def intervals(rows: Array, blocks: Array, *, draws: int = DRAWS, seed: int = 1) -> list[Interval]:
    """The same for several rows of values of the same games, by the same draws.

    That a row is the difference of two makes its interval that of paired systems.
    """
    _, number = np.unique(blocks, return_inverse=True)
    count = int(number.max()) + 1
    middle = rows.mean(axis=1).tolist()
    if count == 1:
        return [Interval(mean, -math.inf, math.inf) for mean in middle]
    ones = np.ones(len(blocks))
    sums = np.stack([np.bincount(number, each, count) for each in (*rows, ones)], axis=1)
    chance = np.random.Generator(np.random.PCG64(seed))
    means = np.empty((draws, len(rows)))
    step = max(1, _AT_ONCE // count)
    for first in range(0, draws, step):
        last = min(draws, first + step)
        drawn = chance.integers(0, count, (last - first, count))
        drawn += count * np.arange(last - first)[:, None]
        times = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        found = times.astype(float) @ sums
        means[first:last] = found[:, :-1] / found[:, -1:]
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    ends = zip(middle, low.tolist(), high.tolist(), strict=True)
    return [Interval(*three) for three in ends]


def difference(one: Array, other: Array, blocks: Array, *, seed: int = 1) -> Interval:
    """By how much the first mean is above the second, on the same games and the same draws."""
    return interval(one - other, blocks, seed=seed)


def warning(drawn: int, blocks: str) -> str | None:
    """What is to be said of intervals from so many blocks; None: nothing."""
    if drawn >= FEW:
        return None
    if drawn == 1:
        return f"There is only one {blocks}: what chance explains nobody can tell."
    return (
        f"There are only {drawn} {blocks}s to draw from: the intervals are themselves uncertain, "
        "and rather too narrow."
    )
