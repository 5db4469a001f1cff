"""Paragraphs 2, 3 and 5b: the change of a rated player over a period."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.bulk import NOT_GIVEN, last_day_of
from ratingbook.rules.fide.columns import (
    NO_RATING,
    CapRule,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.fide.expected import (
    NO_CAP,
    cap_for,
    capped_once,
    counted_difference,
    expected_for,
    expected_score,
    is_too_far_apart,
    not_capped,
    plain_cap,
    too_far_apart,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_away_from_zero
from ratingbook.rules.units import (
    SCORE_SCALE,
    Coefficient,
    Difference,
    Expectation,
    Games,
    HalfPoints,
    Points,
    Rating,
)

_HALF_POINT = SCORE_SCALE // 2


@paragraph("8", "the opponent has no rating here: not rated", silent=True)
def counts_as_rated(side: Side) -> bool:
    """Paragraph 8: a game counts against a rating, or a number that stands for one (6g)."""
    return side.opponent != NO_RATING


def is_rated_game(side: Side, p: Parameters) -> bool:
    """Paragraph 8: whether the game is rated for this player."""
    return counts_as_rated(side) and not is_too_far_apart(side.own, side.opponent, p)


@paragraph("2d", "a published rating has reached {p.top_rating}, now or before", silent=False)
def has_reached_top(reached_before: bool, rating: Rating, p: Parameters) -> bool:
    """Paragraph 2: once the published rating has reached 2400, it stays so."""
    return reached_before or rating >= p.top_rating


@paragraph(
    "2g",
    "born in {birth_year}: a junior until the end of the year of the birthday of {p.junior_age}, "
    "as long as the rating, {rating}, is below {p.junior_rating}",
    silent=False,
)
def is_junior(birth_year: int, start: int, rating: Rating, p: Parameters) -> bool:
    """Paragraph 2, from July 2014: juniors, until the end of the year of the 18th birthday.

    ``start`` is the day on which the event started, as a day number.
    """
    return start <= last_day_of(birth_year + p.junior_age) and rating < p.junior_rating


@paragraph(
    "2c",
    "K = {value}: {games} rated games, rating {rating} when the event started, "
    "{p.top_rating} reached: {reached_top}",
)
def development_coefficient(
    games: Games, rating: Rating, reached_top: bool, junior: bool, p: Parameters
) -> Coefficient:
    """Paragraph 2: K for the first 30 games and for juniors, then from 2400 on, else.

    ``games`` and ``rating`` are those of the list in force when the event started;
    the rating counts by what it has reached (2d).
    """
    if p.k_everybody > 0:
        return p.k_everybody
    if reached_top and (p.k10_before_30 or games >= p.new_games):
        return p.k_top
    if games < p.new_games:
        return p.k_new
    if junior:
        return p.k_new
    return p.k_rated


@paragraph("2f", "{games} games × K {k} is more than {p.k_games}: K = {value}")
def reduced_coefficient(k: Coefficient, games: Games, p: Parameters) -> Coefficient:
    """Paragraph 2: K · n stays within 700, with n the games of the period."""
    return p.k_games // games


def coefficient_of_rated(p: Parameters) -> Coefficient:
    """K of those who are neither new nor have reached 2400, or of everybody."""
    return p.k_everybody if p.k_everybody > 0 else p.k_rated


def coefficient_in_period(k: Coefficient, games: Games, p: Parameters) -> Coefficient:
    """Paragraph 2f where it applies."""
    if k * games > p.k_games > 0:
        return reduced_coefficient(k, games, p)
    return k


@paragraph("2a", "change {k} × ({score} − {expected}) = {value}")
def game_change(k: Coefficient, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 2: K · (S − E) for one game."""
    return k * (score * _HALF_POINT - expected)


class PeriodTally(NamedTuple):
    """What the sides of a rated player come to so far, in whatever order events come.

    ``k`` and ``reached_top`` are as the event ``event`` has them, and ``gain`` is the sum
    of S − E since K became what it is.  Those of before stand apart by K, which may still
    be reduced (2f).  ``widest`` is the greatest difference of the event beyond the cap, in
    which the cap may still count (1e).
    """

    games: Games
    score: HalfPoints
    event: Games
    k: Coefficient
    reached_top: bool
    widest: Difference
    gain: Expectation
    gain_new: Expectation
    gain_rated: Expectation
    gain_top: Expectation


