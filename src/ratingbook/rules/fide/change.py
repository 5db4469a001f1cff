"""Paragraphs 2, 3 and 5b: the change of a rated player over a period."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.fide.columns import NO_RATING, Parameters, Reckoning, Side, Standing
from ratingbook.rules.fide.expected import expected_score
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


@paragraph("2d", "a published rating has reached {p.top_rating}, now or before", silent=False)
def has_reached_top(reached_before: bool, rating: Rating, p: Parameters) -> bool:
    """Paragraph 2: once the published rating has reached 2400, it stays so."""
    return reached_before or rating >= p.top_rating


@paragraph(
    "2c",
    "K = {value}: {games} rated games, rating {rating} when the event started, "
    "{p.top_rating} reached: {reached_top}",
)
def development_coefficient(
    games: Games, rating: Rating, reached_top: bool, p: Parameters
) -> Coefficient:
    """Paragraph 2: K = 25 for the first 30 games, then 10 from 2400 on, else 15.

    ``games`` and ``rating`` are those of the list in force when the event started;
    the rating counts by what it has reached (2d).
    """
    if games < p.new_games and not (p.k10_before_30 and reached_top):
        return p.k_new
    if reached_top:
        return p.k_top
    return p.k_rated


@paragraph("2a", "change {k} × ({score} − {expected}) = {value}")
def game_change(k: Coefficient, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 2: K · (S − E) for one game."""
    return k * (score * _HALF_POINT - expected)


class SideChange(NamedTuple):
    """What one game brings."""

    change: Points
    expected: Expectation


def side_change(side: Side, k: Coefficient, p: Parameters) -> SideChange:
    """Paragraphs 1 and 2a for one side."""
    expected = expected_score(side.own, side.opponent, p)
    return SideChange(game_change(k, side.score, expected), expected)


class PeriodTally(NamedTuple):
    """What the sides of a rated player come to so far.

    ``k`` and ``reached_top`` are as the event ``event`` has them.
    """

    total: Points
    games: Games
    score: HalfPoints
    expected: Expectation
    event: Games
    k: Coefficient
    reached_top: bool


def no_sides(standing: Standing, p: Parameters) -> PeriodTally:
    """Before the first side."""
    return PeriodTally(0, 0, 0, 0, -2, 0, standing.reached_top)


def in_event(
    tally: PeriodTally, standing: Standing, own: Rating, event: Games, p: Parameters
) -> PeriodTally:
    """Paragraph 2c: with K as it is in an event, which is settled anew for each."""
    if event == tally.event:
        return tally
    reached = has_reached_top(tally.reached_top, own, p)
    k = development_coefficient(standing.games, own, reached, p)
    return PeriodTally(tally.total, tally.games, tally.score, tally.expected, event, k, reached)


def with_side(tally: PeriodTally, side: Side, p: Parameters) -> PeriodTally:
    """Paragraph 2a for one more side of the event."""
    played = side_change(side, tally.k, p)
    return PeriodTally(
        tally.total + played.change,
        tally.games + 1,
        tally.score + side.score,
        tally.expected + played.expected,
        tally.event,
        tally.k,
        tally.reached_top,
    )


def with_game(tally: PeriodTally, standing: Standing, side: Side, p: Parameters) -> PeriodTally:
    """One more side of a rated player, if it counts."""
    if not counts_as_rated(side):
        return tally
    return with_side(in_event(tally, standing, side.own, side.event, p), side, p)


def reckoning_of(standing: Standing, tally: PeriodTally, p: Parameters) -> Reckoning:
    """What all sides of a rated player come to."""
    return Reckoning(
        standing.rating,
        tally.total,
        tally.games,
        tally.score,
        tally.expected,
        0,
        tally.reached_top,
    )


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
    tally = no_sides(standing, p)
    for side in sides:
        if counts_as_rated(side):
            # Two steps, so that the explanation tells K of the event, not of a game.
            tally = in_event(tally, standing, side.own, side.event, p)
            tally = with_side(tally, side, p)
    return reckoning_of(standing, tally, p)


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
