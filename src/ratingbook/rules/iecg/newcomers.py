"""Section VII: new players."""

from __future__ import annotations

from ratingbook.rules.iecg.columns import NO_RATING, Parameters
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Games, Rating


@paragraph(
    "VII.1",
    "ICCF rating {rating}, games: {games}: established here as well",
    otherwise="ICCF rating {rating}, games: {games} of {p.iccf_established_games}: provisional",
)
def is_established_by_iccf(rating: Rating, games: Games, p: Parameters) -> bool:
    """VII.1: an established ICCF rating is an established IECG rating."""
    return rating != NO_RATING and games >= p.iccf_established_games


@paragraph(
    "VII.2",
    "rating {rating} elsewhere, games: {games}: starting rating {value}",
    otherwise="rating {rating} elsewhere, games: {games} of {p.foreign_games}: not used",
)
def starting_from_elsewhere(rating: Rating, games: Games, p: Parameters) -> Rating:
    """VII.2: another rating from at least six games is the starting rating, as it is.

    NO_RATING from fewer games (reading B15).
    """
    return rating if games >= p.foreign_games else NO_RATING


@paragraph("VII.3", "the tutor's estimate {estimate}, at most {p.tutor_maximum}: {value}")
def starting_by_tutor(estimate: Rating, p: Parameters) -> Rating:
    """VII.3: a rating estimated by the tutor, which does not exceed 1700 (reading B16)."""
    return min(estimate, p.tutor_maximum)


@paragraph("VII.3", "starting rating {value}")
def starting_by_default(p: Parameters) -> Rating:
    """VII.3: 800 for a player of whom nothing is known."""
    return p.default_starting
