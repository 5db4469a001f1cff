"""A player in a history: the standing, with the sums that item 15 needs of all earlier games.

Item 15 computes a rating that is not fixed from all games so far, with the numbers that
were frozen when each was rated.  It asks for sums only, so a history carries these; a
report brings the games themselves, which its explanation shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.iccf.change import Changes, new_rating, with_change
from ratingbook.rules.iccf.columns import NO_RATING, Parameters, Rule, Side, SignedPercent, Standing
from ratingbook.rules.iccf.performance import Series, performance_in, with_game
from ratingbook.rules.iccf.period import NO_EXPECTATION, course_of, left
from ratingbook.rules.units import Games, HalfPoints, Percent, Rating, Ratio


class Career(NamedTuple):
    """A standing with the sums over all earlier games, 0 once the rating is fixed."""

    rating: Rating
    games: Games
    score: HalfPoints
    total: int
    """Sum of the opponents' ratings, each as it counted."""
    own: int
    """Sum of the own ratings at the start of each game."""


class Tally(NamedTuple):
    """What the games come to so far: the series of item 5, and the changes of item 7.

    The series begins with the earlier games of a rating that is not fixed.
    """

    games: Games
    score: HalfPoints
    total: int
    own: int
    difference: SignedPercent
    expected: Percent


class Reckoned(NamedTuple):
    """What a period comes to: as :class:`Reckoning`, with the sums over all games so far."""

    numerator: int
    denominator: int
    games: Games
    score: HalfPoints
    expected: Percent
    score_so_far: HalfPoints
    total: int
    own: int


def newcomer() -> Career:
    """A player without a rating."""
    return Career(NO_RATING, 0, 0, 0, 0)


def rated_career(rating: Rating, games: Games, p: Parameters) -> Career:
    """A player of whose earlier games nothing but their number is known (reading A31).

    They count as draws with equals, which have just this rating as their performance.
    """
    if games >= p.fixed_games:
        return Career(rating, games, 0, 0, 0)
    return Career(rating, games, games, games * rating, games * rating)


def earlier_games(career: Career, p: Parameters) -> Games:
    """The games whose sums the career holds."""
    return career.games if career.games < p.fixed_games else 0


def begun(career: Career, p: Parameters) -> Tally:
    """Before the first game of the period."""
    return Tally(earlier_games(career, p), career.score, career.total, career.own, 0, 0)


def with_side(tally: Tally, career: Career, side: Side, p: Parameters) -> Tally:
    """One more game, for item 5 and for item 6: which of them it is depends on their number."""
    series = with_game(Series(tally.games, tally.score, tally.total, tally.own), side, p)
    changes = with_change(Changes(tally.difference, tally.expected), side, career.rating, p)
    return Tally(
        series.games,
        series.score,
        series.total,
        series.own,
        changes.difference,
        changes.expected,
    )


def reckoned(career: Career, tally: Tally, p: Parameters) -> Reckoned:
    """Items 14–16 over all games of a period."""
    games, score = tally.games - earlier_games(career, p), tally.score - career.score
    exact = Ratio(career.rating, 1)
    expected = NO_EXPECTATION
    if games > 0:
        course = course_of(career.rating, career.games, games, p)
        if course.rule == Rule.ITEM_16:
            exact = new_rating(career.rating, course.k, tally.difference)
            expected = tally.expected
        else:
            exact = performance_in(Series(tally.games, tally.score, tally.total, tally.own), p)
    return Reckoned(
        exact.numerator,
        exact.denominator,
        games,
        score,
        expected,
        tally.score,
        tally.total,
        tally.own,
    )


def reckon_career(career: Career, sides: Sequence[Side], p: Parameters) -> Reckoned:
    """The one round of a period, for a player of a history."""
    tally = begun(career, p)
    for side in sides:
        tally = with_side(tally, career, side, p)
    return reckoned(career, tally, p)


def left_career(career: Career, value: Reckoned, p: Parameters) -> Career:
    """The career after a period; its sums end when the rating is fixed."""
    exact = Ratio(value.numerator, value.denominator)
    standing = left(Standing(career.rating, career.games), value.games, exact, p)
    if standing.games >= p.fixed_games:
        return Career(standing.rating, standing.games, 0, 0, 0)
    return Career(standing.rating, standing.games, value.score_so_far, value.total, value.own)
