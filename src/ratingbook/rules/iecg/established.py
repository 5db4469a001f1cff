"""Section V: the new rating of a player with an established rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.iecg.columns import (
    Factor,
    FixedRating,
    FixedScore,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
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
)


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


@paragraph("V.3", "k = r · P = {r} × {p} = {value}")
def development_coefficient(r: Factor, p: Factor) -> Factor:
    """V.3: the development coefficient k = r · P, 10 to 30 points a game."""
    return r * p


@paragraph("V.1", "dR = k · (W − We) = {k} × ({score} − {expected}) = {value}")
def game_change(k: Factor, score: HalfPoints, expected: Probability) -> FixedPoints:
    """V.1: the rating change of one game, W being 1, ½ or 0.

    It is rounded once to FIXED_SCALE, so that sums are free of order (reading
    B22).
    """
    return fixed(k * (score / 2 - expected))


@paragraph("V.4", "Rn = Ro + SUM(dR) = {rating} {change:sum} = {value}")
def new_rating(rating: Rating, change: FixedPoints) -> FixedRating:
    """V.4: the new rating, not yet rounded; there is no limit to the sum (reading B13)."""
    return rating * FIXED_SCALE + change


class SideChange(NamedTuple):
    """What one game brings."""

    change: FixedPoints
    expected: FixedScore


def side_change(side: Side, k: Factor, p: Parameters) -> SideChange:
    """III.8, V.2 and V.1 for one side."""
    expected = expected_result(side.own, counted_opponent(side, p))
    return SideChange(game_change(k, side.score, expected), fixed(expected))


def established_reckoning(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Section V: k once for the period, then the sum over its games; at least one."""
    k = development_coefficient(factor_r(standing.rating), factor_p(standing.games))
    games = 0
    score = 0
    expected = 0
    change = 0
    for side in sides:
        played = side_change(side, k, p)
        change += played.change
        expected += played.expected
        games += 1
        score += side.score
    return Reckoning(standing.ter, new_rating(standing.rating, change), games, score, expected)
