"""The two editions in a row: what holds on which day, and the reform between them."""

from datetime import date

import pyarrow as pa
import pytest

from nowhere_rating import nowhere_2023, nowhere_2026
from ratingbook.engine.history import rate_history
from ratingbook.rules.series import series_of

NOWHERE = series_of("nowhere", [nowhere_2023, nowhere_2026])


@pytest.mark.parametrize(
    ("day", "k_new", "floor"),
    [
        (date(2024, 6, 30), 40, 800),
        (date(2024, 7, 1), 32, 800),
        (date(2025, 12, 31), 32, 800),
        (date(2026, 1, 1), 32, 1000),
    ],
)
def test_the_parameters_of_a_day(day: date, k_new: int, floor: int) -> None:
    """Those of the last stage that has begun."""
    (*_, stage) = (each for each in NOWHERE.stages() if each.since is None or each.since <= day)
    assert (stage.parameters.k_new, stage.parameters.floor) == (k_new, floor)


def test_the_reform_lifts_the_ratings_of_the_first_list_of_2026() -> None:
    """By hand: 900 − 20 · .4 = 892, lifted by 254 to 1146; 1000 + 20 · .4 = 1008, by 196 to 1204.

    Then 1146 beats 1204: 1146 + 20 · (1 − .442) = 1157.16, and 1204 − 11.16 = 1192.84.
    """
    games = pa.table(
        {
            "date": [date(2025, 10, 5), date(2026, 2, 1)],
            "white": ["high", "low"],
            "black": ["low", "high"],
            "score": [1.0, 1.0],
        }
    )
    players = pa.table({"id": ["low", "high"], "rating": [900, 1000], "games": [50, 50]})
    rated = rate_history(games, NOWHERE, players=players, compiled=False)
    changes = {(row["player"], row["batch"]): row for row in rated.changes.to_pylist()}
    assert (changes["low", 0]["after"], changes["high", 0]["after"]) == (892, 1008)
    assert (changes["low", 1]["before"], changes["high", 1]["before"]) == (1146, 1204)
    assert (changes["low", 1]["after"], changes["high", 1]["after"]) == (1157, 1193)
