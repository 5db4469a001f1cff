"""What a rule book does not know and its games do: who moves first, who is at home, how sure it is.

The layer lies on top of the expected scores: logit E' = shift + slope · logit E.  It is found
on the games that only find the ratings, and held against those that come after.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ratingbook.lab.scores import LEAST

Array = np.ndarray[Any, Any]

ENOUGH = 100
"""Fewer games find no layer."""
_TURNS = 50
_STILL = 1e-12


@dataclass(frozen=True)
class Layer:
    """``shift`` above 0: White scores more than is expected; ``slope`` below 1: favourites less."""

    shift: float = 0.0
    slope: float = 1.0

    def on(self, expected: Array) -> Array:
        """The expected scores with the layer."""
        found: Array = 1 / (1 + np.exp(-(self.shift + self.slope * logit(expected))))
        return found


def logit(expected: Array) -> Array:
    """ln(E / (1 − E)), within the bounds of the logarithmic loss."""
    held = np.clip(expected, LEAST, 1 - LEAST)
    found: Array = np.log(held / (1 - held))
    return found


def fitted(expected: Array, score: Array) -> Layer:
    """The layer of least logarithmic loss on some games, by Newton's method.

    Where there are too few games, or all were won or lost, there is none.
    """
    if len(score) < ENOUGH or score.min() == score.max():
        return Layer()
    features = np.column_stack([np.ones(len(score)), logit(expected)])
    if np.ptp(features[:, 1]) == 0:
        features = features[:, :1]
    found = np.zeros(features.shape[1])
    for _ in range(_TURNS):
        held = 1 / (1 + np.exp(-features @ found))
        curve = (features * (held * (1 - held))[:, None]).T @ features
        step = np.linalg.solve(curve, features.T @ (score - held))
        found = found + step
        if np.abs(step).max() < _STILL:
            break
    shift, *slope = found.tolist()
    return Layer(shift, *slope) if slope else Layer(shift, 0.0)
