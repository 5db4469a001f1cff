"""The columns of the IECG edition: parameters, standing, side, and what a period comes to.

All are NamedTuples of numbers, so that the kernels over them compile.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, NamedTuple

from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN
from ratingbook.rules.rounding import Tie
from ratingbook.rules.units import (
    FIXED_SCALE,
    Day,
    FixedPoints,
    FixedScore,
    FloatRating,
    Games,
    HalfPoints,
    Rating,
    Unit,
)

NO_RATING = 0
"""There is no such rating, or it is not known."""

FixedRating = Annotated[int, Unit("exact rating", FIXED_SCALE)]
"""An unrounded rating on the scale of FIXED_SCALE."""

FloatDifference = Annotated[float, Unit("difference", signed=True)]
"""A difference of ratings with decimals."""

Factor = Annotated[float, Unit("factor")]
"""A factor with decimals: k, r, P and F of the text."""


class Status(IntEnum):
    """What kind of rating a player has (section III)."""

    STARTING = 0
    PROVISIONAL = 1
    ESTABLISHED = 2


class ProvisionalGames(IntEnum):
    """Reading B1: the games that a provisional rating rests on."""

    ALL = 0
    """All games so far."""
    PERIOD = 1
    """Those of the period, to the letter of I.6 and II.4."""


class CutoffReference(IntEnum):
    """Reading B2: the rating of a provisional player that III.8 measures from."""

    STARTING = 0
    TER = 1
    LIST = 2
    """The rating of the last list; the starting rating before there is one."""


class Inactive(IntEnum):
    """Reading B4: what "not playing a game in a rating period" means."""

    NONE_IN_PROGRESS = 0
    NONE_FINISHED = 1


class Withdrawn(IntEnum):
    """Reading B17: the tournament secretary's decision on games of a withdrawn player."""

    UNRATED = 0
    RATED = 1


class Parameters(NamedTuple):
    """The numbers and readings of ``iecg-1999``."""

    provisional_games: ProvisionalGames = ProvisionalGames.ALL
    cutoff_reference: CutoffReference = CutoffReference.STARTING
    tie: Tie = Tie.HALF_UP
    inactive: Inactive = Inactive.NONE_IN_PROGRESS
    withdrawn: Withdrawn = Withdrawn.UNRATED
    cutoff: Rating = 400
    published_games: Games = 6
    ter_games: Games = 10
    established_games: Games = 15
    games_unknown: Games = 80
    default_starting: Rating = 800
    tutor_maximum: Rating = 1700
    foreign_games: Games = 6
    iccf_established_games: Games = 30
    off_list_periods: int = 6
    deleted_periods: int = 30
    class_origin: Rating = 0
    class_width: Rating = 400


PARAMETER_DOCS = {
    "provisional_games": "all: a provisional rating rests on all games so far; period: on those "
    "of the period only",
    "cutoff_reference": "the own rating from which the cut-off of a provisional player is "
    "measured: starting (rating), ter, or list (the rating of the last list)",
    "tie": "half_up or half_even: a new rating half-way between two whole numbers",
    "inactive": "none_in_progress: a player is inactive in a period without a game in progress; "
    "none_finished: without a finished game",
    "withdrawn": "unrated: the games of a withdrawn player are not rated; rated: the tournament "
    "secretary has decided to rate them; those that still are not get `rated: false`",
    "cutoff": "a greater difference between the own and the opponent's rating counts as this "
    "one, in points",
    "published_games": "games from which a provisional rating is published",
    "ter_games": "games from which the provisional rating is the Tournament Entry Rating",
    "established_games": "games from which a rating becomes established",
    "games_unknown": "rated games of a player whose report gives a rating but no number of games",
    "default_starting": "starting rating of a new player of whom nothing is known",
    "tutor_maximum": "greatest starting rating that a tutor can give",
    "foreign_games": "games that a rating of another organisation needs to become a starting "
    "rating",
    "iccf_established_games": "games from which an ICCF rating is established",
    "off_list_periods": "inactive periods after which a player leaves the list",
    "deleted_periods": "inactive periods after which a player leaves the database",
    "class_origin": "lower bound of class 0 of the rating list",
    "class_width": "width of a class of the rating list, in points",
}


class Known(NamedTuple):
    """What a players file, or a report, says of a player."""

    rating: float = NO_NUMBER
    games: Games = NOT_GIVEN
    status: int = NOT_GIVEN
    starting_rating: FloatRating = NO_NUMBER
    ter: FloatRating = NO_NUMBER
    iccf: FloatRating = NO_NUMBER
    iccf_games: Games = NOT_GIVEN
    fide: FloatRating = NO_NUMBER
    fide_games: Games = NOT_GIVEN
    national: FloatRating = NO_NUMBER
    national_games: Games = NOT_GIVEN
    tutor_rating: FloatRating = NO_NUMBER
    transfer: int = NOT_GIVEN
    """Index in :data:`TRANSFERS`: what the rating was under the old scheme."""
    class_m_winner: bool = False
    earlier_score: float = NO_NUMBER
    """Points in the games that a provisional rating rests on."""
    earlier_opponents: int = NOT_GIVEN
    """Sum of the opponents' ratings in them, each as it counted."""
    history: Games = NOT_GIVEN
    history_own: FloatRating = NO_NUMBER


TRANSFERS = ("established", "provisional", "starting")
"""What a rating was under the old scheme."""

ALWAYS = 10**6
"""A day after all others."""


class Facts(NamedTuple):
    """What the edition reads of an event."""

    until: Day = ALWAYS
    """Last day of the period that a report is of."""


class Standing(NamedTuple):
    """A player's standing on the last list.

    ``rating`` is the established or provisional rating, also while it is not yet
    published; for a player with a starting rating it is that.  ``starting`` is
    the starting rating where it still matters, ``ter`` the Tournament Entry
    Rating; either may be NO_RATING.

    A provisional rating rests on all games so far, with the numbers that were frozen when
    each was rated.  IV.1 asks for sums only, so the standing has these, 0 once the rating is
    established; a report brings the games themselves, which its explanation shows.
    """

    rating: Rating
    games: Games
    status: Status
    starting: Rating
    ter: Rating
    published: bool
    score: HalfPoints = 0
    total: int = 0
    """Sum of the opponents' ratings, each as it counted."""


class Tally(NamedTuple):
    """What the games come to so far, by section V or by IV.1.

    For IV.1 they begin with ``earlier`` games, of ``earlier_score``; for section V ``k`` is that
    of the period.
    """

    k: Factor = 0.0
    games: Games = 0
    score: HalfPoints = 0
    total: int = 0
    change: FixedPoints = 0
    expected: FixedScore = 0
    earlier: Games = 0
    earlier_score: HalfPoints = 0


NO_GAMES = Tally()


class Reckoning(NamedTuple):
    """What a period comes to for one player.

    ``games``, ``score`` and ``expected`` are of this period, the last two of all games so far;
    a provisional rating has no expected score.
    """

    exact: FixedRating
    games: Games
    score: HalfPoints
    expected: FixedScore
    score_so_far: HalfPoints
    total: int
