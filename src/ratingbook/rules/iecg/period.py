"""Section VI: the one round of a period, and the standing after it."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.rules.iecg.columns import (
    NO_RATING,
    FixedRating,
    Parameters,
    Reckoning,
    Side,
    Standing,
    Status,
)
from ratingbook.rules.iecg.entry_rating import (
    becomes_established,
    is_first_publication,
    is_published,
    tournament_entry_rating,
)
from ratingbook.rules.iecg.established import established_reckoning
from ratingbook.rules.iecg.lists import bounded_rating, listed_rating, whole
from ratingbook.rules.iecg.provisional import provisional_reckoning
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FIXED_SCALE, Games, Rating, within_lists


@paragraph("II.4", "no game finished in the period: {value} stays")
def unchanged_rating(rating: Rating) -> FixedRating:
    """II.4: without a batch there is nothing to calculate."""
    return rating * FIXED_SCALE


@paragraph("VI.1", "games {value.games}, score {value.score}; all ratings are of the last list")
def period_reckoning(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """VI.1: every rating is taken from the previous list, so no order is needed."""
    games = 0
    for side in sides:
        if side.game >= 0:
            games += 1
    if games == 0:
        return Reckoning(standing.ter, unchanged_rating(standing.rating), 0, 0, 0)
    if standing.status == Status.ESTABLISHED:
        return established_reckoning(standing, sides, p)
    return provisional_reckoning(standing, sides, p)


def left(entered: Standing, played: Games, exact: FixedRating, p: Parameters) -> Standing:
    """The standing on the new list; its rating is settled last, the explanation ends in it."""
    if played == 0 and entered.rating == NO_RATING:
        return entered
    games = entered.games + played
    status, published = entered.status, True
    if status != Status.ESTABLISHED:
        published = is_published(games, p)
        is_first_publication(entered.games, games, p)
        if played:
            status = Status.PROVISIONAL
        if becomes_established(games, p):
            status = Status.ESTABLISHED
    settled = within_lists(whole(exact, p))
    ter = tournament_entry_rating(status, games, settled, entered.starting, p)
    rating = listed_rating(exact, p)
    if rating != settled:
        rating = bounded_rating(rating)
    return Standing(rating, games, status, entered.starting, ter, published)
