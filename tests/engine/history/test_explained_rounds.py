"""The rounds of games in explanations of a history."""

from __future__ import annotations

import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.history.api import History
from ratingbook.rules import registry


def test_a_game_without_a_round_is_of_none() -> None:
    games = pa.table(
        {
            "date": ["2020-01-01", "2020-01-01"],
            "event": ["E", "E"],
            "white": ["A", "A"],
            "black": ["B", "C"],
            "score": ["1", "0"],
            "round": pa.array([None, 3], pa.int16()),
        }
    )
    rated = rate_history(History.of(games), registry.load("elo"), compiled=False)
    titles = {step.game for row in rated.explain("A") for step in row.explanation if step.game}
    assert titles == {"E, white against B", "E, round 3, white against C"}


@pytest.mark.parametrize("rulebook", ["elo", "iecg-1999", "uscf-2011"])
def test_games_alike_are_told_apart(rulebook: str) -> None:
    """The same two, colours, round and result: each step says of which row of the input it is."""
    games = pa.table(
        {
            "date": ["2012-01-01"] * 3,
            "event": ["E"] * 3,
            "white": ["A"] * 3,
            "black": ["B", "B", "C"],
            "score": ["1"] * 3,
            "round": pa.array([3] * 3, pa.int16()),
        }
    )
    players = pa.table({"id": ["A", "B", "C"], "rating": [1500, 1600, 1700], "games": [50] * 3})
    rated = rate_history(
        History.of(games, players=players), registry.load(rulebook), compiled=False
    )
    rows = rated.explain("A")
    titles = {
        step.about.place.line: step.game
        for row in rows for step in row.explanation if step.about is not None
    }  # fmt: skip
    assert titles == {
        1: "E, game 1 of 2 alike, round 3, white against B",
        2: "E, game 2 of 2 alike, round 3, white against B",
        3: "E, round 3, white against C",
    }
    assert [game.place.line for row in rows for game in row.counted] == [1, 2, 3]
