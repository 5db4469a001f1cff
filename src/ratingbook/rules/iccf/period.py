"""Items 14–17: which formula a player's period is rated by, and the new rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.iccf.change import (
    development_coefficient,
    factor_g,
    factor_r,
    new_rating,
    with_change,
)
from ratingbook.rules.iccf.columns import (
    K_SCALE,
    NO_EXPECTATION,
    NO_GAMES,
    NO_RATING,
    Brake,
    K,
    Parameters,
    Reckoning,
    Rule,
    Standing,
    Tally,
)
from ratingbook.rules.iccf.performance import performance_in, with_game
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import rounded_by
from ratingbook.rules.units import Games, HalfPoints, Rating, Ratio, within_lists
from ratingbook.rules.usual import Side


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
    "games in the period × k, {played} × {k}, is more than {p.brake_points}: item 5 over the games",
    otherwise="games in the period × k, {played} × {k}, is no more than {p.brake_points}: item 6",
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
    """Item 14 with reading A14: whether the new rating is on the list."""
    return is_on_list(games, p)


def is_on_list(games: Games, p: Parameters) -> bool:
    """Reading A14: from how many games a rating is."""
    return games >= p.publication_minimum


@paragraph("17", "{exact}, rounded = {value}")
def rounded(exact: Ratio, p: Parameters) -> Rating:
    """Item 17: the new rating, rounded to the nearest whole number (reading A3)."""
    return rounded_by(p.tie, exact.numerator, exact.denominator)


@paragraph("17", "a list has no rating of {rating}: {value}")
def bounded(rating: Rating) -> Rating:
    """Item 17: a number that no list has becomes the nearest that it has (reading A32)."""
    return within_lists(rating)


@paragraph("6", "no game counts: the rating of {rating} stays", silent=NO_RATING)
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


@paragraph(
    "15", "earlier games: {games}, their score {score}, their opponents {total} in all", silent=0
)
def earlier_games(games: Games, score: HalfPoints, total: int) -> Games:
    """Item 15: what the earlier games bring along, where they are not told one by one."""
    return games


@paragraph(
    "15",
    "earlier games of which only the number is known: {games}; they are taken as draws with equals "
    "(reading A31)",
    silent=0,
)
def earlier_games_assumed(games: Games) -> Games:
    """Item 15 needs what all games came to, also where nobody says it."""
    return games


def begun(standing: Standing, p: Parameters) -> Tally:
    """Before the first game of the period, while nobody knows how many there are."""
    score, total = standing.score, standing.total
    games = standing.games if standing.games < p.fixed_games else 0
    games = earlier_games(games, score, total)
    return NO_GAMES._replace(
        games=games,
        score=score,
        total=total,
        own=standing.own,
        earlier=games,
        earlier_score=score,
    )


def settled(tally: Tally, standing: Standing, games: Games, p: Parameters) -> Tally:
    """The tally of a period of which it is known how many games it has."""
    if games == 0:
        return tally
    course = course_of(standing.rating, standing.games, games, p)
    return tally._replace(rule=course.rule, k=course.k)


def resumed(standing: Standing, carried: Sequence[Side], games: Games, p: Parameters) -> Tally:
    """The same in a report, which brings the earlier games, and so many of the period.

    Where the standing says what these come to, it need not bring all of them.
    """
    if len(carried) < standing.games:
        return settled(begun(standing, p), standing, games, p)
    tally = settled(NO_GAMES, standing, games, p)
    if games == 0:
        return tally
    for side in carried:
        tally = with_side(tally, standing, side, p)
    return tally._replace(earlier=tally.games, earlier_score=tally.score)


def with_side(tally: Tally, standing: Standing, side: Side, p: Parameters) -> Tally:
    """One more game; while it is open which item it will be, it is counted for both."""
    if tally.rule == Rule.ITEM_16:
        tally = tally._replace(games=tally.games + 1, score=tally.score + side.score)
    else:
        tally = with_game(tally, side, p)
    if tally.rule in (Rule.OPEN, Rule.ITEM_16):
        tally = with_change(tally, side, standing.rating, p)
    return tally


def reckoned(standing: Standing, tally: Tally, p: Parameters) -> Reckoning:
    """Items 14–16 over all games of a period."""
    rating, games = standing.rating, tally.games - tally.earlier
    by_change, k = tally.rule == Rule.ITEM_16, tally.k
    if tally.rule == Rule.OPEN and games > 0:
        course = course_of(rating, standing.games, games, p)
        by_change, k = course.rule == Rule.ITEM_16, course.k
    expected = NO_EXPECTATION
    if games == 0:
        exact = Ratio(unchanged(rating), 1)
    elif by_change:
        exact = new_rating(rating, k, tally.difference)
        expected = tally.expected
    else:
        exact = performance_in(tally, p)
    return Reckoning(
        exact.numerator,
        exact.denominator,
        games,
        tally.score - tally.earlier_score,
        expected,
        tally.score,
        tally.total,
        tally.own,
    )


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The rounded rating after a period; without a game everything stays as it was."""
    if value.games == 0:
        return entered
    games = entered.games + value.games
    published = is_published(games, p)
    is_fixed = is_fixed_next(games, p)
    rating = rounded(Ratio(value.numerator, value.denominator), p)
    if rating != within_lists(rating):
        rating = bounded(rating)
    if is_fixed:
        return Standing(rating, games, 0, 0, 0, published)
    return Standing(rating, games, value.score_so_far, value.total, value.own, published)
