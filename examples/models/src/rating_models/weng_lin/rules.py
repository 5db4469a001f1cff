"""The paragraphs of the update of Weng and Lin: one function for each rule."""

import math
from enum import IntEnum
from typing import NamedTuple

from rating_models.alike import (
    Deviation,
    FloatPoints,
    Known,
    Side,
    Standing,
    has_no_rating,
    kept,
    side_of,
    within,
)
from rating_models.weng_lin.normal import share, v, v_drawn, w, w_drawn
from ratingbook.rules.bulk import Bulk, Entered, Fold, Nothing, Outcome, is_game
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, Games, HalfPoints, Probability

MOST_LOGIT = 700.0
"""e to a power above 709 is too large for a float."""
MOST_DEVIATION = 10_000.0
"""No standing has a greater one."""


class Model(IntEnum):
    """How the strengths of two players become a result."""

    BRADLEY_TERRY = 0
    THURSTONE_MOSTELLER = 1


class Parameters(NamedTuple):
    """The numbers of the paper, times 60."""

    start: FloatRating = 1500.0
    deviation: Deviation = 500.0
    least_deviation: Deviation = 1.0
    beta: FloatRating = 250.0
    tau: FloatRating = 5.0
    kappa: float = 0.0001
    model: Model = Model.BRADLEY_TERRY
    draw_margin: FloatRating = 6.0


class Reckoning(NamedTuple):
    """What a game comes to for one player; ``value`` is the new rating."""

    value: FloatRating
    change: FloatPoints
    deviation: Deviation
    games: Games
    score: HalfPoints
    expected: Probability


@paragraph("1", "no rating yet: starts at {value}")
def starting_rating(p: Parameters) -> FloatRating:
    """Paragraph 1: a player without a rating starts at 1500."""
    return p.start


paragraph("2", edition="weng-lin")(is_game)


@paragraph("3", "deviation √({deviation}² + {p.tau}²) = {value}")
def grown(deviation: Deviation, p: Parameters) -> Deviation:
    """Paragraph 3: σ² grows by τ² before each game."""
    return math.sqrt(deviation * deviation + p.tau * p.tau)


@paragraph("4", "c = √({own}² + {opponent}² + 2 · {p.beta}²) = {value}")
def spread(own: Deviation, opponent: Deviation, p: Parameters) -> Deviation:
    """Paragraph 4: c, the spread of the difference of two performances."""
    return math.sqrt(own * own + opponent * opponent + 2 * p.beta * p.beta)


@paragraph("5", "at a difference of {difference}: expected score {value}", role="expected")
def expected_score(difference: FloatPoints, c: Deviation, p: Parameters) -> Probability:
    """Paragraph 5: by the logistic curve, or by the normal one with its draws."""
    if p.model == Model.BRADLEY_TERRY:
        return 1 / (1 + math.exp(max(-MOST_LOGIT, min(-difference / c, MOST_LOGIT))))
    wins = share((difference - p.draw_margin) / c)
    return (wins + share((difference + p.draw_margin) / c)) / 2


def surprise(score: HalfPoints, difference: FloatPoints, c: Deviation, p: Parameters) -> float:
    """How much a result moves: δ · c / σ² of the paper."""
    if p.model == Model.BRADLEY_TERRY:
        return score / 2 - expected_score(difference, c, p)
    x, t = difference / c, p.draw_margin / c
    if score == 1:
        return v_drawn(x, t)
    return v(x, t) if score == 2 else -v(-x, t)


@paragraph("6", "change {own}² / {c} · {surprise} = {value}", role="change")
def change(own: Deviation, c: Deviation, surprise: float) -> FloatPoints:
    """Paragraph 6: Ω = σ² / c · (s − p), or σ² / c · V."""
    return own * own / c * surprise


def told(score: HalfPoints, difference: FloatPoints, c: Deviation, p: Parameters) -> float:
    """How much a result tells: η · c² / (γ σ²) of the paper."""
    if p.model == Model.BRADLEY_TERRY:
        expected = expected_score(difference, c, p)
        return expected * (1 - expected)
    x, t = difference / c, p.draw_margin / c
    if score == 1:
        return w_drawn(x, t)
    return w(x, t) if score == 2 else w(-x, t)


@paragraph("7", "new deviation {own} · √(1 − ({own} / {c})³ · {told}) = {value}")
def new_deviation(own: Deviation, c: Deviation, told: float, p: Parameters) -> Deviation:
    """Paragraph 7: σ'² = σ² · max(1 − γ (σ / c)² · p (1 − p), κ) with γ = σ / c, or W there."""
    part = own / c
    return own * math.sqrt(max(1 - part * part * part * told, p.kappa))


@paragraph("8", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: FloatRating, change: FloatPoints) -> FloatRating:
    """Paragraph 8: the new rating, to six decimals (reading W5)."""
    return kept(rating + change)


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing is what is known."""
    return Standing(known.rating, known.games, known.deviation)


def known_of(standing: Standing, p: Parameters) -> Known:
    """What is known is the standing."""
    return Known(standing.rating, standing.games, standing.deviation)


def enter(standing: Standing, how: Entered, facts: Nothing, p: Parameters) -> Standing:
    """Paragraphs 1 and 3: a number to start from, and how sure it is before the game."""
    rating, deviation = standing.rating, p.deviation
    if has_no_rating(rating):
        rating = starting_rating(p)
    elif standing.deviation > 0:
        deviation = within(standing.deviation, p.least_deviation, MOST_DEVIATION)
    if p.tau > 0:
        deviation = grown(deviation, p)
    return Standing(rating, standing.games, deviation)


def no_game(standing: Standing, p: Parameters) -> Reckoning:
    """Nothing played: the rating stays."""
    return Reckoning(standing.rating, 0.0, standing.deviation, 0, 0, 0.0)


def with_game(so_far: Reckoning, standing: Standing, side: Side, p: Parameters) -> Reckoning:
    """Paragraphs 4 to 7 for one side."""
    c = spread(standing.deviation, side.deviation, p)
    difference = standing.rating - side.opponent
    expected = expected_score(difference, c, p)
    moved = change(standing.deviation, c, surprise(side.score, difference, c, p))
    deviation = new_deviation(standing.deviation, c, told(side.score, difference, c, p), p)
    return Reckoning(
        so_far.value + moved,
        so_far.change + moved,
        kept(max(deviation, p.least_deviation)),
        so_far.games + 1,
        so_far.score + side.score,
        so_far.expected + expected,
    )


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the game."""
    rating = new_rating(entered.rating, value.change)
    return Standing(rating, entered.games + value.games, value.deviation)


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The row of a game."""
    return Outcome(stored.rating, left.rating, value.games, value.score, value.expected)


def predicted(entered: Standing, side: Side, p: Parameters) -> Probability:
    """Paragraph 5, of a game that is still to come."""
    c = spread(entered.deviation, side.deviation, p)
    return expected_score(entered.rating - side.opponent, c, p)


WENG_LIN = Bulk(
    known=Known,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    known_of=known_of,
    enter=enter,
    side_of=side_of,
    predicted=predicted,
    fold=Fold(Reckoning, no_game, with_game),
    leave=leave,
    outcome=outcome,
)
