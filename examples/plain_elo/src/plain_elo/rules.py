"""Paragraphs 1 to 4: one function for each rule."""

import math
from collections.abc import Sequence

from plain_elo.columns import NO_RATING, Parameters, Reckoning, Side, Standing
from ratingbook.model import Game, GameStatus
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_away_from_zero
from ratingbook.rules.units import SCORE_SCALE, Difference, Expectation, HalfPoints, Points, Rating


@paragraph("1", "no rating yet: starts at {value}")
def starting_rating(p: Parameters) -> Rating:
    """Paragraph 1: a player without a rating starts at 1500."""
    return p.start


def entered(standing: Standing, p: Parameters) -> Standing:
    """The standing with a number to start from."""
    if standing.rating == NO_RATING:
        return Standing(starting_rating(p), standing.games)
    return standing


@paragraph("2", "expected score 1 / (1 + 10^(({opponent} − {own}) / 400)) = {value}")
def expected_score(own: Rating, opponent: Rating) -> Expectation:
    """Paragraph 2: E = 1 / (1 + 10^((R' − R) / 400)), rounded once to the scale of the sums."""
    return math.floor(SCORE_SCALE / (1 + 10 ** ((opponent - own) / 400)) + 0.5)


@paragraph("3", "{game.status}: not rated", silent=True)
def was_played(game: Game) -> bool:
    """Paragraph 3: only a game that was played; one lost on time was."""
    return game.status in (GameStatus.PLAYED, GameStatus.TIME)


@paragraph("3", "change {k} × ({score} − {expected}) = {value}")
def game_change(k: int, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 3: K · (S − E)."""
    return k * (score * (SCORE_SCALE // 2) - expected)


def no_games(standing: Standing, p: Parameters) -> Reckoning:
    """Nothing played yet: the rating of before the report."""
    return Reckoning(standing.rating * SCORE_SCALE, 0, 0, 0, 0)


def with_game(so_far: Reckoning, standing: Standing, side: Side, p: Parameters) -> Reckoning:
    """Paragraphs 2 and 3 for one side more."""
    expected = expected_score(side.own, side.opponent)
    change = game_change(p.k, side.score, expected)
    return Reckoning(
        so_far.value + change,
        so_far.total + change,
        so_far.games + 1,
        so_far.score + side.score,
        so_far.expected + expected,
    )


@paragraph("4", "all games: {value.games}, score {value.score}, expected {value.expected}")
def reckon(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Paragraph 4: the sums over all games of the report."""
    reckoning = no_games(standing, p)
    for side in sides:
        reckoning = with_game(reckoning, standing, side, p)
    return reckoning


@paragraph(
    "4", "changes together {total}, rounded {value}", otherwise="changes together {total}: nothing"
)
def rounded_change(total: Points) -> Difference:
    """Paragraph 4: the sum as a whole number, a half away from zero (reading P2)."""
    return half_away_from_zero(total, SCORE_SCALE)


@paragraph("4", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: Rating, change: Difference) -> Rating:
    """Paragraph 4: the new rating."""
    return rating + change


def left(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the report."""
    change = rounded_change(value.total)
    return Standing(new_rating(entered.rating, change), entered.games + value.games)
