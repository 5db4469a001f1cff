"""Paragraphs 2, 5, 9, 10 and 12: the change over an event."""

from __future__ import annotations

import math

from ratingbook.rules.egf.columns import (
    EventTally,
    Formula,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.egf.expected import con, expected_score
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import TOLERANCE
from ratingbook.rules.units import FIXED_SCALE, FixedPoints, FloatRating, Probability, fixed


@paragraph("5", "change {side.con} × ({side.score} − {expected}) = {value}", role="change")
def game_change(side: Side, expected: Probability) -> float:
    """Paragraph 5: con · (SA − SE), in points."""
    return side.con * (side.score / 2 - expected)


@paragraph("5", "change {side.con} × ({side.score} − ({expected})) = {value}", role="change")
def game_change_below_zero(side: Side, expected: Probability) -> float:
    """Paragraph 5: con · (SA − SE), where ε makes SE negative."""
    return side.con * (side.score / 2 - expected)


def change_of_game(side: Side, expected: float) -> float:
    """Paragraph 5: con · (SA − SE), in points."""
    if expected < 0.0:
        return game_change_below_zero(side, expected)
    return game_change(side, expected)


@paragraph("9", "con = ((3300 {rating:less}) / 200)^1.6 = {value}", role="coefficient")
def smooth_con(rating: FloatRating) -> float:
    """Paragraph 9 (2021): con = ((3300 − r) / 200)^1.6."""
    return float((max(0.0, 3300.0 - rating) / 200.0) ** 1.6)


@paragraph("9", "bonus ln(1 + e^((2300 {rating:less}) / 80)) / 5 = {value}", role="bonus")
def bonus(rating: FloatRating) -> float:
    """Paragraph 9 (2021): what each game adds, against deflation."""
    return math.log(1.0 + math.exp((2300.0 - rating) / 80.0)) / 5.0


@paragraph("10", "class weight {weight} × ({change}) = {value}", role="change")
def weighted(change: float, weight: float) -> float:
    """Paragraph 10: the weight of the tournament's class multiplies the change."""
    return weight * change


@paragraph("9", "with the bonus: {change} + {bonus} = {value}", role="change")
def with_bonus(change: float, bonus: float) -> float:
    """Paragraph 9 (2021): the change and the bonus; the class weight is of both."""
    return change + bonus


@paragraph("4", "con on trial: {con} × {factor} = {value}", role="coefficient")
def con_on_trial(con: float, factor: float) -> float:
    """Paragraph 4: con times what somebody set."""
    return con * factor


@paragraph("9", "con on trial: {con} × {factor} = {value}", role="coefficient")
def smooth_con_on_trial(con: float, factor: float) -> float:
    """Paragraph 9 (2021): con times what somebody set."""
    return con * factor


@paragraph("9", "bonus on trial: {bonus} × {factor} = {value}", role="bonus")
def bonus_on_trial(bonus: float, factor: float) -> float:
    """Paragraph 9 (2021): the bonus times what somebody set."""
    return bonus * factor


def con_of(rating: FloatRating, p: Parameters) -> float:
    """Paragraphs 4 and 9: con by the edition's formula."""
    if p.formula == Formula.SMOOTH:
        found = smooth_con(rating)
        return found if p.con_factor == 1.0 else smooth_con_on_trial(found, p.con_factor)
    found = con(rating, p)
    return found if p.con_factor == 1.0 else con_on_trial(found, p.con_factor)


def bonus_of(rating: FloatRating, p: Parameters) -> float:
    """Paragraph 9: the bonus, where the edition has one."""
    if p.formula != Formula.SMOOTH:
        return 0.0
    found = bonus(rating)
    return found if p.bonus_factor == 1.0 else bonus_on_trial(found, p.bonus_factor)


def weighted_change(side: Side, expected: float, p: Parameters) -> float:
    """Paragraphs 5, 9 and 10: what one game brings, in points."""
    change = change_of_game(side, expected)
    if p.formula == Formula.SMOOTH:
        change = with_bonus(change, side.bonus)
    return weighted(change, side.weight) if side.weight != 1.0 else change


@paragraph("12", "an event costs at most {most} × {weight}: {total} becomes {value}")
def capped_loss(total: FixedPoints, most: float, weight: float) -> FixedPoints:
    """Paragraph 12: the most that an event may cost, times the class weight."""
    return max(total, -fixed(most * weight))


@paragraph("5", "new rating, with the sum of the changes: {rating} {total:sum} = {value}")
def new_rating(rating: FloatRating, total: FixedPoints) -> FloatRating:
    """Paragraph 5: R' = R + the changes of all games of the event."""
    return rating + total / FIXED_SCALE


@paragraph("2", "{rating} is below the floor: {value}")
def at_floor(rating: FloatRating, floor: FloatRating) -> FloatRating:
    """Paragraph 2: a lower result becomes the floor."""
    return max(rating, floor)


def no_sides(standing: Standing, p: Parameters) -> EventTally:
    """Before the first side."""
    return EventTally(0, 0, 0, 0, 1.0)


def with_side(tally: EventTally, standing: Standing, side: Side, p: Parameters) -> EventTally:
    """What one more side brings: points and expected score, each rounded once to 2⁻⁴⁰."""
    expected = expected_score(side, p)
    return EventTally(
        tally.total + fixed(weighted_change(side, expected, p)),
        tally.games + 1,
        tally.score + side.score,
        tally.expected + fixed(expected),
        side.weight,
    )


def reckoning_of(standing: Standing, tally: EventTally, p: Parameters) -> Reckoning:
    """What all sides come to: the loss is capped, the new rating not below the floor."""
    total = tally.total
    if p.loss_cap > 0.0 and total < -fixed(p.loss_cap * tally.weight):
        total = capped_loss(total, p.loss_cap, tally.weight)
    rating = standing.rating
    if tally.games > 0:
        rating = new_rating(rating, total)
        if rating < p.floor:
            rating = at_floor(rating, p.floor)
    return Reckoning(rating, total, tally.games, tally.score, tally.expected)


@paragraph("5", "{rating} is rounded to {value}, a half up")
def rounded_to(rating: FloatRating, rounded: float) -> float:
    """Paragraph 5: a rating that rounding changes."""
    return rounded


@paragraph("5", "published: {value}")
def published_rating(rating: FloatRating, decimals: int) -> float:
    """Paragraph 5: the rating as the list prints it, a half up; the decimals are kept.

    A rating within 10⁻⁹ of a half counts as it: ε and most decimals are not binary fractions.
    """
    scale = 10.0**decimals
    rounded = math.floor((rating + TOLERANCE) * scale + 0.5)
    published = rounded / scale if decimals > 0 else rounded
    return rounded_to(rating, published) if published != rating else published
