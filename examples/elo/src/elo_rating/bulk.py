"""What the edition gives the engine for histories: columns of games, one after the other."""

import math

from elo_rating.columns import Known, Parameters, Reckoning, Side, Standing
from elo_rating.rules import entered, left, no_game, reckon, with_game
from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    UNRATED,
    Bulk,
    Entered,
    Fold,
    Half,
    Listed,
    NoFacts,
    Outcome,
)


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing by the players file; one without a rating starts with the first game."""
    return Standing(known.rating, known.games)


def facts_of(event: Event, p: Parameters) -> NoFacts:
    """Events are of no matter: every game is rated by itself."""
    return NoFacts()


def enter(standing: Standing, how: Entered, facts: NoFacts, p: Parameters) -> Standing:
    """Paragraph 1."""
    return entered(standing, p)


def counts(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> bool:
    """Every game of the columns was played."""
    return True


def side_of(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> Side:
    """The side of a game, at the ratings just before it."""
    return Side(opponent.rating, half.score, half.other, half.game)


def is_sum(entered: Standing, p: Parameters) -> bool:
    """Everybody's game is reckoned by the fold."""
    return True


def reckoned(entered: Standing, reckoning: Reckoning, p: Parameters) -> Reckoning:
    """The fold has the value already."""
    return reckoning


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The row of a game."""
    return Outcome(stored.rating, left.rating, value.games, value.score, value.expected)


def listed(standing: Standing, p: Parameters) -> Listed:
    """Who has played, or came with a rating, is on the list."""
    is_rated = not math.isnan(standing.rating)
    status = ESTABLISHED if is_rated else UNRATED
    return Listed(standing.rating, standing.games, status, is_rated)


ELO_BULK = Bulk(
    known=Known,
    facts=NoFacts,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    kernels=(reckon,),
    fold=Fold(Reckoning, is_sum, no_game, with_game, reckoned),
    leave=left,
    outcome=outcome,
    listed=listed,
)
