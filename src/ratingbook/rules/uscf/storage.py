"""Section 4: how ratings are rounded and stored, and the number of games."""

from __future__ import annotations

import math

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, Games, Rating

TOLERANCE = 1e-9
"""So near to a whole number or a half a rating counts as it (reading U6)."""


def near_floor(number: float) -> int:
    """Rounded down, but a number just below a whole one is that."""
    return math.floor(number + TOLERANCE)


def nearest(number: float) -> int:
    """The nearest whole number, a half up."""
    return near_floor(number + 0.5)


@paragraph("4.5", "{rating} is stored as a whole number, away from the old {before}: {value}")
def rounded_away(before: FloatRating, rating: FloatRating) -> Rating:
    """4: a rating that fell is rounded down, one that rose is rounded up."""
    if rating < before:
        return near_floor(rating)
    return -near_floor(-rating)


@paragraph("4.5", "{rating} is stored as the nearest whole number: {value}")
def rounded_first(rating: FloatRating) -> Rating:
    """4: a first rating, of which the text does not speak, is rounded, a half up."""
    return nearest(rating)


@paragraph("4.5", "{rating} is published as the nearest whole number: {value}")
def published_rating(rating: FloatRating) -> Rating:
    """4 (2015): decimals are stored, the nearest whole number is published, a half up."""
    return nearest(rating)


@paragraph("4.5", "no game counts: {rating} stays, published as {value}")
def unchanged(rating: FloatRating) -> Rating:
    """4: without a game there is no change."""
    return nearest(rating)


@paragraph("4.3", "N = {before} + {games} = {value}")
def games_after(before: Games, games: Games) -> Games:
    """4: after an event N grows by m; assigned games count (reading U7)."""
    return before + games
