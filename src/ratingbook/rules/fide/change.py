"""Paragraphs 2, 3 and 5b: the change of a rated player over a period.

The period is a sum over the games, whatever their order; only the games of an event
stand together.
"""

from __future__ import annotations

from typing import NamedTuple

from ratingbook.rules.bulk import NOT_GIVEN, last_day_of
from ratingbook.rules.fide.columns import (
    NO_RATING,
    Expectancy,
    Facts,
    Parameters,
    Reckoning,
    Side,
    Standing,
    Ties,
)
from ratingbook.rules.fide.expected import (
    cap_for,
    capped_once,
    counted_difference,
    expected_for,
    greatest_difference_rated,
    is_capped_once,
    is_rated_game,
    not_capped,
    rating_difference,
)
from ratingbook.rules.half import Half
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_away_from_zero, half_up
from ratingbook.rules.units import (
    SCORE_SCALE,
    Coefficient,
    Day,
    Difference,
    Expectation,
    Games,
    HalfPoints,
    Number,
    Points,
    Rating,
    Year,
)

_HALF_POINT = SCORE_SCALE // 2
_NEAR = SCORE_SCALE // 10**6


@paragraph(
    "2d", "a published rating has reached {p.top_rating}, now or before", silent=False, once=True
)
def has_reached_top(reached_before: bool, rating: Rating, p: Parameters) -> bool:
    """Paragraph 2: once a published rating has reached 2400, it stays so."""
    return reached_before or rating >= p.top_rating


@paragraph(
    "2g",
    "born in {birth_year}: a junior until the end of the year of the birthday of {p.junior_age}, "
    "as long as no published rating has reached {p.junior_rating}",
    silent=False,
    once=True,
)
def is_junior(birth_year: Year, start: Day, reached_before: bool, p: Parameters) -> bool:
    """Paragraph 2, from July 2014: juniors, until the end of the year of the 18th birthday.

    ``reached_before`` says whether a published rating has reached 2300.
    """
    return not reached_before and is_young(birth_year, start, p)


def is_young(birth_year: Year, start: Day, p: Parameters) -> bool:
    """Whether the year of the birthday of 18 has not ended."""
    return start <= last_day_of(birth_year + p.junior_age)


@paragraph(
    "2c",
    "K = {value}: {games} rated games, {p.top_rating} reached: {reached_top}, junior: {junior}",
    once=True,
    role="coefficient",
)
def development_coefficient(
    games: Games, reached_top: bool, junior: bool, side: Side, p: Parameters
) -> Coefficient:
    """Paragraph 2: K for the first 30 games and for juniors, then from 2400 on, else.

    ``games`` is the number of rated games in the last list (reading F32).
    """
    if side.k_everybody > 0:
        return side.k_everybody
    if reached_top and (side.k10_before_30 or games >= p.new_games):
        return side.k_top
    if junior or games < p.new_games:
        return side.k_new
    return side.k_rated


@paragraph("2c", "the number of rated games is not given: {value} assumed", once=True)
def assumed_games(games: Games) -> Games:
    """Paragraph 2: the number of rated games where nobody says it, and no list has K."""
    return games


@paragraph(
    "2c",
    "the number of rated games is not given, and the list has K = {k}: counted from {value}",
    once=True,
)
def games_by_listed_k(k: Coefficient, games: Games) -> Games:
    """Paragraph 2: a list with a K above 20 says that there are fewer than 30 games."""
    return games


def event_coefficient(standing: Standing, side: Side, p: Parameters) -> Coefficient:
    """Paragraphs 2c, 2d and 2g: K of a rated player in the event of a side.

    The rating in force then has been published, too.
    """
    reached_top = has_reached_top(side.reached_top, side.own, p)
    junior = False
    if side.juniors and NOT_GIVEN not in (standing.birth_year, side.start):
        reached = side.reached_junior or side.own >= p.junior_rating
        junior = is_junior(standing.birth_year, side.start, reached, p)
    games = standing.games
    if standing.listed_k > 0:
        games = games_by_listed_k(standing.listed_k, games)
    elif standing.listed_k == 0:
        games = assumed_games(games)
    return development_coefficient(games, reached_top, junior, side, p)


def frozen_side(
    standing: Standing,
    half: Half,
    own: Rating,
    opponent: Rating,
    meets_rated: bool,
    rules: Facts,
    p: Parameters,
) -> Side:
    """The side of a game, with what the rules of its event freeze in it.

    The numbers of paragraph 2 and the cap for a rated player, those of paragraph 6 for others.
    """
    cap = 0
    limit = 0
    once = False
    if NO_RATING not in (own, opponent):
        cap = cap_for(own, rules)
        limit = greatest_difference_rated(own, opponent, rules)
        once = is_capped_once(own, opponent, cap, rules)
    return Side(
        own=own,
        opponent=opponent,
        score=half.score,
        event=half.event,
        other=half.other,
        game=half.game,
        field=rules.opponents,
        meets_rated=meets_rated,
        start=half.start,
        reached_top=standing.reached_top,
        reached_junior=standing.reached_junior,
        k_new=rules.k_new,
        k_rated=rules.k_rated,
        k_top=rules.k_top,
        k10_before_30=rules.k10_before_30,
        juniors=rules.juniors,
        k_everybody=rules.k_everybody,
        cap=cap,
        capped_once=once,
        limit=limit,
        first_event_games=rules.first_event_games,
        first_event_half_points=rules.first_event_half_points,
        first_event_once=rules.first_event_once,
        first_games=rules.first_games,
        points_per_half_point=rules.points_per_half_point,
        first_by_performance=rules.first_by_performance,
        first_draws=rules.first_draws,
        first_draws_rating=rules.first_draws_rating,
        first_maximum=rules.first_maximum,
    )


