"""Section I and V.2: from ratings to scores, and from scores to ratings."""

from __future__ import annotations

import math

from ratingbook.rules.iecg.columns import FloatDifference
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Difference, Games, HalfPoints, Probability, Rating


def _probability(difference: Difference) -> Probability:
    return 1 / (1 + 10 ** (-difference / 400))


_WIDEST = 400
_EXACT = 2**56
_PROBABILITIES = tuple(
    int(_probability(difference) * _EXACT) for difference in range(-_WIDEST, _WIDEST + 1)
)
"""P(D) from −400 to 400, which are whole multiples of 2⁻⁵⁶."""


@paragraph("I.3", "P(D) = 1 / (1 + 10^(−({difference}) / 400)) = {value}")
def performance_probability(difference: Difference) -> Probability:
    """I.3: P(D), for a difference of −400 to 400 points .0909 to .9091, computed beforehand."""
    if abs(difference) <= _WIDEST:
        return _PROBABILITIES[difference + _WIDEST] / _EXACT
    return _probability(difference)


@paragraph("I.4", "D(p) = −400 · log10((1 − p) / p) = {value} for p = {percentage}")
def expected_rating_change(percentage: Probability) -> FloatDifference:
    """I.4: D(p), −800 to 800 points.

    Between 0 and 1 it passes these ends from about p = .99 on (reading B14).
    """
    if percentage <= 0:
        return -800.0
    if percentage >= 1:
        return 800.0
    return 0 - 400 * math.log10((1 - percentage) / percentage)


@paragraph("I.6", "p = (2W + D) / (2N) = {score} / {games} = {value}")
def percentage_result(score: HalfPoints, games: Games) -> Probability:
    """I.6: p = (2W + D) / (2N); ``score`` is 2W + D, ``games`` is N, at least 1."""
    return score / (2 * games)


@paragraph("V.2", "We = P({own} − {opponent}) = {value}", role="expected")
def expected_result(own: Rating, opponent: Rating) -> Probability:
    """V.2: We, by I.3 from the difference of the two ratings."""
    return performance_probability(own - opponent)
