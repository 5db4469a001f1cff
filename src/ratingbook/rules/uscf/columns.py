"""The columns of the US Chess editions: parameters, standing, side, and what a round leaves.

All are NamedTuples of numbers, so that the kernels over them compile.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN
from ratingbook.rules.units import (
    Day,
    Events,
    FixedScore,
    FloatRating,
    Games,
    HalfPoints,
    Rating,
    Unit,
)

NO_RATING = 0.0
"""No such rating is known; no rating is below 100."""

EffectiveGames = Annotated[float, Unit("games")]
"""A number of games with decimals: N* and N' of the text."""

FloatScore = Annotated[float, Unit("score")]
"""A score with decimals: S' of the text."""

FloatChange = Annotated[float, Unit("change", signed=True)]
"""A change of a rating with decimals."""

Factor = Annotated[float, Unit("factor")]
"""A factor with decimals: K of the text, in points a game."""


class Stage(IntEnum):
    """The passes over the games."""

    STEP_3 = 3
    STEP_4 = 4
    STEP_5 = 5
    MATCH = 6
    FIDE_EVENT = 7


def stage_name(stage: Stage) -> str:
    """How the sentences about a game name a pass."""
    if stage == Stage.STEP_3:
        return "Step 3"
    if stage == Stage.STEP_4:
        return "Step 4"
    if stage == Stage.STEP_5:
        return "Step 5"
    return "match" if stage == Stage.MATCH else "FIDE event"


class Curve(IntEnum):
    """How the greatest number of effective games follows from the rating."""

    YEAR_2011 = 0
    YEAR_2013 = 1


class Start(IntEnum):
    """Which point is the special rating, where a whole interval of ratings fits."""

    NEAREST = 0
    """The exact point that is nearest to R0 (reading U1)."""
    OFFICE = 1
    """The printed iteration, begun at R0' as the program of the office does."""
    PRINTED = 2
    """The printed iteration, begun at the printed M."""


class Assigned(IntEnum):
    """The formula of an unrated player to whom Step 1 assigns more than eight games."""

    SPECIAL = 0
    STANDARD = 1


class Formula(IntEnum):
    """Which formula rates a player."""

    NONE = 0
    """No game counts."""
    SPECIAL = 1
    STANDARD = 2


class Previous(IntEnum):
    """The results of all earlier events."""

    NONE = 0
    """There are no results: the player is unrated."""
    MIXED = 1
    """Neither all wins nor all losses, or not known."""
    WINS = 2
    LOSSES = 3


class Kind(IntEnum):
    """How an event is rated."""

    EVENT = 0
    """By the five steps."""
    MATCH = 1
    """An individual match (section 4)."""
    FIDE = 2
    """A FIDE-rated event outside the federation (section 3)."""


class Flag(IntEnum):
    """The federation under whose flag a player appears."""

    UNKNOWN = 0
    OURS = 1
    OTHER = 2


class Pool(IntEnum):
    """A rating system; the names are those of :data:`.systems.POOLS`."""

    REGULAR = 0
    QUICK = 1
    BLITZ = 2
    ONLINE_QUICK = 3
    ONLINE_BLITZ = 4
    ONLINE_REGULAR = 5


class Storage(IntEnum):
    """What is stored of a new rating."""

    AWAY = 0
    """A whole number, rounded away from the old rating."""
    DECIMALS = 1
    """All decimals; the nearest whole number is published."""


class Parameters(NamedTuple):
    """The numbers and readings of an edition; the defaults are those of ``uscf-2011``."""

    curve: Curve = Curve.YEAR_2011
    bonus: float = 6.0
    bonus_of_three: Games = 2
    strong_k: bool = False
    start: Start = Start.NEAREST
    assigned_games: Assigned = Assigned.STANDARD
    storage: Storage = Storage.AWAY
    special_games: Games = 8
    established_games: Games = 26
    games_unknown: Games = 50
    special_cap: float = 2700.0
    fide_low: float = 720.0
    fide_low_slope: float = 0.625
    fide_high: float = -350.0
    fide_high_slope: float = 1.16
    age_least: float = 3.0
    age_below: float = 1300.0
    floors_in_matches: bool = False
    match_twice: bool = False
    systems: int = 2
    increment_counts: bool = False
    quick_least: int = 5
    quick_most: int = 60
    regular_least: int = 30
    pool: Pool = Pool.REGULAR


PARAMETER_DOCS = {
    "curve": "year_2011: N* = 50 / √(1 + (2200 − R0)² / 100000) up to 2200; year_2013: "
    "50 / √(0.662 + 0.00000739 (2569 − R0)²) up to 2355; above, 50",
    "bonus": "bonus multiplier B",
    "bonus_of_three": "games against one opponent up to which an event of three games earns a "
    "bonus; a longer one does up to two",
    "strong_k": "whether K of players above 2200 is lower in the regular rating of a dual-rated "
    "event",
    "start": "nearest: where several ratings fit, the special formula gives the one nearest to R0; "
    "printed: the printed iteration, ties and false knots included; office: the same, begun at R0'",
    "assigned_games": "special or standard: the formula of an unrated player to whom Step 1 "
    "assigns more than eight games",
    "storage": "away: ratings are stored as whole numbers, rounded away from the old one; "
    "decimals: decimals are kept, the nearest whole number is published",
    "special_games": "games up to which the special formula is used",
    "established_games": "games from which a rating is established",
    "games_unknown": "rated games of a player whose report gives a rating but no number of games",
    "special_cap": "greatest rating that the special formula gives",
    "fide_low": "constant of the conversion of FIDE ratings up to 2000",
    "fide_low_slope": "factor of the conversion of FIDE ratings up to 2000",
    "fide_high": "constant of the conversion of FIDE ratings above 2000",
    "fide_high_slope": "factor of the conversion of FIDE ratings above 2000",
    "age_least": "least age in years for which the initial rating is 50 times the age",
    "age_below": "initial rating of a player who is younger",
    "floors_in_matches": "whether the office refuses the requests to lower a floor that matches "
    "make (section 4), where no decision says",
    "match_twice": "whether a match is rated in two passes as other events are (Steps 4 and 5)",
    "systems": "number of rating systems that the edition knows",
    "increment_counts": "whether seconds of delay or increment count as minutes of the time "
    "control (mm + ss)",
    "quick_least": "least minutes of a quick event; below it is blitz where there is such a "
    "system, or not rated",
    "quick_most": "greatest minutes of a quick event",
    "regular_least": "least minutes of a regular event; up to quick_most it is dual rated",
    "pool": "the system that a history rates; a report says by itself which",
}


