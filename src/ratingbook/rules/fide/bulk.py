"""What the FIDE editions give the engine for histories."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    STARTING,
    UNRATED,
    Bulk,
    Calendar,
    Entered,
    Fold,
    Half,
    Keeping,
    Listed,
    Words,
    month_number,
    status_code,
    year_number,
)
from ratingbook.rules.fide.change import PeriodTally, no_sides, period_sum, with_side
from ratingbook.rules.fide.columns import (
    NO_RATING,
    Facts,
    Parameters,
    Pool,
    Reckoning,
    Side,
    Standing,
    pool_named,
)
from ratingbook.rules.fide.first import (
    counting_since,
    event_tally,
    first_reckoning,
    first_rules,
    is_kept,
    tally_counts,
)
from ratingbook.rules.fide.lists import deciding_day, list_in_force, list_taking
from ratingbook.rules.fide.period import (
    entered,
    left,
    listed_standing,
    outcome,
    rating_in_force,
)
from ratingbook.rules.fide.reforms import reformed
from ratingbook.rules.fide.side import carried, frozen_side
from ratingbook.rules.units import Day, FloatRating, HalfPoints, Rating
from ratingbook.rules.wording import KINDS, kind_of


class Known(NamedTuple):
    """What a players file says of a player."""

    rating: float = NO_NUMBER
    games: int = NOT_GIVEN
    status: int = NOT_GIVEN
    reached_2400: bool = False
    reached_2300: bool = False
    standard: FloatRating = NO_NUMBER
    """Standard rating, where the list is rapid or blitz."""
    birth_date: Day = NOT_GIVEN


class Kept(NamedTuple):
    """A game towards a first rating."""

    opponent: Rating
    score: HalfPoints
    start: Day
    """Day on which the event started."""


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing by the players file; one without a rating is unrated."""
    rating = NO_RATING if math.isnan(known.rating) else int(known.rating)
    standard = NO_RATING if math.isnan(known.standard) else int(known.standard)
    games = known.games if rating != NO_RATING else max(0, known.games)
    born = NOT_GIVEN if known.birth_date == NOT_GIVEN else year_number(known.birth_date)
    return listed_standing(
        rating=rating,
        games=games,
        status=known.status,
        reached_top=known.reached_2400,
        reached_junior=known.reached_2300,
        birth_year=born,
        standard=standard,
        p=p,
    )


def assumed(known: Known, rating: float, p: Parameters) -> Standing:
    """A player without a rating, rated by ``--assume`` as if the list had said so."""
    games = max(0, known.games)
    born = NOT_GIVEN if known.birth_date == NOT_GIVEN else year_number(known.birth_date)
    return listed_standing(
        rating=int(rating),
        games=games,
        status=ESTABLISHED,
        reached_top=known.reached_2400,
        reached_junior=known.reached_2300,
        birth_year=born,
        standard=NO_RATING,
        p=p,
    )


def facts_of(event: Event, p: Parameters) -> Facts:
    """Whether the event is official, and the numbers that hold for it."""
    numbers = {name: getattr(p, name) for name in Facts._fields if name != "official"}
    return Facts(official=event.category == "official", **numbers)


def caveat_of(event: Event, p: Parameters) -> str:
    """What is rated otherwise: round robins with unrated players (reading F18), for one."""
    if pool_named(event.pool) not in (None, p.pool):
        return (
            f"events of another list are rated on this one, {p.pool.name.lower()}; each list needs "
            "a history of its own"
        )
    if kind_of(event) == "round_robin" and p.round_robins:
        return "round robins are rated as Swiss events, also where unrated players take part"
    if kind_of(event) == "match" and p.match_rules:
        return "matches are rated with all their games, also after they are decided"
    return ""


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """Only a published rating is in force."""
    return entered(standing)


def in_force(standing: Standing, p: Parameters) -> Rating:
    """The rating that events begun under this list use."""
    return entered(standing).rating


