"""Section VI: the one round of a period, and the standing after it."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.rules.iecg.columns import (
    NO_GAMES,
    NO_RATING,
    FixedRating,
    Parameters,
    Reckoning,
    Standing,
    Status,
    Tally,
)
from ratingbook.rules.iecg.entry_rating import (
    becomes_established,
    is_first_publication,
    is_published,
    ter_after,
)
from ratingbook.rules.iecg.established import (
    coefficient_of,
    expected_of,
    new_rating,
    with_change,
)
from ratingbook.rules.iecg.lists import bounded_rating, listed_rating, whole
from ratingbook.rules.iecg.provisional import (
    rating_of_games,
    rests_on_earlier_games,
    with_game,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FIXED_SCALE, Games, HalfPoints, Rating, within_lists
from ratingbook.rules.usual import Side


@paragraph("II.4", "no game finished in the period: {value} stays")
def unchanged_rating(rating: Rating) -> FixedRating:
    """II.4: without a batch there is nothing to calculate."""
    return rating * FIXED_SCALE


@paragraph(
    "IV.1", "earlier games: {games}, their score {score}, their opponents {total} in all", silent=0
)
def earlier_games(games: Games, score: HalfPoints, total: int) -> Games:
    """IV.1: what the earlier games bring along, where they are not told one by one."""
    return games


@paragraph(
    "IV.1",
    "earlier games of which only the number is known: {games}; they are taken as draws with equals "
    "(reading B29)",
    silent=0,
)
def earlier_games_assumed(games: Games) -> Games:
    """IV.1 needs what all games came to, also where nobody says it."""
    return games


def begun(standing: Standing, p: Parameters) -> Tally:
    """Before the first game of the period."""
    if standing.status == Status.ESTABLISHED:
        return NO_GAMES._replace(k=coefficient_of(standing.rating, standing.games))
    if rests_on_earlier_games(standing.status, p):
        score, total = standing.score, standing.total
        games = earlier_games(standing.games, score, total)
        return NO_GAMES._replace(
            games=games, score=score, total=total, earlier=games, earlier_score=score
        )
    return NO_GAMES


def resumed(standing: Standing, carried: Sequence[Side], games: Games, p: Parameters) -> Tally:
    """The same in a report, which brings the earlier games, and so many of the period.

    They do not count for a player who is new again (IX.5 b, VIII.5).  Where the standing says what
    they come to, it need not bring all of them.
    """
    tally = NO_GAMES
    if games == 0:
        return tally
    if standing.status == Status.ESTABLISHED or len(carried) < standing.games:
        return begun(standing, p)
    if standing.games and rests_on_earlier_games(standing.status, p):
        for side in carried:
            tally = with_side(tally, standing, side, p)
    return tally._replace(earlier=tally.games, earlier_score=tally.score)


def with_side(tally: Tally, standing: Standing, side: Side, p: Parameters) -> Tally:
    """One more game, by the section that the player is rated by."""
    if standing.status == Status.ESTABLISHED:
        return with_change(tally, side, expected_of(side, p))
    return with_game(tally, side, p)


@paragraph("VI.1", "games {value.games}, score {value.score}; all ratings are of the last list")
def reckoned(standing: Standing, tally: Tally, p: Parameters) -> Reckoning:
    """VI.1: every rating is taken from the previous list, so no order is needed."""
    games = tally.games - tally.earlier
    if games == 0:
        exact = unchanged_rating(standing.rating)
    elif standing.status == Status.ESTABLISHED:
        exact = new_rating(standing.rating, tally.change)
    else:
        exact = rating_of_games(tally.total, tally.score, tally.games)
    score = tally.score - tally.earlier_score
    return Reckoning(exact, games, score, tally.expected, tally.score, tally.total)


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing on the new list; its rating is settled last, the explanation ends in it."""
    if value.games == 0 and entered.rating == NO_RATING:
        return entered
    games = entered.games + value.games
    status, published = entered.status, True
    if status != Status.ESTABLISHED:
        published = is_published(games, p)
        is_first_publication(entered.games, games, p)
        if value.games:
            status = Status.PROVISIONAL
        if becomes_established(games, p):
            status = Status.ESTABLISHED
    settled = within_lists(whole(value.exact, p))
    ter = ter_after(status, games, settled, entered.starting, p)
    rating = listed_rating(value.exact, p)
    if rating != settled:
        rating = bounded_rating(rating)
    if status == Status.ESTABLISHED:
        return Standing(rating, games, status, NO_RATING, ter, published, 0, 0)
    score, total = value.score_so_far, value.total
    return Standing(rating, games, status, entered.starting, ter, published, score, total)
