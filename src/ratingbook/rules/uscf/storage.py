"""Section 4: how ratings are rounded and stored, and the number of games."""

from __future__ import annotations

import math

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import TOLERANCE
from ratingbook.rules.units import FloatRating, Games, Rating


def near_floor(number: float) -> int:
    """Rounded down, but a number just below a whole one is that (reading U6)."""
    return math.floor(number + TOLERANCE)


def nearest(number: float) -> int:
    """The nearest whole number, a half up."""
    return near_floor(number + 0.5)


@paragraph("4.5", "{value} is a whole number: unchanged")
def kept_whole(rating: Rating) -> Rating:
    """4: a whole number needs no rounding."""
    return rating


@paragraph("4.5", "lower than the old {before}: {rating} is rounded down and stored as {value}")
def rounded_down(before: FloatRating, rating: FloatRating) -> Rating:
    """4: a rating that fell is rounded down."""
    return near_floor(rating)


@paragraph("4.5", "higher than the old {before}: {rating} is rounded up and stored as {value}")
def rounded_up(before: FloatRating, rating: FloatRating) -> Rating:
    """4: a rating that rose is rounded up."""
    return -near_floor(-rating)


@paragraph("4.5", "{rating} is stored as the nearest whole number: {value}")
def rounded_nearest(rating: FloatRating) -> Rating:
    """4: the nearest whole number, a half up."""
    return nearest(rating)


@paragraph("4.5", "{rating} is stored, and published as the nearest whole number: {value}")
def published_nearest(rating: FloatRating) -> Rating:
    """4 (2015): the nearest whole number, a half up."""
    return nearest(rating)


def is_whole(rating: float) -> bool:
    """Whether a rating is a whole number already, so that no rounding changes it."""
    return near_floor(rating) == -near_floor(-rating)


def rounded_away(before: float, rating: float) -> int:
    """4: a rating that fell is rounded down, one that rose is rounded up."""
    if is_whole(rating):
        return kept_whole(near_floor(rating))
    return rounded_down(before, rating) if rating < before else rounded_up(before, rating)


def rounded_first(rating: float) -> int:
    """4: a first rating, of which the text does not speak, is rounded, a half up."""
    return kept_whole(near_floor(rating)) if is_whole(rating) else rounded_nearest(rating)


def published_rating(rating: float) -> int:
    """4 (2015): decimals are stored, the nearest whole number is published, a half up."""
    return kept_whole(near_floor(rating)) if is_whole(rating) else published_nearest(rating)


@paragraph("4.5", "no game counts: {rating} stays, published as {value}")
def unchanged(rating: FloatRating) -> Rating:
    """4: without a game there is no change."""
    return nearest(rating)


@paragraph("4.3", "N = {before} + {games} = {value}")
def games_after(before: Games, games: Games) -> Games:
    """4: after an event N grows by m; assigned games count (reading U7)."""
    return before + games
