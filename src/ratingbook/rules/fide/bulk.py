"""How the FIDE editions rate: their columns, and the functions over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from ratingbook.model import Event, FrozenSide
from ratingbook.model.sentences import sentence, stated
from ratingbook.rules.asked import UNPLAYED
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    Bulk,
    Calendar,
    Entered,
    Fold,
    Keeping,
    Listed,
    Words,
    day_number,
    is_game,
    month_number,
    status_code,
    year_number,
)
from ratingbook.rules.fide.change import (
    OTHER_COEFFICIENTS,
    PeriodTally,
    begins_another_event,
    event_coefficient,
    frozen_side,
    is_young,
    may_be_reduced,
    no_sides,
    period_sum,
    with_side,
)
from ratingbook.rules.fide.columns import (
    CARRIED,
    NO_RATING,
    Facts,
    Parameters,
    Pool,
    Reckoning,
    Side,
    Standing,
    pool_named,
)
from ratingbook.rules.fide.events import EVENT_RULES, facts_of, is_official
from ratingbook.rules.fide.expected import expected_score, is_rated_game
from ratingbook.rules.fide.first import (
    counting_since,
    event_tally,
    first_reckoning,
    is_kept,
    tally_counts,
)
from ratingbook.rules.fide.lists import (
    deciding_day,
    is_long_event,
    is_too_late,
    list_in_force,
    list_taking,
)
from ratingbook.rules.fide.period import (
    corrected,
    entered,
    exact,
    left,
    listed_standing,
    outcome,
    rating_for_others,
    rating_in_force,
    remembering,
)
from ratingbook.rules.fide.pools import POOLS, pools_of
from ratingbook.rules.fide.reforms import reformed
from ratingbook.rules.fide.titles import performance_rating
from ratingbook.rules.half import Half, Status
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import (
    SCORE_SCALE,
    Coefficient,
    Day,
    FloatRating,
    HalfPoints,
    Rating,
    Year,
)
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
    birth_year: Year = NOT_GIVEN
    """Where no more than the year is known."""
    k: int = NOT_GIVEN
    """K of the list: it says where K comes from if the number of games is not known."""


class Decisions(NamedTuple):
    """What the office can decide for a player."""

    base_rating: FloatRating = NO_NUMBER
    """The rating from which the computation starts, in place of the published one."""


class Kept(NamedTuple):
    """A game towards a first rating."""

    opponent: Rating
    score: HalfPoints
    start: Day
    """Day on which the event started."""


def year_of_birth(known: Known) -> Year:
    """The year of birth, if it is said."""
    if known.birth_date != NOT_GIVEN:
        return year_number(known.birth_date)
    return known.birth_year


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing by the players file; one without a rating is unrated."""
    rating = NO_RATING if math.isnan(known.rating) else int(known.rating)
    standard = NO_RATING if math.isnan(known.standard) else int(known.standard)
    games = known.games if rating != NO_RATING else max(0, known.games)
    said = said_of(known, rating, games, known.status, standard)
    return listed_standing(said._replace(listed_k=known.k), p)


def said_of(known: Known, rating: Rating, games: int, status: int, standard: Rating) -> Standing:
    """The standing as it is said, with the memory of ratings that were reached."""
    return Standing(
        rating=rating,
        games=games,
        reached_top=known.reached_2400,
        reached_junior=known.reached_2300,
        status=status,
        birth_year=year_of_birth(known),
        standard=standard,
        listed_k=NOT_GIVEN,
    )


def known_of(standing: Standing, p: Parameters) -> Known:
    """What a players file would say of a standing."""
    return Known(
        rating=NO_NUMBER if standing.rating == NO_RATING else float(standing.rating),
        games=standing.games,
        status=standing.status,
        reached_2400=standing.reached_top,
        reached_2300=standing.reached_junior,
        standard=NO_NUMBER if standing.standard == NO_RATING else float(standing.standard),
        birth_year=standing.birth_year,
        k=standing.listed_k if standing.listed_k > 0 else NOT_GIVEN,
    )


def assumed(known: Known, rating: float, p: Parameters) -> Standing:
    """A player without a rating, rated by ``--assume`` as if the list had said so."""
    said = said_of(known, int(rating), max(0, known.games), ESTABLISHED, NO_RATING)
    return listed_standing(said, p)


