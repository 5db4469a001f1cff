"""Paragraphs 1 to 4: one function for each rule."""

import math
from collections.abc import Sequence
from datetime import date
from typing import Annotated, NamedTuple

from elo_rating.columns import Parameters, Reckoning, Side, Standing
from ratingbook.model import Colour, Event, Game, GameStatus
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, HalfPoints, Probability, Unit

FloatPoints = Annotated[float, Unit("points", signed=True)]
"""A change with decimals."""

MOST_TENFOLD = 300.0
"""10 to the power of more than 308 is no float: Python refuses it, compiled code goes on."""


@paragraph("1", "no rating yet: starts at {value}")
def starting_rating(p: Parameters) -> FloatRating:
    """Paragraph 1: a player without a rating starts at 1500."""
    return p.start


@paragraph("2", "{game.status}, result {game.result}: not rated", silent=True)
def was_played(game: Game) -> bool:
    """Paragraph 2: a game that was played to a result, if only by the clock."""
    played = game.status in (GameStatus.PLAYED, GameStatus.TIME)
    return played and game.result.half_points(Colour.WHITE) is not None


class Turn(NamedTuple):
    """When a game has its turn."""

    day: date
    event: str
    section: str
    round: int


@paragraph("2", "rated after all games of earlier days and rounds")
def turn_of(game: Game, event: Event) -> Turn:
    """Paragraph 2: games in the order of play (readings E1 and E2)."""
    day = game.end or game.start or event.end or event.start or date.min
    return Turn(day, game.event or "", game.section or "", game.round or 0)


@paragraph("3", "expected score 1 / (1 + 10^(({opponent} − {own}) / {scale})) = {value}")
def expected_score(own: FloatRating, opponent: FloatRating, scale: float) -> Probability:
    """Paragraph 3: E = 1 / (1 + 10^((R' − R) / 400))."""
    return 1 / (1 + 10 ** min((opponent - own) / scale, MOST_TENFOLD))


@paragraph("4", "change {k} × ({score} − {expected}) = {value}")
def game_change(k: float, score: HalfPoints, expected: Probability) -> FloatPoints:
    """Paragraph 4: K · (S − E)."""
    return k * (score / 2 - expected)


@paragraph("4", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: FloatRating, change: FloatPoints) -> FloatRating:
    """Paragraph 4: the new rating, which is not rounded."""
    return rating + change


def entered(standing: Standing, p: Parameters) -> Standing:
    """The standing with a number to start from."""
    if math.isnan(standing.rating):
        return Standing(starting_rating(p), standing.games)
    return standing


def no_game(standing: Standing, p: Parameters) -> Reckoning:
    """Nothing played: the rating stays."""
    return Reckoning(standing.rating, 0.0, 0, 0, 0.0)


def with_game(so_far: Reckoning, standing: Standing, side: Side, p: Parameters) -> Reckoning:
    """Paragraphs 3 and 4 for one side."""
    expected = expected_score(standing.rating, side.opponent, p.scale)
    change = game_change(p.k, side.score, expected)
    return Reckoning(
        so_far.value + change,
        so_far.change + change,
        so_far.games + 1,
        so_far.score + side.score,
        so_far.expected + expected,
    )


def reckon(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """The kernel: a batch is one game, so there is one side or none."""
    reckoning = no_game(standing, p)
    for side in sides:
        reckoning = with_game(reckoning, standing, side, p)
    return reckoning


def left(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the game."""
    return Standing(new_rating(entered.rating, value.change), entered.games + value.games)