class Known(NamedTuple):
    """What a players file, or a report, says of a player; a rating of 0 is no rating."""

    rating: float = NO_NUMBER
    games: Games = NOT_GIVEN
    wins: Games = NOT_GIVEN
    draws: Games = NOT_GIVEN
    losses: Games = NOT_GIVEN
    events: Events = NOT_GIVEN
    peak: FloatRating = NO_RATING
    floor: FloatRating = NO_RATING
    olm: bool = False
    status: int = NOT_GIVEN
    fide: FloatRating = NO_RATING
    cfc: FloatRating = NO_RATING
    quick: FloatRating = NO_RATING
    """Quick rating, for Step 1 of a regular event."""
    quick_games: Games = NOT_GIVEN
    regular: FloatRating = NO_RATING
    """Regular rating, for Step 1 of a quick event."""
    regular_games: Games = NOT_GIVEN
    federation: Flag = Flag.UNKNOWN


class Decisions(NamedTuple):
    """What the office can decide for a player."""

    initial_rating: FloatRating = NO_NUMBER
    adjusted_rating: FloatRating = NO_NUMBER
    ceiling: FloatRating = NO_NUMBER
    money_floor: FloatRating = NO_NUMBER
    cash_prize: float = NO_NUMBER
    """Dollars."""
    cash_limit: FloatRating = NO_NUMBER
    floor_reduction: float = NO_NUMBER
    """0: requests to lower a floor are refused; 1: they are granted."""


class Facts(NamedTuple):
    """What the edition reads of an event."""

    kind: Kind = Kind.EVENT
    dual: bool = False
    """Whether it counts in the regular and in the quick system."""
    youth: bool = False
    in_system: bool = True
    """Whether it counts in the system that is rated."""


class Match(NamedTuple):
    """What is kept of a match."""

    day: Day
    """Last day of its event; NOT_GIVEN where a report does not say it."""
    change: FloatChange
    lowers_floor: bool


class Standing(NamedTuple):
    """A player's standing at the start of a section, and after it.

    ``rating`` and ``games`` are R0 and N: those before the event, or what Step 1
    gives an unrated player; until one enters, ``rating`` is what Step 1 begins with and
    ``games`` says what it is (:data:`.initial.BY_AGE`).  Ratings that do not exist are
    NO_RATING, numbers that are not known NOT_GIVEN.
    """

    rating: FloatRating = NO_RATING
    games: Games = 0
    rated: bool = False
    """Whether there is a rating before the event."""
    effective: EffectiveGames = 0.0
    """N' of Step 2."""
    previous: Previous = Previous.NONE
    wins: Games = 0
    draws: Games = 0
    events: Events = 0
    """Events with three or more rated games."""
    peak: FloatRating = NO_RATING
    """Highest established rating."""
    money_floor: FloatRating = NO_RATING
    """Floor of a cash prize, or another that the office set."""
    olm: bool = False
    """Original Life Master."""
    lowered: FloatRating = 0.0
    """Points by which floors were lowered at the player's request."""
    ceiling: FloatRating = NO_RATING
    kind: Kind = Kind.EVENT
    dual: bool = False
    """Whether this is the regular rating of a dual-rated event."""
    match_180_days: FloatChange = 0.0
    """Net change by matches in the 180 days before."""
    match_3_years: FloatChange = 0.0
    holds_floor: bool = True
    """Whether the office refuses to lower the floor for this match; after it, whether it was not
    lowered."""
    exact: FloatRating = NO_RATING
    """The rating with floors and caps, before it is rounded; settled by the event."""
    published: Rating = 0
    """The whole number that is published; settled by the event."""
    losses: Games = 0
    fide: FloatRating = NO_RATING
    """FIDE rating, with which opponents count in a FIDE event."""
    flag: Flag = Flag.UNKNOWN
    end: Day = NOT_GIVEN
    """Last day of the event."""
    has_matches: bool = False
    """Whether matches are on record."""


_NO_FLAG: Any = int(Flag.UNKNOWN)
"""As a column holds it: compiled code does not make a flag of its number."""

NO_STANDING = Standing(flag=_NO_FLAG)
"""The standing of a player about whom nothing is known."""


class Side(NamedTuple):
    """One player's half of a game; ``opponent`` is the opponent's number in this round."""

    opponent: FloatRating
    score: HalfPoints
    meetings: Games
    """How often the player meets this opponent in the section."""
    other: int
    game: int


class Reckoning(NamedTuple):
    """What a step comes to for one player; ``value`` is what opponents see in the next one."""

    value: FloatRating
    formula: Formula
    games: Games
    score: HalfPoints
    expected: FixedScore
    wins: Games
    draws: Games
