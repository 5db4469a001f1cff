"""Paragraph 13: which games count."""

from __future__ import annotations

from ratingbook.model import Colour, Game
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.half import Status
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import HalfPoints


@paragraph("13", "{status}: not rated", silent=True)
def was_played(status: Status) -> bool:
    """Paragraph 13: games that were played; byes and forfeits are none."""
    return status <= Status.TIME or status == Status.ADJUDICATED


@paragraph("13", "no result: not rated", silent=True)
def has_result(score: HalfPoints) -> bool:
    """Paragraph 13: a game without a result is none."""
    return score != NOT_GIVEN


def is_counted(game: Game) -> bool:
    """Paragraph 13 for a game of a report."""
    score = game.result.half_points(Colour.WHITE)
    return was_played(Status[game.status.name]) and has_result(
        NOT_GIVEN if score is None else score
    )
