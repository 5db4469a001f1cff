"""How the IECG editions rate: their columns, and the functions over them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ratingbook.model import Event, FrozenSide
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
    Keeping,
    Listed,
    Outcome,
    day_number,
    month_number,
    status_code,
)
from ratingbook.rules.iecg.columns import (
    ALWAYS,
    NO_RATING,
    Facts,
    Known,
    Parameters,
    Reckoning,
    Standing,
    Status,
    Tally,
)
from ratingbook.rules.iecg.entries import (
    says_sums,
    standing_of,
    transfer_code,
    unknown_player,
)
from ratingbook.rules.iecg.entry_rating import counted_opponent, has_performance, own_rating
from ratingbook.rules.iecg.games import counts, left_unrated, predicted, side_of
from ratingbook.rules.iecg.lists import (
    INAUGURATION,
    MONTHS_OF_A_PERIOD,
    Period,
    before,
    finished_under_scheme,
    is_kept,
    last_day_of,
    list_date,
    period_of,
    whole,
)
from ratingbook.rules.iecg.period import (
    begun,
    earlier_games_assumed,
    leave,
    reckoned,
    resumed,
    with_side,
)
from ratingbook.rules.iecg.provisional import performance, rests_on_earlier_games
from ratingbook.rules.units import FIXED_SCALE, Games, Rating
from ratingbook.rules.usual import Kept, Side, carried, kept_of

_MONTHS = 12
_SHORTEST_PERIOD = 59
"""Days of January and February; dates are compared in periods only where days do not settle it."""

_INAUGURATION = day_number(INAUGURATION)


def known_of(standing: Standing, p: Parameters) -> Known:
    """What a players file says of a standing."""
    established = standing.status == Status.ESTABLISHED
    has_rating = standing.status != Status.STARTING and standing.rating != NO_RATING
    has_games = not established and standing.games > 0
    return Known(
        rating=float(standing.rating) if has_rating else NO_NUMBER,
        games=standing.games,
        starting_rating=NO_NUMBER if established else float(standing.starting),
        ter=float(standing.ter),
        earlier_score=standing.score / 2 if has_games else NO_NUMBER,
        earlier_opponents=standing.total if has_games else NOT_GIVEN,
    )


def assumed_games(known: Known, p: Parameters) -> Games:
    """The earlier games of which only the number is said (reading B29)."""
    standing = standing_of(known, p)
    if not rests_on_earlier_games(standing.status, p) or says_sums(known, standing.games):
        return 0
    return standing.games


def facts_of(event: Event, p: Parameters) -> Facts:
    """When the period of a report ends."""
    last = last_day_of(event)
    return Facts(ALWAYS if last is None else day_number(last))


def period_of_day(day: int) -> Period:
    """II.1 and IX.4: the period that a result of that day is rated in."""
    months = month_number(max(day, _INAUGURATION))
    return Period(months // _MONTHS, months % _MONTHS // MONTHS_OF_A_PERIOD + 1)


def was_deleted(last: int, day: int, p: Parameters) -> bool:
    """VIII.5: whether a player last seen on one day was deleted before the period of another."""
    if day - last <= p.deleted_periods * _SHORTEST_PERIOD:
        return False
    return not is_kept(period_of_day(last), before(period_of_day(day)), p)


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """A player who was deleted before this period is new again (reading B28)."""
    if how.last == NOT_GIVEN or not was_deleted(how.last, how.day, p):
        return standing
    new = unknown_player(p)
    return standing._replace(
        rating=new.rating,
        games=new.games,
        status=new.status,
        starting=new.starting,
        ter=new.ter,
        published=new.published,
        score=new.score,
        total=new.total,
    )


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of a period: a provisional rating has no expected score."""
    is_expected = entered.status == Status.ESTABLISHED
    return Outcome(
        float(entered.rating) if entered.rating != NO_RATING else NO_NUMBER,
        float(left.rating) if left.rating != NO_RATING else NO_NUMBER,
        value.games,
        value.score,
        value.expected / FIXED_SCALE if is_expected else NO_NUMBER,
    )


def exact(entered: Standing, value: Reckoning, left: Standing, p: Parameters) -> float:
    """The new rating, not yet rounded."""
    return value.exact / FIXED_SCALE


def listed(standing: Standing, p: Parameters) -> Listed:
    """The row of the list, as far as it does not depend on its day (VIII.5)."""
    status = ESTABLISHED
    if standing.status == Status.STARTING:
        status = STARTING
    elif standing.status == Status.PROVISIONAL:
        status = PROVISIONAL
    rating = float(standing.rating) if standing.rating != NO_RATING else NO_NUMBER
    return Listed(rating, standing.games, status, standing.published)


def performance_of(
    entered: Standing, sides: Sequence[Side], value: Reckoning, p: Parameters
) -> int | None:
    """The performance in this period's games, as III.4 and III.5 publish it."""
    if value.games == 0 or not has_performance(entered.games + value.games, p):
        return None
    return whole(performance(sides, p), p)


def number_of_opponent(entered: Standing, side: Side, value: Reckoning, p: Parameters) -> Rating:
    """II.3 and III.8: the Tournament Entry Rating, cut off."""
    return counted_opponent(side, p)


def keeps(left: Standing, p: Parameters) -> bool:
    """A player who is not established keeps all games."""
    return left.status != Status.ESTABLISHED


def thawed(frozen: FrozenSide, standing: Standing, p: Parameters) -> Kept | None:
    """A side of a report's history; none where IX.5 b has the old games forgotten."""
    if not keeps(standing, p) or standing.games == 0:
        return None
    own = own_rating(standing, p) if frozen.own is None else int(frozen.own)
    return Kept(own, int(frozen.opponent), int(2 * frozen.score), NOT_GIVEN)


def taking(finished: date, facts: Facts) -> date:
    """The list of the period in which a game was finished (II.4, IX.4)."""
    return list_date(period_of(finished_under_scheme(finished)))


IECG_BULK = Bulk(
    known=Known,
    facts=Facts,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    known_of=known_of,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    left_unrated=left_unrated,
    side_of=side_of,
    predicted=predicted,
    fold=Fold(Tally, begun, with_side, reckoned, resumed=resumed),
    keeping=Keeping(
        Kept,
        keeps,
        kept_of,
        side=carried,
        thawed=thawed,
        sums=frozenset({"earlier_score", "earlier_opponents"}),
        assumed=assumed_games,
        tells_assumed=earlier_games_assumed,
    ),
    leave=leave,
    outcome=outcome,
    exact=exact,
    performance=performance_of,
    opponents_number=number_of_opponent,
    listed=listed,
    calendar=Calendar(taking, by_game=True),
    codes={"status": status_code, "transfer": transfer_code},
)
