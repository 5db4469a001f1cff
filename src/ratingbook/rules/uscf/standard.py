"""Step 2, and sections 2.1 and 2.3: effective games, and the standard formula with its bonus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import (
    FIXED_SCALE,
    FixedScore,
    FloatRating,
    Games,
    HalfPoints,
    Probability,
    fixed,
)
from ratingbook.rules.uscf.columns import (
    Curve,
    EffectiveGames,
    Factor,
    FloatChange,
    Parameters,
    Side,
    Stage,
    Standing,
    stage_name,
)

MOST_EFFECTIVE_GAMES = 50.0


@paragraph("2.1", "N* = 50 / √(1 + (2200 − {rating})² / 100000) = {value}")
def most_by_2011(rating: FloatRating) -> EffectiveGames:
    """2.1: N* = 50 / √(1 + (2200 − R0)² / 100000), for R0 up to 2200."""
    below = 2200.0 - rating
    return MOST_EFFECTIVE_GAMES / math.sqrt(1.0 + below * below / 100000.0)


@paragraph("2.1", "N* = 50 / √(0.662 + 0.00000739 × (2569 − {rating})²) = {value}")
def most_by_2013(rating: FloatRating) -> EffectiveGames:
    """2.1 (2013): N* = 50 / √(0.662 + 0.00000739 · (2569 − R0)²), for R0 up to 2355."""
    below = 2569.0 - rating
    return MOST_EFFECTIVE_GAMES / math.sqrt(0.662 + 0.00000739 * below * below)


@paragraph("2.1", "R0 = {rating} is above {joint}: N* = {value}")
def most_of_strong_player(rating: FloatRating, joint: FloatRating) -> EffectiveGames:
    """2.1: N* = 50, for R0 above 2200 (2013: 2355)."""
    return MOST_EFFECTIVE_GAMES


def most_effective_games(rating: FloatRating, p: Parameters) -> EffectiveGames:
    """2.1: N*, at most 50.

    2011: 50 / √(1 + (2200 − R0)² / 100000) up to 2200; since 2013
    50 / √(0.662 + 0.00000739 · (2569 − R0)²) up to 2355, where it reaches 50.
    """
    if p.curve == Curve.YEAR_2013:
        if rating > 2355.0:
            return most_of_strong_player(rating, 2355.0)
        return most_by_2013(rating)
    if rating > 2200.0:
        return most_of_strong_player(rating, 2200.0)
    return most_by_2011(rating)


def effective_by(rating: FloatRating, games: Games, p: Parameters) -> EffectiveGames:
    """Step 2: N' for R0 and N."""
    return effective_games(games, most_effective_games(rating, p) if games > 0 else 0.0)


@paragraph(
    "1.2",
    "Step 2: effective games N' = min(N, N*) = min({games}, {most}) = {value}",
    otherwise="Step 2: N = 0, so no games are effective: N' = 0",
)
def effective_games(games: Games, most: EffectiveGames) -> EffectiveGames:
    """Step 2: N', the smaller of N and N*; a real number that is never stored."""
    return min(float(games), most)


LEAST_GAMES_OF_BONUS = 3
MOST_MEETINGS_OF_BONUS = 2
LEAST_COUNTED_GAMES = 4


def standard_expectancy(rating: float, opponent: float) -> float:
    """We between two ratings."""
    return 1.0 / (1.0 + math.pow(10.0, -(rating - opponent) / 400.0))


@paragraph(
    "2.3",
    "{stage}: score {side.score} against {side.opponent}; "
    "We = 1 / (1 + 10^(({side.opponent} − {rating}) / 400)) = {value}",
    role="expected",
)
def winning_expectancy(side: Side, rating: FloatRating, stage: str) -> Probability:
    """2.3: We(R, Ri) = 1 / (1 + 10^(−(R − Ri) / 400))."""
    return standard_expectancy(rating, side.opponent)


@paragraph(
    "2.3", "K = 800 / (N' + m) = 800 / ({effective} + {games}) = {value}", role="coefficient"
)
def k_factor(effective: EffectiveGames, games: Games) -> Factor:
    """2.3: K, for m = ``games`` games in the event, at least one."""
    return 800.0 / (effective + games)


@paragraph("2.3", "E = sum of We = {expected}")
def sum_of_expectancies(expected: FixedScore) -> FixedScore:
    """2.3: E, the sum of the winning expectancies."""
    return expected


