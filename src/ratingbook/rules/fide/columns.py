"""The columns of the FIDE editions: parameters, standing, side, and what a round leaves.

All are NamedTuples of numbers, so that the kernels over them compile.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ratingbook.rules.units import Expectation, Games, HalfPoints, Points, Rating

NO_RATING = 0
"""A player without a published rating, as FIDE's own lists write it."""


class Expectancy(IntEnum):
    """Where the expected score comes from."""

    TABLE = 0
    LOGISTIC = 1


class BelowFloor(IntEnum):
    """What a given rating below the floor is, where the report does not say."""

    AS_GIVEN = 0
    UNRATED = 1


class Parameters(NamedTuple):
    """The numbers and readings of an edition; the defaults are those of ``fide-2009``."""

    expectancy: Expectancy = Expectancy.TABLE
    cap: int = 400
    k_new: int = 25
    k_rated: int = 15
    k_top: int = 10
    new_games: int = 30
    top_rating: int = 2400
    k10_before_30: bool = False
    games_unknown: int = 30
    first_games: int = 9
    first_event_games: int = 3
    first_event_half_points: HalfPoints = 2
    points_per_half_point: float = 12.5
    first_months: int = 26
    floor: int = 1200
    below_floor: BelowFloor = BelowFloor.AS_GIVEN


PARAMETER_DOCS = {
    "expectancy": "table: expected scores from table 8.1.2, as FIDE rates; logistic: the formula "
    "of paragraph 1a (the two differ by up to 0.018)",
    "cap": "a greater difference of ratings counts as this one, in points",
    "k_new": "K of a player with fewer than `new_games` rated games",
    "k_rated": "K of a rated player who never reached `top_rating`",
    "k_top": "K of a player whose published rating has reached `top_rating`",
    "new_games": "number of rated games from which a player is no longer new",
    "top_rating": "published rating from which K is `k_top`, for good",
    "k10_before_30": "whether a new player who has reached `top_rating` has `k_top` at once",
    "games_unknown": "rated games of a player whose report gives a rating but no number of games",
    "first_games": "games against rated opponents that a first rating needs",
    "first_event_games": "games against rated opponents that an event needs to count for a "
    "first rating",
    "first_event_half_points": "score, in half points, that an event needs to count for a first "
    "rating",
    "points_per_half_point": "points over the opponents' average for each half point above 50 %",
    "first_months": "months for which the games towards a first rating are kept",
    "floor": "least rating that is published",
    "below_floor": "as_given: a given rating below the floor is used, with a finding; unrated: "
    "its player counts as unrated; a standing that says `unlisted` is unrated in any case",
}


class Standing(NamedTuple):
    """A player's standing; ``rating`` is the one in force, or NO_RATING."""

    rating: Rating
    games: Games
    reached_top: bool
    published: bool


class Side(NamedTuple):
    """One player's half of a game, with what the rules froze for it.

    ``own`` and ``opponent`` are the ratings of the list in force when the event
    started.  In a round robin ``opponent`` may be a number that the event itself
    gives (paragraph 6g).  NO_RATING as ``opponent``: the game does not count.
    """

    own: Rating
    opponent: Rating
    score: HalfPoints
    event: int
    """Number of the event in the batch; −1 for a side carried from an earlier batch."""
    field: int
    """In a rated round robin the number of opponents of each player, else 0."""
    meets_rated: bool
    """Whether the opponent has a published rating."""
    other: int
    game: int


class Reckoning(NamedTuple):
    """What a batch comes to for one player.

    ``value`` is the number that the player's opponents see: the rating in force.
    ``total`` is the sum of the changes of a rated player, or the unrounded first
    rating of an unrated one; ``pooled`` the games that a first rating rests on,
    with those of earlier batches.
    """

    value: int
    total: Points
    games: Games
    score: HalfPoints
    expected: Expectation
    pooled: Games
    reached_top: bool
    """Whether a rating in force in this batch, or an earlier one, has reached 2400."""
