"""How the US Chess editions rate: their columns, and the functions over them.

One of the systems is rated; events of the others are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

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
from ratingbook.rules.units import FIXED_SCALE, Day, FloatRating, Games
from ratingbook.rules.uscf.after import left
from ratingbook.rules.uscf.columns import (
    NO_RATING,
    NO_STANDING,
    Decisions,
    Facts,
    Formula,
    Kind,
    Known,
    Match,
    Parameters,
    Pool,
    Previous,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.uscf.floors import (
    adjusted_rating,
    floor_on_record,
    has_established_games,
    highest_rating,
    rises,
)
from ratingbook.rules.uscf.games import (
    KINDS,
    YOUTH,
    counts_for_side,
    flag_of,
    game_counts,
    is_updated,
    is_youth,
    kind_of,
    opponent_by_fide,
    opponent_in_youth_event,
)
from ratingbook.rules.uscf.initial import (
    BY_CFC,
    Initial,
    age_in_years,
    counts_from_other_system,
    initial_by_age,
    initial_by_cfc,
    initial_by_fide,
    initial_by_office,
    initial_by_quick,
    initial_by_regular,
    initial_of_adult,
    initial_of_unknown,
)
from ratingbook.rules.uscf.matches import (
    REDUCTION,
    change_in_sums,
    frozen,
    is_in_3_years,
    is_in_180_days,
    match_is_rated,
    thawed,
)
from ratingbook.rules.uscf.pools import SYSTEMS, Others, of_other_system
from ratingbook.rules.uscf.provisional import expectancy, previous_results
from ratingbook.rules.uscf.standard import effective_by, standard_expectancy
from ratingbook.rules.uscf.steps import fide_round, formula_by, match_round, step_3, step_4, step_5
from ratingbook.rules.uscf.storage import published_rating, unchanged
from ratingbook.rules.uscf.systems import (
    DUAL,
    POOLS,
    counts_in,
    counts_in_both,
    named_systems,
    pool_rated,
    systems_by_time,
    systems_of_event,
)

_KERNELS = (step_3, step_4, step_5, match_round, fide_round)
_STEPS = 3
"""Kernels that are steps of an event; they come first."""
_MATCH, _FIDE = 3, 4
"""The kernels of the other kinds."""


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing by what is known; without a rating, with what Step 1 begins with."""
    if math.isnan(known.rating) or known.status == UNRATED:
        return newcomer(known, p)
    return without_rating(known)._replace(
        rating=known.rating,
        games=known.games if known.games >= 0 else games_not_given(known.status, p),
        rated=True,
        wins=known.wins,
        draws=known.draws,
        losses=known.losses,
        events=known.events,
        peak=known.peak,
        exact=known.rating,
    )


def games_not_given(status: int, p: Parameters) -> Games:
    """N of a player with a rating and no number of games (readings U12 and U32)."""
    if status == PROVISIONAL:
        return min(p.games_unknown, p.established_games - 1)
    return p.games_unknown


def newcomer(known: Known, p: Parameters) -> Standing:
    """An unrated player: with a CFC rating, else one of the other system.

    Only regular and quick know each other.  A FIDE rating comes before both, and stands apart.
    """
    said = Others(
        quick=known.quick,
        quick_games=known.quick_games,
        regular=known.regular,
        regular_games=known.regular_games,
    )
    rating, games = of_other_system(said, p)
    if known.cfc != NO_RATING:
        rating, games = known.cfc, BY_CFC
    return without_rating(known)._replace(rating=rating, games=games)


def without_rating(known: Known) -> Standing:
    """What is known besides the rating and what it rests on."""
    return NO_STANDING._replace(
        money_floor=known.floor, olm=known.olm, fide=known.fide, flag=known.federation
    )


def known_of(standing: Standing, p: Parameters) -> Known:
    """What a report says of a standing after an event."""
    return Known(
        rating=standing.rating,
        games=standing.games,
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
        events=standing.events,
        peak=standing.peak,
        floor=standing.money_floor,
        olm=standing.olm,
    )