@paragraph("2.3", "dual-rated event, R0 above 2200: factor 6.5 − 0.0025 × {rating} = {value}")
def factor_above_2200(rating: FloatRating) -> Factor:
    """2.3 (2013): the factor of K for R0 from 2200 to 2500."""
    return 6.5 - 0.0025 * rating


@paragraph("2.3", "dual-rated event, R0 = {rating} is not below 2500: factor {value}")
def factor_from_2500(rating: FloatRating) -> Factor:
    """2.3 (2013): the factor of K for R0 from 2500 on."""
    return 0.25


@paragraph("2.3", "K is reduced to {factor} × {k} = {value}", role="coefficient")
def reduced_k(factor: Factor, k: Factor) -> Factor:
    """2.3 (2013): K in the regular rating of a dual-rated event, above 2200."""
    return factor * k


def k_of_strong_player(rating: float, k: float) -> float:
    """2.3 (2013): K in the regular rating of a dual-rated event, above 2200.

    800 (6.5 − 0.0025 R0) / (N' + m) below 2500, 200 / (N' + m) from there on.
    """
    if rating >= 2500.0:
        return reduced_k(factor_from_2500(rating), k)
    return reduced_k(factor_above_2200(rating), k)


@paragraph("2.3", "K (S − E) = {k} × ({score} − {expected}) = {value}")
def change_of_event(k: Factor, score: HalfPoints, expected: FixedScore) -> FloatChange:
    """2.3: K (S − E)."""
    return k * (score / 2.0 - expected / FIXED_SCALE)


@paragraph(
    "2.3",
    "games {games}, most against one opponent {meetings}: there can be a bonus",
    otherwise="games {games}, most against one opponent {meetings}: no bonus",
)
def allows_bonus(games: Games, meetings: Games, p: Parameters) -> bool:
    """2.3: at least three games, and nobody met more than twice.

    2026: in an event of three games nobody more than once.
    """
    if games == LEAST_GAMES_OF_BONUS:
        return meetings <= p.bonus_of_three
    return games > LEAST_GAMES_OF_BONUS and meetings <= MOST_MEETINGS_OF_BONUS


@paragraph("2.3", "m' = max({games}, 4) = {counted}: B √m' = {p.bonus} × √{counted} = {value}")
def bonus_threshold(games: Games, counted: Games, p: Parameters) -> Factor:
    """2.3: B √m', above which the change K (S − E) earns a bonus."""
    return p.bonus * math.sqrt(float(counted))


@paragraph("2.3", "bonus max(0, {change} − {threshold}) = {value}", role="whole bonus")
def bonus_points(change: FloatChange, games: Games, threshold: Factor) -> FloatChange:
    """2.3: max(0, K (S − E) − B √m')."""
    return max(0.0, change - threshold)


@paragraph("2.3", "Rs = R0 + K (S − E) + bonus = {rating} {change:sum} {bonus:sum} = {value}")
def standard_sum(rating: FloatRating, change: FloatChange, bonus: FloatChange) -> FloatRating:
    """2.3: Rs, the standard rating."""
    return rating + change + bonus


class StandardRating(NamedTuple):
    """Rs, and the expected score E that it rests on."""

    rating: FloatRating
    expected: FixedScore


def standard_rating(
    standing: Standing,
    sides: Sequence[Side],
    has_bonus: bool,
    p: Parameters,
    stage: Stage = Stage.STEP_4,
) -> StandardRating:
    """2.3 as a whole; at least one side. Each We is rounded once, so that E has no order."""
    games = 0
    score = 0
    expected = 0
    meetings = 0
    name = stage_name(stage)
    for side in sides:
        expected += fixed(winning_expectancy(side, standing.rating, name))
        games += 1
        score += side.score
        meetings = max(meetings, side.meetings)
    sum_of_expectancies(expected)
    k = k_factor(standing.effective, games)
    if p.strong_k and standing.dual and standing.rating > 2200.0:
        k = k_of_strong_player(standing.rating, k)
    change = change_of_event(k, score, expected)
    bonus = 0.0
    if has_bonus and allows_bonus(games, meetings, p):
        threshold = bonus_threshold(games, max(games, LEAST_COUNTED_GAMES), p)
        bonus = bonus_points(change, games, threshold)
    return StandardRating(standard_sum(standing.rating, change, bonus), expected)
