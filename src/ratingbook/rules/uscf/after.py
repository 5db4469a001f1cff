"""The end of an event for one player: floors, ceiling, rounding, and what is stored."""

from __future__ import annotations

from typing import NamedTuple

from ratingbook.rules.units import FloatRating, Rating
from ratingbook.rules.uscf.columns import (
    NO_RATING,
    Kind,
    Parameters,
    Reckoning,
    Standing,
    Storage,
)
from ratingbook.rules.uscf.floors import (
    EVENT_GAMES,
    MOST_PERSONAL_FLOOR,
    at_ceiling,
    at_floor,
    is_established,
    level_floor,
    personal_floor,
)
from ratingbook.rules.uscf.matches import (
    REDUCTION,
    floor_kept_in_match,
    floor_lowered_by_match,
    match_rating,
)
from ratingbook.rules.uscf.storage import (
    games_after,
    published_rating,
    rounded_away,
    rounded_first,
)


class Bounded(NamedTuple):
    """A rating within its bounds, and by how much the floors are lowered now."""

    rating: FloatRating
    lowered: FloatRating


def grown(total: int, more: int) -> int:
    """A total after this event; one that is not known stays so."""
    return total + more if total >= 0 else total


def bounded(
    entered: Standing, rating: float, wins: int, draws: int, events: int, p: Parameters
) -> Bounded:
    """Limits of matches, floors, then the ceiling (reading U17).

    ``wins``, ``draws`` and ``events`` are the totals after the event, as far as known.
    """
    before = entered.rating if entered.rated else NO_RATING
    lowered = entered.lowered
    floor = level_floor(entered, p)
    if entered.kind == Kind.MATCH:
        rating = match_rating(entered.rating, rating, entered.match_180_days, entered.match_3_years)
        if rating < floor and entered.holds_floor:
            rating = floor_kept_in_match(rating, floor)
        elif rating < floor:
            floor = floor_lowered_by_match(rating, floor)
            lowered += REDUCTION
    if rating < floor:
        rating = at_floor(rating, floor)
    if rating < MOST_PERSONAL_FLOOR:
        personal = float(personal_floor(wins, draws, events))
        if rating < personal:
            rating = at_floor(rating, personal)
    if entered.ceiling != NO_RATING and rating > max(entered.ceiling, before):
        rating = at_ceiling(rating, before, entered.ceiling)
    return Bounded(rating, lowered)


def published_after(entered: Standing, exact: float, p: Parameters) -> Rating:
    """The whole number that is published of a rating."""
    if p.storage == Storage.DECIMALS:
        return published_rating(exact)
    return rounded_away(entered.rating, exact) if entered.rated else rounded_first(exact)


def left(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after an event with games; the rounding is last, the explanation ends in it."""
    more = 1 if value.games >= EVENT_GAMES else 0
    exact, lowered = bounded(
        entered,
        value.value,
        max(0, entered.wins) + value.wins,
        max(0, entered.draws) + value.draws,
        max(0, entered.events) + more,
        p,
    )
    games = games_after(entered.games, value.games)
    established = is_established(games, p)
    published = published_after(entered, exact, p)
    return entered._replace(
        rating=exact if p.storage == Storage.DECIMALS else float(published),
        games=games,
        rated=True,
        wins=grown(entered.wins, value.wins),
        draws=grown(entered.draws, value.draws),
        losses=grown(entered.losses, value.games - value.wins - value.draws),
        events=grown(entered.events, more),
        peak=max(entered.peak, float(published)) if established else entered.peak,
        lowered=lowered,
        holds_floor=lowered == entered.lowered,
        exact=exact,
        published=published,
        has_matches=entered.has_matches or entered.kind == Kind.MATCH,
    )
