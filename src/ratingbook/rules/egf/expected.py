"""Paragraphs 3, 4, 6 and 9: the expected score by table or β, and handicap."""

from __future__ import annotations

import math

from ratingbook.rules.egf.columns import (
    AboveTable,
    EpsilonSplit,
    Formula,
    Parameters,
    Side,
    Strength,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, Probability, Rating

TABLE_2 = (
    (116, 200), (110, 195), (105, 190), (100, 185), (95, 180), (90, 175), (85, 170), (80, 165),
    (75, 160), (70, 155), (65, 150), (60, 145), (55, 140), (51, 135), (47, 130), (43, 125),
    (39, 120), (35, 115), (31, 110), (27, 105), (24, 100), (21, 95), (18, 90), (15, 85),
    (13, 80), (11, 75), (10, 70),
)  # fmt: skip
"""con and a for 100, 200, … 2700."""

_CON = tuple(con for con, _ in TABLE_2)
_A = tuple(a for _, a in TABLE_2)
_FIRST = 100
_STEP = 100
_LAST_ROW = len(TABLE_2) - 1


def _row(rating: float) -> int:
    """The row from which to interpolate, or to extrapolate above the table."""
    above = rating - _FIRST
    row = int(above / _STEP)
    # The quotient may have been rounded up to a whole number.
    row -= int(_STEP * row > above)
    return max(0, min(row, _LAST_ROW - 1))


def _place(rating: float, row: int, p: Parameters) -> float:
    """How far the rating lies from that row to the next; held at the ends of the table."""
    place = (rating - (_FIRST + _STEP * row)) / _STEP
    if place < 0.0:
        return 0.0
    if place > 1.0 and p.above_table == AboveTable.HOLD:
        return 1.0
    return place


@paragraph("4", "con = {value} for {rating}: row {row} of the table", role="coefficient")
def con_of_row(rating: FloatRating, row: Rating, printed: int) -> float:
    """Paragraph 4: con as table 2 prints it, for a rating of a row or beyond the ends."""
    return float(printed)


@paragraph(
    "4",
    "con of {rating}, by {first} at {lower} and {second} at {upper}: "
    "{first} + ({second} − {first}) × ({rating} − {lower}) / 100 = {value}",
    role="coefficient",
)
def con_by_rows(
    rating: FloatRating, lower: Rating, upper: Rating, first: int, second: int
) -> float:
    """Paragraph 4: con on the straight line through two rows of table 2."""
    return first + (second - first) * ((rating - lower) / _STEP)


def con(rating: FloatRating, p: Parameters) -> float:
    """Paragraph 4: con of table 2, linear between its rows."""
    row = _row(rating)
    place = _place(rating, row, p)
    lower = _FIRST + _STEP * row
    if place == 0.0:
        return con_of_row(rating, lower, _CON[row])
    if place == 1.0:
        return con_of_row(rating, lower + _STEP, _CON[row + 1])
    return con_by_rows(rating, lower, lower + _STEP, _CON[row], _CON[row + 1])


@paragraph("4", "a = {value} for {rating}: row {row} of the table")
def a_of_row(rating: FloatRating, row: Rating, printed: int) -> float:
    """Paragraph 4: a as table 2 prints it, for a rating of a row or beyond the ends."""
    return float(printed)


@paragraph(
    "4",
    "a of {rating}, by {first} at {lower} and {second} at {upper}: "
    "{first} + ({second} − {first}) × ({rating} − {lower}) / 100 = {value}",
)
def a_by_rows(rating: FloatRating, lower: Rating, upper: Rating, first: int, second: int) -> float:
    """Paragraph 4: a on the straight line through two rows of table 2."""
    return first + (second - first) * ((rating - lower) / _STEP)


def a(rating: FloatRating, p: Parameters) -> float:
    """Paragraph 4: a of table 2, linear between its rows."""
    row = _row(rating)
    place = _place(rating, row, p)
    lower = _FIRST + _STEP * row
    if place == 0.0:
        return a_of_row(rating, lower, _A[row])
    if place == 1.0:
        return a_of_row(rating, lower + _STEP, _A[row + 1])
    return a_by_rows(rating, lower, lower + _STEP, _A[row], _A[row + 1])


@paragraph("9", "β({rating}) = −7 × ln(3300 {rating:less}) = {value}")
def beta(rating: FloatRating) -> float:
    """Paragraph 9 (2021): β(r) = −7 · ln(3300 − r)."""
    return -7.0 * math.log(max(1.0, 3300.0 - rating))


@paragraph("4", "a on trial: {a} × {factor} = {value}")
def a_on_trial(a: float, factor: float) -> float:
    """Paragraph 4: a times what somebody set."""
    return a * factor


@paragraph("9", "β on trial: {beta} / {factor} = {value}")
def beta_on_trial(beta: float, factor: float) -> float:
    """Paragraph 9 (2021): β over what somebody set."""
    return beta / factor


def curve_of(rating: FloatRating, p: Parameters) -> float:
    """Paragraphs 4 and 9: what the expected score needs of a rating, a of the table or β."""
    if p.formula == Formula.SMOOTH:
        found = beta(rating)
        return found if p.a_factor == 1.0 else beta_on_trial(found, p.a_factor)
    found = a(rating, p)
    return found if p.a_factor == 1.0 else a_on_trial(found, p.a_factor)


@paragraph("6", "handicap {handicap}: {rating} + {stone} × ({handicap} − 0.5) = {value}")
def with_handicap(rating: FloatRating, handicap: int, stone: float) -> FloatRating:
    """Paragraph 6: the stones raise their recipient by 100 · (H − 0.5)."""
    return rating + stone * (handicap - 0.5)


def strength(rating: FloatRating, curve: float, stones: int, p: Parameters) -> Strength:
    """Paragraph 6: the rating in a game in which so many stones are received."""
    if stones == 0:
        return Strength(rating, curve)
    raised = with_handicap(rating, stones, p.stone)
    return Strength(raised, curve_of(raised, p))


@paragraph("3", "difference {higher} − {lower} = {value}")
def difference_between(higher: FloatRating, lower: FloatRating) -> FloatRating:
    """Paragraph 3: D, the difference of the two ratings, handicap included."""
    return higher - lower


@paragraph(
    "3",
    "a = {weaker.curve} at {weaker.rating}: expected 1 / (e^({difference} / {weaker.curve}) + 1) = "
    "{value} for the weaker side",
    role="expected",
)
def expected_of_weaker(difference: FloatRating, weaker: Strength) -> Probability:
    """Paragraph 3: SE(A) = 1 / (e^(D/a) + 1), with D ≥ 0 and A the weaker side."""
    return 1.0 / (math.exp(difference / weaker.curve) + 1.0)


@paragraph("3", "1 − {expected} = {value} for the stronger side", role="expected")
def expected_of_stronger(expected: Probability) -> Probability:
    """Paragraph 3: what the weaker side leaves, before ε."""
    return 1.0 - expected


@paragraph("3", "less ε = {epsilon}: {expected} − {epsilon} = {value}", role="expected")
def less_epsilon(expected: Probability, epsilon: float) -> Probability:
    """Paragraph 3: SE(A) + SE(B) = 1 − ε, all of it off the stronger side."""
    return expected - epsilon


@paragraph("3", "less half of ε = {epsilon}: {expected} − {epsilon} / 2 = {value}", role="expected")
def less_half_of_epsilon(expected: Probability, epsilon: float) -> Probability:
    """Paragraph 3: SE(A) + SE(B) = 1 − ε, half of it off each side."""
    return expected - epsilon / 2.0


def expected_by_table(own: Strength, opponent: Strength, p: Parameters) -> float:
    """Paragraphs 3 and 4: the expected score, with a of the weaker side."""
    stronger = own.rating > opponent.rating
    weaker = opponent if stronger else own
    difference = difference_between(max(own.rating, opponent.rating), weaker.rating)
    expected = expected_of_weaker(difference, weaker)
    if stronger:
        expected = expected_of_stronger(expected)
    if p.epsilon == 0.0:
        return expected
    if p.epsilon_split == EpsilonSplit.HALF:
        return less_half_of_epsilon(expected, p.epsilon)
    return less_epsilon(expected, p.epsilon) if stronger else expected


@paragraph(
    "9",
    "β({opponent.rating}) = {opponent.curve}: expected 1 / (1 + e^({opponent.curve} "
    "{own.curve:less})) = {value}",
    role="expected",
)
def expected_by_beta(own: Strength, opponent: Strength) -> Probability:
    """Paragraph 9 (2021): SE = 1 / (1 + exp(β(r2) − β(r1)))."""
    return 1.0 / (1.0 + math.exp(opponent.curve - own.curve))


def expected_between(own: Strength, opponent: Strength, p: Parameters) -> float:
    """The expected score of the first of two, by the edition's formula."""
    if p.formula == Formula.SMOOTH:
        return expected_by_beta(own, opponent)
    return expected_by_table(own, opponent, p)


def expected_score(side: Side, p: Parameters) -> float:
    """The expected score of one side, handicap included."""
    own = strength(side.own, side.own_curve, side.own_stones, p)
    return expected_between(
        own, strength(side.opponent, side.opponent_curve, side.opponent_stones, p), p
    )