def age_seen(birth: Day, day: Day, p: Parameters) -> bool:
    """All that is made of a birth date: whether K is that of a junior in events of that day."""
    return p.juniors and birth != NOT_GIVEN and is_young(year_number(birth), day, p)


def born(standing: Standing, birth: Day, p: Parameters) -> Standing:
    """The same of somebody who was born on that day."""
    year = NOT_GIVEN if birth == NOT_GIVEN else year_number(birth)
    return standing._replace(birth_year=year)


def caveat_of(event: Event, p: Parameters) -> str:
    """What is rated otherwise than in a report: events of another list."""
    if pools_of(event, p).found not in (None, p.pool):
        return sentence(
            "events of another list are rated on this one, {pool}, as was set; without that each "
            "is rated on its own",
            pool=stated(p.pool.name.lower()),
        )
    return ""


def decided_standing(standing: Standing, decided: Decisions, p: Parameters) -> Standing:
    """The standing with the rating that the office decided."""
    return corrected(standing, int(decided.base_rating), p)


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """Only a published rating is in force, or the standard one (12)."""
    return entered(standing, p)


def in_force(standing: Standing, p: Parameters) -> Rating:
    """The rating that events begun under this list use."""
    return entered(standing, p).rating


def coefficient(standing: Standing, day: Day, p: Parameters) -> Coefficient:
    """Paragraph 2: K in an event that begins on a day, by the rating of then; 0: none."""
    now = entered(standing, p)
    if now.rating == NO_RATING:
        return 0
    unplayed = UNPLAYED._replace(start=day)
    side = frozen_side(now, unplayed, now.rating, now.rating, True, _facts_of_any(p), p)
    return event_coefficient(now, side, p)


@cache
def _facts_of_any(p: Parameters) -> Facts:
    """The numbers that hold for an event of which nothing more is said."""
    return facts_of(Event(), p)


# Paragraph 8: only games that were played over the board.
paragraph("8", edition="fide")(is_game)


