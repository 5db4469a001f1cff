"""How good predictions were, game by game: smaller losses are better.

A prediction is White's expected score, a number from 0 to 1; the result is 1, ½ or 0.  A drawn
game counts as half a win and half a loss, so a system that expects ½ of every drawn game has
the least loss that there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LEAST = 0.001
"""A share below this, or above 1 − this, counts as this in the logarithmic loss: some editions
expect 0 or 1, and one such game would weigh more than all others."""
_EVEN = 0.5


def log_losses(expected: Array, score: Array) -> Array:
    """−(s · ln E + (1 − s) · ln(1 − E)) of each game, in nats."""
    held = np.clip(expected, LEAST, 1 - LEAST)
    losses: Array = -(score * np.log(held) + (1 - score) * np.log(1 - held))
    return losses


def squares(expected: Array, score: Array) -> Array:
    """(s − E)² of each game: the score of Brier."""
    errors: Array = np.square(score - expected)
    return errors


def hits(expected: Array, score: Array) -> Array:
    """1 where the side that was expected to score more did, ½ in drawn games and at E = ½."""
    sides: Array = 0.5 + 0.5 * np.sign(expected - _EVEN) * np.sign(score - _EVEN)
    return sides


@dataclass(frozen=True)
class Band:
    """Games of which about the same was expected."""

    least: float
    """Least and greatest expected score of the band."""
    greatest: float
    games: int
    expected: float
    """Mean expected score."""
    scored: float
    """Mean result."""
    error: float
    """Standard error of the mean result."""


@dataclass(frozen=True)
class Calibration:
    """Expected beside scored, and the score of Brier in its three parts (Murphy 1973).

    ``square`` = ``reliability`` − ``resolution`` + ``uncertainty`` + what the bands hide within
    them, ``within``.
    """

    bands: tuple[Band, ...]
    reliability: float
    """How far expected and scored are apart, squared: 0 is best."""
    resolution: float
    """How far what was scored in the bands is from the mean of all, squared: more is better."""
    uncertainty: float
    """Variance of the results, which no prediction changes."""
    within: float


def calibration(expected: Array, score: Array, bands: int = 10) -> Calibration:
    """Games by what was expected of them, in bands of as many games each, as far as that goes.

    Games of the same expected score are never in two bands.
    """
    order = np.argsort(expected, kind="stable")
    expected, score = expected[order], score[order]
    edges = np.unique(np.quantile(expected, np.linspace(0, 1, bands + 1)[1:-1]))
    number = np.searchsorted(edges, expected, side="right")
    mean = float(score.mean())
    made: list[Band] = []
    reliability = resolution = within = 0.0
    for each in np.unique(number):
        some = number == each
        e, s, count = expected[some], score[some], int(some.sum())
        error = float(s.std(ddof=1) / np.sqrt(count)) if count > 1 else float("nan")
        made.append(Band(float(e[0]), float(e[-1]), count, float(e.mean()), float(s.mean()), error))
        share = count / len(score)
        reliability += share * (e.mean() - s.mean()) ** 2
        resolution += share * (s.mean() - mean) ** 2
        within += share * (np.square(s - e).mean() - (e.mean() - s.mean()) ** 2 - s.var())
    return Calibration(
        tuple(made), float(reliability), float(resolution), float(score.var()), float(within)
    )
