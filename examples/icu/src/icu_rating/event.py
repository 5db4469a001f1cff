"""Paragraphs 8 and 9, and how an event is rated: the rounds, and what comes in and goes out."""

from collections.abc import Sequence

from icu_rating.rules import (
    FULL_GAMES,
    NO_NUMBER_YET,
    NO_RATING,
    Decided,
    Following,
    Kind,
    Known,
    Parameters,
    Side,
    Standing,
    bonus_for,
    enter,
    exact,
    has_fixed_number,
    kind_of,
    leave,
    number_with,
    own_number,
    performance_of,
    with_games,
    with_sides,
)
from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NEVER_STILL,
    NO_NUMBER,
    NOT_GIVEN,
    PROVISIONAL,
    UNRATED,
    Bulk,
    Listed,
    Nothing,
    Outcome,
    Turns,
)
from ratingbook.rules.half import Half
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import SCORE_SCALE, ExactRating


@paragraph("9", silent=30)
def most_turns(version: int, second_phase: bool) -> int:
    """Paragraph 9: there are no more estimates of the performances than this."""
    if version >= 3:
        return 50
    return 1 if version == 0 and second_phase else 30


@paragraph("9", silent=SCORE_SCALE // 2)
def threshold(version: int) -> ExactRating:
    """Paragraph 9: 0.5, and from version 2 on 0.1."""
    return SCORE_SCALE // 2 if version < 2 else SCORE_SCALE // 10


@paragraph("9", "bonus ratings follow the new change", silent=False)
def bonus_rating_follows(version: int) -> bool:
    """Paragraph 9: from version 2 on bonuses stay and bonus ratings follow the new change."""
    return version >= 2


PERFORM, RATE, RATE_AGAIN, BONUSES_AGAIN = range(4)


def round_at(number: int, p: Parameters) -> Turns:
    """Paragraphs 4, 7 and 8: the rounds; those from the third on follow upon a bonus."""
    if number == 0:
        return performances(p.version, False)
    if number == 1:
        return Turns(RATE, 1, NEVER_STILL, False, False, False, False)
    if number == 2:
        in_turn = bonus_rating_follows(p.version) and p.following == Following.IN_TURN
        return Turns(RATE_AGAIN, 1, NEVER_STILL, False, False, True, in_turn)
    if number == 3:
        return performances(p.version, True)
    if number == 4 and not bonus_rating_follows(p.version):
        return Turns(BONUSES_AGAIN, 1, NEVER_STILL, False, False, True, False)
    return Turns(-1, 0, NEVER_STILL, False, False, False, False)


def performances(version: int, second_phase: bool) -> Turns:
    """Paragraph 4: performances until none moves; only with several turns must they settle."""
    most = most_turns(version, second_phase)
    still = float(threshold(version))
    return Turns(PERFORM, most, still, second_phase, most > 1, second_phase, False)


@paragraph("8", silent=False)
def has_bonus(value: Standing) -> bool:
    """Paragraph 8: after any bonus there is a second phase."""
    return value.bonus > 0


def perform(standing: Standing, sides: Sequence[Side], p: Parameters) -> Standing:
    """Paragraph 4; all but the performance stays as it was."""
    return with_sides(standing, sides)._replace(value=performance_of(standing, sides))


@paragraph("5", "all games: {value.played}, score {value.score}, expected {value.expected}, "
           "change {value.change}")  # fmt: skip
def rate(standing: Standing, sides: Sequence[Side], p: Parameters) -> Standing:
    """Paragraphs 5 and 7: expected scores, changes and bonuses."""
    so_far = with_games(standing, sides)
    bonus = 0 if p.no_bonuses else bonus_for(so_far)
    return so_far._replace(bonus=bonus, bonus_rating=number_with(so_far, bonus))


@paragraph("8", "somebody has a bonus, so all are rated once more: expected {value.expected}, "
           "change {value.change}")  # fmt: skip
def rate_again(standing: Standing, sides: Sequence[Side], p: Parameters) -> Standing:
    """Paragraph 8: the same games, at the bonus ratings."""
    so_far = with_games(standing, sides)
    if so_far.bonus == 0 or not bonus_rating_follows(p.version):
        return so_far
    return so_far._replace(bonus_rating=number_with(so_far, so_far.bonus))


def bonuses_again(standing: Standing, sides: Sequence[Side], p: Parameters) -> Standing:
    """Paragraph 9: up to version 1 a bonus that follows from the new change replaces the old."""
    so_far = with_sides(standing, sides)
    bonus = bonus_for(so_far)
    if bonus == 0:
        return so_far
    return so_far._replace(bonus=bonus, bonus_rating=number_with(so_far, bonus))


def moved(side: Side, value: Standing) -> Side:
    """The side with the opponent's number after a round."""
    if side.kind == Kind.RATED and value.bonus_rating != NO_NUMBER_YET:
        return side._replace(opponent=value.bonus_rating)
    if has_fixed_number(side.kind):
        return side
    return side._replace(opponent=value.value)


def between(entered: Standing, value: Standing) -> Standing:
    """The player with what the round before left of him."""
    return value


def standing_of(known: Known, p: Parameters) -> Standing:
    """The player as a report or a players file says (reading I3)."""
    told = known.games != NOT_GIVEN or known.rating == NO_RATING
    games = known.games
    if games == NOT_GIVEN:
        games = 0 if told else FULL_GAMES
    return Standing(
        rating=known.rating,
        games=games,
        told=told,
        foreign=known.foreign,
        joined=known.joined,
        birth_year=known.birth_year,
        kind=Kind.UNRATED,
        k=0,
        value=NO_NUMBER_YET,
        change=0,
        expected=0,
        bonus=0,
        bonus_rating=NO_NUMBER_YET,
        played=0,
        met=0,
        score=0,
    )


def known_of(standing: Standing, p: Parameters) -> Known:
    """What a report says of the player afterwards."""
    games = standing.games if standing.told else NOT_GIVEN
    return Known(standing.rating, games, standing.foreign, standing.joined, standing.birth_year)


def assumed(known: Known, rating: float, p: Parameters) -> Standing:
    """A player without a rating, of whom one is assumed."""
    return standing_of(known._replace(rating=int(rating)), p)


def side_of(half: Half, own: Standing, opponent: Standing, facts: Nothing, p: Parameters) -> Side:
    """A side, with the opponent's number before anybody has a performance."""
    return Side(own_number(opponent), opponent.kind, half.score, half.other, half.game)


def counted(entered: Standing, sides: list[Side], p: Parameters) -> list[Side]:
    """The games that went into a rating: those against opponents who have a number."""
    if entered.foreign:
        return []
    return [side for side in sides if side.opponent != NO_NUMBER_YET]


def outcome(
    stored: Standing, entered: Standing, value: Standing, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of the row."""
    before = NO_NUMBER if stored.rating == NO_RATING else float(stored.rating)
    after = NO_NUMBER if left.rating == NO_RATING else float(left.rating)
    return Outcome(before, after, value.played, value.score, value.expected / SCORE_SCALE)


def listed(standing: Standing, p: Parameters) -> Listed:
    """What the list says."""
    kind = kind_of(standing.rating, standing.games, standing.foreign)
    if kind == Kind.UNRATED:
        return Listed(NO_NUMBER, standing.games, UNRATED, False)
    status = PROVISIONAL if kind == Kind.PROVISIONAL else ESTABLISHED
    return Listed(float(standing.rating), standing.games, status, True)


def performance(
    entered: Standing, sides: list[Side], value: Standing, p: Parameters
) -> float | None:
    """Paragraph 4: the performance, if there is one."""
    return None if value.value == NO_NUMBER_YET else value.value / SCORE_SCALE


def caveat_of(event: Event, p: Parameters) -> str:
    """Columns have another order of players than the reports."""
    told = "bonus ratings follow in the order of the players' first games (reading I1)"
    return told if p.following == Following.IN_TURN else ""


ICU = Bulk(
    known=Known,
    standing=Standing,
    side=Side,
    value=Standing,
    decisions=Decided,
    standing_of=standing_of,
    known_of=known_of,
    assumed=assumed,
    enter=enter,
    side_of=side_of,
    kernels=(perform, rate, rate_again, bonuses_again),
    round_at=round_at,
    wants=has_bonus,
    moved=moved,
    between=between,
    counted=counted,
    leave=leave,
    exact=exact,
    outcome=outcome,
    listed=listed,
    performance=performance,
    caveat_of=caveat_of,
)
