"""Paragraphs 8 and 9: which kernels run, and how often."""

from collections.abc import Sequence
from typing import Annotated

from icu_rating.bonus import bonus_for, number_with
from icu_rating.columns import (
    NO_NUMBER_YET,
    Parameters,
    Reckoning,
    Side,
    Standing,
    Sums,
)
from icu_rating.rules import after_round, number_after, performance_of, sums_of
from ratingbook.rules.bulk import NEVER_STILL, Turns
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import SCORE_SCALE, Difference, ExactRating, Unit

Estimates = Annotated[int, Unit("estimates")]
"""How often performances are estimated."""


@paragraph("9", silent=30)
def most_turns(version: int, second_phase: bool) -> Estimates:
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
NAMES = (
    "performances",
    "ratings",
    "ratings, second phase",
    "performances, second phase",
    "bonuses, second phase",
)
"""Of the rounds, in their order."""


def round_at(number: int, p: Parameters) -> Turns:
    """Paragraphs 4, 7 and 8: the rounds; those from the third on follow upon a bonus."""
    if number == 0:
        return performances(p.version, False)
    if number == 1:
        return Turns(RATE, 1, NEVER_STILL, False, False, False, False)
    if number == 2:
        return Turns(RATE_AGAIN, 1, NEVER_STILL, False, False, True, False)
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
def has_bonus(value: Reckoning) -> bool:
    """Paragraph 8: after any bonus there is a second phase."""
    return value.bonus > 0


def reckoned(
    sides: Sequence[Side],
    performance: ExactRating,
    sums: Sums,
    bonus: Difference,
    bonus_rating: ExactRating,
) -> Reckoning:
    """What a round leaves, with the games and the score."""
    met, score = 0, 0
    for side in sides:
        score += side.score
        if side.opponent != NO_NUMBER_YET:
            met += 1
    return Reckoning(
        performance, sums.change, sums.expected, bonus, bonus_rating, len(sides), met, score
    )


def perform(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Paragraph 4; all but the performance stays as it was."""
    performance = performance_of(standing, sides)
    sums = Sums(standing.change, standing.expected)
    return reckoned(sides, performance, sums, standing.bonus, standing.bonus_rating)


@paragraph("5", "all games: {value.games}, score {value.score}, expected {value.expected}, "
           "change {value.change}")  # fmt: skip
def rate(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Paragraphs 5 and 7: expected scores, changes and bonuses."""
    sums = sums_of(standing, sides)
    bonus = 0
    if not p.no_bonuses:
        bonus = bonus_for(standing, sums.change, standing.performance, len(sides))
    number = number_with(standing, sums.change, bonus)
    return reckoned(sides, standing.performance, sums, bonus, number)


@paragraph("8", "somebody has a bonus, so all are rated once more: expected {value.expected}, "
           "change {value.change}")  # fmt: skip
def rate_again(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Paragraph 8: the same games, at the bonus ratings."""
    sums = sums_of(standing, sides)
    number = standing.bonus_rating
    if standing.bonus > 0 and bonus_rating_follows(p.version):
        number = number_with(standing, sums.change, standing.bonus)
    return reckoned(sides, standing.performance, sums, standing.bonus, number)


def bonuses_again(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Paragraph 9: up to version 1 a bonus that follows from the new change replaces the old."""
    bonus = bonus_for(standing, standing.change, standing.performance, len(sides))
    sums = Sums(standing.change, standing.expected)
    number = standing.bonus_rating
    if bonus == 0:
        bonus = standing.bonus
    else:
        number = number_with(standing, standing.change, bonus)
    return reckoned(sides, standing.performance, sums, bonus, number)


KERNELS = (perform, rate, rate_again, bonuses_again)


def moved(side: Side, value: Reckoning) -> Side:
    """The side with the opponent's number after a round."""
    return side._replace(opponent=number_after(side.opponent, side.kind, value))


def between(entered: Standing, value: Reckoning) -> Standing:
    """The player with what the round before left of him."""
    return after_round(entered, value)