@paragraph("2f", "{games} games × K {k} is more than {p.k_games}: K = {value}", role="coefficient")
def reduced_coefficient(k: Coefficient, games: Games, p: Parameters) -> Coefficient:
    """Paragraph 2: K · n stays within 700, with n the games of the period."""
    return p.k_games // games


@paragraph("2f", "with K {k}: {k} × {gain} = {value}")
def reduced_change(k: Coefficient, gain: Expectation) -> Points:
    """Paragraph 2: K · (S − E) of all games that had the same K, with the reduced one."""
    return k * gain


def may_be_reduced(p: Parameters) -> bool:
    """Whether the edition knows a greatest product of K and the games of a period (2f)."""
    return p.k_games > 0


def change_in_period(k: Coefficient, gain: Expectation, games: Games, p: Parameters) -> Points:
    """The change of all games with one K where K · n may be too much for some."""
    if k * games > p.k_games:
        return reduced_change(reduced_coefficient(k, games, p), gain)
    return k * gain


@paragraph("2a", "change {k} × ({score} − {expected}) = {value}", role="change")
def game_change(k: Coefficient, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 2: K · (S − E) for one game."""
    return k * (score * _HALF_POINT - expected)


class Wide(NamedTuple):
    """A rated side with a difference beyond the cap, where the cap may hold in one game only."""

    difference: Difference
    score: HalfPoints
    game: Number


class PeriodTally(NamedTuple):
    """What the sides of a rated player come to so far.

    ``event``, ``k`` and ``cap`` are those of the event of the last side; ``widest`` is its
    greatest difference beyond the cap, in which the cap may still count (1e): that side waits
    until its event is over, and is in ``games`` and ``score`` only.  ``gain`` is
    the sum of S − E of all games with this K; where K may still be reduced (2f) those with
    another K stand apart, in the fields of :data:`OTHER_COEFFICIENTS`.
    """

    games: Games = 0
    score: HalfPoints = 0
    event: Number = -2
    k: Coefficient = 0
    cap: Difference = 0
    widest: Difference = 0
    widest_score: HalfPoints = 0
    widest_game: Number = -1
    total: Points = 0
    gain: Expectation = 0
    k_second: Coefficient = 0
    k_third: Coefficient = 0
    k_fourth: Coefficient = 0
    gain_second: Expectation = 0
    gain_third: Expectation = 0
    gain_fourth: Expectation = 0


class Sums(NamedTuple):
    """The changes so far, and S − E of the games with the K of now."""

    total: Points
    gain: Expectation


NO_SIDES = PeriodTally()

OTHER_COEFFICIENTS = frozenset(
    {"k_second", "k_third", "k_fourth", "gain_second", "gain_third", "gain_fourth"}
)


def no_sides(standing: Standing, p: Parameters) -> PeriodTally:
    """Before the first side."""
    return NO_SIDES


def with_side(tally: PeriodTally, standing: Standing, side: Side, p: Parameters) -> PeriodTally:
    """One more side of a rated player, if it counts."""
    if not is_rated_game(side):
        return tally
    if side.event != tally.event:
        tally = in_event(tally, standing, side, p)
    games, score = tally.games + 1, tally.score + side.score
    difference = rating_difference(side.own, side.opponent)
    if abs(difference) > side.cap:
        if side.capped_once:
            tally = tally._replace(games=games, score=score)
            return with_wide(tally, Wide(difference, side.score, side.game), p)
        difference = counted_difference(difference, side.cap)
    sums = sums_with(tally, side.score, difference, p)
    return tally._replace(games=games, score=score, total=sums.total, gain=sums.gain)


def counting(tally: PeriodTally, sums: Sums) -> PeriodTally:
    """The tally with these sums."""
    return tally._replace(total=sums.total, gain=sums.gain)


def sums_with(tally: PeriodTally, score: HalfPoints, difference: Difference, p: Parameters) -> Sums:
    """The sums with a game of the event, at the difference that counts in it."""
    expected = expected_for(difference, p)
    change = game_change(tally.k, score, expected)
    return Sums(tally.total + change, tally.gain + score * _HALF_POINT - expected)


def with_wide(tally: PeriodTally, side: Wide, p: Parameters) -> PeriodTally:
    """One more side beyond the cap: that of the greatest difference waits, others count in full."""
    if not is_wider(side.difference, tally.widest):
        return in_full(tally, side, p)
    if tally.widest != 0:
        tally = in_full(tally, widest_of(tally), p)
    return tally._replace(
        widest=side.difference, widest_score=side.score, widest_game=side.game
    )  # fmt: skip


def widest_of(tally: PeriodTally) -> Wide:
    """The side that waits."""
    return Wide(tally.widest, tally.widest_score, tally.widest_game)


def in_full(tally: PeriodTally, side: Wide, p: Parameters) -> PeriodTally:
    """A side beyond the cap that does not have it."""
    difference = not_capped(side.difference, tally.cap)
    return counting(tally, sums_with(tally, side.score, difference, p))


def is_wider(difference: Difference, widest: Difference) -> bool:
    """Whether it is the greater difference; of equal ones that to the lower rated opponent."""
    return abs(difference) > abs(widest) or difference == -widest > 0


def in_event(tally: PeriodTally, standing: Standing, side: Side, p: Parameters) -> PeriodTally:
    """The tally when another event begins: its K, and nothing beyond its cap yet."""
    k = event_coefficient(standing, side, p)
    sums = sums_of_event(tally, p)
    gain, total = sums.gain, sums.total
    k_second, gain_second = tally.k_second, tally.gain_second
    k_third, gain_third = tally.k_third, tally.gain_third
    k_fourth, gain_fourth = tally.k_fourth, tally.gain_fourth
    # A player has four different K in a period at most: new or rated, junior, 2400, and those of
    # two editions.  One that comes again is taken out of its place.
    if k == tally.k or not may_be_reduced(p):
        pass
    elif k == k_second:
        k_second, gain_second, gain = tally.k, gain, gain_second
    elif k == k_third:
        k_third, gain_third, gain = tally.k, gain, gain_third
    elif k == k_fourth:
        k_fourth, gain_fourth, gain = tally.k, gain, gain_fourth
    elif k_second == 0:
        k_second, gain_second, gain = tally.k, gain, 0
    elif k_third == 0:
        k_third, gain_third, gain = tally.k, gain, 0
    else:
        k_fourth, gain_fourth, gain = tally.k, gain, 0
    return tally._replace(
        event=side.event,
        k=k,
        cap=side.cap,
        widest=0,
        total=total,
        gain=gain,
        k_second=k_second,
        k_third=k_third,
        k_fourth=k_fourth,
        gain_second=gain_second,
        gain_third=gain_third,
        gain_fourth=gain_fourth,
    )


def begins_another_event(tally: PeriodTally, side: Side, p: Parameters) -> bool:
    """Whether K may be another one than that of the sides before: only then theirs stand apart."""
    return tally.games > 0 and side.event != tally.event


def sums_of_event(tally: PeriodTally, p: Parameters) -> Sums:
    """The sums when an event is over: the cap counts in its game of greatest difference (1e)."""
    if tally.widest == 0:
        return Sums(tally.total, tally.gain)
    return with_capped(tally, widest_of(tally), p)


def with_capped(tally: PeriodTally, side: Wide, p: Parameters) -> Sums:
    """The sums with the side that has waited, which has the cap."""
    return sums_with(tally, side.score, capped_once(side.difference, tally.cap), p)


@paragraph(
    "3",
    "all games: {value.games}, score {value.score}, expected {value.expected}, "
    "changes together {value.total}",
)
def period_sum(standing: Standing, tally: PeriodTally, p: Parameters) -> Reckoning:
    """Paragraphs 2 and 3: the sums of E and of K · (S − E) over all games of the period."""
    sums = sums_of_event(tally, p)
    gain, total = sums.gain, sums.total
    gains = gain
    if may_be_reduced(p):
        gains += tally.gain_second + tally.gain_third + tally.gain_fourth
        greatest = max(tally.k, tally.k_second, tally.k_third, tally.k_fourth)
        if greatest * tally.games > p.k_games:
            total = change_in_period(tally.k, gain, tally.games, p)
            if tally.k_second > 0:
                total += change_in_period(tally.k_second, tally.gain_second, tally.games, p)
            if tally.k_third > 0:
                total += change_in_period(tally.k_third, tally.gain_third, tally.games, p)
            if tally.k_fourth > 0:
                total += change_in_period(tally.k_fourth, tally.gain_fourth, tally.games, p)
    return Reckoning(
        value=standing.rating,
        total=total,
        games=tally.games,
        score=tally.score,
        expected=tally.score * _HALF_POINT - gains,
        pooled=0,
        enough=False,
    )


@paragraph("5b", "rounded once, a half {p.ties}: {total} is {value}")
def rounded_change(total: Points, p: Parameters) -> Difference:
    """Paragraph 5: the change of the period, rounded to the nearest whole number.

    Sums by the table are exact.  A term of the formula (1a) is rounded to 10⁻¹⁰, so a sum of
    these that is within 10⁻⁶ of a half counts as it: more than all games of a period lose.
    """
    near = _NEAR if p.expectancy == Expectancy.LOGISTIC else 0
    if p.ties == Ties.UP:
        return half_up(total + near, SCORE_SCALE)
    return half_away_from_zero(total + (near if total > 0 else -near), SCORE_SCALE)


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
