"""Paragraphs 2, 5, 9, 10 and 12: the change over an event."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.egf.columns import (
    AnySide,
    Entrant,
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


@paragraph("5", "change {con} × ({side.score} − {expected}) = {value}")
def game_change(side: AnySide, con: float, expected: Probability) -> float:
    """Paragraph 5: con · (SA − SE), in points."""
    return con * (side.score / 2 - expected)


@paragraph("5", "change {con} × ({side.score} − ({expected})) = {value}")
def game_change_below_zero(side: AnySide, con: float, expected: Probability) -> float:
    """Paragraph 5: con · (SA − SE), where ε makes SE negative."""
    return con * (side.score / 2 - expected)


def change_of_game(side: AnySide, con: float, expected: float) -> float:
    """Paragraph 5: con · (SA − SE), in points."""
    if expected < 0.0:
        return game_change_below_zero(side, con, expected)
    return game_change(side, con, expected)


@paragraph("9", "con = ((3300 − ({rating})) / 200)^1.6 = {value}")
def smooth_con(rating: FloatRating) -> float:
    """Paragraph 9 (2021): con = ((3300 − r) / 200)^1.6."""
    return float((max(0.0, 3300.0 - rating) / 200.0) ** 1.6)


@paragraph("9", "bonus ln(1 + e^((2300 − ({rating})) / 80)) / 5 = {value}")
def bonus(rating: FloatRating) -> float:
    """Paragraph 9 (2021): what each game adds, against deflation."""
    return math.log(1.0 + math.exp((2300.0 - rating) / 80.0)) / 5.0


@paragraph("10", "class weight {weight} × ({change}) = {value}")
def weighted(change: float, weight: float) -> float:
    """Paragraph 10: the weight of the tournament's class multiplies the change."""
    return weight * change


@paragraph("9", "with the bonus: {change} + {bonus} = {value}")
def with_bonus(change: float, bonus: float) -> float:
    """Paragraph 9 (2021): the change and the bonus; the class weight is of both."""
    return change + bonus


class GameShare(NamedTuple):
    """What one game brings: points and expected score, each rounded once to 2⁻⁴⁰."""

    change: FixedPoints
    expected: FixedPoints


def con_of(rating: FloatRating, p: Parameters) -> float:
    """Paragraphs 4 and 9: con by the edition's formula."""
    return smooth_con(rating) if p.formula == Formula.SMOOTH else con(rating, p)


def share_of(change: float, expected: float, weight: float) -> GameShare:
    """Paragraph 10: the change with its weight."""
    if weight != 1.0:
        change = weighted(change, weight)
    return GameShare(fixed(change), fixed(expected))


def game_share(side: Side, p: Parameters) -> GameShare:
    """Paragraphs 3 to 6, 9 and 10 for one side."""
    expected = expected_score(side, p)
    change = change_of_game(side, con_of(side.own, p), expected)
    if p.formula == Formula.SMOOTH:
        change = with_bonus(change, bonus(side.own))
    return share_of(change, expected, side.weight)


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


def no_sides(standing: Standing | Entrant, p: Parameters) -> EventTally:
    """Before the first side."""
    return EventTally(0, 0, 0, 0, 1.0)


def with_side(tally: EventTally, standing: Standing, side: Side, p: Parameters) -> EventTally:
    """What one more side brings."""
    return with_share(tally, side, game_share(side, p))


def with_share(tally: EventTally, side: AnySide, share: GameShare) -> EventTally:
    """The tally with the share of one more side."""
    return EventTally(
        tally.total + share.change,
        tally.games + 1,
        tally.score + side.score,
        tally.expected + share.expected,
        side.weight,
    )


def reckoning_of(standing: Standing | Entrant, tally: EventTally, p: Parameters) -> Reckoning:
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


def event_reckoning(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """The one round of an event: all games at the ratings of its start."""
    tally = no_sides(standing, p)
    for side in sides:
        tally = with_side(tally, standing, side, p)
    return reckoning_of(standing, tally, p)


@paragraph("5", "{rating} is rounded to {value}, a half up")
def rounded_to(rating: FloatRating, rounded: float) -> float:
    """Paragraph 5: a rating that rounding changes."""
    return rounded


@paragraph("5", "published: {value}")
def published_rating(rating: FloatRating, decimals: int) -> float:
    """Paragraph 5: the rating as the list prints it, a half up; the decimals are kept.

    A rating within 10⁻⁹ of a half counts as it: ε and most decimals are no binary fractions.
    """
    scale = 10.0**decimals
    rounded = math.floor((rating + TOLERANCE) * scale + 0.5)
    published = rounded / scale if decimals > 0 else rounded
    return rounded_to(rating, published) if published != rating else published
