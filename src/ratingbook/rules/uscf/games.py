"""Sections 3 and 4: which games are rated, and what opponents count as in FIDE events."""

from __future__ import annotations

from ratingbook.model import Colour, Game, GameStatus
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating
from ratingbook.rules.uscf.columns import Flag, Parameters
from ratingbook.rules.uscf.initial import converted_fide

_RATED = (GameStatus.PLAYED, GameStatus.TIME, GameStatus.WITHDRAWN, GameStatus.ADJUDICATED)

FEDERATION = "USA"


@paragraph("4.1", "{game.status}, result {game.result}: not rated", silent=True)
def game_counts(game: Game) -> bool:
    """4: all games that were begun, also lost on time, adjourned, or of who withdrew later.

    Games in which a player made no move are forfeits; they and byes never count.
    """
    return game.status in _RATED and game.result.half_points(Colour.WHITE) is not None


@paragraph("4.1", "the report does not rate the game for this side", silent=True)
def counts_for_side(game: Game, rated: bool) -> bool:
    """4: a game may count for one side only; the report says so."""
    del game
    return rated


@paragraph("3.1", "a player of the federation", otherwise="of another federation: not rated")
def is_updated(federation: str | None, rated: bool) -> bool:
    """3: who appears with a USA flag; where there is no flag, who has a rating here."""
    return updates(flag_of(federation), rated)


def flag_of(federation: str | None) -> Flag:
    """The flag by the name of a federation."""
    if federation is None:
        return Flag.UNKNOWN
    return Flag.OURS if federation.upper() == FEDERATION else Flag.OTHER


def updates(flag: Flag, rated: bool) -> bool:
    """3: whether a FIDE event updates a player."""
    return flag == Flag.OURS or (rated and flag != Flag.OTHER)


@paragraph("3.2", "the opponent's FIDE rating {fide} counts as {value}")
def opponent_by_fide(game: Game, fide: FloatRating, p: Parameters) -> FloatRating:
    """3: an opponent's FIDE rating, converted as in Step 1."""
    del game
    return converted_fide(fide, p)


@paragraph("3.3", "youth event, FIDE rating {fide}: the opponent counts as {value}")
def opponent_in_youth_event(game: Game, fide: FloatRating) -> FloatRating:
    """3: 210 + 0.93 FIDE, for all opponents in an event that is known as a youth event."""
    del game
    return youth_fide(fide)


def youth_fide(fide: FloatRating) -> FloatRating:
    """3: the line for opponents in a youth event."""
    return 210.0 + 0.93 * fide
