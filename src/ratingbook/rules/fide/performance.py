"""Paragraph 7: the performance rating."""

from __future__ import annotations

from ratingbook.rules.fide.first import (
    opponents_average,
    percentage_score,
    performance_difference,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Difference, Games, HalfPoints, Rating


@paragraph("7", "performance {average} + ({difference}) = {value}")
def performance(average: Rating, difference: Difference) -> Rating:
    """Rp = Rc + d_p."""
    return average + difference


def performance_rating(total: int, score: HalfPoints, games: Games) -> Rating:
    """The performance rating of a series against rated opponents.

    ``total`` is the sum of the opponents' ratings, ``games`` at least 1.
    """
    difference = performance_difference(percentage_score(score, games))
    return performance(opponents_average(total, games), difference)
