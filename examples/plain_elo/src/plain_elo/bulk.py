"""How columns of games are rated: the report is a month."""

from datetime import date

from plain_elo.columns import NO_RATING, Known, Parameters, Reckoning, Side, Standing
from plain_elo.rules import entered, left, no_games, reckon, with_game
from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    UNRATED,
    Bulk,
    Calendar,
    Entered,
    Fold,
    Half,
    Listed,
    NoFacts,
    Outcome,
)
from ratingbook.rules.units import SCORE_SCALE


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing before the first game, by the players file."""
    return Standing(known.rating, known.games)


def facts_of(event: Event, p: Parameters) -> NoFacts:
    """The text asks nothing of an event but its day."""
    return NoFacts()


def enter(standing: Standing, how: Entered, facts: NoFacts, p: Parameters) -> Standing:
    """Paragraph 1."""
    return entered(standing, p)


def counts(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> bool:
    """The columns hold games that were played."""
    return True


def side_of(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> Side:
    """The player's half of a game, at the ratings of before the month."""
    return Side(own.rating, opponent.rating, half.score, half.other, half.game)


def is_sum(entered: Standing, p: Parameters) -> bool:
    """Everybody's month is a sum over the games."""
    return True


def reckoned(entered: Standing, reckoning: Reckoning, p: Parameters) -> Reckoning:
    """The sum is the value."""
    return reckoning


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of the row."""
    before = NO_NUMBER if stored.rating == NO_RATING else float(stored.rating)
    expected = value.expected / SCORE_SCALE
    return Outcome(before, float(left.rating), value.games, value.score, expected)


def listed(standing: Standing, p: Parameters) -> Listed:
    """What the final table says."""
    if standing.rating == NO_RATING:
        return Listed(NO_NUMBER, standing.games, UNRATED, False)
    return Listed(float(standing.rating), standing.games, ESTABLISHED, True)


def list_taking(end: date, facts: NoFacts) -> date:
    """Paragraph 5: the first day of the month after the event."""
    return date(end.year + end.month // 12, end.month % 12 + 1, 1)


PLAIN_ELO_BULK = Bulk(
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
    fold=Fold(Reckoning, no_games, with_game, reckoned, is_sum),
    leave=left,
    outcome=outcome,
    listed=listed,
    calendar=Calendar(list_taking),
)
