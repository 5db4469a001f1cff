"""How columns of games are rated: event by event, section by section."""

from icu_rating.columns import (
    NO_NUMBER_YET,
    NO_RATING,
    Following,
    Kind,
    Known,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
from icu_rating.phases import KERNELS, between, has_bonus, moved, round_at
from icu_rating.rules import entered, games_so_far, kind_of, left, side_against
from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    PROVISIONAL,
    UNRATED,
    Bulk,
    Entered,
    Half,
    Listed,
    NoFacts,
    Outcome,
)
from ratingbook.rules.units import SCORE_SCALE


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing before the first game, by the players file."""
    return Standing(
        rating=known.rating,
        games=games_so_far(known.rating, known.games),
        foreign=known.foreign,
        joined=known.joined,
        born=NOT_GIVEN,
        start=NOT_GIVEN,
        decided_k=0,
        kind=Kind.UNRATED,
        k=0,
        performance=NO_NUMBER_YET,
        change=0,
        expected=0,
        bonus=0,
        bonus_rating=NO_NUMBER_YET,
    )


def assumed(known: Known, rating: float, p: Parameters) -> Standing:
    """The same with a rating that is assumed."""
    return standing_of(known._replace(rating=int(rating)), p)


def facts_of(event: Event, p: Parameters) -> NoFacts:
    """The text asks nothing of an event but its first day."""
    return NoFacts()


def enter(standing: Standing, how: Entered, facts: NoFacts, p: Parameters) -> Standing:
    """Paragraphs 2 and 3."""
    return entered(standing._replace(born=how.birth, start=how.start, decided_k=0))


def counts(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> bool:
    """The columns hold games that were played."""
    return True


def side_of(half: Half, own: Standing, opponent: Standing, facts: NoFacts, p: Parameters) -> Side:
    """The player's half of a game."""
    return side_against(opponent, half.score, half.other, half.game)


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """Paragraph 6."""
    return left(entered, value)


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of the row."""
    return Outcome(
        rating_or_none(stored.rating),
        rating_or_none(left.rating),
        value.games,
        value.score,
        value.expected / SCORE_SCALE,
    )


def rating_or_none(rating: int) -> float:
    """The rating as a number of the table."""
    return NO_NUMBER if rating == NO_RATING else float(rating)


def listed(standing: Standing, p: Parameters) -> Listed:
    """What the final table says."""
    kind = kind_of(standing.rating, standing.games, standing.foreign)
    if kind == Kind.UNRATED:
        return Listed(NO_NUMBER, standing.games, UNRATED, False)
    status = PROVISIONAL if kind == Kind.PROVISIONAL else ESTABLISHED
    return Listed(float(standing.rating), standing.games, status, True)


def caveat_of(event: Event, p: Parameters) -> str:
    """Columns have no order of players."""
    if p.following == Following.IN_TURN:
        return "bonus ratings follow the new change all together (reading I1)"
    return ""


ICU_BULK = Bulk(
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
    kernels=KERNELS,
    round_at=round_at,
    wants=has_bonus,
    moved=moved,
    between=between,
    leave=leave,
    outcome=outcome,
    listed=listed,
    caveat_of=caveat_of,
)
