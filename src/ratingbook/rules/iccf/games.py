"""Items 7 and 12: which games of a report count, and for which list."""

from __future__ import annotations

from datetime import date

from ratingbook.model import Colour, Game, GameStatus
from ratingbook.rules.paragraph import paragraph

_NEVER_RATED = (GameStatus.CANCELLED, GameStatus.BYE)


@paragraph("7", "{game.status}, result {game.result}: not rated", silent=True)
def game_counts(game: Game) -> bool:
    """Item 7: a game with a result; what the tournament director registered (reading A26)."""
    return game.status not in _NEVER_RATED and game.result.half_points(Colour.WHITE) is not None


@paragraph("12", "reported after {last}, the last day for this list: next list", silent=True)
def is_in_time(game: Game, last: date | None) -> bool:
    """Item 12: only results reported in time are rated for this list."""
    day = reported_on(game)
    return day is None or last is None or day <= last


def reported_on(game: Game) -> date | None:
    """The day of the report; a server game is reported when it ends (reading A18)."""
    return game.reported or game.end
