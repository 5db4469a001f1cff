"""A period of one player, from the standing of the list in force to that of the next one."""

from __future__ import annotations

from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    PROVISIONAL,
    STARTING,
    UNLISTED,
    UNRATED,
    Outcome,
)
from ratingbook.rules.fide.change import is_listed, new_rating, rounded_change
from ratingbook.rules.fide.columns import (
    NO_RATING,
    BelowFloor,
    Parameters,
    Pool,
    Reckoning,
    Standing,
)
from ratingbook.rules.fide.first import first_rating_is_published, rounded_first_rating
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import SCORE_SCALE, Rating

_GREATEST_K_OF_RATED = 20
"""On the lists of any edition a greater K is that of players with fewer than 30 games, or of
juniors."""
_TOP_K = 10
"""On the lists of any edition the K of players who have been rated 2400 or more."""


def listed_standing(said: Standing, p: Parameters) -> Standing:
    """A standing by what is said of it; games below 0: their number is not known.

    The status and the K of the list may be NOT_GIVEN, too, where nothing is said of them.
    """
    rating, status = said.rating, said.status
    now = ESTABLISHED
    if rating == NO_RATING or status in (UNRATED, PROVISIONAL):
        now = UNRATED
    elif status == UNLISTED or (
        p.below_floor == BelowFloor.UNRATED and not is_listed(rating, p.floor)
    ):
        now = UNLISTED
    games, k, reached_top = said.games, NOT_GIVEN, said.reached_top
    if games < 0:
        games = 0
        if now == ESTABLISHED:
            k = max(0, said.listed_k)
            reached_top = reached_top or k == _TOP_K
            if k <= _GREATEST_K_OF_RATED:
                games = p.games_unknown
    return said._replace(games=games, reached_top=reached_top, status=now, listed_k=k)


@paragraph("12", "no rating on this list: the standard rating of {value} is used", role="begin")
def standard_rating_instead(standard: Rating) -> Rating:
    """Paragraph 12: a player who has no rapid or blitz rating starts from the standard rating."""
    return standard


def entered(standing: Standing, p: Parameters) -> Standing:
    """Only a published rating is in force, or the standard one from which a player starts (12).

    Games towards a first rating, which there will not be, were never rated (reading F38).
    """
    if standing.status in (ESTABLISHED, STARTING):
        return standing
    if p.pool == Pool.STANDARD or standing.standard == NO_RATING:
        return standing._replace(rating=NO_RATING)
    return standing._replace(
        rating=standard_rating_instead(standing.standard),
        games=standing.games if standing.status == UNLISTED else 0,
        status=STARTING,
    )


def rating_in_force(listed: Rating, named: Rating) -> Rating:
    """The rating of the list in force when the event started; ``named`` where it is another.

    A player who is unrated on the list of this period is unrated in all games.
    """
    return listed if NO_RATING in (named, listed) else named


def rating_for_others(listed: Rating, named: Rating) -> Rating:
    """What a player is for opponents: unrated whenever unrated at the start of the event, or now.

    Readings F17 and F37.
    """
    return named if listed != NO_RATING else NO_RATING


@paragraph("2b", "by decision of the office the computation starts from {decided}, not {rating}")
def base_of_computation(rating: Rating, decided: Rating) -> Rating:
    """Paragraph 2, with a correction of the list by the office (reading F15)."""
    return decided


def corrected(standing: Standing, decided: Rating, p: Parameters) -> Standing:
    """The standing of a corrected list; a player who is not in force on it stays so."""
    now = entered(standing, p)
    if now.status == STARTING:
        return now._replace(rating=base_of_computation(now.rating, decided))
    is_new = standing.rating == NO_RATING
    said = standing._replace(
        rating=base_of_computation(standing.rating, decided),
        games=NOT_GIVEN if is_new and standing.games == 0 else standing.games,
        status=NOT_GIVEN if is_new else standing.status,
    )
    return listed_standing(said, p)


def left(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the period; its rating is settled last: the explanation ends in it."""
    if entered.rating == NO_RATING:
        if value.pooled == 0:
            return entered
        published = value.enough and first_rating_is_published(value.total, p)
        rating = rounded_first_rating(value.total)
        # Games that were dropped before they gave a rating have never been rated (F34).
        was_listed = entered.status == UNLISTED
        games = entered.games + value.games if was_listed else value.pooled
        status = ESTABLISHED if published else entered.status
    else:
        change = rounded_change(value.total, p)
        published = is_listed(entered.rating + change, p.floor)
        rating = new_rating(entered.rating, change)
        games = entered.games + value.games
        status = ESTABLISHED if published else UNLISTED
    after = entered._replace(rating=rating, games=games, status=status)
    return published_standing(after, entered.rating, p)


def published_standing(standing: Standing, before: Rating, p: Parameters) -> Standing:
    """The standing with the memory of what published ratings have reached (2d, 2g).

    ``before`` is the rating of the list before, or NO_RATING.
    """
    listed = standing.rating if standing.status == ESTABLISHED else NO_RATING
    return with_memory(standing, max(before, listed), p)


def remembering(standing: Standing, number: Rating, p: Parameters) -> Standing:
    """The standing as a game sees it that names a number; 0 is none."""
    return with_memory(standing, number, p) if number > 0 else standing


def with_memory(standing: Standing, published: Rating, p: Parameters) -> Standing:
    """The standing with the memory of a rating that was published (2d, 2g)."""
    return standing._replace(
        reached_top=standing.reached_top or published >= p.top_rating,
        reached_junior=standing.reached_junior or published >= p.junior_rating,
    )


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of a period: an unrated player has no expected score.

    ``before`` is what was published, also where the office decided otherwise, or where the
    player starts from the standard rating.
    """
    rated = entered.rating != NO_RATING
    has_number = rated or value.pooled > 0
    was_listed = rated and stored.status == ESTABLISHED
    return Outcome(
        float(stored.rating) if was_listed else NO_NUMBER,
        float(left.rating) if has_number else NO_NUMBER,
        value.games,
        value.score,
        value.expected / SCORE_SCALE if rated else NO_NUMBER,
    )


def exact(entered: Standing, value: Reckoning, left: Standing, p: Parameters) -> float:
    """The new rating, unrounded."""
    if entered.rating == NO_RATING and value.pooled == 0:
        return NO_NUMBER
    return (entered.rating * SCORE_SCALE + value.total) / SCORE_SCALE