def counts(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> bool:
    """Every game of the columns was played."""
    return True


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game, at the ratings in force when its event started.

    Who has been rated since the start of the event is rated with the new rating, but
    was unrated for the opponents (reading F17).
    """
    theirs = half.opponent if opponent.rating != NO_RATING else NO_RATING
    return frozen_side(
        standing=own,
        own=rating_in_force(own.rating, half.own),
        opponent=theirs,
        meets_rated=theirs != NO_RATING,
        score=half.score,
        event=half.event,
        field=0,
        start=half.start,
        other=half.other,
        game=half.game,
        rules=facts,
        p=p,
    )


def is_rated(standing: Standing, p: Parameters) -> bool:
    """Whether the period is a sum over the games: with a rating in force."""
    return standing.rating != NO_RATING


def keeps(left: Standing, p: Parameters) -> bool:
    """Games are kept until there is a first rating."""
    return left.status != ESTABLISHED


def side_is_kept(
    sides: Sequence[Side], index: int, entered: Standing, left: Standing, p: Parameters
) -> bool:
    """Kept are the games of events that count towards a first rating (6a)."""
    if entered.rating != NO_RATING or sides[index].opponent == NO_RATING:
        return False
    since = counting_since(sides)
    start = 0
    tally = event_tally(sides, start)
    while tally.end <= index:
        start = tally.end
        tally = event_tally(sides, start)
    return tally_counts(tally, since, first_rules(sides[start]))


def kept_side(side: Side, start: int, entered: Standing, left: Standing, p: Parameters) -> Kept:
    """What is kept of a game."""
    return Kept(side.opponent, side.score, start)


def lasts(kept: Kept, day: int, p: Parameters) -> bool:
    """Whether the game is not too old (6e) when the player's last event of the period ends."""
    return is_kept(month_number(day) - month_number(kept.start), p)


def carried_side(kept: Kept, entered: Standing, p: Parameters) -> Side:
    """The side that a kept game is."""
    return carried(kept.opponent, kept.score)


def listed(standing: Standing, p: Parameters) -> Listed:
    """The row of the list; who fell below the floor keeps a number that is not published."""
    if standing.status == STARTING:
        return Listed(NO_NUMBER, standing.games, UNRATED, False)
    published = standing.status == ESTABLISHED
    rating = NO_NUMBER if standing.rating == NO_RATING else float(standing.rating)
    return Listed(rating, standing.games, standing.status, published)


def taking(end: date, facts: Facts) -> date:
    """The list that takes an event, by its last day."""
    return list_taking(end, facts.official)


def decides(start: date, end: date, event: Event, p: Parameters) -> date:
    """The day that says which edition an event is rated by."""
    return deciding_day(start, end, event.category == "official", p)


def splits(days: int, p: Parameters) -> bool:
    """Whether an event is so long that its months are rated by themselves (5e)."""
    return days > p.longest_event > 0


def knows_pool(event: Event, p: Parameters) -> bool:
    """Whether the pool of an event is one of FIDE's lists."""
    return not event.pool or pool_named(event.pool) is not None


def knows_kind(event: Event, p: Parameters) -> bool:
    """Whether the kind of an event is one that reports know."""
    return not event.kind or kind_of(event) in KINDS


_WORDS = {
    "kind": Words(knows_kind, KINDS, "rated like a Swiss"),
    "pool": Words(knows_pool, [pool.name.lower() for pool in Pool], "", refuses=True),
}
"""What the columns of events say."""

FIDE_BULK = Bulk(
    known=Known,
    facts=Facts,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    assumed=assumed,
    facts_of=facts_of,
    caveat_of=caveat_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    # Whoever is rated is summed up: the kernel is for the others.
    kernels=(first_reckoning,),
    fold=Fold(PeriodTally, no_sides, with_side, period_sum, is_rated),
    leave=left,
    outcome=outcome,
    listed=listed,
    in_force=in_force,
    keeping=Keeping(
        kept=Kept,
        keeps=keeps,
        counts=side_is_kept,
        keep=kept_side,
        lasts=lasts,
        side=carried_side,
    ),
    calendar=Calendar(taking, list_in_force, splits=splits, kept_lists=8, decides=decides),
    reformed=reformed,
    codes={"status": status_code},
    event_words=_WORDS,
)
