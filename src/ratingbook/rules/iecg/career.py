"""A player in a history: the standing, with the sums that IV.1 needs of all earlier games.

A provisional rating rests on all games so far, with the numbers that were frozen when
each was rated.  IV.1 asks for sums only, so a history carries these; a report brings
the games themselves, which its explanation shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.iecg.columns import (
    NO_RATING,
    Factor,
    FixedRating,
    FixedScore,
    Parameters,
    Side,
    Standing,
    Status,
)
from ratingbook.rules.iecg.entry_rating import counted_opponent, tournament_entry_rating
from ratingbook.rules.iecg.established import Changes, coefficient_of, new_rating, with_change
from ratingbook.rules.iecg.expected import tabled_probability
from ratingbook.rules.iecg.newcomers import starting_by_default
from ratingbook.rules.iecg.period import left, unchanged_rating
from ratingbook.rules.iecg.provisional import (
    Series,
    rating_of_series,
    rests_on_earlier_games,
    with_game,
)
from ratingbook.rules.units import FixedPoints, Games, HalfPoints, Rating


class Career(NamedTuple):
    """A standing with the sums over all earlier games, 0 once the rating is established."""

    rating: Rating
    games: Games
    starting: Rating
    ter: Rating
    established: bool
    score: HalfPoints
    total: int
    """Sum of the opponents' ratings, each as it counted."""


class Tally(NamedTuple):
    """What the games come to so far, by section V or by IV.1.

    For IV.1 they begin with the earlier games; for section V ``k`` is that of the period.
    """

    k: Factor
    games: Games
    score: HalfPoints
    total: int
    change: FixedPoints
    expected: FixedScore


class Reckoned(NamedTuple):
    """What a period comes to: as :class:`Reckoning`, with the sums over all games so far."""

    exact: FixedRating
    games: Games
    score: HalfPoints
    expected: FixedScore
    score_so_far: HalfPoints
    total: int


def newcomer(starting: Rating, ter: Rating) -> Career:
    """A player before the first game, with a starting rating."""
    return Career(starting, 0, starting, ter if ter != NO_RATING else starting, False, 0, 0)


def unknown_player(p: Parameters) -> Career:
    """A new player of whom nothing is known (VII.3)."""
    return newcomer(starting_by_default(p), NO_RATING)


def rated_career(
    rating: Rating, games: Games, starting: Rating, ter: Rating, status: Status, p: Parameters
) -> Career:
    """A player of whose earlier games nothing but their number is known (reading B29).

    They count as draws with equals, which have just this rating by IV.1.
    """
    if ter == NO_RATING:
        ter = tournament_entry_rating(status, games, rating, starting, p)
    if status == Status.ESTABLISHED:
        return Career(rating, games, NO_RATING, ter, True, 0, 0)
    return Career(rating, games, starting, ter, False, games, games * rating)


def status_of(career: Career) -> Status:
    """What kind of rating it is."""
    if career.established:
        return Status.ESTABLISHED
    return Status.PROVISIONAL if career.games else Status.STARTING


def standing_in(career: Career) -> Standing:
    """The standing alone."""
    return Standing(
        career.rating, career.games, status_of(career), career.starting, career.ter, False
    )


def earlier_games(career: Career, p: Parameters) -> Series:
    """The games of earlier periods that count again by IV.1."""
    if rests_on_earlier_games(status_of(career), p):
        return Series(career.games, career.score, career.total)
    return Series(0, 0, 0)


def begun(career: Career, p: Parameters) -> Tally:
    """Before the first game of the period."""
    earlier = earlier_games(career, p)
    k = coefficient_of(career.rating, career.games) if career.established else 0.0
    return Tally(k, earlier.games, earlier.score, earlier.total, 0, 0)


def with_side(tally: Tally, career: Career, side: Side, p: Parameters) -> Tally:
    """One more game, by the section that the player is rated by."""
    if career.established:
        changes = Changes(tally.games, tally.score, tally.change, tally.expected)
        expected = tabled_probability(side.own - counted_opponent(side, p))
        changes = with_change(changes, side, tally.k, expected)
        return Tally(
            tally.k,
            changes.games,
            changes.score,
            tally.total,
            changes.change,
            changes.expected,
        )
    series = with_game(Series(tally.games, tally.score, tally.total), side, p)
    return Tally(tally.k, series.games, series.score, series.total, tally.change, tally.expected)


def reckoned(career: Career, tally: Tally, p: Parameters) -> Reckoned:
    """Section V or IV.1 over all games of a period."""
    earlier = earlier_games(career, p)
    games = tally.games - earlier.games
    if games == 0:
        exact = unchanged_rating(career.rating)
    elif career.established:
        exact = new_rating(career.rating, tally.change)
    else:
        exact = rating_of_series(tally.total, tally.score, tally.games)
    return Reckoned(
        exact, games, tally.score - earlier.score, tally.expected, tally.score, tally.total
    )


def reckon_career(career: Career, sides: Sequence[Side], p: Parameters) -> Reckoned:
    """The one round of a period, for a player of a history."""
    tally = begun(career, p)
    for side in sides:
        tally = with_side(tally, career, side, p)
    return reckoned(career, tally, p)


def left_career(career: Career, value: Reckoned, p: Parameters) -> Career:
    """The career after a period; its sums end when the rating is established."""
    standing = left(standing_in(career), value.games, value.exact, p)
    if standing.status == Status.ESTABLISHED:
        return Career(standing.rating, standing.games, NO_RATING, standing.ter, True, 0, 0)
    return Career(
        standing.rating,
        standing.games,
        standing.starting,
        standing.ter,
        False,
        value.score_so_far,
        value.total,
    )
