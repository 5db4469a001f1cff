"""V, W and their like for draws: what a result tells of a difference that is normally spread."""

import math

_SPREAD = math.sqrt(2 * math.pi)
_LEAST = 1e-15
"""Shares below this are as good as none: their limits are taken."""


def density(x: float) -> float:
    """The density of the standard normal distribution."""
    return math.exp(-x * x / 2) / _SPREAD


def share(x: float) -> float:
    """How much of the standard normal distribution is below x."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def v(x: float, t: float) -> float:
    """How much a victory moves."""
    below = share(x - t)
    return t - x if below < _LEAST else density(x - t) / below


def w(x: float, t: float) -> float:
    """How much a victory tells."""
    if share(x - t) < _LEAST:
        return 1.0
    return v(x, t) * (v(x, t) + x - t)


def v_drawn(x: float, t: float) -> float:
    """How much a draw moves."""
    between = share(t - x) - share(-t - x)
    if between < _LEAST:
        return t - x if x > 0 else -t - x
    return (density(-t - x) - density(t - x)) / between


def w_drawn(x: float, t: float) -> float:
    """How much a draw tells."""
    between = share(t - x) - share(-t - x)
    if between < _LEAST:
        return 1.0
    squares = ((t - x) * density(t - x) - (-t - x) * density(-t - x)) / between
    return squares + v_drawn(x, t) * v_drawn(x, t)
