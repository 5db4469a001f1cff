"""An event of one player: what it counts, how the player enters it and leaves it."""

from __future__ import annotations

from ratingbook.model import Event
from ratingbook.rules.egf.change import at_floor
from ratingbook.rules.egf.classes import (
    CLASSES,
    adjusted_minutes,
    class_of,
    is_slow_enough,
    parsed_time,
)
from ratingbook.rules.egf.columns import NO_RATING, Parameters, Reckoning, Standing
from ratingbook.rules.units import FloatRating
from ratingbook.rules.wording import kind_of

INTERNET = "internet"
"""The kind of event whose class is D."""


def has_classes(p: Parameters) -> bool:
    """Whether the edition weighs classes differently; in 1998 there were none."""
    return not p.weight_a == p.weight_b == p.weight_c == p.weight_d


def class_of_event(event: Event, p: Parameters) -> tuple[str, bool]:
    """The class of an event, and whether games of such events count; its day is not looked at."""
    given = (event.class_ or "").strip().upper()
    limit = parsed_time(event.time_control)
    minutes = adjusted_minutes(limit) if limit else None
    if minutes is not None and not is_slow_enough(minutes, p):
        return given or "C", False
    if given:
        return given, given in CLASSES or not has_classes(p)
    if limit is None or minutes is None:
        return "A", True
    internet = kind_of(event) == INTERNET
    found = class_of(limit.basic, minutes, limit.fischer_seconds > 0.0, internet)
    return found or "C", found is not None or not has_classes(p)


def first_rating(nominal: FloatRating, p: Parameters) -> FloatRating:
    """Paragraph 2: the rating of a grade, not below the floor."""
    return at_floor(nominal, p.floor) if nominal < p.floor else nominal


def received(stones: int) -> float:
    """The handicap of the one who receives so many stones, less one half; 0 in an even game."""
    return stones - 0.5 if stones > 0 else 0.0


def is_rated(own: FloatRating, opponent: FloatRating) -> bool:
    """Whether both players have a rating to start from."""
    return min(own, opponent) > NO_RATING


def left(entered: Standing, value: Reckoning) -> Standing:
    """The new rating, and the highest grade with which the player ever entered."""
    if entered.rating == NO_RATING:
        return entered
    highest = max(entered.highest, entered.grade) if value.games > 0 else entered.highest
    return Standing(value.value, entered.games + value.games, entered.grade, highest)
