"""What the US Chess editions give the engine for histories.

A history rates one of the systems; events of the others are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    PROVISIONAL,
    UNRATED,
    Bulk,
    Entered,
    Keeping,
    Listed,
    Outcome,
    Words,
    status_code,
)
from ratingbook.rules.half import Half
from ratingbook.rules.units import FIXED_SCALE, Day, Events, FloatRating, Games
from ratingbook.rules.uscf.after import left
from ratingbook.rules.uscf.columns import (
    NO_RATING,
    Flag,
    FloatChange,
    Formula,
    Kind,
    Parameters,
    Pool,
    Previous,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.uscf.effective import effective_by
from ratingbook.rules.uscf.entries import previous_results
from ratingbook.rules.uscf.event import KINDS, YOUTH, is_youth, kind_of
from ratingbook.rules.uscf.floors import has_established_games, highest_rating, rises
from ratingbook.rules.uscf.games import flag_of, updates, youth_fide
from ratingbook.rules.uscf.initial import (
    BY_AGE,
    Elsewhere,
    Initial,
    converted_fide,
    initial_by_age,
    initial_by_fide,
    initial_by_ratings,
    initial_without_age,
    years_of,
)
from ratingbook.rules.uscf.matches import (
    change_in_sums,
    is_in_3_years,
    is_in_180_days,
    match_is_rated,
)
from ratingbook.rules.uscf.sections import (
    DUAL,
    counts_in,
    named_systems,
    rated_as_dual,
    systems_by_time,
    systems_of_event,
)
from ratingbook.rules.uscf.steps import fide_round, match_round, step_3, step_4, step_5
from ratingbook.rules.uscf.systems import POOLS

_KERNELS = (step_3, step_4, step_5, match_round, fide_round)
_STEPS = 3
"""Kernels that are steps of an event; they come first."""
_MATCH, _FIDE = 3, 4
"""The kernels of the other kinds."""


class Known(NamedTuple):
    """What a players file says of a player; ratings are 0 where there are none."""

    rating: float = NO_NUMBER
    games: Games = NOT_GIVEN
    wins: Games = NOT_GIVEN
    draws: Games = NOT_GIVEN
    losses: Games = NOT_GIVEN
    events: Events = NOT_GIVEN
    peak: FloatRating = NO_RATING
    floor: FloatRating = NO_RATING
    olm: bool = False
    status: int = NOT_GIVEN
    fide: FloatRating = NO_RATING
    cfc: FloatRating = NO_RATING
    quick: FloatRating = NO_RATING
    """Quick rating, for Step 1 of a regular history."""
    quick_games: Games = NOT_GIVEN
    regular: FloatRating = NO_RATING
    """Regular rating, for Step 1 of a quick history."""
    regular_games: Games = NOT_GIVEN
    federation: Flag = Flag.UNKNOWN


class Facts(NamedTuple):
    """What the edition reads of an event."""

    kind: Kind = Kind.EVENT
    dual: bool = False
    """Whether it is dual rated, and this is its regular rating."""
    youth: bool = False
    in_system: bool = True
    """Whether it counts in the system that the history rates."""


class Match(NamedTuple):
    """What is kept of a match."""

    day: Day
    """Last day of its event."""
    change: FloatChange


def flag_code(federation: str) -> Flag:
    """The flag by what the players file says."""
    return flag_of(federation.strip() or None)


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing by the players file; without a rating the ratings elsewhere decide."""
    if math.isnan(known.rating) or known.status == UNRATED:
        return newcomer(known, p)
    games = known.games if known.games >= 0 else games_not_given(known.status, p)
    peak = NO_RATING
    if has_established_games(games, p):
        peak = highest_rating(known.rating, known.peak)
    return without_rating(known, p)._replace(
        rating=known.rating,
        games=games,
        rated=True,
        previous=Previous.MIXED,
        wins=known.wins,
        draws=known.draws,
        losses=known.losses,
        events=known.events,
        peak=peak,
        exact=known.rating,
    )


