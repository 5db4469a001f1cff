"""Paragraph 11: one-off changes of all ratings of a list."""

from __future__ import annotations

from ratingbook.rules.bulk import ESTABLISHED, UNLISTED
from ratingbook.rules.fide.columns import NO_RATING, Parameters, Pool, Standing
from ratingbook.rules.fide.period import published_standing
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_up
from ratingbook.rules.units import SCORE_SCALE, Rating, scaled


@paragraph("11", "March 2024: {rating} + {p.list_lift} × ({p.list_lift_to} − {rating}) = {value}")
def lifted(rating: Rating, p: Parameters) -> Rating:
    """Paragraph 11: R + 0.4 · (2000 − R) for a standard rating below 2000, rounded half up."""
    return rating + half_up(scaled(p.list_lift) * (p.list_lift_to - rating), SCORE_SCALE)


@paragraph("11", "October 2022: {rating} is more than {gap} below {standard}: {value}")
def drawn_up(rating: Rating, standard: Rating, gap: Rating) -> Rating:
    """Paragraph 11: a rapid or blitz rating more than 100 below the standard one."""
    return standard - gap


def reformed(standing: Standing, p: Parameters) -> Standing:
    """A standing after the reform with which the stage of ``p`` begins.

    The list that it changes was made by the floor of before; who is below the one of ``p`` now is
    not on it.
    """
    rating = standing.rating
    if rating == NO_RATING:
        return standing
    if p.pool == Pool.STANDARD:
        if p.list_lift > 0 and rating < p.list_lift_to:
            rating = lifted(rating, p)
    elif p.list_gap > 0 and standing.standard - rating > p.list_gap:
        rating = drawn_up(rating, standing.standard, p.list_gap)
    status = standing.status
    if status == ESTABLISHED and rating < p.floor:
        status = UNLISTED
    return published_standing(standing._replace(rating=rating, status=status), NO_RATING, p)
