"""The paragraphs: one function for each rule."""

import math
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from elo_rating.columns import (
    FloatPoints,
    Margin,
    Multiplier,
    Parameters,
    Reckoning,
    Season,
    Side,
    Standing,
)
from ratingbook.model import Colour, Event, Game, GameStatus
from ratingbook.rules.bulk import NOT_GIVEN, month_number
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, Games, HalfPoints, Probability

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


def day_of(game: Game, event: Event) -> date | None:
    """Paragraph 2: the day of a game (reading E2)."""
    return game.end or game.start or event.end or event.start


@paragraph("2", "rated after all games of earlier days and rounds")
def turn_of(game: Game, event: Event) -> Turn:
    """Paragraph 2: games in the order of play (readings E1 and E2)."""
    day = day_of(game, event) or date.min
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


@paragraph("5", "K = {value}")
def coefficient(rating: FloatRating, games: Games, p: Parameters) -> float:
    """Paragraph 5: K of a newcomer, of a highly rated player, of everybody else."""
    if games < p.new_games:
        return p.k_new
    return p.k_high if rating >= p.high else p.k


@paragraph("6", "home advantage {value}", silent=0.0)
def home_advantage(home: int, p: Parameters) -> FloatPoints:
    """Paragraph 6: what the side at home counts more, and its guest less."""
    return p.home * home


@paragraph("7", "margin {margin} at a difference of {difference}: K × {value}", silent=1.0)
def margin_multiplier(
    margin: Margin, score: HalfPoints, difference: FloatPoints, p: Parameters
) -> float:
    """Paragraph 7: ln(max(|margin|, 1) + 1) · 2.2 / (2.2 + 0.001 · D), D seen from the winner."""
    if p.margin == Multiplier.NONE or margin == NOT_GIVEN:
        return 1.0
    divisor = 1.0
    if score != 1:
        winner = difference if score == 2 else -difference
        divisor = max(p.margin_base + p.margin_slope * winner, p.margin_base / 10)
    return math.log(max(abs(margin), 1) + 1) * (p.margin_base / divisor)


def season_of(day: int, named: Season, p: Parameters) -> Season:
    """Paragraph 8: the season that the event names, else that of a day (reading E7)."""
    if named != NOT_GIVEN or p.season_month == 0 or day == NOT_GIVEN:
        return named
    return (month_number(day) - (p.season_month - 1)) // 12


@paragraph("8", "first game of the season {now}: {rating} {value:sum}", silent=0.0)
def season_return(rating: FloatRating, now: Season, p: Parameters) -> FloatPoints:
    """Paragraph 8: the way back to the mean between two seasons."""
    return p.season_return * (p.season_mean - rating)


@paragraph("9", "the office sets the rating {value}")
def set_by_office(decided: FloatRating) -> FloatRating:
    """Paragraph 9: the rating of the office, whatever stood before it."""
    return decided


def brought(
    rating: FloatRating, games: Games, season: Season, now: Season, decided: FloatRating
) -> Standing:
    """The standing with which a player comes to a game; ``decided`` may be NO_NUMBER."""
    turn = max(season, now)
    if not math.isnan(decided):
        return Standing(set_by_office(decided), games, turn, turn)
    return Standing(rating, games, season, turn)


def entered(standing: Standing, p: Parameters) -> Standing:
    """The standing with a number to start from, and that of the season of the game."""
    rating, season, now = standing.rating, standing.season, standing.now
    if math.isnan(rating):
        rating = starting_rating(p)
    elif season not in (NOT_GIVEN, now):
        rating = rating + season_return(rating, now, p)
    return Standing(rating, standing.games, now, now)


def no_game(standing: Standing, p: Parameters) -> Reckoning:
    """Nothing played: the rating stays."""
    return Reckoning(standing.rating, 0.0, 0, 0, 0.0)


def with_game(so_far: Reckoning, standing: Standing, side: Side, p: Parameters) -> Reckoning:
    """Paragraphs 3 to 7 for one side."""
    own = standing.rating + home_advantage(side.home, p)
    expected = expected_score(own, side.opponent, p.scale)
    k = coefficient(standing.rating, standing.games, p)
    k = k * margin_multiplier(side.margin, side.score, own - side.opponent, p)
    change = game_change(k, side.score, expected)
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
    rating = new_rating(entered.rating, value.change)
    return Standing(rating, entered.games + value.games, entered.now, entered.now)
