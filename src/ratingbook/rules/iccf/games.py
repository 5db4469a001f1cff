"""Items 7, 8, 11, 12 and 18: which games of a report count, and with which ratings."""

from __future__ import annotations

from enum import IntEnum

from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN
from ratingbook.rules.half import Half, Part, Status
from ratingbook.rules.iccf.change import expectation
from ratingbook.rules.iccf.columns import (
    NO_RATING,
    Facts,
    Parameters,
    SignedPercent,
    Source,
    Standing,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Day, HalfPoints, Percent, Rating
from ratingbook.rules.usual import Side


@paragraph("18", "W − We of the substitute = {score} − {expected} = {value}")
def substitutes_difference(score: HalfPoints, expected: Percent) -> SignedPercent:
    """Item 18a: ΔW as the substitute would have it."""
    return 50 * score - expected


@paragraph(
    "18",
    "{difference} is positive: the game counts for the substitute",
    otherwise="{difference} is not positive: the game counts for the player replaced",
)
def counts_for_substitute(difference: SignedPercent) -> bool:
    """Item 18a: a game counts for the substitute only if his ΔW is positive."""
    return difference > 0


@paragraph(
    "18", "for the opponent against the higher rated of {substitute} and {replaced}: {value}"
)
def rating_for_opponent(substitute: Rating, replaced: Rating) -> Rating:
    """Item 18b: for the opponent the game counts against the higher rated of the two."""
    return max(substitute, replaced)


@paragraph("7", "{status}: not rated", silent=True)
def is_rated(status: Status) -> bool:
    """Item 7: what the tournament director registered (reading A26)."""
    return status < Status.CANCELLED


@paragraph("7", "no result: not rated", silent=True)
def has_result(score: HalfPoints) -> bool:
    """Item 7: a game with a result."""
    return score >= 0


@paragraph("12", "reported after {until}, the last day for this list: next list", silent=True)
def is_in_time(reported: Day, until: Day) -> bool:
    """Item 12: only results reported in time are rated for this list."""
    return reported <= until


class Player(IntEnum):
    """Whose rating it is."""

    PLAYER = 0
    OPPONENT = 1
    SUBSTITUTE = 2


@paragraph(
    "11",
    "the {who} has no published rating when the game begins: level {level}, by the {source}",
    role="level",
)
def assumed_rating(who: Player, level: Rating, source: Source) -> Rating:
    """Item 11: the rating with which a player without a published one counts."""
    return level


def rating_at_start(who: Player, listed: Rating, facts: Facts) -> Rating:
    """Items 8 and 11: the rating when the game began, else the level."""
    if listed != NO_RATING:
        return listed
    return assumed_rating(who, facts.level, facts.source)


def opponent_at_start(half: Half, facts: Facts) -> Rating:
    """The rating that the opponent counts with: with a substitute the higher of two."""
    rating = rating_at_start(Player.OPPONENT, half.opponent, facts)
    if half.opponents_partner == NOT_GIVEN:
        return rating
    replaced = rating_at_start(Player.OPPONENT, half.opponents_partner, facts)
    return rating_for_opponent(rating, replaced)


def counts_for_player(half: Half, facts: Facts, p: Parameters) -> bool:
    """Item 18a: whether a game in which a substitute played counts for this player."""
    if half.part == Part.ALONE:
        return True
    listed = half.own if half.part == Part.SUBSTITUTE else half.partner
    substitutes = rating_at_start(Player.SUBSTITUTE, listed, facts)
    expected = expectation(substitutes, opponent_at_start(half, facts), p)
    for_substitute = counts_for_substitute(substitutes_difference(half.score, expected))
    return for_substitute == (half.part == Part.SUBSTITUTE)


def counts(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> bool:
    """Items 7, 12 and 18a; without a level all need a published rating (readings A24, A30)."""
    if not is_rated(half.status) or not has_result(half.score):
        return False
    if not is_in_time(half.reported, facts.until):
        return False
    if facts.level == NO_RATING and NO_RATING in (
        half.own, half.opponent, half.partner, half.opponents_partner
    ):  # fmt: skip
        return False
    return counts_for_player(half, facts, p)


def predicted(entered: Standing, side: Side, p: Parameters) -> float:
    """Items 4 and 8: W_e of a side before the game, as a share of the point."""
    if NO_RATING in (side.own, side.opponent):
        return NO_NUMBER
    return expectation(side.own, side.opponent, p) / 100


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game, at the ratings at its beginning."""
    return Side(
        rating_at_start(Player.PLAYER, half.own, facts),
        opponent_at_start(half, facts),
        half.score,
        half.other,
        half.game,
    )
