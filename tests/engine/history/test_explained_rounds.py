"""The rounds of games in explanations of a history."""

from __future__ import annotations

import pyarrow as pa

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
