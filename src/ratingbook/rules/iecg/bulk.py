"""What the IECG editions give the engine for histories."""

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
    STARTING,
    Bulk,
    Calendar,
    Entered,
    Fold,
    Half,
    Listed,
    NoFacts,
    Outcome,
    day_number,
    month_number,
    status_code,
)
from ratingbook.rules.iecg.career import (
    Career,
    Reckoned,
    Tally,
    begun,
    left_career,
    newcomer,
    rated_career,
    reckon_career,
    reckoned,
    standing_in,
    status_of,
    unknown_player,
    with_side,
)
from ratingbook.rules.iecg.columns import NO_RATING, Parameters, Side, Status
from ratingbook.rules.iecg.entry_rating import (
    is_published,
    own_rating,
    starting_told,
    status_by_games,
)
from ratingbook.rules.iecg.games import OLD_SCHEME_FINISHED_BEFORE, OLD_SCHEME_STARTED_BEFORE
from ratingbook.rules.iecg.lists import (
    INAUGURATION,
    MONTHS_OF_A_PERIOD,
    Period,
    before,
    finished_under_scheme,
    is_kept,
    list_date,
    period_of,
)
from ratingbook.rules.units import FIXED_SCALE, FloatRating, Games, Rating

_MONTHS = 12
_SHORTEST_PERIOD = 59
"""Days of January and February; dates are compared in periods only where days do not settle it."""

_INAUGURATION = day_number(INAUGURATION)
_OLD_SCHEME_STARTED = day_number(OLD_SCHEME_STARTED_BEFORE)
_OLD_SCHEME_FINISHED = day_number(OLD_SCHEME_FINISHED_BEFORE)


class Known(NamedTuple):
    """What a players file says of a player."""

    rating: float = NO_NUMBER
    games: int = NOT_GIVEN
    status: int = NOT_GIVEN
    starting_rating: FloatRating = NO_NUMBER
    ter: FloatRating = NO_NUMBER


def _whole(number: float) -> Rating:
    return NO_RATING if math.isnan(number) else int(number)


def games_of(known: Known, starting: Rating, p: Parameters) -> Games:
    """The games that a rating rests on; unknown ones as in a report (reading B27)."""
    if known.games >= 0:
        return known.games
    is_new = known.status in (STARTING, PROVISIONAL) or starting != NO_RATING
    return 0 if is_new else p.games_unknown


def status_told(status: int, games: Games, p: Parameters) -> Status:
    """The kind of a rating, by the file or else by the games."""
    if status == ESTABLISHED:
        return Status.ESTABLISHED
    if status == PROVISIONAL:
        return Status.PROVISIONAL
    if status == STARTING:
        return Status.STARTING
    return status_by_games(games, p)


def standing_of(known: Known, p: Parameters) -> Career:
    """The standing by the players file; who has no rating there is new."""
    rating, ter = _whole(known.rating), _whole(known.ter)
    starting = _whole(known.starting_rating)
    if rating == NO_RATING and starting == NO_RATING and ter == NO_RATING:
        return unknown_player(p)
    if rating == NO_RATING:
        return newcomer(starting if starting != NO_RATING else ter, ter)
    games = games_of(known, starting, p)
    status = status_told(known.status, games, p)
    starting = starting_told(starting, rating, ter, status, games, p)
    if starting == NO_RATING:
        starting = rating
    if status == Status.STARTING:
        rating = starting
    return rated_career(rating, games, starting, ter, status, p)


def facts_of(event: Event, p: Parameters) -> NoFacts:
    """Nothing is read of events."""
    return NoFacts()


def period_of_day(day: int) -> Period:
    """II.1 and IX.4: the period that a result of that day is rated in."""
    months = month_number(max(day, _INAUGURATION))
    return Period(months // _MONTHS, months % _MONTHS // MONTHS_OF_A_PERIOD + 1)


def was_deleted(last: int, day: int, p: Parameters) -> bool:
    """VIII.5: whether a player last seen on one day was deleted before the period of another."""
    if day - last <= p.deleted_periods * _SHORTEST_PERIOD:
        return False
    return not is_kept(period_of_day(last), before(period_of_day(day)), p)


def enter(career: Career, how: Entered, facts: NoFacts, p: Parameters) -> Career:
    """Who was deleted before this period is new again (reading B28)."""
    if how.last != NOT_GIVEN and was_deleted(how.last, how.day, p):
        return unknown_player(p)
    return career


def counts(half: Half, own: Career, opponent: Career, facts: NoFacts, p: Parameters) -> bool:
    """IX.1: all games but those of the old scheme."""
    return half.start >= _OLD_SCHEME_STARTED or half.day >= _OLD_SCHEME_FINISHED


def side_of(half: Half, own: Career, opponent: Career, facts: NoFacts, p: Parameters) -> Side:
    """The side of a game, against the opponent's TER of the last list (II.3)."""
    return Side(own_rating(standing_in(own), p), opponent.ter, half.score, half.other, half.game)


def always_folds(career: Career, p: Parameters) -> bool:
    """Both sections are sums over the games."""
    return True


def outcome(
    stored: Career, entered: Career, value: Reckoned, left: Career, p: Parameters
) -> Outcome:
    """The numbers of a period: a provisional rating has no expected score."""
    return Outcome(
        float(entered.rating),
        float(left.rating),
        value.games,
        value.score,
        value.expected / FIXED_SCALE if entered.established else NO_NUMBER,
    )


def listed(career: Career, p: Parameters) -> Listed:
    """The row of the list, as far as it does not depend on its day (VIII.5)."""
    status = status_of(career)
    if status == Status.ESTABLISHED:
        return Listed(float(career.rating), career.games, ESTABLISHED, True)
    named = STARTING if status == Status.STARTING else PROVISIONAL
    return Listed(float(career.rating), career.games, named, is_published(career.games, p))


def taking(finished: date, facts: NoFacts) -> date:
    """The list of the period in which a game was finished (II.4, IX.4)."""
    return list_date(period_of(finished_under_scheme(finished)))


IECG_BULK = Bulk(
    known=Known,
    facts=NoFacts,
    standing=Career,
    side=Side,
    value=Reckoned,
    standing_of=standing_of,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    kernels=(reckon_career,),
    fold=Fold(Tally, begun, with_side, reckoned, always_folds),
    leave=left_career,
    outcome=outcome,
    listed=listed,
    calendar=Calendar(taking, by_game=True),
    codes={"status": status_code},
)