def games_not_given(status: int, p: Parameters) -> Games:
    """N of a player with a rating and no number of games (readings U12 and U32)."""
    if status == PROVISIONAL:
        return min(p.games_unknown, p.established_games - 1)
    return p.games_unknown


def newcomer(known: Known, p: Parameters) -> Standing:
    """An unrated player, with what Step 1 makes of ratings elsewhere.

    A FIDE rating waits for the event: its conversion depends on the day.
    """
    initial = initial_by_ratings(elsewhere(known, p), p)
    return without_rating(known, p)._replace(rating=initial.rating, games=initial.games)


def without_rating(known: Known, p: Parameters) -> Standing:
    """What the players file says besides the rating and what it rests on."""
    return Standing(
        rating=NO_RATING,
        games=0,
        rated=False,
        effective=0.0,
        previous=Previous.NONE,
        wins=0,
        draws=0,
        events=0,
        peak=NO_RATING,
        money_floor=known.floor,
        olm=known.olm,
        lowered=0.0,
        ceiling=NO_RATING,
        kind=Kind.EVENT,
        dual=False,
        match_180_days=0.0,
        match_3_years=0.0,
        refuses=p.floors_in_matches,
        exact=NO_RATING,
        published=0,
        losses=0,
        fide=known.fide,
        flag=known.federation,
        end=NOT_GIVEN,
        has_matches=False,
    )


def elsewhere(known: Known, p: Parameters) -> Elsewhere:
    """The ratings elsewhere but FIDE's; only regular and quick know each other."""
    other, games = NO_RATING, NOT_GIVEN
    if p.pool == Pool.REGULAR:
        other, games = known.quick, known.quick_games
    elif p.pool == Pool.QUICK:
        other, games = known.regular, known.regular_games
    return Elsewhere(
        NO_RATING,
        NO_RATING,
        known.cfc,
        other,
        games if games >= 0 else p.games_unknown,
        p.pool == Pool.QUICK,
    )


def facts_of(event: Event, p: Parameters) -> Facts:
    """How an event is rated, and whether it is in this system."""
    pool = POOLS[p.pool]
    systems = systems_of_event(event, p)
    by_time = systems_by_time(event.time_control, p) or ()
    return Facts(
        kind_of(event.kind),
        rated_as_dual(pool, event.pool, by_time),
        is_youth(event),
        systems is None or counts_in(pool, event.pool, systems),
    )


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """Step 1, as far as it needs the event's last day, and Step 2."""
    rating, games, previous = standing.rating, standing.games, Previous.NONE
    if standing.rated:
        previous = previous_results(standing.wins, standing.draws, standing.losses)
    else:
        rating, games = initial_of(standing, how, p)
    return standing._replace(
        rating=rating,
        games=games,
        effective=effective_by(rating, games, p),
        previous=previous,
        ceiling=NO_RATING,
        kind=facts.kind,
        dual=facts.dual,
        end=how.day,
    )


def initial_of(standing: Standing, how: Entered, p: Parameters) -> Initial:
    """Step 1: a FIDE rating before all others, and the age after them."""
    if standing.fide != NO_RATING:
        return initial_by_fide(standing.fide, p)
    if standing.games != BY_AGE:
        return Initial(standing.rating, standing.games)
    if how.birth != NOT_GIVEN:
        return initial_by_age(years_of(how.day - how.birth), p)
    return initial_without_age(how.adult)


