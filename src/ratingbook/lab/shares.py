"""The interval of a share of points, however few of them were scored or lost."""

from __future__ import annotations

import math

_TAIL = 0.025
_NEARLY = 1e-12


def exact_share(points: float, games: int) -> tuple[float, float]:
    """The 95 % interval of Clopper and Pearson: 0 of 20 are 0 to 16.8 %.

    It holds the truth at least so often, also where the games are not all alike (Hoeffding 1956),
    or where some are drawn.
    """
    low = 0.0 if points <= 0 else _quantile(points, games - points + 1, _TAIL)
    high = 1.0 if points >= games else _quantile(points + 1, games - points, 1 - _TAIL)
    return low, high


def _quantile(a: float, b: float, share: float) -> float:
    """Below which number a beta distribution has so much of it: by halves."""
    low, high = 0.0, 1.0
    while high - low > _NEARLY:
        middle = (low + high) / 2
        if _below(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _below(x: float, a: float, b: float) -> float:
    """How much of a beta distribution is below x."""
    front = math.exp(
        a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    )
    # The fraction comes near soon on one side of the middle of the distribution only.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, from its beginning (Lentz)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            c, d = 1 + part / c, 1 / (1 + part * d)
            found *= c * d
        if abs(c * d - 1) < _NEARLY:
            break
    return found