def facts_of(event: Event, p: Parameters) -> Facts:
    """How an event is rated, and whether it is in this system."""
    by_time = systems_by_time(event.time_control, p)
    systems = systems_of_event(event, by_time)
    return Facts(
        kind=kind_of(event.kind),
        dual=counts_in_both(event.pool, by_time or ()),
        youth=is_youth(event),
        in_system=systems is None or counts_in(POOLS[p.pool], event.pool, systems),
    )


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """Step 1, what the office decided, and Step 2."""
    pool = pool_rated(p.pool)
    said = how.decided
    rating, games, previous = standing.rating, standing.games, Previous.NONE
    peak = NO_RATING
    if standing.rated:
        previous = previous_results(standing.wins, standing.draws, standing.losses)
        if said.adjusted_rating > 0.0:
            rating = adjusted_rating(rating, said.adjusted_rating)
        if has_established_games(games, p):
            peak = highest_rating(rating, standing.peak)
    else:
        rating, games = initial_rating(standing, how, p)
    return standing._replace(
        rating=rating,
        games=games,
        previous=previous,
        peak=peak,
        money_floor=floor_on_record(standing.money_floor, said),
        effective=effective_by(rating, games, p),
        ceiling=said.ceiling if said.ceiling > 0.0 else NO_RATING,
        holds_floor=refuses_reductions(said, p),
        kind=facts.kind,
        dual=facts.dual and pool == Pool.REGULAR,
        end=how.day,
    )


def initial_rating(standing: Standing, how: Entered, p: Parameters) -> Initial:
    """Step 1: the first case that fits, a decision of the office before all (U4)."""
    if how.decided.initial_rating > 0.0:
        return initial_by_office(how.decided.initial_rating)
    if standing.fide != NO_RATING:
        return initial_by_fide(standing.fide, p)
    if standing.games == BY_CFC:
        return initial_by_cfc(standing.rating)
    if standing.games >= 0 and counts_from_other_system(standing.games):
        if p.pool == Pool.QUICK:
            return initial_by_regular(standing.rating, standing.games)
        return initial_by_quick(standing.rating)
    if min(how.birth, how.day) > NOT_GIVEN:
        return initial_by_age(age_in_years(how.birth, how.day), p)
    return initial_of_adult() if how.adult else initial_of_unknown()


def refuses_reductions(said: Decisions, p: Parameters) -> bool:
    """Whether the office refuses to lower the player's floor for a match."""
    if said.floor_reduction >= 0.0:
        return said.floor_reduction == 0.0
    return p.floors_in_matches


