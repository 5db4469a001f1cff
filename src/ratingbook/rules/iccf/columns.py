"""The columns of the ICCF edition: parameters, facts, standing, side, what a period comes to."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, NamedTuple

from ratingbook.rules.rounding import Tie
from ratingbook.rules.units import Day, Games, HalfPoints, Percent, Rating, Unit

NO_RATING = 0
"""A player without a rating from earlier periods."""

K_SCALE = 8000
"""k = r · g is a whole number of 8000ths: r of 40ths, g of 200ths."""

R = Annotated[int, Unit("r", 40)]
"""The factor r of item 9, in 40ths."""

G = Annotated[int, Unit("g", 200)]
"""The factor g of item 9, in 200ths."""

K = Annotated[int, Unit("k", K_SCALE)]
"""The development coefficient k, in 8000ths of a point."""

SignedPercent = Annotated[int, Unit("result less expectation", 100, signed=True)]
"""W − W_e, in hundredths."""


class PMode(IntEnum):
    """Reading A1: what happens to a percentage score that is not a whole percent."""

    PERCENT = 0
    """Rounded once to a whole percent, ties to even; used in D and in F."""
    PERCENT_HALF_UP = 1
    """The same with ties up."""
    EXACT_F = 2
    """D from the rounded, F from the exact score."""
    INTERPOLATE = 3
    """D interpolated in table 3, F from the exact score."""


class Limit(IntEnum):
    """Reading A2: what the 350 points of item 5 limit."""

    EACH_OPPONENT = 0
    AVERAGE = 1
    NONE = 2


class OwnRating(IntEnum):
    """Reading A4: the own rating within W_e."""

    AT_GAME_START = 0
    R0 = 1


class Brake(IntEnum):
    """Reading A12: when item 16 leaves formula 6."""

    STRICT = 0
    """More than 800/k games."""
    OR_EQUAL = 1
    """800/k games or more."""


class Parameters(NamedTuple):
    """The numbers and readings of ``iccf-2009``."""

    p_mode: PMode = PMode.PERCENT
    limit: Limit = Limit.EACH_OPPONENT
    tie: Tie = Tie.HALF_UP
    own_rating: OwnRating = OwnRating.AT_GAME_START
    brake: Brake = Brake.STRICT
    publication_minimum: int = 12
    inactive_months: int = 24
    most_difference: int = 350
    fixed_games: int = 30
    brake_points: int = 800


PARAMETER_DOCS = {
    "p_mode": "percent: the percentage score is rounded once to a whole percent, ties to even, and "
    "that p is used in D and in F; percent_half_up: the same with ties up; exact_f: D from the "
    "rounded, F from the exact score; interpolate: D interpolated, F exact",
    "limit": "each_opponent: each opponent's rating is moved to within 350 points of the own one "
    "at the start of that game, then averaged; average: the average is; none: nothing is",
    "tie": "half_up or half_even: a new rating half-way between two whole numbers",
    "own_rating": "at_game_start: the own rating within W_e is the one at the beginning of the "
    "game; r0: the old rating of item 6",
    "brake": "strict: item 16 leaves formula 6 for more than 800/k games; or_equal: for 800/k or "
    "more",
    "publication_minimum": "games from which a rating is published on the list; until then games "
    "use the tournament's level in place of one that a list would bring",
    "inactive_months": "months without a rated game after which the statistics count a player as "
    "inactive",
    "most_difference": "a greater difference of ratings counts as this one, in points",
    "fixed_games": "games from which a rating is fixed",
    "brake_points": "the 800 of item 16, in points",
}


class Source(IntEnum):
    """What says the level of an event (item 11)."""

    NOTHING = 0
    CATEGORY = 1
    AVERAGE = 2
    """That of the participants of a national tournament, or what was announced as such."""
    ANNOUNCEMENT = 3
    DEFAULT = 4
    """A friendly match for which nothing was announced."""


ALWAYS = 2**31 - 1
"""The last of all days that a column holds, so that compiled loops know the answer."""


class Facts(NamedTuple):
    """What the edition reads of an event."""

    level: Rating = NO_RATING
    """Item 11's assumed rating; NO_RATING where the event does not tell it."""
    source: Source = Source.NOTHING
    until: Day = ALWAYS
    """Last day on which a result may come in for the list of a report."""


class Standing(NamedTuple):
    """A player's standing at the beginning of the period.

    Item 15 computes a rating that is not fixed from all games so far, with the numbers that
    were frozen when each was rated.  It asks for sums only, so the standing has these, 0 once
    the rating is fixed; a report brings the games themselves, which its explanation shows.
    """

    rating: Rating
    games: Games
    score: HalfPoints
    total: int
    """Sum of the opponents' ratings, each as it counted."""
    own: int
    """Sum of the own ratings at the start of each game."""
    in_force: bool
    """Whether games that begin now use the rating (readings A14 and A15)."""


class Rule(IntEnum):
    """Which item gives the new rating."""

    OPEN = 0
    """Which of them, is known only after the last game."""
    ITEM_14 = 1
    ITEM_15 = 2
    ITEM_16_PERFORMANCE = 3
    ITEM_16 = 4


class Tally(NamedTuple):
    """What the games come to so far: by item 5, and by item 7.

    ``earlier`` and ``earlier_score`` are of the earlier games that the rating rests on: item 5
    begins with them.
    """

    rule: Rule = Rule.OPEN
    k: K = 0
    games: Games = 0
    score: HalfPoints = 0
    total: int = 0
    """Sum of the opponents' ratings, each as it counts."""
    own: int = 0
    """Sum of the own ratings."""
    difference: SignedPercent = 0
    """Sum of W − W_e."""
    expected: Percent = 0
    """Sum of W_e."""
    earlier: Games = 0
    earlier_score: HalfPoints = 0


NO_GAMES = Tally()


NO_EXPECTATION = -1
"""Item 5 has no expected result."""


class Reckoning(NamedTuple):
    """What a period comes to for one player.

    The new rating, not yet rounded, is ``numerator / denominator``; ``games``, ``score`` and
    ``expected`` (−1: none is used) are of this period, the others of all games so far.
    """

    numerator: int
    denominator: int
    games: Games
    score: HalfPoints
    expected: Percent
    score_so_far: HalfPoints
    total: int
    own: int
