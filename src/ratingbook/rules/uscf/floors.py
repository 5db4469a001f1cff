"""Section 2.4, floors, and what the office decides on ratings by section 4."""

from __future__ import annotations

import math

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Events, FloatRating, Games
from ratingbook.rules.uscf.columns import NO_RATING, Decisions, Parameters, Standing
from ratingbook.rules.uscf.storage import nearest

MOST_PERSONAL_FLOOR = 150
EVENT_GAMES = 3
"""Rated games that an event needs to raise the personal floor."""
LOWEST_PEAK_FLOOR = 1200.0
HIGHEST_PEAK_FLOOR = 2100.0
BELOW_PEAK = 200.0
OLM_FLOOR = 2200.0
LEVEL = 100.0
CASH = 2000.0
"""A prize above so many dollars raises the floor."""
HIGHEST_MONEY_FLOOR = 2000.0


@paragraph(
    "2.4.1",
    "AF = min(100 + 4 NW + 2 ND + NR, 150) = min(100 + 4 × {wins} + 2 × {draws} + {events}, 150) "
    "= {value}",
)
def personal_floor(wins: Games, draws: Games, events: Events) -> int:
    """2.4: AF, the personal absolute floor; ``events`` are those with three rated games."""
    return min(100 + 4 * wins + 2 * draws + events, MOST_PERSONAL_FLOOR)


@paragraph(
    "2.4.2",
    "highest established rating {peak} − 200 = {below}, rounded down to the hundred: {value}",
)
def level_below_peak(peak: FloatRating, below: FloatRating) -> FloatRating:
    """2.4: the level at or below the highest established rating less 200."""
    return LEVEL * math.floor(below / LEVEL)


@paragraph(
    "2.4.2",
    "floor by the highest established rating, 1200 to 2100: {value}",
    otherwise="that is below 1200: no such floor",
)
def peak_floor(peak: FloatRating) -> FloatRating:
    """2.4: the level at or below the highest established rating less 200, 1200 to 2100.

    NO_RATING below 1200, where the personal floor is the only one.
    """
    level = level_below_peak(peak, peak - BELOW_PEAK)
    if level < LOWEST_PEAK_FLOOR:
        return NO_RATING
    return min(level, HIGHEST_PEAK_FLOOR)


def highest_rating(rating: FloatRating, peak: FloatRating) -> FloatRating:
    """The highest rating of an established player: the one on record, or the rating itself."""
    return max(float(nearest(rating)), peak)


@paragraph("2.4.3", "Original Life Master: floor {value}")
def olm_floor() -> FloatRating:
    """2.4: 2200 for players who kept an established rating above 2200 for 300 rated games."""
    return OLM_FLOOR


@paragraph(
    "2.4.4",
    "a prize of ${dollars} in a section under {limit}: floor {value}",
    otherwise="a prize of ${dollars} in a section under {limit}: not over $2,000, no floor",
)
def money_floor(dollars: float, limit: FloatRating) -> FloatRating:
    """2.4: the first 100-point level, at most 2000, that is too high for the section or prize.

    NO_RATING for a prize that is not over $2,000 (reading U9).
    """
    if dollars <= CASH:
        return NO_RATING
    return min(LEVEL * math.ceil(limit / LEVEL), HIGHEST_MONEY_FLOOR)


@paragraph("4.4.4", "floors lowered at the player's request by {lowered}: {value}")
def lowered_floor(floor: FloatRating, lowered: FloatRating) -> FloatRating:
    """4: a floor that the office lowered at the player's request."""
    return floor - lowered


def has_established_games(games: int, p: Parameters) -> bool:
    """Whether a rating on so many games is established."""
    return games >= p.established_games


@paragraph(
    "0.2",
    "rated games: {games}, so the rating is established",
    otherwise="rated games: {games}, so the rating is provisional",
)
def is_established(games: Games, p: Parameters) -> bool:
    """0.2: provisional on 25 or fewer games, established on more."""
    return has_established_games(games, p)


def level_floor(standing: Standing, p: Parameters) -> float:
    """The highest floor from peak, title and cash, as far as it is not lowered."""
    floor = standing.money_floor
    if standing.peak != NO_RATING and has_established_games(standing.games, p):
        floor = max(floor, peak_floor(standing.peak))
    if standing.olm:
        floor = max(floor, olm_floor())
    if standing.lowered > 0.0 and floor != NO_RATING:
        floor = lowered_floor(floor, standing.lowered)
    return floor


def rises(before: Standing, after: Standing) -> bool:
    """4: whether a new peak gives a higher floor; then floors are no longer lowered (U14)."""
    return peak_floor(after.peak) > peak_floor(before.peak)


@paragraph("4.6", "the Executive Director adjusted the rating of {rating} to {decided}")
def adjusted_rating(rating: FloatRating, decided: FloatRating) -> FloatRating:
    """4: an adjustment after a review; the event is rated from it."""
    return decided


@paragraph("4.6", "floor by decision of the Executive Director: {value}")
def floor_by_office(decided: FloatRating) -> FloatRating:
    """4: a floor that the Executive Director created or restored."""
    return decided


def floor_on_record(floor: float, said: Decisions) -> float:
    """The floor on record, or a higher one by a prize or a decision."""
    if said.cash_prize > 0.0 and said.cash_limit > 0.0:
        floor = max(floor, money_floor(said.cash_prize, said.cash_limit))
    if said.money_floor > 0.0:
        floor = max(floor, floor_by_office(said.money_floor))
    return floor


@paragraph("2.4", "{rating} is below the floor of {floor}: {value}")
def at_floor(rating: FloatRating, floor: FloatRating) -> FloatRating:
    """2.4: a rating does not fall below the player's floor."""
    return max(rating, floor)


@paragraph("4.6", "{rating} is above the ceiling: {value}")
def at_ceiling(rating: FloatRating, before: FloatRating, ceiling: FloatRating) -> FloatRating:
    """4: a rating does not rise above a ceiling; one that is above already does not rise."""
    return min(rating, max(ceiling, before))
