"""What the ICCF editions give the engine for histories."""

from __future__ import annotations

import math
from datetime import date
from typing import NamedTuple

from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    PROVISIONAL,
    UNRATED,
    Bulk,
    Calendar,
    Entered,
    Fold,
    Half,
    Listed,
    Outcome,
    Words,
    status_code,
)
from ratingbook.rules.iccf.career import (
    Career,
    Reckoned,
    Tally,
    begun,
    left_career,
    newcomer,
    rated_career,
    reckon_career,
    reckoned,
    with_side,
)
from ratingbook.rules.iccf.columns import NO_RATING, Parameters, Side
from ratingbook.rules.iccf.levels import (
    CATEGORIES,
    NATIONAL,
    announced,
    normalised,
    tournament_level,
)
from ratingbook.rules.iccf.lists import list_in_force, list_taking
from ratingbook.rules.iccf.period import NO_EXPECTATION, is_published
from ratingbook.rules.units import Rating


class Known(NamedTuple):
    """What a players file says of a player."""

    rating: float = NO_NUMBER
    games: int = NOT_GIVEN
    status: int = NOT_GIVEN


class Facts(NamedTuple):
    """What the edition reads of an event."""

    level: Rating = NO_RATING
    """Item 11's assumed rating; NO_RATING where the event does not tell it."""


def standing_of(known: Known, p: Parameters) -> Career:
    """The standing by the players file; a rating without a number of games is fixed."""
    if math.isnan(known.rating) or known.status == UNRATED:
        return newcomer()
    games = p.fixed_games if known.games < 0 else known.games
    return rated_career(int(known.rating), games, p)


def level_of(event: Event, p: Parameters) -> Rating | None:
    """The level of an event; a national one needs an announced level here (reading A30)."""
    return tournament_level(event.category, announced(event.level), ())


def facts_of(event: Event, p: Parameters) -> Facts:
    """The level of an event, where it is known."""
    level = level_of(event, p)
    return Facts(NO_RATING if level is None else level)


def caveat_of(event: Event, p: Parameters) -> str:
    """National tournaments, and events without a level (readings A24 and A30)."""
    if facts_of(event, p).level == NO_RATING:
        return "without a level, games of players who had no rating when they began do not count"
    if event.category and normalised(event.category) == NATIONAL:
        return "the level of a national tournament is the announced one, not its average"
    return ""


def assumed_facts(facts: Facts, rating: float, p: Parameters) -> Facts:
    """An event of which nobody knows the level, under ``--assume`` as if it were announced."""
    if facts.level != NO_RATING:
        return facts
    return Facts(announced(rating) or NO_RATING)


def enter(career: Career, how: Entered, facts: Facts, p: Parameters) -> Career:
    """Nothing is settled beforehand: levels belong to games."""
    return career


def in_force(career: Career, p: Parameters) -> Rating:
    """The rating that games begun under this list use (readings A14 and A16)."""
    return career.rating


def rating_at_start(listed: Rating, level: Rating) -> Rating:
    """Items 8 and 11: the rating of the list when the game began, else the level."""
    return listed if listed != NO_RATING else level


def counts(half: Half, own: Career, opponent: Career, facts: Facts, p: Parameters) -> bool:
    """A game without a level counts only if both players had a rating when it began (A24)."""
    return facts.level != NO_RATING or NO_RATING not in (half.own, half.opponent)


def side_of(half: Half, own: Career, opponent: Career, facts: Facts, p: Parameters) -> Side:
    """The side of a game, at the ratings at its beginning."""
    return Side(
        rating_at_start(half.own, facts.level),
        rating_at_start(half.opponent, facts.level),
        half.score,
        False,
        half.other,
        half.game,
    )


def always_folds(career: Career, p: Parameters) -> bool:
    """Every item is a sum over the games, whatever the player is."""
    return True


def outcome(
    stored: Career, entered: Career, value: Reckoned, left: Career, p: Parameters
) -> Outcome:
    """The numbers of a period: only item 6 has an expected score."""
    return Outcome(
        float(entered.rating) if entered.rating != NO_RATING else NO_NUMBER,
        float(left.rating) if left.rating != NO_RATING else NO_NUMBER,
        value.games,
        value.score,
        value.expected / 100 if value.expected != NO_EXPECTATION else NO_NUMBER,
    )


def listed(career: Career, p: Parameters) -> Listed:
    """The row of the list, those included who are not yet on it (reading A14)."""
    if career.rating == NO_RATING:
        return Listed(NO_NUMBER, career.games, UNRATED, False)
    status = ESTABLISHED if career.games >= p.fixed_games else PROVISIONAL
    return Listed(float(career.rating), career.games, status, is_published(career.games, p))


def taking(reported: date, facts: Facts) -> date:
    """The list that takes a result, by the day of its report."""
    return list_taking(reported).valid_from


def in_force_on(day: date) -> date:
    """The list that is valid on a day."""
    return list_in_force(day).valid_from


def knows_category(event: Event, p: Parameters) -> bool:
    """Whether item 11 knows the category, which is of no matter beside an announced level."""
    return not event.category or event.level is not None or normalised(event.category) in CATEGORIES


ICCF_BULK = Bulk(
    known=Known,
    facts=Facts,
    standing=Career,
    side=Side,
    value=Reckoned,
    standing_of=standing_of,
    facts_of=facts_of,
    assumed_facts=assumed_facts,
    caveat_of=caveat_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    kernels=(reckon_career,),
    fold=Fold(Tally, begun, with_side, reckoned, always_folds),
    leave=left_career,
    outcome=outcome,
    listed=listed,
    in_force=in_force,
    calendar=Calendar(taking, in_force_on, by_game=True, kept_lists=24),
    codes={"status": status_code},
    event_words={"category": Words(knows_category, CATEGORIES, "it tells no level")},
)
