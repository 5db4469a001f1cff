"""What a report says of a player: the standing of before the event, or Step 1."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ratingbook.model import Entry, StandingStatus
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.bulk import NOT_GIVEN, day_number
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating
from ratingbook.rules.uscf.columns import NO_RATING, Kind, Parameters, Previous, Standing
from ratingbook.rules.uscf.floors import has_established_games, highest_rating, money_floor
from ratingbook.rules.uscf.games import flag_of
from ratingbook.rules.uscf.initial import (
    BY_AGE,
    Elsewhere,
    Initial,
    age_in_years,
    initial_by_age,
    initial_by_ratings,
    initial_without_age,
)
from ratingbook.rules.uscf.matches import (
    REDUCTION,
    PastMatch,
    is_in_3_years,
    is_in_180_days,
    net_change,
    past_match,
)
from ratingbook.rules.uscf.systems import QUICK, REGULAR

INITIAL, ADJUSTED, CEILING, FLOOR = "initial_rating", "adjusted_rating", "ceiling", "money_floor"
CASH_PRIZE, CASH_LIMIT, REDUCTION_GRANTED = "cash_prize", "cash_limit", "floor_reduction"
RATINGS = (INITIAL, ADJUSTED, CEILING, FLOOR, CASH_LIMIT)
"""Decisions that are ratings."""
DECISIONS = frozenset({*RATINGS, CASH_PRIZE, REDUCTION_GRANTED})

FIDE, CFC, NATIONAL = "fide", "cfc", "national"
FOREIGN = (FIDE, CFC, NATIONAL)
"""Keys of ``foreign`` that Step 1 reads."""


@paragraph("4.6", "the Executive Director adjusted the rating of {rating} to {decided}")
def adjusted_rating(rating: FloatRating, decided: FloatRating) -> FloatRating:
    """4: an adjustment after a review; the event is rated from it."""
    del rating
    return decided


@paragraph("4.6", "floor by decision of the Executive Director: {value}")
def floor_by_office(decided: FloatRating) -> FloatRating:
    """4: a floor that the Executive Director created or restored."""
    return decided


def decided(entry: Entry, name: str) -> float:
    """A decision that is a number; NO_RATING without it."""
    value = entry.decisions.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return NO_RATING


def foreign(entry: Entry, name: str) -> float:
    """A rating elsewhere; NO_RATING without it."""
    return float(entry.foreign.get(name) or NO_RATING)


def standing_in(entry: Entry, pool: str) -> ReportedStanding:
    """The standing in the system that is rated: ``standing``, else that of ``pools``.

    One without a rating, or with the status unrated, is as good as none.
    """
    for known in (entry.standing, entry.pools.get(pool)):
        if known is not None and known.rating is not None:
            if known.status is StandingStatus.UNRATED:
                continue
            return known
    return ReportedStanding()


def previous_results(wins: int, draws: int, losses: int) -> Previous:
    """Whether all earlier games were won or lost; totals that are not given are mixed."""
    if wins > 0 and draws == 0 and losses == 0:
        return Previous.WINS
    if losses > 0 and draws == 0 and wins == 0:
        return Previous.LOSSES
    return Previous.MIXED


def total(known: int | None, rated: bool) -> int:
    """A total of earlier events; an unrated player has none."""
    if not rated:
        return 0
    return NOT_GIVEN if known is None else known


def number(value: object) -> float:
    """A number of a standing; NO_RATING for anything else."""
    return float(value) if isinstance(value, int | float) else NO_RATING


def other_system(entry: Entry, pool: str) -> ReportedStanding | None:
    """The standing in the other of the two systems, which Step 1 looks at."""
    other = {REGULAR: QUICK, QUICK: REGULAR}.get(pool)
    known = entry.pools.get(other) if other else None
    if known is None or known.rating is None or known.status is StandingStatus.UNRATED:
        return None
    return known


def initial(entry: Entry, pool: str, end: date | None, p: Parameters) -> Initial:
    """Step 1: the first of its cases that fits; a decision of the office comes first (U4)."""
    other = other_system(entry, pool) or ReportedStanding()
    known = Elsewhere(
        office=decided(entry, INITIAL),
        fide=foreign(entry, FIDE),
        cfc=foreign(entry, CFC),
        other=number(other.rating),
        other_games=p.games_unknown if other.games is None else other.games,
        is_quick=pool == QUICK,
    )
    found = initial_by_ratings(known, p)
    if found.games != BY_AGE:
        return found
    if entry.birth_date is not None and end is not None:
        return initial_by_age(age_in_years(entry.birth_date, end), p)
    return initial_without_age(bool(entry.adult))


def past_matches(entry: Entry) -> Sequence[PastMatch]:
    """The matches that the history keeps."""
    return [match for frozen in entry.history if (match := past_match(frozen)) is not None]


def floor_on_record(entry: Entry, known: ReportedStanding) -> float:
    """The floor of the standing, or a higher one by a prize or a decision."""
    floor = number(known.extra.get("floor"))
    if decided(entry, CASH_PRIZE) > 0.0:
        floor = max(floor, money_floor(decided(entry, CASH_PRIZE), decided(entry, CASH_LIMIT)))
    if decided(entry, FLOOR) != NO_RATING:
        floor = max(floor, floor_by_office(decided(entry, FLOOR)))
    return floor


def standing_of(
    entry: Entry, pool: str, kind: Kind, dual: bool, end: date | None, p: Parameters
) -> Standing:
    """The player's standing in the edition's columns; N' is settled by Step 2."""
    known = standing_in(entry, pool)
    rated = known.rating is not None
    peak = NO_RATING
    if known.rating is not None:
        rating = float(known.rating)
        games = p.games_unknown if known.games is None else known.games
        if decided(entry, ADJUSTED) != NO_RATING:
            rating = adjusted_rating(rating, decided(entry, ADJUSTED))
        if has_established_games(games, p):
            peak = highest_rating(rating, number(known.extra.get("peak")))
    else:
        rating, games = initial(entry, pool, end, p)
    matches = past_matches(entry)
    refused = entry.decisions.get(REDUCTION_GRANTED)
    wins, draws = total(known.wins, rated), total(known.draws, rated)
    losses = total(known.losses, rated)
    events = int(number(known.extra["events"])) if "events" in known.extra else None
    return Standing(
        rating=rating,
        games=games,
        rated=rated,
        effective=0.0,
        previous=previous_results(wins, draws, losses) if rated else Previous.NONE,
        wins=wins,
        draws=draws,
        events=total(events, rated),
        peak=peak,
        money_floor=floor_on_record(entry, known),
        olm=known.extra.get("olm") is True,
        lowered=REDUCTION * sum(match.lowers_floor for match in matches),
        ceiling=decided(entry, CEILING),
        kind=kind,
        dual=dual,
        match_180_days=net_change(matches, end, is_in_180_days),
        match_3_years=net_change(matches, end, is_in_3_years),
        refuses=p.floors_in_matches if refused is None else refused is False,
        exact=rating if rated else NO_RATING,
        published=0,
        losses=losses,
        fide=foreign(entry, FIDE),
        flag=flag_of(entry.federation),
        end=day_number(end) if end else NOT_GIVEN,
        has_matches=len(matches) > 0,
    )
