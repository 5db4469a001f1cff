"""A period of one player, from the standing of the list in force to that of the next one."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.rules.bulk import NO_NUMBER, Outcome
from ratingbook.rules.fide.change import is_listed, new_rating, period_reckoning, rounded_change
from ratingbook.rules.fide.columns import (
    NO_RATING,
    BelowFloor,
    Parameters,
    Pool,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.fide.first import (
    first_rating_is_published,
    first_reckoning,
    has_games_for_first_rating,
    rounded_first_rating,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import SCORE_SCALE, Games, Rating


def listed_standing(
    rating: Rating,
    games: Games,
    published: bool,
    reached_top: bool,
    birth_year: int,
    standard: Rating,
    p: Parameters,
) -> Standing:
    """A standing by what is said of it; ``games`` below 0: their number is not known.

    ``published`` says whether the rating is on the list, as far as is known.
    """
    if rating == NO_RATING and p.pool != Pool.STANDARD and standard != NO_RATING:
        start = standard_rating_instead(standard)
        return Standing(start, max(0, games), reached_top, True, birth_year, standard)
    is_rated = published and rating != NO_RATING
    if is_rated and p.below_floor == BelowFloor.UNRATED:
        is_rated = is_listed(rating, p.floor)
    unknown = p.games_unknown if is_rated else 0
    number = unknown if games < 0 else games
    return Standing(rating, number, reached_top, is_rated, birth_year, standard)


@paragraph("12", "no rating on this list: the standard rating of {value} is used")
def standard_rating_instead(standard: Rating) -> Rating:
    """Paragraph 12: who has no rapid or blitz rating starts from the standard rating."""
    return standard


def entered(standing: Standing) -> Standing:
    """Only a published rating is in force."""
    rating = standing.rating if standing.published else NO_RATING
    return Standing(
        rating,
        standing.games,
        standing.reached_top,
        standing.published,
        standing.birth_year,
        standing.standard,
    )


def rating_in_force(listed: Rating, named: Rating) -> Rating:
    """The rating of the list in force when the event started; ``named`` where it is another.

    A player who is unrated on the list of this period is unrated in all games.
    """
    return listed if NO_RATING in (named, listed) else named


def reckon(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """The one round of a period: sums for a rated player, a first rating for others."""
    if standing.rating == NO_RATING:
        return first_reckoning(standing, sides, p)
    return period_reckoning(standing, sides, p)


def left(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the period; its rating is settled last: the explanation ends in it."""
    if entered.rating == NO_RATING:
        enough = has_games_for_first_rating(value.pooled, p)
        if value.pooled == 0:
            return entered
        published = enough and first_rating_is_published(value.total, p)
        rating = rounded_first_rating(value.total)
        return Standing(
            rating,
            max(value.pooled, entered.games + value.games),
            entered.reached_top or (published and rating >= p.top_rating),
            published,
            entered.birth_year,
            entered.standard,
        )
    change = rounded_change(value.total)
    listed = is_listed(entered.rating + change, p.floor)
    rating = new_rating(entered.rating, change)
    return Standing(
        rating,
        entered.games + value.games,
        value.reached_top or max(entered.rating, rating) >= p.top_rating,
        listed,
        entered.birth_year,
        entered.standard,
    )


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of a period: an unrated player has no expected score."""
    rated = entered.rating != NO_RATING
    has_number = rated or value.pooled > 0
    return Outcome(
        float(entered.rating) if rated else NO_NUMBER,
        float(left.rating) if has_number else NO_NUMBER,
        value.games,
        value.score,
        value.expected / SCORE_SCALE if rated else NO_NUMBER,
    )
