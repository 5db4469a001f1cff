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


class Pool(IntEnum):
    """The lists that FIDE keeps."""

    STANDARD = 0
    RAPID = 1
    BLITZ = 2


def pool_named(text: str | None) -> Pool | None:
    """The list that a report names; None where it names none that is known."""
    return {pool.name.casefold(): pool for pool in Pool}.get((text or "").strip().casefold())


class Tempo(IntEnum):
    """Since when the rates of play are as they are."""

    YEAR_2009 = 0
    YEAR_2012 = 1
    YEAR_2022 = 2
    YEAR_2024 = 3


class CapRule(IntEnum):
    """In which games the 400-point rule applies."""

    EVERY_GAME = 0
    ONE_GAME = 1
    """Only in the game of an event in which the ratings differ most."""


class Parameters(NamedTuple):
    """The numbers and readings of an edition; the defaults are those of ``fide-2009``."""

    pool: Pool = Pool.STANDARD
    expectancy: Expectancy = Expectancy.TABLE
    cap: int = 400
    cap_rule: CapRule = CapRule.EVERY_GAME
    uncapped_rating: int = 0
    unrated_difference: int = 0
    unrated_above: int = 2600
    k_new: int = 25
    k_rated: int = 15
    k_top: int = 10
    new_games: int = 30
    top_rating: int = 2400
    k10_before_30: bool = False
    juniors: bool = False
    junior_age: int = 18
    junior_rating: int = 2300
    k_everybody: int = 0
    k_games: int = 0
    games_unknown: int = 30
    first_games: int = 9
    first_event_games: int = 3
    first_event_half_points: HalfPoints = 2
    first_event_once: bool = False
    points_per_half_point: float = 12.5
    first_by_performance: bool = False
    first_draws: int = 0
    first_draws_rating: int = 1800
    first_maximum: int = 0
    round_robins: bool = True
    first_months: int = 26
    floor: int = 1200
    below_floor: BelowFloor = BelowFloor.AS_GIVEN
    late_lists: int = 0
    longest_event: int = 0
    list_lift: float = 0.0
    list_lift_to: int = 2000
    list_gap: int = 0
    match_rules: bool = False
    tempo: Tempo = Tempo.YEAR_2009


PARAMETER_DOCS = {
    "pool": "the list that is rated: standard, rapid or blitz; a report's `pool` says it too",
    "expectancy": "table: expected scores from table 8.1.2, as FIDE rates; logistic: the formula "
    "of paragraph 1a (the two differ by up to 0.018)",
    "cap": "a greater difference of ratings counts as this one, in points",
    "cap_rule": "every_game: the cap holds in every game; one_game: only in the game of an event "
    "in which the ratings differ most",
    "uncapped_rating": "rating from which a player's own changes know no cap; 0: none",
    "unrated_difference": "difference of ratings from which a game is not rated at all if one of "
    "the players is above `unrated_above`; 0: none",
    "unrated_above": "see `unrated_difference`",
    "k_new": "K of a player with fewer than `new_games` rated games",
    "k_rated": "K of a rated player who never reached `top_rating`",
    "k_top": "K of a player whose published rating has reached `top_rating`",
    "new_games": "number of rated games from which a player is no longer new",
    "top_rating": "published rating from which K is `k_top`, for good",
    "k10_before_30": "whether a new player who has reached `top_rating` has `k_top` at once",
    "juniors": "whether K is `k_new` until the end of the year in which a player reaches "
    "`junior_age`, while the rating is below `junior_rating`",
    "junior_age": "see `juniors`, in years",
    "junior_rating": "see `juniors`",
    "k_everybody": "K of all players; 0: by paragraph 2c",
    "k_games": "greatest product of K and the games of a period, else K is reduced; 0: none",
    "games_unknown": "rated games of a player whose report gives a rating but no number of games",
    "first_games": "games against rated opponents that a first rating needs",
    "first_event_games": "games against rated opponents that an event needs to count for a "
    "first rating",
    "first_event_half_points": "score, in half points, that an event needs to count for a first "
    "rating",
    "first_event_once": "whether only the first event has to meet these two",
    "points_per_half_point": "points over the opponents' average for each half point above 50 %",
    "first_by_performance": "whether a first rating is Ra + dp for every score",
    "first_draws": "hypothetical draws that a first rating includes",
    "first_draws_rating": "rating of the hypothetical opponents of these draws",
    "first_maximum": "greatest first rating; 0: none",
    "round_robins": "whether round robins with unrated players are rated by paragraph 6g",
    "first_months": "months for which the games towards a first rating are kept",
    "floor": "least rating that is published",
    "below_floor": "as_given: a given rating below the floor is used, with a finding; unrated: "
    "its player counts as unrated; a standing that says `unlisted` is unrated in any case",
    "late_lists": "a report that misses so many lists after the end of its event is not rated; "
    "0: no such rule",
    "longest_event": "days after which an event is rated month by month; 0: never",
    "list_lift": "share of the way to `list_lift_to` that the one-off reform lifts a rating below "
    "it; 0: no reform",
    "list_lift_to": "see `list_lift`",
    "list_gap": "points below the standard rating to which the one-off reform draws up a rapid or "
    "blitz rating; 0: no reform",
    "match_rules": "whether matches with unrated players and games after the decision of a match "
    "are left out",
    "tempo": "the year whose rates of play an event must meet",
}


class Standing(NamedTuple):
    """A player's standing; ``rating`` is the one in force, or NO_RATING."""

    rating: Rating
    games: Games
    reached_top: bool
    published: bool
    birth_year: Games
    """Year of birth, or NOT_GIVEN."""
    standard: Rating
    """Standard rating of a player of another list, or NO_RATING."""


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
    start: Games
    """Day on which the event started, or NOT_GIVEN."""
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
