"""How sure fitted parameters are, if other events had been played.

Whole blocks of games are drawn again, and each draw moves the parameters by one step of Newton's
from those that fit best: by the slope of the likelihood of its games over their curvature.  To
fit each draw anew would give nearly the same, at two thousand times the cost (Davidson and
MacKinnon 1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ratingbook.lab.likelihood import Likelihood, Values
from ratingbook.lab.scores import LEAST

Array = np.ndarray[Any, Any]

DRAWS = 2000
_FIRST_STEP = 0.01
"""Of the width of a range: how far apart the first slope is measured."""
_LEAST_STEP, _GREATEST_STEP = 0.001, 0.1


def spread(
    likelihood: Likelihood, best: Values, blocks: Array, *, seed: int = 1
) -> tuple[list[float], list[float]]:
    """The lower and upper ends of the intervals of the parameters, within their ranges.

    ``blocks`` are whole numbers, one for each fitted game.  The same seed gives the same bits.
    """
    ranges = likelihood.ranges
    _, number = np.unique(blocks, return_inverse=True)
    count = int(number.max()) + 1
    if count == 1:
        # Of a single block nobody can say how another would differ.
        return [each.low for each in ranges], [each.high for each in ranges]
    steps = [_FIRST_STEP * each.width for each in ranges]
    errors = _errors(_slopes(likelihood, best, steps), likelihood, best)
    steps = [
        float(np.clip(error, _LEAST_STEP * each.width, _GREATEST_STEP * each.width))
        for each, error in zip(ranges, errors, strict=True)
    ]
    slopes = _slopes(likelihood, best, steps)
    pulls, curves = _pulls(slopes, likelihood, best)
    pulled = _by_block(pulls, number, count)
    # At an end of a range the slope is not 0; what is drawn is only how it varies.
    pulled -= pulled.mean(axis=0)
    curved = _by_block(curves, number, count)
    chance = np.random.Generator(np.random.PCG64(seed))
    weights = np.empty((DRAWS, count))
    for turn in range(DRAWS):
        weights[turn] = np.bincount(chance.integers(0, count, count), minlength=count)
    size = len(best)
    inverse = np.linalg.pinv((weights @ curved).reshape(DRAWS, size, size), hermitian=True)
    moved = np.einsum("dij,dj->di", inverse, weights @ pulled)
    # Few blocks vary less in their draws than the world does.
    wider = np.sqrt(count / (count - 1))
    ends = np.asarray(best) + wider * np.quantile(moved, [0.025, 0.975], axis=0)
    # Of what changes no game nothing is known.
    ends[:, ~np.any(slopes, axis=1)] = [[-np.inf], [np.inf]]
    low, high = (
        [
            round(float(np.clip(e, r.low, r.high)), r.digits)
            for e, r in zip(row, ranges, strict=True)
        ]
        for row in ends
    )
    return low, high


def _moved(likelihood: Likelihood, best: Values, at: int, by: float) -> Values:
    """The values with one of them moved, within its range, to a number that can be tried."""
    each = likelihood.ranges[at]
    value = round(best[at] + by, 0 if each.whole else each.digits)
    if each.whole and value == best[at]:
        value += 1 if by > 0 else -1
    return (*best[:at], min(each.high, max(each.low, value)), *best[at + 1 :])


def _slopes(likelihood: Likelihood, best: Values, steps: Sequence[float]) -> Array:
    """By how much the expected score of each fitted game changes with each parameter."""
    found = []
    for at, step in enumerate(steps):
        up, down = (_moved(likelihood, best, at, by) for by in (step, -step))
        apart = likelihood.expected(up) - likelihood.expected(down)
        found.append(apart[likelihood.fitted] / (up[at] - down[at]))
    return np.stack(found)


def _pulls(slopes: Array, likelihood: Likelihood, best: Values) -> tuple[Array, Array]:
    """The slopes of the logarithmic likelihood, game by game, and its expected curvatures.

    The curvatures of a game are the products of all pairs of parameters, in their order.
    """
    held = np.clip(likelihood.expected(best)[likelihood.fitted], LEAST, 1 - LEAST)
    varies = held * (1 - held)
    pulls: Array = slopes * (likelihood.score[likelihood.fitted] - held) / varies
    curves: Array = np.stack([one * other / varies for one in slopes for other in slopes])
    return pulls, curves


def _by_block(rows: Array, number: Array, count: int) -> Array:
    """The sums of each row by blocks: a line for each block."""
    return np.stack([np.bincount(number, weights=each, minlength=count) for each in rows], 1)


def _errors(slopes: Array, likelihood: Likelihood, best: Values) -> Array:
    """Standard errors, as if the games were independent and the rule book true."""
    _, curves = _pulls(slopes, likelihood, best)
    curve = curves.sum(axis=1).reshape(len(best), len(best))
    found: Array = np.sqrt(np.maximum(0, np.diag(np.linalg.pinv(curve))))
    return found
