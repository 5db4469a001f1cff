"""Section V: the new rating of a player with an established rating."""

from __future__ import annotations

from ratingbook.rules.iecg.columns import Factor, FixedRating, Parameters, Tally
from ratingbook.rules.iecg.entry_rating import counted_opponent
from ratingbook.rules.iecg.expected import expected_result
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import (
    FIXED_SCALE,
    FixedPoints,
    Games,
    HalfPoints,
    Probability,
    Rating,
    fixed,
    settled,
)
from ratingbook.rules.usual import Side


@paragraph("V.3", "r = {value} for Ro = {rating}")
def factor_r(rating: Rating) -> Factor:
    """V.3: r, 10 to 20; continuous at both ends."""
    if rating >= 2400:
        return 10.0
    if rating > 2000:
        return 70 - rating / 40
    return 20.0


@paragraph("V.3", "P = {value} for Pn = {games} rated games")
def factor_p(games: Games) -> Factor:
    """V.3: P, 1 to 1.5; it jumps between 15 and 16 games (reading B6)."""
    if games >= 80:
        return 1.0
    if games > 30:
        return 1.4 - games / 200
    if games > 15:
        return 1.25
    return 1.5


@paragraph("V.3", "k = r · P = {r} × {p} = {value}", role="coefficient")
def development_coefficient(r: Factor, p: Factor) -> Factor:
    """V.3: the development coefficient k = r · P, 10 to 30 points a game."""
    return r * p


@paragraph("V.1", "dR = k · (W − We) = {k} × ({score} − {expected}) = {value}", role="change")
def game_change(k: Factor, score: HalfPoints, expected: Probability) -> FixedPoints:
    """V.1: the rating change of one game, W being 1, ½ or 0.

    It is rounded once to FIXED_SCALE, so that sums are free of order (reading
    B22).
    """
    return fixed(k * (score / 2 - expected))


@paragraph("V.4", "Rn = Ro + SUM(dR) = {rating} {change:sum} = {value}")
def new_rating(rating: Rating, change: FixedPoints) -> FixedRating:
    """V.4: the new rating, not yet rounded; there is no limit to the sum (reading B13).

    A half of the text is a half here, too (reading B22).
    """
    return settled(rating * FIXED_SCALE + change)


def expected_of(side: Side, p: Parameters) -> Probability:
    """III.8 and V.2 for one side."""
    return expected_result(side.own, counted_opponent(side, p))


def coefficient_of(rating: Rating, games: Games) -> Factor:
    """V.3: k of an established player, the same for all games of a period."""
    return development_coefficient(factor_r(rating), factor_p(games))


def with_change(tally: Tally, side: Side, expected: Probability) -> Tally:
    """What the games come to with one more (V.1)."""
    return tally._replace(
        games=tally.games + 1,
        score=tally.score + side.score,
        change=tally.change + game_change(tally.k, side.score, expected),
        expected=tally.expected + fixed(expected),
    )
