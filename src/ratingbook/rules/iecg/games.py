"""II.3, II.4, VIII.1–VIII.3, IX.1: which games are rated, and with which TER."""

from __future__ import annotations

from datetime import date

from ratingbook.model import Colour, Game, GameStatus
from ratingbook.rules.iecg.columns import Parameters, Withdrawn
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import HalfPoints, Rating

_NOT_FINISHED = (GameStatus.CANCELLED, GameStatus.BYE)

OLD_SCHEME_STARTED_BEFORE = date(1996, 6, 1)
OLD_SCHEME_FINISHED_BEFORE = date(1997, 1, 1)


@paragraph("II.4", "{game.status}, result {game.result}: no finished game", silent=True)
def is_finished(game: Game) -> bool:
    """II.4: a batch is made of the games that were finished in the period."""
    return game.status not in _NOT_FINISHED and game.result.half_points(Colour.WHITE) is not None


@paragraph("II.4", "the report does not rate the game for this side", silent=True)
def counts_for_side(game: Game, rated: bool) -> bool:
    """II.4: a game may count for one side only; the report says so."""
    del game
    return rated


@paragraph("VIII.1", "{game.status}: decided by the arbiter, rated as a normal game")
def forfeit_is_rated(game: Game) -> bool:
    """VIII.1: a forfeit by decision (claim on time …) is rated as a normal finished game."""
    return game.status in (GameStatus.TIME, GameStatus.FORFEIT)


@paragraph(
    "VIII.2",
    "withdrawal: rated by the tournament secretary's decision",
    otherwise="withdrawal: not rated, unless the tournament secretary decides otherwise",
)
def withdrawal_is_rated(game: Game, p: Parameters) -> bool:
    """VIII.2: withdrawals are generally not rated; the secretary decides (reading B17)."""
    return game.rated_said or p.withdrawn == Withdrawn.RATED


@paragraph("VIII.3", "adjudicated {game.result}: rated with this result, a win in the table")
def adjudication_is_rated(game: Game) -> bool:
    """VIII.3: the result of an adjudication is rated, for both sides (reading B21)."""
    return game.status is GameStatus.ADJUDICATED


@paragraph("VIII.3", "the score table shows {value}")
def score_in_table(game: Game, colour: Colour) -> HalfPoints | None:
    """VIII.3: the half points of a side in the score table; a win after an adjudication."""
    shown = (game.table_result or game.result).half_points(colour)
    return game.result.half_points(colour) if shown is None else shown


@paragraph("IX.1", "begun {game.start}, finished {game.end}: rated by the old scheme", silent=False)
def is_of_old_scheme(game: Game) -> bool:
    """IX.1: begun before 1 June 1996 and finished before 1 January 1997.

    A game without both dates is not taken for one.
    """
    if game.start is None or game.end is None:
        return False
    return game.start < OLD_SCHEME_STARTED_BEFORE and game.end < OLD_SCHEME_FINISHED_BEFORE


@paragraph("II.4", "finished on {game.end}, after the period: next list", silent=True)
def is_of_this_period(game: Game, last: date | None) -> bool:
    """II.4: a batch is made of the games finished in the period (reading B20)."""
    return game.end is None or last is None or game.end <= last


def is_rated(game: Game, colour: Colour, p: Parameters, last: date | None = None) -> bool:
    """Whether a game is rated for a side, by all these paragraphs.

    ``last`` is the last day of the period, None where it is not known.
    """
    if not is_finished(game) or is_of_old_scheme(game) or not is_of_this_period(game, last):
        return False
    if not counts_for_side(game, game.rated(colour)):
        return False
    if game.status is GameStatus.WITHDRAWN:
        return withdrawal_is_rated(game, p)
    if game.status is GameStatus.ADJUDICATED:
        return adjudication_is_rated(game)
    return game.status is GameStatus.PLAYED or forfeit_is_rated(game)


@paragraph("II.3", "the opponent's TER on the day of the run is {value}")
def opponents_ter(game: Game, listed: Rating, named: Rating | None) -> Rating:
    """II.3: the TER that the game names, else that of the last list."""
    del game
    return listed if named is None else named
