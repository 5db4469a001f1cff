"""One-off reforms of FIDE's lists: what began before one is rated by the numbers of before it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from ratingbook.engine.history.api import History, rate_history
from ratingbook.rules import registry

PLAYERS = {
    "id": ["ann", "ben", "cid", "dee", "eve", "fay"],
    "rating": [2251.0, 1829.0, 1700.0, 1500.0, 2100.0, 2150.0],
    "games": [90] * 6,
}
EARLY = {"event": "early", "start": "2023-12-02", "date": "2023-12-03"}
ACROSS = {"event": "across", "start": "2024-02-24", "date": "2024-03-10"}
ELSEWHERE = {"event": "elsewhere", "start": "2024-02-10", "date": "2024-02-11"}
GAMES: list[dict[str, Any]] = [
    {**EARLY, "white": "ben", "black": "dee", "score": 0.5},
    {**ACROSS, "white": "ann", "black": "ben", "score": 0.5},
    {**ACROSS, "white": "cid", "black": "ann", "score": 0.5},
    {**ACROSS, "white": "ben", "black": "cid", "score": 1.0},
]
OF_OTHERS = {**ELSEWHERE, "white": "eve", "black": "fay", "score": 0.5}


def rated(games: list[dict[str, Any]], *, compiled: bool = False) -> Any:
    given = History.of(pa.Table.from_pylist(games), players=pa.table(PLAYERS))
    return rate_history(given, "fide", compiled=compiled)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("games", [GAMES, [*GAMES, OF_OTHERS]], ids=["alone", "with others"])
def test_an_event_across_a_reform_counts_at_the_list_under_which_it_began(
    games: list[dict[str, Any]], compiled: bool
) -> None:
    """On 1 March 2024 ratings below 2000 were lifted; the list of 1 February holds for it.

    By hand (K = 20): ann 2251 meets ben 1821 and cid 1700. Of one opponent the difference counts as
    400 at most, so 551 expects 0.92, and 430 by the table 0.93; at the lifted 1893 it were 0.90.
    """
    changes = rated(games, compiled=compiled).changes.to_pylist()
    after = {row["player"]: row["after"] for row in changes if str(row["date"]) == "2024-04-01"}
    assert after["ann"] == 2251 + 20 * (1 - 0.93 - 0.92)


def test_who_plays_elsewhere_changes_nothing() -> None:
    """Whether others have a game for the list of the reform decides nothing."""

    def of(games: list[dict[str, Any]]) -> dict[tuple[str, str], float]:
        rows = rated(games).changes.to_pylist()
        return {(row["player"], str(row["date"])): row["after"] for row in rows
                if row["player"] not in ("eve", "fay")}  # fmt: skip

    assert of(GAMES) == of([*GAMES, OF_OTHERS])


def test_the_list_of_the_reform_is_a_batch_without_games() -> None:
    history = rated(GAMES)
    days = [str(each) for each in history.batch_table["day"].to_pylist()]
    assert days == ["2024-01-01", "2024-03-01", "2024-04-01"]


BELOW = {
    "id": ["ada", "bo", "cy", "di"],
    "rating": [1300.0, 1350.0, 1300.0, 1350.0],
    "games": [500] * 4,
}


def of_those_below(pool: str, compiled: bool) -> Any:
    """A list of players below the floor of March 2024, with games for the lists around it."""
    games = [
        {"event": "January", "date": "2024-01-10", "white": "cy", "black": "di", "score": 0.5},
        {"event": "February", "date": "2024-02-10", "white": "ada", "black": "bo", "score": 1.0},
        {"event": "March", "date": "2024-03-20", "white": "ada", "black": "cy", "score": 1.0},
    ]
    given = History.of(pa.Table.from_pylist(games), players=pa.table(BELOW))
    series = registry.load("fide").with_parameters({"pool": pool})
    return rate_history(given, series, compiled=compiled)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_who_plays_for_the_list_of_the_reform_is_lifted_as_the_others_are(compiled: bool) -> None:
    """The floor of 1400 holds for what the reform has made of the list, not for what it changes.

    By hand (K = 20): 1300 expects 0.43 against 1350, so a win gives 1311 and 1339 for the list of
    March, which are lifted by 0.4 · 689 and 0.4 · 661 to 1587 and 1603.  For the list of April
    1587 then expects 0.51 against Cy's 1300, now 1580.
    """
    history = of_those_below("standard", compiled)
    changes = history.changes.to_pylist()
    after = {(row["player"], str(row["date"])): row["after"] for row in changes}
    assert after["ada", "2024-03-01"] == 1311
    assert after["bo", "2024-03-01"] == 1339
    assert after["ada", "2024-04-01"] == 1597
    now = {row["player"]: row for row in history.ratings.to_pylist()}
    assert (now["bo"]["rating"], now["bo"]["published"]) == (1603, True)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_below_the_new_floor_nobody_has_a_rapid_rating_any_more(compiled: bool) -> None:
    """Rapid was not lifted (F28): below 1400 one is on no list, so a game rates nobody."""
    history = of_those_below("rapid", compiled)
    published = {row["player"]: row["published"] for row in history.ratings.to_pylist()}
    assert published == {"ada": False, "bo": False, "cy": False, "di": False}
    before = {
        (row["player"], str(row["date"])): row["before"] for row in history.changes.to_pylist()
    }
    assert before["ada", "2024-03-01"] == 1300
    assert before.get(("ada", "2024-04-01")) is None
