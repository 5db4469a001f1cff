"""Section VII and IX.5: new players, and those of the old scheme on 1 January 1997."""

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


GAMES_WITHOUT_AVERAGE = 5
"""Up to so many games the opponents of the old scheme are forgotten."""


@paragraph(
    "IX.5a",
    "established under the old scheme, games: {games}: stays established",
    otherwise="established under the old scheme, games: {games} of {p.established_games}",
)
def stays_established(games: Games, p: Parameters) -> bool:
    """IX.5 a: an old established rating from at least 15 games stays established."""
    return games >= p.established_games


@paragraph("IX.5b", "the old rating is the starting rating: {value}")
def old_rating_as_starting(rating: Rating) -> Rating:
    """IX.5 b: an old established rating from fewer than 15 games is a starting rating."""
    return rating


@paragraph(
    "IX.5b",
    "old games: {games}; they go into the provisional rating",
    otherwise="old games: {games}; they are forgotten",
)
def keeps_old_games(games: Games) -> bool:
    """IX.5 b: with more than five games IV.1 takes in the average of the old opponents."""
    return games > GAMES_WITHOUT_AVERAGE


@paragraph(
    "IX.5c",
    "provisional under the old scheme: stays provisional",
    otherwise="games: {games}; no longer provisional",
)
def stays_provisional(games: Games, p: Parameters) -> bool:
    """IX.5 c: provisional ratings stay as they are until 15 games are finished."""
    return games < p.established_games


@paragraph(
    "IX.5d",
    "ICCF rating {iccf}, higher than {starting}: replaces it and is established",
    otherwise="ICCF rating {iccf}, not higher than {starting}: not used",
)
def is_replaced_by_iccf(starting: Rating, iccf: Rating) -> bool:
    """IX.5 d: an ICCF rating replaces a lower starting rating, as an established one."""
    return iccf > starting


@paragraph("IX.5e", "winner of an old Class M tournament: established", silent=False)
def is_established_by_class_m(won: bool) -> bool:
    """IX.5 e: winners of the old Class M tournaments #001 to #013 are established."""
    return won