def counts(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> bool:
    """Whether a game is rated for its player, by the kind of the event."""
    if not facts.in_system or not game_counts(half.status, half.score):
        return False
    if facts.kind == Kind.FIDE:
        return is_updated(own.flag, own.rated) and fide_of(half, opponent) != NO_RATING
    if facts.kind == Kind.EVENT:
        return True
    established = (
        own.rated
        and opponent.rated
        and has_established_games(own.games, p)
        and has_established_games(opponent.games, p)
    )
    return match_is_rated(established, abs(own.rating - opponent.rating))


def fide_of(half: Half, opponent: Standing) -> FloatRating:
    """The opponent's FIDE rating: the one that the game names, else that on record."""
    return float(half.opponent) if half.opponent > 0 else opponent.fide


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game; in a FIDE event opponents count with their FIDE ratings."""
    rating = opponent.rating
    if facts.kind == Kind.FIDE:
        fide = fide_of(half, opponent)
        rating = opponent_in_youth_event(fide) if facts.youth else opponent_by_fide(fide, p)
    return Side(rating, half.score, half.meetings, half.other, half.game)


def kernel_at(facts: Facts, turn: int, p: Parameters) -> int:
    """Three steps, one round of a FIDE event, one or two of a match (reading U29)."""
    if facts.kind == Kind.EVENT:
        return turn if turn < _STEPS else -1
    if facts.kind == Kind.FIDE:
        return _FIDE if turn == 0 else -1
    return _MATCH if turn < (2 if p.match_twice else 1) else -1


def kernel_of_estimate(facts: Facts, turn: int, p: Parameters) -> int:
    """As players' estimators have it: Steps 3 and 4, without the opponents' new ratings."""
    return -1 if facts.kind == Kind.EVENT and turn == _STEPS - 1 else kernel_at(facts, turn, p)


def predicted(entered: Standing, side: Side, p: Parameters) -> float:
    """2.2 and 2.3: the winning expectancy before the event, by the formula of the player."""
    if formula_by(entered.games, entered.previous, p) == Formula.SPECIAL:
        return expectancy(entered.rating, side.opponent)
    return standard_expectancy(entered.rating, side.opponent)


def moved(side: Side, value: Reckoning) -> Side:
    """The opponent counts with what the step before made of him."""
    return side._replace(opponent=value.value)


def number_of_opponent(
    entered: Standing, side: Side, value: Reckoning, p: Parameters
) -> FloatRating:
    """In an event that of Step 4, in a FIDE event the converted FIDE rating."""
    return side.opponent


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the event; what it is to remember of matches is kept apart."""
    if value.games > 0:
        return left(entered, value, p)._replace(lowered=0.0, match_180_days=0.0, match_3_years=0.0)
    if entered.rated:
        return entered._replace(exact=entered.rating, published=unchanged(entered.rating))
    return entered


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The numbers of an event; only the standard formula has an expected score."""
    is_standard = value.formula == Formula.STANDARD
    return Outcome(
        stored.rating if stored.rated else NO_NUMBER,
        float(left.published) if left.rated else NO_NUMBER,
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


def chosen(
    sides: Sequence[Side], entered: Standing, left: Standing, p: Parameters
) -> Sequence[bool]:
    """The first side of a match stands for all of it."""
    return [entered.kind == Kind.MATCH and index == 0 for index in range(len(sides))]


def kept(side: Side, start: int, entered: Standing, left: Standing, p: Parameters) -> Match:
    """What is kept of a match: its day, what it changed, and whether it lowered a floor."""
    change = left.rating - entered.rating
    return Match(entered.end, change, not left.holds_floor)


def renewed(match: Match, entered: Standing, left: Standing, p: Parameters) -> Match:
    """A floor is lowered until a new peak gives a higher one."""
    if match.lowers_floor and rises(entered, left):
        return match._replace(lowers_floor=False)
    return match


def lasts(match: Match, day: Day, p: Parameters) -> bool:
    """Whether a match still counts in one of the limits, or lowers a floor."""
    return match.lowers_floor or is_in_3_years(match.day, day)


def recall(standing: Standing, match: Match, day: Day, p: Parameters) -> Standing:
    """The standing with one more match in the net changes and the lowered floors."""
    change = change_in_sums(match.change)
    in_180_days = change if is_in_180_days(match.day, day) else 0.0
    in_3_years = change if is_in_3_years(match.day, day) else 0.0
    lowered = REDUCTION if match.lowers_floor else 0.0
    return standing._replace(
        match_180_days=standing.match_180_days + in_180_days,
        match_3_years=standing.match_3_years + in_3_years,
        lowered=standing.lowered + lowered,
        has_matches=True,
    )


def as_printed(standing: Standing, p: Parameters) -> Standing:
    """The standing by whole ratings, as lists print them."""
    return standing._replace(rating=_printed(standing.rating), peak=_printed(standing.peak))


def _printed(rating: FloatRating) -> FloatRating:
    return rating if rating == NO_RATING else float(published_rating(rating))


def match_as_printed(match: Match, p: Parameters) -> Match:
    """A match by its change in whole points."""
    return match._replace(change=float(published_rating(match.change)))


def exact(entered: Standing, value: Reckoning, left: Standing, p: Parameters) -> float:
    """The rating with floors and caps, before it is rounded."""
    return left.exact


def knows_kind(event: Event, p: Parameters) -> bool:
    """Whether the kind is one that these rules know."""
    return not event.kind or event.kind.casefold() in KINDS


def knows_category(event: Event, p: Parameters) -> bool:
    """Whether the category is known, which matters in FIDE events only."""
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
    decisions=Decisions,
    lasting=frozenset(Decisions._fields) - {"adjusted_rating"},
    settles_idle=True,
    assumes_games=True,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    predicted=predicted,
    kernels=_KERNELS,
    kernel_at=kernel_at,
    moved=moved,
    opponents_number=number_of_opponent,
    leave=leave,
    outcome=outcome,
    listed=listed,
    known_of=known_of,
    exact=exact,
    as_printed=as_printed,
    left_unrated=counts_for_side,
    keeping=Keeping(
        kept=Match,
        keeps=keeps,
        chosen=chosen,
        keep=kept,
        lasts=lasts,
        recall=recall,
        renewed=renewed,
        as_printed=match_as_printed,
        thawed=thawed,
        frozen=frozen,
    ),
    codes={"status": status_code, "federation": flag_of},
    event_words=_WORDS,
    pools=SYSTEMS,
    counts_meetings=True,
)

ESTIMATING = replace(USCF_BULK, kernel_at=kernel_of_estimate)
"""An event in which the opponents' other games are not known: a player's own estimate."""
