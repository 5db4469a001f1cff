"""Items 14–17: which formula a player's period is rated by, and the new rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.iccf.change import (
    Changes,
    development_coefficient,
    factor_g,
    factor_r,
    new_rating,
    with_change,
)
from ratingbook.rules.iccf.columns import (
    K_SCALE,
    NO_RATING,
    Brake,
    K,
    Parameters,
    Reckoning,
    Rule,
    Side,
    Standing,
    Tie,
)
from ratingbook.rules.iccf.performance import performance_of
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_even, half_up
from ratingbook.rules.units import Games, Rating, Ratio, within_lists

NO_EXPECTATION = -1
"""Item 5 has no expected result."""


@paragraph(
    "14", "no rating from earlier periods: first rating by item 5 from this period", silent=False
)
def is_new(rating: Rating) -> bool:
    """Item 14: without a rating from earlier periods, item 5 over this period's games."""
    return rating == NO_RATING


@paragraph("15", "rated games: {games}, fewer than {fixed}: item 5 over all games", silent=False)
def is_not_fixed(games: Games, fixed: Games) -> bool:
    """Item 15: fewer than 30 games at the beginning: item 5 over all games."""
    return games < fixed


@paragraph(
    "16",
    "{played} games in the period × {k} is more than {p.brake_points}: item 5 over these games",
    otherwise="{played} games in the period × {k} is no more than {p.brake_points}: item 6",
)
def exceeds_limit(played: Games, k: K, p: Parameters) -> bool:
    """Item 16: more than 800/k games in the period: item 5 over this period's games."""
    if p.brake == Brake.OR_EQUAL:
        return played * k >= p.brake_points * K_SCALE
    return played * k > p.brake_points * K_SCALE


@paragraph(
    "16",
    "rated games from now on: {games}, the rating is fixed: next period by item 6",
    otherwise="rated games from now on: {games}, fewer than {p.fixed_games}: the rating is not "
    "fixed, next period by item 5 over all games",
)
def is_fixed_next(games: Games, p: Parameters) -> bool:
    """Items 15 and 16: which rule the next period begins with."""
    return games >= p.fixed_games


@paragraph(
    "14",
    "published, for {games} games are at least {p.publication_minimum}",
    otherwise="not published yet: {games} games of {p.publication_minimum}",
    silent=True,
)
def is_published(games: Games, p: Parameters) -> bool:
    """Item 14 with reading A14: from how many games a rating is on the list."""
    return games >= p.publication_minimum


@paragraph("17", "{exact}, rounded = {value}")
def rounded(exact: Ratio, p: Parameters) -> Rating:
    """Item 17: the new rating, rounded to the nearest whole number (reading A3)."""
    if p.tie == Tie.HALF_EVEN:
        return half_even(exact.numerator, exact.denominator)
    return half_up(exact.numerator, exact.denominator)


@paragraph("17", "a list has no rating of {rating}: {value}")
def bounded(rating: Rating) -> Rating:
    """Item 17: a number that no list has becomes the nearest that it has (reading A32)."""
    return within_lists(rating)


@paragraph("6", "no game counts: the rating of {rating} stays")
def unchanged(rating: Rating) -> Rating:
    """Item 6: without games there is no change (reading A29)."""
    return rating


class Course(NamedTuple):
    """The item that a period is rated by; ``k`` is 0 where it needs none."""

    rule: Rule
    k: K


def course_of(rating: Rating, games: Games, played: Games, p: Parameters) -> Course:
    """Items 14–16: which formula a period with ``played`` games, at least one, is rated by."""
    if is_new(rating):
        return Course(Rule.ITEM_14, 0)
    if is_not_fixed(games, p.fixed_games):
        return Course(Rule.ITEM_15, 0)
    k = development_coefficient(factor_r(rating), factor_g(games))
    if exceeds_limit(played, k, p):
        return Course(Rule.ITEM_16_PERFORMANCE, k)
    return Course(Rule.ITEM_16, k)


def reckon(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """The one round of a period."""
    games = 0
    score = 0
    for side in sides:
        if not side.carried:
            games += 1
            score += side.score
    rating = standing.rating
    if games == 0:
        return Reckoning(rating, Rule.UNCHANGED, rating, 1, 0, 0, NO_EXPECTATION)
    course = course_of(rating, standing.games, games, p)
    if course.rule == Rule.ITEM_16:
        changes = Changes(0, 0)
        for side in sides:
            if not side.carried:
                changes = with_change(changes, side, rating, p)
        exact = new_rating(rating, course.k, changes.difference)
        expected = changes.expected
    else:
        exact = performance_of(sides, course.rule != Rule.ITEM_16_PERFORMANCE, p)
        expected = NO_EXPECTATION
    return Reckoning(
        rating, course.rule, exact.numerator, exact.denominator, games, score, expected
    )


def left(entered: Standing, played: Games, exact: Ratio, p: Parameters) -> Standing:
    """The rounded rating after ``played`` games; without a game everything stays as it was."""
    if played == 0:
        if entered.rating != NO_RATING:
            unchanged(entered.rating)
        return entered
    games = entered.games + played
    is_published(games, p)
    is_fixed_next(games, p)
    rating = rounded(exact, p)
    if rating != within_lists(rating):
        rating = bounded(rating)
    return Standing(rating, games)