def no_sides(standing: Standing, p: Parameters) -> PeriodTally:
    """Before the first side."""
    return PeriodTally(0, 0, -2, 0, standing.reached_top, 0, 0, 0, 0, 0)


def gain_of_event(tally: PeriodTally, p: Parameters) -> Expectation:
    """The sum of S − E, with the cap in the event's game of greatest difference (1e)."""
    if tally.widest == 0:
        return tally.gain
    full = expected_for(tally.widest, p)
    return tally.gain + full - expected_for(counted_difference(tally.widest, p.cap), p)


def in_event(tally: PeriodTally, standing: Standing, side: Side, p: Parameters) -> PeriodTally:
    """Paragraph 2c: with K as it is in an event, which is settled anew for each."""
    if side.event == tally.event:
        return tally
    reached = has_reached_top(tally.reached_top, side.own, p)
    k = event_coefficient(standing, side, reached, p)
    gain = gain_of_event(tally, p)
    gain_new, gain_rated, gain_top = tally.gain_new, tally.gain_rated, tally.gain_top
    if k == tally.k:
        pass
    elif tally.k == p.k_new:
        gain_new, gain = gain_new + gain, 0
    elif tally.k == p.k_top:
        gain_top, gain = gain_top + gain, 0
    else:
        gain_rated, gain = gain_rated + gain, 0
    return PeriodTally(
        tally.games, tally.score, side.event, k, reached, 0, gain, gain_new, gain_rated, gain_top
    )


def event_coefficient(
    standing: Standing, side: Side, reached_top: bool, p: Parameters
) -> Coefficient:
    """Paragraphs 2c and 2g: K of the event that a side is of."""
    junior = False
    known = standing.birth_year != NOT_GIVEN and p.juniors
    if known and side.start != NOT_GIVEN:
        junior = is_junior(standing.birth_year, side.start, side.own, p)
    return development_coefficient(standing.games, side.own, reached_top, junior, p)


def with_side(tally: PeriodTally, side: Side, p: Parameters) -> PeriodTally:
    """Paragraph 2a for one more side of the event; its cap may still come (1e)."""
    cap = cap_for(side.own, p)
    difference = side.own - side.opponent
    widest = tally.widest
    if p.cap_rule == CapRule.ONE_GAME and abs(difference) > cap:
        cap = NO_CAP
        is_wider = abs(difference) > abs(widest) or difference == -widest > 0
        widest = difference if is_wider else widest
    expected = expected_score(side.own, side.opponent, cap, p)
    return PeriodTally(
        tally.games + 1,
        tally.score + side.score,
        tally.event,
        tally.k,
        tally.reached_top,
        widest,
        tally.gain + side.score * _HALF_POINT - expected,
        tally.gain_new,
        tally.gain_rated,
        tally.gain_top,
    )


def with_game(tally: PeriodTally, standing: Standing, side: Side, p: Parameters) -> PeriodTally:
    """One more side of a rated player, if it counts."""
    if not is_rated_game(side, p):
        return tally
    return with_side(in_event(tally, standing, side, p), side, p)


def reckoning_of(standing: Standing, tally: PeriodTally, p: Parameters) -> Reckoning:
    """What all sides of a rated player come to: :func:`period_reckoning` as a sum."""
    gain = gain_of_event(tally, p)
    rated = coefficient_of_rated(p)
    k = coefficient_in_period(tally.k, tally.games, p)
    total = k * gain
    if tally.gain_new != 0 or tally.gain_rated != 0 or tally.gain_top != 0:
        total += coefficient_in_period(p.k_new, tally.games, p) * tally.gain_new
        total += coefficient_in_period(rated, tally.games, p) * tally.gain_rated
        total += coefficient_in_period(p.k_top, tally.games, p) * tally.gain_top
    gains = gain + tally.gain_new + tally.gain_rated + tally.gain_top
    return Reckoning(
        standing.rating,
        total,
        tally.games,
        tally.score,
        tally.score * _HALF_POINT - gains,
        0,
        tally.reached_top,
    )


