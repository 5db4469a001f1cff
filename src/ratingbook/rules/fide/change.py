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
    games = 0
    score = 0
    expected = 0
    total = 0
    event = -2
    k = 0
    reached = standing.reached_top
    for side in sides:
        if not counts_as_rated(side):
            continue
        if side.event != event:
            event = side.event
            reached = has_reached_top(reached, side.own, p)
            k = development_coefficient(standing.games, side.own, reached, p)
        played = side_change(side, k, p)
        total += played.change
        games += 1
        score += side.score
        expected += played.expected
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
