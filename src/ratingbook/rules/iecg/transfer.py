"""IX.5: what became of the ratings of the old scheme on 1 January 1997."""

from __future__ import annotations

from ratingbook.rules.iecg.columns import Parameters
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Games, Rating

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
