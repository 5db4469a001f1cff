"""Paragraph 8: all ratings change once."""

from nowhere_rating.columns import Parameters, Standing
from nowhere_rating.rules import has_rating
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_up
from ratingbook.rules.units import Rating

LIFT_TO = 1400


@paragraph("8", "{rating}, raised half of the way to 1400: {value}", edition="nowhere-2026")
def lifted(rating: Rating) -> Rating:
    """Paragraph 8: half of what a rating lacks to 1400, rounded half up."""
    return rating + half_up(LIFT_TO - rating, 2)


def reformed(standing: Standing, p: Parameters) -> Standing:
    """A standing of the list of 1 January 2026."""
    if not has_rating(standing.rating) or standing.rating >= LIFT_TO:
        return standing
    return Standing(lifted(standing.rating), standing.games)
