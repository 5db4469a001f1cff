"""II.3, II.4, VIII.1–VIII.3, IX.1: which games are rated, and with which TER."""

from __future__ import annotations

from datetime import date

from ratingbook.model import Colour, Game
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, day_number
from ratingbook.rules.half import Half, Status
from ratingbook.rules.iecg.columns import (
    NO_RATING,
    Facts,
    Parameters,
    Standing,
    Withdrawn,
)
from ratingbook.rules.iecg.entry_rating import counted_opponent, own_rating
from ratingbook.rules.iecg.expected import expected_result
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Day, HalfPoints, Rating
from ratingbook.rules.usual import Side

OLD_SCHEME_STARTED_BEFORE = day_number(date(1996, 6, 1))
OLD_SCHEME_FINISHED_BEFORE = day_number(date(1997, 1, 1))


@paragraph("II.4", "{status}: no finished game", silent=True)
def is_played(status: Status) -> bool:
    """II.4: a batch is made of the games that were finished in the period."""
    return status < Status.CANCELLED


@paragraph("II.4", "no result: no finished game", silent=True)
def has_result(score: HalfPoints) -> bool:
    """II.4: a finished game has a result."""
    return score >= 0


@paragraph("II.4", "the report does not rate the game for this side")
def left_unrated(half: Half, p: Parameters) -> None:
    """II.4: a game may count for one side only; the report says so."""


@paragraph("VIII.1", "{status}: decided by the arbiter, rated as a normal game")
def forfeit_is_rated(status: Status) -> bool:
    """VIII.1: a forfeit by decision (claim on time …) is rated as a normal finished game."""
    return status in (Status.TIME, Status.FORFEIT)


@paragraph(
    "VIII.2",
    "withdrawal: rated by the tournament secretary's decision",
    otherwise="withdrawal: not rated, unless the tournament secretary decides otherwise",
)
def withdrawal_is_rated(rated_said: bool, p: Parameters) -> bool:
    """VIII.2: withdrawals are generally not rated; the secretary decides (reading B17)."""
    return rated_said or p.withdrawn == Withdrawn.RATED


@paragraph("VIII.3", "{status}: rated with its result, a win in the table")
def adjudication_is_rated(status: Status) -> bool:
    """VIII.3: the result of an adjudication is rated, for both sides (reading B21)."""
    return status == Status.ADJUDICATED


@paragraph("VIII.3", "the score table shows {value}")
def score_in_table(game: Game, colour: Colour) -> HalfPoints | None:
    """VIII.3: the half points of a side in the score table; a win after an adjudication."""
    shown = (game.table_result or game.result).half_points(colour)
    return game.result.half_points(colour) if shown is None else shown


@paragraph("IX.1", "begun {start}, finished {end}: rated by the old scheme", silent=False)
def is_of_old_scheme(start: Day, end: Day) -> bool:
    """IX.1: begun before 1 June 1996 and finished before 1 January 1997.

    A game without both dates is not taken for one.
    """
    if start >= OLD_SCHEME_STARTED_BEFORE or end >= OLD_SCHEME_FINISHED_BEFORE:
        return False
    return NOT_GIVEN not in (start, end)


@paragraph("II.4", "finished on {end}, after the period: next list", silent=True)
def is_of_this_period(end: Day, until: Day) -> bool:
    """II.4: a batch is made of the games finished in the period (reading B20)."""
    return end <= until


@paragraph("II.3", "the opponent's TER on the day of the run is {value}")
def opponents_ter(listed: Rating, named: Rating) -> Rating:
    """II.3: the TER that the game names, else that of the last list."""
    return listed if named <= NO_RATING else named


def counts(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> bool:
    """Whether a game is rated for a side, by all these paragraphs."""
    if not is_played(half.status) or not has_result(half.score):
        return False
    if is_of_old_scheme(half.start, half.day) or not is_of_this_period(half.day, facts.until):
        return False
    if half.status == Status.WITHDRAWN:
        return withdrawal_is_rated(half.rated_said, p)
    if half.status == Status.ADJUDICATED:
        return adjudication_is_rated(half.status)
    return half.status == Status.PLAYED or forfeit_is_rated(half.status)


def predicted(entered: Standing, side: Side, p: Parameters) -> float:
    """III.8 and V.2: the expected score of a side before the game."""
    if NO_RATING in (side.own, side.opponent):
        return NO_NUMBER
    return expected_result(side.own, counted_opponent(side, p))


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game, against the opponent's TER of the last list."""
    mine = own_rating(own, p)
    theirs = opponents_ter(opponent.ter, half.opponent)
    return Side(mine, theirs, half.score, half.other, half.game)
