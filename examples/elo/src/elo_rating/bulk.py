"""What the edition gives the engine for histories: columns of games, one after the other."""

import math

from elo_rating.columns import Facts, Known, Parameters, Reckoning, Side, Standing
from elo_rating.entries import named_season
from elo_rating.rules import brought, entered, left, no_game, reckon, season_of, with_game
from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NOT_GIVEN,
    UNRATED,
    Bulk,
    Entered,
    Fold,
    Half,
    Listed,
    Outcome,
)


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing by the players file; one without a rating starts with the first game."""
    season = season_of(known.last_played, NOT_GIVEN, p)
    return Standing(known.rating, known.games, season, season)


def facts_of(event: Event, p: Parameters) -> Facts:
    """The season that the event names; every game is rated by itself."""
    return Facts(named_season(event))


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """Paragraphs 1, 8 and 9."""
    now = season_of(how.day, facts.season, p)
    return entered(
        brought(standing.rating, standing.games, standing.season, now, how.decided.rating), p
    )


def counts(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> bool:
    """Every game of the columns was played."""
    return True


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game, at the ratings just before it."""
    return Side(opponent.rating, half.score, half.other, half.game, half.margin, half.home)


def is_sum(entered: Standing, p: Parameters) -> bool:
    """Everybody's game is reckoned by the fold."""
    return True


def reckoned(entered: Standing, reckoning: Reckoning, p: Parameters) -> Reckoning:
    """The fold has the value already."""
    return reckoning


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The row of a game; a newcomer has no rating before it (reading E8)."""
    before = stored.rating if math.isnan(stored.rating) else entered.rating
    return Outcome(before, left.rating, value.games, value.score, value.expected)


def listed(standing: Standing, p: Parameters) -> Listed:
    """Who has played, or came with a rating, is on the list."""
    is_rated = not math.isnan(standing.rating)
    status = ESTABLISHED if is_rated else UNRATED
    return Listed(standing.rating, standing.games, status, is_rated)


ELO_BULK = Bulk(
    known=Known,
    facts=Facts,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    kernels=(reckon,),
    fold=Fold(Reckoning, no_game, with_game, reckoned, is_sum),
    leave=left,
    outcome=outcome,
    listed=listed,
    counts_margins=True,
)
