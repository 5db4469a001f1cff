"""Win, draw or loss: how likely each is, and how good such predictions were.

Davidson (1970) gives the two sides and the draw odds of e^(d/2) : e^(−d/2) : ν for the difference
d of their strengths; Davidson and Beaver (1977) add to d what the order of the two is worth.  Even
sides draw ν / (2 + ν) of their games.  White's expected score E = win + draw / 2 says the same as
d: win · loss = (draw / ν)² gives the share of draws that goes with E, in closed form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ratingbook.lab.scores import LEAST

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Outcomes:
    """Of each game White's expected score and the probability of a draw; NaN: nothing is known."""

    expected: Array
    draw: Array

    @property
    def win(self) -> Array:
        """The probability that White wins."""
        found: Array = self.expected - self.draw / 2
        return found

    @property
    def loss(self) -> Array:
        """The probability that Black wins."""
        found: Array = 1 - self.expected - self.draw / 2
        return found

    def of(self, some: Array) -> Outcomes:
        """The same of some of the games."""
        return Outcomes(self.expected[some], self.draw[some])

    def log_losses(self, score: Array) -> Array:
        """−ln of the probability of what happened, in nats, held as in :mod:`.scores`."""
        happened = np.select([score == 1.0, score == 0.0], [self.win, self.loss], self.draw)
        losses: Array = -np.log(np.clip(happened, LEAST, 1 - LEAST))
        return losses

    def ranked(self, score: Array) -> Array:
        """The ranked probability score (Epstein 1969): a draw is nearer to a win than a loss is."""
        lost = np.square(self.loss - (score == 0.0))
        won = np.square(self.win - (score == 1.0))
        found: Array = (lost + won) / 2
        return found

    def squares(self, score: Array) -> Array:
        """The score of Brier (1950) over the three outcomes, from 0 to 2."""
        found: Array = (
            np.square(self.win - (score == 1.0))
            + np.square(self.draw - (score == 0.5))
            + np.square(self.loss - (score == 0.0))
        )
        return found


def of_difference(d: Array, nu: float) -> Outcomes:
    """Davidson's probabilities by the difference of two strengths, what the order adds included."""
    # Over the larger of the odds, so that nothing becomes too large.
    win, loss = np.exp(np.minimum(d, 0.0)), np.exp(np.minimum(-d, 0.0))
    draw = nu * np.exp(-np.abs(d) / 2)
    total = win + loss + draw
    return Outcomes((win + draw / 2) / total, draw / total)


def of_expected(expected: Array, nu: float) -> Outcomes:
    """Davidson's probabilities by White's expected score, which stays as it is."""
    if nu == 0:
        return Outcomes(expected, np.where(np.isnan(expected), np.nan, 0.0))
    varied = 4 * expected * (1 - expected)
    return Outcomes(expected, varied * nu / (nu + np.sqrt(nu * nu + varied * (4 - nu * nu))))
