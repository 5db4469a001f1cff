"""What a rule book does not know and its games do: who moves first, how sure it is, how many draw.

The layer lies on top of the expected scores: logit E' = shift + slope · logit E, and E' is parted
into win, draw and loss by Davidson's ν.  It is found on the games that only find the ratings, and
held against those that come after.

Shift and slope are those of least logarithmic loss (Papke and Wooldridge 1996), so that E' is right
on average whatever the share of draws is; ν is the most likely one at these E'.  Nothing is lost by
finding it afterwards: the mean of the score and ln ν are orthogonal in Davidson's model, as the
expectation of one statistic and the natural parameter of another are in any exponential family
(Barndorff-Nielsen 1978).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ratingbook.lab.bootstrap import Interval
from ratingbook.lab.outcomes import Outcomes, of_expected
from ratingbook.lab.scores import LEAST

Array = np.ndarray[Any, Any]

ENOUGH = 100
"""Fewer games find no layer."""
_TURNS = 50
_STILL = 1e-12
_STRIDE = 2.0
"""ln ν moves by no more in one step."""
_SURE = 100.0
"""Who is further ahead in the logit wins for certain."""
_Z = 1.96
_DRAWN = 0.5


@dataclass(frozen=True)
class Sure:
    """How sure a layer is: the intervals of 95 % if other blocks of games had been played."""

    shift: Interval
    slope: Interval
    nu: Interval
    games: int
    """In which it was found."""
    draws: int


@dataclass(frozen=True)
class Layer:
    """``shift`` above 0: White scores more than is expected; ``slope`` below 1: favourites less.

    ``nu``: even sides draw nu / (2 + nu) of their games; 0: nobody draws.
    """

    shift: float = 0.0
    slope: float = 1.0
    nu: float = 0.0
    sure: Sure | None = None
    """None: nobody has found it in games."""

    def on(self, expected: Array) -> Array:
        """The expected scores with the layer."""
        far = np.clip(self.shift + self.slope * logit(expected), -_SURE, _SURE)
        found: Array = 1 / (1 + np.exp(-far))
        return found

    def outcomes(self, expected: Array) -> Outcomes:
        """What is expected of win, draw and loss with the layer."""
        return of_expected(self.on(expected), self.nu)


def logit(expected: Array) -> Array:
    """ln(E / (1 − E)), within the bounds of the logarithmic loss."""
    held = np.clip(expected, LEAST, 1 - LEAST)
    found: Array = np.log(held / (1 - held))
    return found


def fitted(expected: Array, score: Array, blocks: Array | None = None) -> Layer:
    """The layer that fits best some games: shift and slope by Newton's method, then ν by Fisher's.

    ``blocks`` are whole numbers, one a game, the same for games that depend on each other; without
    them each is alone.  Where there are too few games, or all have the same result, there is none.
    """
    if len(score) < ENOUGH or score.min() == score.max():
        return Layer()
    number = np.arange(len(score)) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    features = np.column_stack([np.ones(len(score)), logit(expected)])
    if np.ptp(features[:, 1]) == 0:
        features = features[:, :1]
    found = np.zeros(features.shape[1])
    for _ in range(_TURNS):
        held = 1 / (1 + np.exp(-np.clip(features @ found, -_SURE, _SURE)))
        inverse = _inverse((features * (held * (1 - held))[:, None]).T @ features)
        step = inverse @ (features.T @ (score - held))
        found = found + step
        # Where favourites win every game no slope is the best: beyond this the loss is the same.
        if np.abs(step).max() < _STILL or np.abs(held - 0.5).min() > 0.5 - LEAST:
            break
    shift, slope = (*found.tolist(), 0.0)[:2]
    made = Layer(shift, slope).on(expected)
    errors = _errors(features * (score - made)[:, None], inverse, number)
    nu, of_nu = _nu(made, score, number)
    sure = Sure(
        _around(shift, errors[0]), _around(slope, errors[1] if len(errors) > 1 else 0.0), of_nu,
        len(score), int((score == _DRAWN).sum()),
    )  # fmt: skip
    return Layer(shift, slope, nu, sure)


def _nu(expected: Array, score: Array, number: Array) -> tuple[float, Interval]:
    """The most likely ν of games whose expected scores are given, with its interval."""
    drawn = score == _DRAWN
    if not drawn.any():
        return 0.0, Interval(0.0, -math.inf, math.inf)
    log = 0.0
    for _ in range(_TURNS):
        made = of_expected(expected, math.exp(log))
        # A draw speaks for ν as far as the score does not say the same.
        both = made.draw * (_DRAWN - expected)
        varies = made.win + made.draw / 4 - np.square(expected)
        share = np.divide(both, varies, out=np.zeros(len(both)), where=varies > 0)
        pulls = drawn - made.draw - share * (score - expected)
        inverse = _inverse(np.array([[(made.draw * (1 - made.draw) - share * both).sum()]]))
        step = float(pulls.sum() * inverse[0, 0])
        log += max(-_STRIDE, min(_STRIDE, step))
        if abs(step) < _STILL:
            break
    (error,) = _errors(pulls[:, None], inverse, number)
    of_log = _around(log, error)
    return math.exp(log), Interval(math.exp(log), math.exp(of_log.low), math.exp(of_log.high))


def _inverse(curve: Array) -> Array:
    """Of a symmetric matrix; where it says nothing of some direction, nothing moves there."""
    found: Array = np.linalg.pinv(curve, hermitian=True)
    return found


def _errors(pulls: Array, inverse: Array, number: Array) -> list[float]:
    """Standard errors by whole blocks (Liang and Zeger 1986); infinite where there is but one."""
    count = int(number.max()) + 1
    if count == 1:
        return [math.inf] * len(inverse)
    sums = np.stack([np.bincount(number, each, count) for each in pulls.T])
    spread = inverse @ (sums @ sums.T * (count / (count - 1))) @ inverse
    found: list[float] = np.sqrt(np.diag(spread)).tolist()
    return found


def _around(value: float, error: float) -> Interval:
    return Interval(value, value - _Z * error, value + _Z * error)
