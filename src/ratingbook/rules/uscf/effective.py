"""Step 2 and section 2.1: the effective number of games."""

from __future__ import annotations

import math

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, Games
from ratingbook.rules.uscf.columns import Curve, EffectiveGames, Parameters

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
