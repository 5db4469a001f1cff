"""What a report says of players and events, as the rules read it."""

import math
import re

from elo_rating.columns import Parameters, Season
from elo_rating.rules import season_of
from ratingbook.model import Entry, Event, Findings, Severity, Standing
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, day_number
from ratingbook.rules.units import FloatRating

LOWEST, HIGHEST = -10_000, 10_000
"""No rating is lower or higher."""
_SEASON = re.compile(r"([0-9]{4})(?:[-/–][0-9]{2,4})?")


def named_season(event: Event) -> Season:
    """The season that an event names as its category, ``2019`` or ``2019-20`` (reading E7)."""
    found = _SEASON.fullmatch((event.category or "").strip())
    return int(found[1]) if found else NOT_GIVEN


def latest_season(standing: Standing, p: Parameters) -> Season:
    """The season of a player's latest game, by the standing or by its day."""
    season = standing.extra.get("season")
    if isinstance(season, int) and is_year(season):
        return season
    day = NOT_GIVEN if standing.last_played is None else day_number(standing.last_played)
    return season_of(day, NOT_GIVEN, p)


def is_year(value: object) -> bool:
    """Whether a value of a standing is a year."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10_000


def decided_rating(entry: Entry) -> FloatRating:
    """The rating that the office set for a player; NO_NUMBER where it set none."""
    decided = entry.decisions.get("rating")
    if isinstance(decided, bool) or not isinstance(decided, int | float):
        return NO_NUMBER
    return float(decided) if LOWEST <= decided <= HIGHEST else NO_NUMBER


def check_entry(entry: Entry, findings: Findings, *, is_idle: bool) -> None:
    """What is wrong with the decisions and the season of a player."""
    decided = entry.decisions.get("rating")
    if decided is not None and math.isnan(decided_rating(entry)):
        findings.add(
            Severity.ERROR,
            "elo.decision",
            f"The office sets the rating of player {entry.id} to {decided!r}, which is no rating.",
            entry.place,
            f"Write a number from {LOWEST} to {HIGHEST}.",
        )
    elif decided is not None and is_idle:
        findings.add(
            Severity.WARNING,
            "elo.decision-unused",
            f"The office sets the rating of player {entry.id}, who has no rated game here; it "
            "stays as it was.",
            entry.place,
            "Set the rating in the report of the player's next game.",
        )
    season = entry.standing.extra.get("season") if entry.standing else None
    if season is not None and not is_year(season):
        findings.add(
            Severity.WARNING,
            "elo.season",
            f"The standing of player {entry.id} names the season {season!r}, which is no year; "
            "it is not used.",
            entry.place,
            "Write the year in which the season of the latest game began.",
        )