def counts(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> bool:
    """Whether a game is rated for its player, by the kind of the event."""
    if facts.kind == Kind.EVENT:
        return facts.in_system
    if not facts.in_system:
        return False
    if facts.kind == Kind.FIDE:
        return updates(own.flag, own.rated) and opponent.fide != NO_RATING
    established = (
        own.rated
        and opponent.rated
        and has_established_games(own.games, p)
        and has_established_games(opponent.games, p)
    )
    return match_is_rated(established, abs(own.rating - opponent.rating))


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game; in a FIDE event opponents count with their FIDE ratings."""
    rating = opponent.rating
    if facts.kind == Kind.FIDE:
        fide = opponent.fide
        rating = youth_fide(fide) if facts.youth else converted_fide(fide, p)
    return Side(rating, half.score, half.meetings, half.other, half.game)


def kernel_at(facts: Facts, turn: int, p: Parameters) -> int:
    """Three steps, one round of a FIDE event, one or two of a match (reading U29)."""
    if facts.kind == Kind.EVENT:
        return turn if turn < _STEPS else -1
    if facts.kind == Kind.FIDE:
        return _FIDE if turn == 0 else -1
    return _MATCH if turn < (2 if p.match_twice else 1) else -1


def moved(side: Side, value: Reckoning) -> Side:
    """The opponent counts with what the step before made of him."""
    return side._replace(opponent=value.value)


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the event; what it is to remember of matches is kept apart."""
    after = left(entered, value, p)
    lowered = after.lowered
    if entered.lowered > 0.0 and rises(entered, after):
        lowered -= entered.lowered
    return after._replace(lowered=lowered, match_180_days=0.0, match_3_years=0.0)


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of an event; only the standard formula has an expected score."""
    is_standard = value.formula == Formula.STANDARD
    return Outcome(
        stored.rating if stored.rated else NO_NUMBER,
        float(left.published),
        value.games,
        value.score,
        value.expected / FIXED_SCALE if is_standard else NO_NUMBER,
    )


def listed(standing: Standing, p: Parameters) -> Listed:
    """The row of the final table, with the rating as it is stored."""
    if not standing.rated:
        return Listed(NO_NUMBER, 0, UNRATED, False)
    established = has_established_games(standing.games, p)
    return Listed(
        standing.rating, standing.games, ESTABLISHED if established else PROVISIONAL, True
    )


def keeps(left: Standing, p: Parameters) -> bool:
    """Matches are kept for the limits of later ones."""
    return left.has_matches


def is_kept(
    sides: Sequence[Side], index: int, entered: Standing, left: Standing, p: Parameters
) -> bool:
    """The first side of a match stands for all of it."""
    return entered.kind == Kind.MATCH and index == 0


def kept(side: Side, start: int, entered: Standing, left: Standing, p: Parameters) -> Match:
    """What is kept of a match: its day, and what it changed."""
    return Match(entered.end, left.rating - entered.rating)


def lasts(match: Match, day: Day, p: Parameters) -> bool:
    """Whether a match still counts in one of the limits."""
    return is_in_3_years(match.day, day)


def recall(standing: Standing, match: Match, day: Day, p: Parameters) -> Standing:
    """The standing with one more match in the net changes."""
    change = change_in_sums(match.change)
    in_180_days = change if is_in_180_days(match.day, day) else 0.0
    in_3_years = change if is_in_3_years(match.day, day) else 0.0
    return standing._replace(
        match_180_days=standing.match_180_days + in_180_days,
        match_3_years=standing.match_3_years + in_3_years,
    )


def knows_kind(event: Event, p: Parameters) -> bool:
    """Whether the kind is one that these rules know."""
    return not event.kind or event.kind.casefold() in KINDS


def knows_category(event: Event, p: Parameters) -> bool:
    """Whether the category is known, which is of no matter but in FIDE events."""
    return not event.category or kind_of(event.kind) != Kind.FIDE or is_youth(event)


def knows_pool(event: Event, p: Parameters) -> bool:
    """Whether the pool is one of the systems; a history leaves out what is of another."""
    return not event.pool or named_systems(event.pool) is not None


_WORDS = {
    "kind": Words(knows_kind, KINDS, "rated like a Swiss"),
    "category": Words(knows_category, (YOUTH,), "it is not used"),
    "pool": Words(knows_pool, (*POOLS, DUAL), "", refuses=True),
}
"""What the columns of events say."""

USCF_BULK = Bulk(
    known=Known,
    facts=Facts,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    kernels=_KERNELS,
    kernel_at=kernel_at,
    moved=moved,
    leave=leave,
    outcome=outcome,
    listed=listed,
    keeping=Keeping(kept=Match, keeps=keeps, counts=is_kept, keep=kept, lasts=lasts, recall=recall),
    codes={"status": status_code, "federation": flag_code},
    event_words=_WORDS,
    counts_meetings=True,
)
