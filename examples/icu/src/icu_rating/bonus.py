"""Paragraph 7: the bonus."""

from icu_rating.columns import NO_NUMBER_YET, Kind, Standing
from icu_rating.rules import TOP
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_away_from_zero
from ratingbook.rules.units import (
    SCORE_SCALE,
    Coefficient,
    Difference,
    ExactRating,
    Games,
    Points,
    Rating,
)


def bonus_for(
    standing: Standing, change: Points, performance: ExactRating, games: Games
) -> Difference:
    """Paragraph 7: the bonus that this change brings, or 0."""
    if standing.kind != Kind.RATED:
        return 0
    rating, k = standing.rating, standing.k
    if not may_have_bonus(rating, k, games) or not earns_bonus(rating, change):
        return 0
    bonus = basic_bonus(change, games)
    if bonus <= 0:
        return 0
    if k >= 40:
        bonus = raised_bonus(bonus)
    for most in (TOP * SCORE_SCALE, performance):
        if rating_with(rating, change, bonus) > most:
            bonus = limited_bonus(rating, change, most)
    return max(0, bonus)


@paragraph("7", "K {k}, rating {rating}, {games} games: a bonus is possible", silent=False)
def may_have_bonus(rating: Rating, k: Coefficient, games: Games) -> bool:
    """Paragraph 7: a K above 24, a rating under 2100, and more than 4 games (reading I6)."""
    return k > 24 and rating < TOP and games > 4


@paragraph(
    "7",
    "change {change}, more than 35: a bonus may follow",
    otherwise="change {change}: no bonus",
)
def earns_bonus(rating: Rating, change: Points) -> bool:
    """Paragraph 7: a change of more than 35 that does not reach 2100 by itself."""
    return change > 35 * SCORE_SCALE and rating * SCORE_SCALE + change < TOP * SCORE_SCALE


@paragraph("7", "bonus {change} − (32 + 3 × ({games} − 4)), rounded: {value}")
def basic_bonus(change: Points, games: Games) -> Difference:
    """Paragraph 7: what the change is above 32 and 3 for each game after the fourth."""
    return half_away_from_zero(change - (32 + 3 * (games - 4)) * SCORE_SCALE, SCORE_SCALE)


@paragraph("7", "{bonus} × 1.25, rounded: {value}")
def raised_bonus(bonus: Difference) -> Difference:
    """Paragraph 7: a quarter more from a K of 40 on."""
    return half_away_from_zero(5 * bonus, 4)


def rating_with(rating: Rating, change: Points, bonus: Difference) -> ExactRating:
    """The rating with change and bonus."""
    return (rating + bonus) * SCORE_SCALE + change


@paragraph("7", "{rating} {change:sum} and the bonus may not pass {most}: bonus {value}")
def limited_bonus(rating: Rating, change: Points, most: ExactRating) -> Difference:
    """Paragraph 7: what is left up to 2100, and to the player's own performance."""
    return half_away_from_zero(most - rating * SCORE_SCALE - change, SCORE_SCALE)


@paragraph("7", "counts as {value} for the opponents")
def bonus_rating(rating: Rating, change: Points, bonus: Difference) -> ExactRating:
    """Paragraph 7: the number of a player with a bonus for all who met him."""
    return rating_with(rating, change, bonus)


def number_with(standing: Standing, change: Points, bonus: Difference) -> ExactRating:
    """The bonus rating of who has a bonus."""
    if bonus == 0:
        return NO_NUMBER_YET
    return bonus_rating(standing.rating, change, bonus)
