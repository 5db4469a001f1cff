"""The columns of Elo: NamedTuples of scalars, so that the functions over them compile."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN
from ratingbook.rules.units import FloatRating, Games, HalfPoints, Probability, Unit

Season = Annotated[int, Unit("season")]
"""The year in which a season begins; NOT_GIVEN where there are no seasons."""

FloatPoints = Annotated[float, Unit("points", signed=True)]
"""A change with decimals."""

Margin = Annotated[int, Unit("margin", signed=True)]
"""By how many points a game was won, negative: lost; NOT_GIVEN where it is not said."""


class Multiplier(IntEnum):
    """What the margin of a game does to its change."""

    NONE = 0
    LOG = 1


class Parameters(NamedTuple):
    """The numbers that sites choose each for itself."""

    k: float = 20.0
    scale: float = 400.0
    start: FloatRating = 1500.0
    new_games: Games = 0
    k_new: float = 40.0
    high: FloatRating = 10_000.0
    k_high: float = 10.0
    home: FloatPoints = 0.0
    margin: Multiplier = Multiplier.NONE
    margin_base: float = 2.2
    margin_slope: float = 0.001
    season_month: int = 0
    season_return: float = 0.0
    season_mean: FloatRating = 1500.0


PARAMETER_DOCS = {
    "k": "the most points that one game can move",
    "scale": "difference of ratings at which the stronger is expected to score ten times as much",
    "start": "rating of a player who has none yet",
    "new_games": "number of games for which k_new takes the place of k",
    "k_new": "the most points that one of a player's first games can move",
    "high": "rating from which k_high takes the place of k",
    "k_high": "the most points that a game of a highly rated player can move",
    "home": "points by which the side at home counts as stronger",
    "margin": "whether a game won by more moves more: none, or log, its logarithm",
    "margin_base": "the number 2.2 of the multiplier of margins",
    "margin_slope": "the number 0.001 of the multiplier of margins",
    "season_month": "month on whose first day a season begins; 0: only events name seasons",
    "season_return": "share of the way back to season_mean at the first game of a season",
    "season_mean": "rating towards which the ratings return between seasons",
}

PARAMETER_RANGES = {
    "k": (0, 1000),
    "scale": (1, 100_000),
    "start": (-10_000, 10_000),
    "k_new": (0, 1000),
    "high": (-10_000, 10_000),
    "k_high": (0, 1000),
    "home": (-1000, 1000),
    "margin_base": (0.01, 100),
    "margin_slope": (0, 1),
    "season_month": (0, 12),
    "season_return": (0, 1),
    "season_mean": (-10_000, 10_000),
}


class Known(NamedTuple):
    """What a players file says of a player."""

    rating: FloatRating = NO_NUMBER
    games: Games = 0
    last_played: int = NOT_GIVEN
    """Day of the latest game."""


class Facts(NamedTuple):
    """What the rules ask of an event."""

    season: Season = NOT_GIVEN


class Standing(NamedTuple):
    """What the pool knows of a player; the rating is NO_NUMBER until ``enter`` gives one.

    ``season`` is that of the latest game, ``now`` that of the game that is rated.
    """

    rating: FloatRating
    games: Games
    season: Season
    now: Season


class Side(NamedTuple):
    """One player's half of a game; ``opponent`` is the rating just before it.

    ``home`` is 1 at home, −1 at the opponent's, 0 on neutral ground.
    """

    opponent: FloatRating
    score: HalfPoints
    other: int
    game: int
    margin: Margin
    home: int


class Reckoning(NamedTuple):
    """What a game comes to for one player; ``value`` is the new rating."""

    value: FloatRating
    change: float
    games: Games
    score: HalfPoints
    expected: Probability
