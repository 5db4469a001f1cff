"""Item 11: the assumed rating of a player without a published one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.iccf.columns import NO_RATING, Source
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_up
from ratingbook.rules.units import Rating

LEVELS = {
    1800: ("open_class", "cup_preliminary", "international_open_preliminary"),
    1900: ("ladies_wc_semifinal", "ladies_olympiad"),
    2000: ("higher_class", "cup_semifinal", "international_open_semifinal"),
    2100: ("ladies_wc_final", "money_prize"),
    2200: (
        "master_class", "cup_final", "olympiad", "zonal_championship_preliminary",
        "invitation", "invitation_team", "international_open_final",
    ),
    2300: ("master_norm",),
    2400: ("wc_semifinal", "zonal_championship_semifinal"),
    2450: ("grandmaster_norm",),
    2500: ("wc_candidates", "zonal_championship_final"),
}  # fmt: skip
"""Level → kinds of tournament, as item 11 lists them."""


class Level(NamedTuple):
    """An assumed rating, and what says it."""

    level: Rating
    source: Source


NATIONAL = "national"
FRIENDLY = "friendly_match"
FRIENDLY_LEVEL = 1800
MOST_NATIONAL = 2400

_LEVEL_OF = {kind: level for level, kinds in LEVELS.items() for kind in kinds}

CATEGORIES = (*_LEVEL_OF, NATIONAL, FRIENDLY)
"""The values of an event's ``category`` that item 11 knows."""


def normalised(category: str) -> str:
    """A category as :data:`CATEGORIES` writes it: ``WC semifinals`` → ``wc_semifinal``."""
    letters = "".join(c if c.isalnum() else " " for c in category.lower() if c not in "'’")
    words = [word for word in letters.split() if word not in ("round", "rounds")]
    name = "_".join(words)
    return name if name in CATEGORIES else name.removesuffix("s")


@paragraph("11", "{category}: level {value}")
def level_of_category(category: str) -> Rating:
    """Item 11: the level of a kind of tournament of the table."""
    return _LEVEL_OF[category]


@paragraph("11", "national tournament: the average of the rated participants = {value}")
def national_level(ratings: Sequence[Rating]) -> Rating:
    """Item 11: the average of the rated participants, at most 2400.

    Rounded half up to a whole number (reading A5); ``ratings`` must not be empty.
    """
    return min(MOST_NATIONAL, half_up(sum(ratings), len(ratings)))


def announced(level: float | None) -> Rating | None:
    """The announced level as a whole number, half up (reading A5)."""
    return None if level is None else math.floor(level + 0.5)


@paragraph("11", "announced level, or 1800 in a friendly match without one: {value}")
def announced_level(announced: Rating | None) -> Rating:
    """Item 11: the value fixed with the announcement; 1800 in a friendly match without one."""
    return FRIENDLY_LEVEL if announced is None else announced


def tournament_level(category: str | None, announced: Rating | None) -> Level:
    """Item 11 as a whole; NO_RATING where the rules require a value and none is given.

    That of a national tournament is the average of those who take part, unless nobody of them
    has a rating: see :func:`field_level`.
    """
    kind = normalised(category) if category else None
    if kind in _LEVEL_OF:
        return Level(level_of_category(kind), Source.CATEGORY)
    if kind == NATIONAL:
        return Level(announced or NO_RATING, Source.AVERAGE)
    if announced is None and kind != FRIENDLY:
        return Level(NO_RATING, Source.NOTHING)
    source = Source.DEFAULT if announced is None else Source.ANNOUNCEMENT
    return Level(announced_level(announced), source)


def field_level(level: Level, ratings: Sequence[Rating]) -> Level:
    """The level of a national tournament with these ratings of those who take part.

    Without a rated player it is the announced one, if there is one (reading A24).
    """
    rated = [rating for rating in ratings if rating != NO_RATING]
    if rated:
        return Level(national_level(rated), Source.AVERAGE)
    return level._replace(source=Source.ANNOUNCEMENT if level.level else Source.NOTHING)
