"""Paragraphs 1 and 3: the expected score."""

from __future__ import annotations

import math

from ratingbook.rules.fide.columns import Expectancy, Parameters
from ratingbook.rules.fide.tables import probability_of_higher
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import SCORE_SCALE, Difference, Expectation, Rating

_HUNDREDTH = SCORE_SCALE // 100


@paragraph("1a", "expected score 1 / (1 + 10^(−({difference}) / 400)) = {value}")
def expected_by_formula(difference: Difference) -> Expectation:
    """Paragraph 1: E_A = 1 / (1 + 10^((R_B − R_A) / 400)).

    ``difference`` is R_A − R_B in points.  The value is rounded once to the scale
    of whole numbers that the rules sum up.
    """
    return math.floor(SCORE_SCALE / (1 + 10 ** (-difference / 400)) + 0.5)


@paragraph("1b", "difference {own} − {opponent} = {value}")
def rating_difference(own: Rating, opponent: Rating) -> Difference:
    """Paragraph 1: R_A − R_B, in points."""
    return own - opponent


@paragraph("1b", "more than {cap} points: counts as {value}")
def counted_difference(difference: Difference, cap: Rating) -> Difference:
    """Paragraph 1: a difference above 400 points counts as 400."""
    return max(-cap, min(cap, difference))


@paragraph("1c", "table 8.1.2: expected score {value} for a difference of {difference}")
def expected_by_table(difference: Difference) -> Expectation:
    """Paragraph 1: the expected score as printed in table 8.1.2.

    The lower rated player has what the higher rated one leaves (paragraph 3).
    """
    share = probability_of_higher(abs(difference)) * _HUNDREDTH
    return SCORE_SCALE - share if difference < 0 else share


def expected_score(own: Rating, opponent: Rating, p: Parameters) -> Expectation:
    """Paragraphs 1a–1c together: expected score of one game."""
    difference = rating_difference(own, opponent)
    if abs(difference) > p.cap:
        difference = counted_difference(difference, p.cap)
    if p.expectancy == Expectancy.LOGISTIC:
        return expected_by_formula(difference)
    return expected_by_table(difference)
