"""The columns of the EGF editions: parameters, standing, side, and what an event leaves."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN
from ratingbook.rules.egf.grades import NO_GRADE, GradeCode, GradeIndex
from ratingbook.rules.units import FixedPoints, FloatRating, Games, HalfPoints

NO_RATING = -(10**6)
"""A player whom the pool does not know and who declares no grade."""


class Formula(IntEnum):
    """Which curve gives the expected score and the change."""

    TABLE = 0
    """con and a by table (1998)."""
    SMOOTH = 1
    """con, bonus and β by formula (2021)."""


class EpsilonSplit(IntEnum):
    """How ε is taken off the two expected scores."""

    STRONGER = 0
    """All of it off the stronger side: the letter of equations 1 and 2."""
    HALF = 1
    """Half off each side: what real data show."""


class AboveTable(IntEnum):
    """con and a above 2700, where the table ends."""

    EXTRAPOLATE = 0
    """Linear extrapolation: the text."""
    HOLD = 1
    """con 10 and a 70: practice."""


class H9Handicaps(IntEnum):
    """What ``HA[h9]`` means for games that name no stones."""

    EVEN = 0
    GRADES = 1


class Parameters(NamedTuple):
    """The numbers and readings of an edition; the defaults are those of ``egf-1998``."""

    formula: Formula = Formula.TABLE
    epsilon: float = 0.014
    epsilon_split: EpsilonSplit = EpsilonSplit.STRONGER
    above_table: AboveTable = AboveTable.EXTRAPOLATE
    floor: float = 100.0
    loss_cap: float = 0.0
    reset_grades: int = 0
    weight_a: float = 1.0
    weight_b: float = 1.0
    weight_c: float = 1.0
    weight_d: float = 1.0
    least_minutes: int = 30
    decimals: int = 0
    h9_handicaps: H9Handicaps = H9Handicaps.EVEN
    con_factor: float = 1.0
    a_factor: float = 1.0
    bonus_factor: float = 1.0
    stone: float = 100.0


PARAMETER_DOCS = {
    "formula": "table: con and a by table 2; smooth: con, bonus and expected score of 2021",
    "epsilon": "what the two expected scores lack of 1, against deflation",
    "epsilon_split": "stronger: all of ε off the stronger side (none between equals); half: half "
    "of it off each side",
    "above_table": "extrapolate: con and a go on linearly above 2700; hold: con 10 and a 70",
    "floor": "least rating; a lower result becomes this",
    "loss_cap": "most points that an event may cost, times the class weight; 0: no cap",
    "reset_grades": "grades above the highest previous entry grade from which a player is set to "
    "the nominal rating of the new one; 0: only by decision of the office",
    "weight_a": "weight of a tournament of class A",
    "weight_b": "weight of a tournament of class B",
    "weight_c": "weight of a tournament of class C",
    "weight_d": "weight of a tournament of class D (internet)",
    "least_minutes": "minutes for each player below which games are too fast to count; 0: none are",
    "decimals": "decimals of a published rating",
    "h9_handicaps": "even: under HA[h9] games that name no stones are even; grades: they have the "
    "difference of grades less nine",
    "con_factor": "for trials: con times this",
    "a_factor": "for trials: a of table 2 times this, β of 2021 divided by it; above 1 favourites "
    "are expected to score less",
    "bonus_factor": "for trials: the bonus of 2021 times this",
    "stone": "rating points that a handicap stone is worth",
}


class Known(NamedTuple):
    """What is said of a player; ``grade`` also stands for the first rating."""

    rating: float = NO_NUMBER
    games: int = NOT_GIVEN
    status: int = NOT_GIVEN
    grade: GradeCode = NO_GRADE
    highest_grade: GradeIndex = NO_GRADE


class Facts(NamedTuple):
    """What the edition reads of an event, besides its day."""

    weight: float = 1.0
    """Weight of its class."""
    recognised: bool = True
    """Whether it is of a class, and slow enough, to be rated."""


class Decisions(NamedTuple):
    """What the office can decide for a player."""

    reset_rating: float = NO_NUMBER


class Standing(NamedTuple):
    """A player's standing; ``grade`` is the one entered with.

    The last three are what all games of an event need of the rating alone: settled on
    entering, 0 between events.
    """

    rating: FloatRating
    games: Games
    grade: GradeIndex
    highest: GradeIndex
    """Highest entry grade of earlier events, or NO_GRADE."""
    con: float
    bonus: float
    """0 by the table."""
    curve: float
    """a of the table, or β."""


class Side(NamedTuple):
    """One player's half of a game, with the ratings at the start of the event."""

    own: FloatRating
    opponent: FloatRating
    own_stones: int
    """Handicap stones that the player receives."""
    opponent_stones: int
    score: HalfPoints
    weight: float
    """Weight of the tournament's class."""
    other: int
    game: int
    con: float
    bonus: float
    own_curve: float
    """a of the table, or β, without handicap."""
    opponent_curve: float


class Strength(NamedTuple):
    """A rating, handicap included, with a of the table, or β, at it."""

    rating: FloatRating
    curve: float


class EventTally(NamedTuple):
    """What the sides of a player come to so far."""

    total: FixedPoints
    games: Games
    score: HalfPoints
    expected: FixedPoints
    weight: float
    """Weight of the tournament's class: that of the last side."""


class Reckoning(NamedTuple):
    """What an event comes to for one player; ``value`` is the unrounded new rating."""

    value: FloatRating
    total: FixedPoints
    games: Games
    score: HalfPoints
    expected: FixedPoints
