"""The columns of the FIDE editions: parameters, standing, side, and what a round leaves.

All are NamedTuples of numbers, so that the kernels over them compile.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.units import (
    Code,
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
    ONE_UPGRADE = 2
    """Against lower rated opponents only in that game, against higher rated ones in every game."""


class Ties(IntEnum):
    """Where a change of exactly half a point goes."""

    UP = 0
    AWAY = 1


class EditionBy(IntEnum):
    """What decides which edition an event is rated by."""

    START = 0
    """The day on which it starts."""
    LIST = 1
    """The day before the list that takes it."""


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
    ties: Ties = Ties.UP
    edition_by: EditionBy = EditionBy.START


PARAMETER_DOCS = {
    "pool": "the list that is rated: standard, rapid or blitz; a report's `pool` says it too",
    "expectancy": "table: expected scores from table 8.1.2, as FIDE rates; logistic: the formula "
    "of paragraph 1a (the two differ by up to 0.018)",
    "cap": "a greater difference of ratings counts as this one, in points",
    "cap_rule": "every_game: the cap holds in every game; one_upgrade: against lower rated "
    "opponents only in the game of an event in which the ratings differ most; one_game: against "
    "all opponents only in that game",
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
    "`junior_age`, as long as no published rating has reached `junior_rating`",
    "junior_age": "see `juniors`, in years",
    "junior_rating": "see `juniors`",
    "k_everybody": "K of all players; 0: by paragraph 2c",
    "k_games": "greatest product of K and the games of a period, else K is reduced; 0: none",
    "games_unknown": "rated games of a player whose report gives a rating but neither their number "
    "nor the K of the list",
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
    "ties": "up: a change of exactly half a point is rounded up, so that −2.5 is −2; away: away "
    "from zero, so that it is −3",
    "edition_by": "start: the day on which an event starts decides which edition, and which "
    "amendments, it is rated by; list: the day before the list that takes it",
}

OF_LISTS = ("floor", "k_games", "list_lift", "list_lift_to", "list_gap", "ties")
"""Parameters of a whole period: they go by the day of its list, not by those of its events."""


class Standing(NamedTuple):
    """A player's standing; ``rating`` is the one in force, or NO_RATING."""

    rating: Rating
    games: Games
    """Rated games; of a player who was never published those kept towards a first rating."""
    reached_top: bool
    """Whether a published rating has reached 2400, now or before."""
    reached_junior: bool
    """The same for 2300, from which juniors have no K of their own."""
    status: Code
    """ESTABLISHED: on the list; UNLISTED: was on it and fell below the floor; STARTING, of who
    enters a period: not on it, the number is the standard rating (12); else UNRATED."""
    birth_year: Year
    standard: Rating
    """Standard rating of a player of another list, or NO_RATING."""
    listed_k: Coefficient
    """Where the number of games is only assumed, K of the list, by which it was, or 0; else
    NOT_GIVEN."""


class Facts(NamedTuple):
    """What the edition reads of an event, and the numbers that hold for it.

    Regulation 0.1: changes apply to tournaments that start on their day or later.  So the
    parameters that concern single games and events come with the event; those of a whole
    period are :data:`OF_LISTS`.
    """

    official: bool
    """Whether it is one of FIDE's own events, with a later closing day."""
    is_match: bool
    """Whether it is a match, or several, in an edition with rules for them (8c)."""
    planned: Games
    """Games that were planned of a match; 0: nobody says it."""
    is_round_robin: bool
    """Whether it is to be rated as a round robin (6g)."""
    opponents: Games
    """In a complete round robin with unrated players those of each player, else 0."""
    average: Rating
    """Ra of such a round robin."""
    cap: Difference
    cap_rule: CapRule
    uncapped_rating: Rating
    unrated_difference: Difference
    unrated_above: Rating
    k_new: Coefficient
    k_rated: Coefficient
    k_top: Coefficient
    k10_before_30: bool
    juniors: bool
    k_everybody: Coefficient
    first_event_games: Games
    first_event_half_points: HalfPoints
    first_event_once: bool
    first_games: Games
    points_per_half_point: float
    first_by_performance: bool
    first_draws: Games
    first_draws_rating: Rating
    first_maximum: Rating


class Side(NamedTuple):
    """One player's half of a game, with what the rules froze for it.

    ``own`` and ``opponent`` are the ratings of the list in force when the event
    started.  In a round robin ``opponent`` may be a number that the event itself
    gives (paragraph 6g).  NO_RATING as ``opponent``: the game does not count.
    """

    own: Rating
    opponent: Rating
    score: HalfPoints
    event: Number = -1
    """Number of the event in the batch; −1 for a side carried from an earlier batch."""
    other: Number = -1
    game: Number = -1
    field: Number = 0
    """In a rated round robin the number of opponents of each player, else 0."""
    meets_rated: bool = True
    """Whether the opponent has a published rating."""
    start: Day = NOT_GIVEN
    """Day on which the event started."""
    reached_top: bool = False
    """What a published rating of the player had reached by then (2d)."""
    reached_junior: bool = False
    """The same of juniors (2g)."""
    k_new: Coefficient = 0
    k_rated: Coefficient = 0
    k_top: Coefficient = 0
    k10_before_30: bool = False
    juniors: bool = False
    k_everybody: Coefficient = 0
    cap: Difference = 0
    """The greatest difference that counts."""
    capped_once: bool = False
    """Whether the cap holds in one game of the event only (1e)."""
    limit: Difference = 0
    """Difference from which the game is not rated at all (8b)."""
    first_event_games: Games = 0
    first_event_half_points: HalfPoints = 0
    first_event_once: bool = False
    first_games: Games = 0
    points_per_half_point: float = 0.0
    first_by_performance: bool = False
    first_draws: Games = 0
    first_draws_rating: Rating = 0
    first_maximum: Rating = 0


CARRIED = Side(NO_RATING, NO_RATING, 0)
"""A side of an earlier batch: it is rated by the rules of the later one."""

FirstRules = Side | Facts | Parameters
"""Whatever carries the numbers of paragraph 6: a side, an event or an edition."""


class Reckoning(NamedTuple):
    """What a batch comes to for one player.

    ``value`` is the number that the player's opponents see: the rating in force.
    ``total`` is the sum of the changes of a rated player, or the unrounded first
    rating of an unrated one; ``pooled`` the games that a first rating rests on,
    with those of earlier batches.
    """

    value: Rating
    total: Points
    games: Games
    score: HalfPoints
    expected: Expectation
    pooled: Games
    enough: bool
    """Whether these are enough for a first rating."""
