"""Why a game does not count is a reason, not the same again."""

from __future__ import annotations

import pytest

from ratingbook.desk.account import GameAccount
from ratingbook.desk.cross_table import Meeting
from ratingbook.model import Colour, Game, GameStatus, Result


def game(*, white_rated: bool = True) -> Game:
    return Game("1", "2", Result.DRAW, white_rated=white_rated)


@pytest.mark.parametrize(
    ("rating", "of", "half_points", "why"),
    [
        (None, game(), 1, "the opponent has no rating"),
        (1800.0, game(white_rated=False), 1, "not to be rated, as the report says"),
        (1800.0, game(), None, "no result"),
        (1800.0, game(), 1, "not rated"),
        (None, None, 1, "the opponent has no rating"),
    ],
)
def test_why_a_game_that_was_played_does_not_count(rating, of, half_points, why):
    meeting = Meeting(
        opponent=2, name="Bravo, Ben", round=1, colour=Colour.WHITE, half_points=half_points,
        status=GameStatus.PLAYED, handicap=0, rated=False, substituted=False, game=of,
    )  # fmt: skip
    assert GameAccount(meeting, "", rating, None, None).why_unrated == why
