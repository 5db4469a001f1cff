"""Paragraphs 7 and 13: the performance rating, and what it is worth towards a title.

From the title regulations (B.01): the performance that a norm asks for, with the
rating of one weak opponent raised.  Titles and federations of the opponents are for
the office to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.fide.columns import NO_RATING, Parameters
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


NORM_GAMES = 9
"""Games that a norm needs."""


class Norm(NamedTuple):
    """What a norm for a title asks for."""

    title: str
    performance: Rating
    average: Rating
    """Least average of the opponents."""
    floor: Rating
    """What the weakest opponent counts as, at least."""


NORMS = (
    Norm("GM", 2600, 2380, 2200),
    Norm("IM", 2450, 2230, 2050),
    Norm("WGM", 2400, 2180, 2000),
    Norm("WIM", 2250, 2030, 1850),
)
"""The norms, from the hardest on."""


@paragraph("13", "the weakest opponent, {weakest}, counts as {value}")
def raised(weakest: Rating, floor: Rating) -> Rating:
    """Paragraph 13: one opponent is raised to the adjusted rating floor of the title."""
    return max(weakest, floor)


@paragraph(
    "13",
    "performance {performance}, average of the opponents {average}: enough for {norm.title}",
    otherwise="performance {performance}, average of the opponents {average}: not enough for "
    "{norm.title}",
)
def is_norm(performance: Rating, average: Rating, norm: Norm) -> bool:
    """Paragraph 13: the performance and the opposition of a norm."""
    return performance >= norm.performance and average >= norm.average


def _average(total: int, games: Games) -> Rating:
    return (2 * total + games) // (2 * games)


def best_norm(
    opponents: Sequence[Rating], score: HalfPoints, woman: bool, p: Parameters
) -> Norm | None:
    """The hardest title whose performance was reached over at least nine games.

    An opponent without a rating counts as the floor of the list; the weakest one is raised.
    """
    games = len(opponents)
    if games < NORM_GAMES:
        return None
    counted = [p.floor if each == NO_RATING else each for each in opponents]
    total, weakest = sum(counted), min(counted)
    for norm in NORMS:
        if norm.title.startswith("W") and not woman:
            continue
        # Most opponents are too weak for any: then nobody need ask for the performance.
        raised_total = total - weakest + raised(weakest, norm.floor)
        average = _average(raised_total, games)
        if average < norm.average:
            continue
        if is_norm(performance_rating(raised_total, score, games), average, norm):
            return norm
    return None
