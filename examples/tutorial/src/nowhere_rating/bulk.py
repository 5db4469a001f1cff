"""How columns of games are rated: the report is a quarter of a year."""

from datetime import date

from nowhere_rating.columns import NO_RATING, Known, Parameters, Reckoning, Side, Standing
from nowhere_rating.reform import reformed
from nowhere_rating.rules import has_rating, left, reckon
from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    UNRATED,
    Bulk,
    Calendar,
    Entered,
    Half,
    Listed,
    NoFacts,
    Outcome,
)
from ratingbook.rules.units import SCORE_SCALE


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing before the first game, by the players file."""
    return Standing(known.rating, known.games)


def assumed(known: Known, rating: float, p: Parameters) -> Standing:
    """A player without a rating under ``--assume``."""
    return Standing(int(rating), known.games)


def facts_of(event: Event, p: Parameters) -> NoFacts:
    """The rules ask nothing of an event but its day."""
    return NoFacts()


def enter(standing: Standing, how: Entered, facts: NoFacts, p: Parameters) -> Standing:
    """Nothing is settled beforehand."""
    return standing


def counts(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> bool:
    """Paragraph 1; the columns hold games that were played."""
    return has_rating(opponent.rating)


def side_of(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> Side:
    """The player's half of a game, at the ratings of before the quarter."""
    return Side(own.rating, opponent.rating, half.score, half.other, half.game)


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of the row."""
    after = float(left.rating) if left.rating != NO_RATING else NO_NUMBER
    if stored.rating == NO_RATING:
        return Outcome(NO_NUMBER, after, value.games, value.score, NO_NUMBER)
    expected = value.expected / SCORE_SCALE
    return Outcome(float(stored.rating), after, value.games, value.score, expected)


def listed(standing: Standing, p: Parameters) -> Listed:
    """What the final table says."""
    if standing.rating == NO_RATING:
        return Listed(NO_NUMBER, standing.games, UNRATED, False)
    return Listed(float(standing.rating), standing.games, ESTABLISHED, True)


def list_taking(end: date, facts: NoFacts) -> date:
    """Paragraph 7: the first day of the quarter after the event."""
    quarter = (end.month - 1) // 3
    return date(end.year + quarter // 3, (quarter + 1) % 4 * 3 + 1, 1)


NOWHERE_BULK = Bulk(
    known=Known,
    facts=NoFacts,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    assumed=assumed,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    kernels=(reckon,),
    leave=left,
    outcome=outcome,
    listed=listed,
    calendar=Calendar(list_taking),
    reformed=reformed,
)