def counted_games(sides: Sequence[Side], p: Parameters) -> Games:
    """The games of the period that are rated for the player."""
    games = 0
    for side in sides:
        if side.opponent != NO_RATING and not too_far_apart(side.own, side.opponent, p):
            games += 1
    return games


def end_of_event(sides: Sequence[Side], start: int) -> int:
    """Where the event that begins at ``start`` ends; its sides stand together."""
    end = start
    while end < len(sides) and sides[end].event == sides[start].event:
        end += 1
    return end


def capped_side(sides: Sequence[Side], start: int, end: int, p: Parameters) -> int:
    """The game of an event in which the ratings differ most, where the cap is for one only.

    Of two such games the one against the lower rated opponent.  −1: none is beyond the cap.
    """
    chosen = -1
    widest = 0
    for index in range(start, end):
        side = sides[index]
        difference = side.own - side.opponent
        is_rated = side.opponent != NO_RATING and not too_far_apart(side.own, side.opponent, p)
        if is_rated and abs(difference) > plain_cap(side.own, p):
            is_wider = abs(difference) > abs(widest) or difference == -widest > 0
            if chosen < 0 or is_wider:
                chosen, widest = index, difference
    return chosen


def cap_of_side(side: Side, is_chosen: bool, p: Parameters) -> Difference:
    """The cap of one game."""
    cap = cap_for(side.own, p)
    if p.cap_rule == CapRule.EVERY_GAME or abs(side.own - side.opponent) <= cap:
        return cap
    if is_chosen:
        return capped_once(side.own, side.opponent, cap)
    return not_capped(side.own, side.opponent, cap)


class SideChange(NamedTuple):
    """What one game brings."""

    change: Points
    expected: Expectation


def side_change(side: Side, k: Coefficient, is_chosen: bool, p: Parameters) -> SideChange:
    """Paragraphs 1 and 2a for one side; ``is_chosen``: the cap of the event is for this game."""
    cap = cap_of_side(side, is_chosen, p)
    expected = expected_score(side.own, side.opponent, cap, p)
    return SideChange(game_change(k, side.score, expected), expected)


@paragraph(
    "3",
    "all games: {value.games}, score {value.score}, expected {value.expected}, "
    "changes together {value.total}",
)
def period_reckoning(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Paragraphs 2 and 3: the sums of E and of K · (S − E) over all games of the period.

    K is settled anew for each event, from the rating with which the player
    entered it; the events stand in the order of their start.
    """
    games = counted_games(sides, p)
    total = 0
    score = 0
    expected = 0
    reached = standing.reached_top
    start = 0
    while start < len(sides):
        end = end_of_event(sides, start)
        chosen = -1
        if p.cap_rule == CapRule.ONE_GAME:
            chosen = capped_side(sides, start, end, p)
        k = 0
        for index in range(start, end):
            side = sides[index]
            if not is_rated_game(side, p):
                continue
            if k == 0:
                reached = has_reached_top(reached, side.own, p)
                k = event_coefficient(standing, side, reached, p)
                k = coefficient_in_period(k, games, p)
            played = side_change(side, k, index == chosen, p)
            total += played.change
            score += side.score
            expected += played.expected
        start = end
    return Reckoning(standing.rating, total, games, score, expected, 0, reached)


@paragraph("5b", "rounded once, a half away from zero: {total} is {value}")
def rounded_change(total: Points) -> Difference:
    """Paragraph 5: the change of the period, rounded to the nearest whole number."""
    return half_away_from_zero(total, SCORE_SCALE)


@paragraph("2b", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: Rating, change: Difference) -> Rating:
    """Paragraph 2: R' = R + K · (S − E), over all games of the period."""
    return rating + change


@paragraph(
    "2e", "the new rating of {rating} is below the floor of {floor}: kept, not listed", silent=True
)
def is_listed(rating: Rating, floor: Rating) -> bool:
    """Paragraph 2: a rating below the floor is kept but not published."""
    return rating >= floor
