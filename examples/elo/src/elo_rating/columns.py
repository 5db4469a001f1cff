"""The columns of Elo: NamedTuples of scalars, so that the functions over them compile."""

from typing import NamedTuple

from ratingbook.rules.bulk import NO_NUMBER
from ratingbook.rules.units import FloatRating, Games, HalfPoints, Probability


class Parameters(NamedTuple):
    """The numbers that sites choose each for itself."""

    k: float = 20.0
    scale: float = 400.0
    start: FloatRating = 1500.0


PARAMETER_DOCS = {
    "k": "the most points that one game can move",
    "scale": "difference of ratings at which the stronger is expected to score ten times as much",
    "start": "rating of a player who has none yet",
}

PARAMETER_RANGES = {"k": (0, 1000), "scale": (1, 100_000), "start": (-10_000, 10_000)}


class Known(NamedTuple):
    """What a players file says of a player."""

    rating: FloatRating = NO_NUMBER
    games: Games = 0


class Standing(NamedTuple):
    """What the pool knows of a player; the rating is NO_NUMBER until ``enter`` gives one."""

    rating: FloatRating
    games: Games


class Side(NamedTuple):
    """One player's half of a game; ``opponent`` is the rating just before it."""

    opponent: FloatRating
    score: HalfPoints
    other: int
    game: int


class Reckoning(NamedTuple):
    """What a game comes to for one player; ``value`` is the new rating."""

    value: FloatRating
    change: float
    games: Games
    score: HalfPoints
    expected: Probability