def counts(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> bool:
    """Whether a game is rated; one that is left out has been reported."""
    if half.status == Status.LEFT_OUT:
        return False
    return is_game(half.status, half.score)


@paragraph("8", "the report does not rate the game for this side")
def left_unrated(half: Half, p: Parameters) -> None:
    """Paragraph 8: a game may count for one side only; the report says so."""


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game, at the ratings in force when its event started.

    A player who has been rated since the start of the event is rated with the new rating, but
    was unrated for the opponents (reading F17).  In a round robin with unrated players
    the event gives numbers, too (6g).
    """
    mine = rating_in_force(own.rating, half.own)
    theirs = rating_for_others(opponent.rating, half.opponent)
    number = theirs
    if facts.opponents > 0:
        if mine == NO_RATING:
            number = facts.average
        elif theirs == NO_RATING:
            number = half.instead
    return frozen_side(own, half, mine, number, theirs != NO_RATING, facts, p)


def predicted(entered: Standing, side: Side, p: Parameters) -> float:
    """Paragraph 1: E of a side before the game; of unrated players nothing is expected."""
    if NO_RATING in (side.own, side.opponent):
        return NO_NUMBER
    cap = 0 if side.capped_once else side.cap
    return expected_score(side.own, side.opponent, cap, p) / SCORE_SCALE


def is_rated(standing: Standing, p: Parameters) -> bool:
    """Whether the period is a sum over the games: with a rating in force."""
    return standing.rating != NO_RATING


def keeps(left: Standing, p: Parameters) -> bool:
    """Games are kept until there is a first rating."""
    return left.status != ESTABLISHED


def chosen(
    sides: Sequence[Side], entered: Standing, left: Standing, p: Parameters
) -> Sequence[bool]:
    """Kept are the games of events that count towards a first rating (6a)."""
    found = [entered.rating == NO_RATING and side.opponent != NO_RATING for side in sides]
    since, start = counting_since(sides), 0
    while start < len(sides):
        tally = event_tally(sides, start)
        if not tally_counts(tally, since, sides[start]):
            for index in range(start, tally.end):
                found[index] = False
        start = tally.end
    return found


def kept_side(side: Side, start: int, entered: Standing, left: Standing, p: Parameters) -> Kept:
    """What is kept of a game."""
    return Kept(side.opponent, side.score, start)


def lasts(kept: Kept, day: int, p: Parameters) -> bool:
    """Whether the game is not too old (6e) when the player's last event of the period ends."""
    if NOT_GIVEN in (day, kept.start):
        return True
    return is_kept(month_number(day) - month_number(kept.start), p)


def carried_side(kept: Kept, entered: Standing, p: Parameters) -> Side:
    """The side that a kept game is: for a rated player it is not a rated game."""
    opponent = kept.opponent if entered.rating == NO_RATING else NO_RATING
    return CARRIED._replace(opponent=opponent, score=kept.score)


def thawed(frozen: FrozenSide, standing: Standing, p: Parameters) -> Kept | None:
    """The game of a report's history; a rated player needs none."""
    if entered(standing, p).rating != NO_RATING:
        return None
    return Kept(int(frozen.opponent), int(2 * frozen.score), day_number(frozen.start))


def listed(standing: Standing, p: Parameters) -> Listed:
    """The row of the list; below the floor a player keeps a number that is not published."""
    published = standing.status == ESTABLISHED
    rating = NO_NUMBER if standing.rating == NO_RATING else float(standing.rating)
    return Listed(rating, standing.games, standing.status, published)


def counted(entered: Standing, sides: Sequence[Side], p: Parameters) -> Sequence[Side]:
    """The sides against rated opponents, of an unrated player those of events that count."""
    if entered.rating == NO_RATING:
        counts = chosen(sides, entered, entered, p)
        return [s for s, is_kept in zip(sides, counts, strict=True) if is_kept and s.game >= 0]
    return [side for side in sides if side.game >= 0 and is_rated_game(side)]


def number_of_opponent(entered: Standing, side: Side, value: Reckoning, p: Parameters) -> Rating:
    """The rating in force, the standard one in its place (12), or a number of the event (6g)."""
    return side.opponent


def performance(
    entered: Standing, sides: Sequence[Side], value: Reckoning, p: Parameters
) -> Rating | None:
    """Performance over the games of this batch against rated opponents."""
    unrated = entered.rating == NO_RATING
    met = [
        side
        for side in sides
        if side.game >= 0 and side.opponent != NO_RATING and (side.meets_rated or unrated)
    ]
    if not met:
        return None
    total, score = sum(side.opponent for side in met), sum(side.score for side in met)
    return performance_rating(total, score, len(met))


def taking(end: date, facts: Facts) -> date:
    """The list that takes an event, by its last day."""
    return list_taking(end, facts.official)


def decides(start: date, end: date, event: Event, p: Parameters) -> date:
    """The day that says which edition an event is rated by."""
    return deciding_day(start, end, is_official(event), p)


def late(end: date, reported: date, p: Parameters) -> bool:
    """Whether a report came too late (5d)."""
    return p.late_lists > 0 and is_too_late(end, reported, p.late_lists)


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
    age_seen=age_seen,
    enter=enter,
    decisions=Decisions,
    corrected=decided_standing,
    counts=counts,
    left_unrated=left_unrated,
    event_rules=EVENT_RULES,
    side_of=side_of,
    predicted=predicted,
    # Whoever is rated is summed up: the kernel is for the others.
    kernels=(first_reckoning,),
    fold=Fold(
        PeriodTally,
        no_sides,
        with_side,
        period_sum,
        is_rated,
        rare=OTHER_COEFFICIENTS,
        needs_rare=may_be_reduced,
        changes_rare=begins_another_event,
    ),
    leave=left,
    remembers=remembering,
    outcome=outcome,
    exact=exact,
    known_of=known_of,
    counted=counted,
    performance=performance,
    performance_against=performance_rating,
    opponents_number=number_of_opponent,
    opponents_as_listed=True,
    coefficient=coefficient,
    born=born,
    listed=listed,
    in_force=in_force,
    keeping=Keeping(
        kept=Kept,
        keeps=keeps,
        chosen=chosen,
        keep=kept_side,
        lasts=lasts,
        side=carried_side,
        thawed=thawed,
    ),
    calendar=Calendar(
        taking, list_in_force, splits=is_long_event, kept_lists=8, decides=decides, late=late
    ),
    reformed=reformed,
    pools=POOLS,
    codes={"status": status_code},
    event_words=_WORDS,
    assumes_games=True,
)
