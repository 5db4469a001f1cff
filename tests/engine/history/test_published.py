"""Rows of changes have both ratings as lists print them, and the exact one beside."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import ratingbook as rb
from ratingbook.cli.app import app
from ratingbook.engine.history.api import History, rate_history
from ratingbook.engine.history.pooled import rate_pools

KEEPING = ("uscf", "uscf-2023", "egf", "egf-2013", "egf-2021")
PLAYERS = [("a", 1501.25, 30), ("b", 1600.4, 12), ("c", 1750.75, 40)]
GAMES = [
    ("2022-01-10", "A", 1, "a", "b", 1), ("2022-01-10", "A", 2, "a", "c", 0.5),
    ("2022-02-10", "B", 1, "a", "b", 0), ("2022-02-10", "B", 2, "c", "a", 0.5),
    ("2022-03-10", "C", 1, "b", "a", 1), ("2022-03-10", "C", 2, "c", "b", 0),
]  # fmt: skip
COLUMNS = ("date", "event", "round", "white", "black", "score")


def _games(**more: str) -> list[dict[str, object]]:
    return [dict(zip(COLUMNS, game, strict=True)) | more for game in GAMES]


def _history(games: list[dict[str, object]]) -> History:
    return History.of(pa.Table.from_pylist(games), players=pa.Table.from_pylist(_players()))


def _rounded(exact: float | None) -> int | None:
    return None if exact is None else round(exact)


def _players() -> list[dict[str, object]]:
    return [{"id": id_, "rating": rating, "games": games} for id_, rating, games in PLAYERS]


@pytest.mark.parametrize("name", KEEPING)
def test_each_row_begins_where_the_row_above_has_ended(name: str) -> None:
    rated = rb.history(_games(), name, players=_players())
    decimals = rb.rulebook(name).published_decimals
    for player, rating, _ in PLAYERS:
        rows = [row for row in rated.changes.to_pylist() if row["player"] == player]
        assert rows[0]["exact_before"] == rating
        for above, below in itertools.pairwise(rows):
            assert below["before"] == above["after"]
            assert below["before"] == pytest.approx(below["exact_before"], abs=0.5)
            assert round(below["before"], decimals or 0) == below["before"]


def test_what_keeps_no_decimals_has_no_exact_column() -> None:
    players = [{**each, "rating": 1600} for each in _players()]
    rated = rb.history(_games(), "fide-2014", players=players)
    assert "exact_before" not in rated.changes.column_names


def test_an_explanation_has_the_numbers_of_its_row() -> None:
    rated = rb.history(_games(), "uscf", players=_players())
    for row in rated.changes.to_pylist():
        (told,) = rated.explain(row["player"], row["batch"])
        assert (told.row.before, told.exact_before) == (row["before"], row["exact_before"])
        assert told.row.change == row["after"] - row["before"]


def test_runs_are_compared_by_what_entered() -> None:
    rated = rate_history(_history(_games()), "uscf")
    exact = rated.exact_changes
    assert exact["before"].to_pylist() == rated.changes["exact_before"].to_pylist()
    assert "exact_before" not in exact.column_names


def test_pools_and_previews_have_the_same_two_numbers() -> None:
    pools = ["regular", "quick", "regular"]
    games = [game | {"pool": pools["ABC".index(str(game["event"]))]} for game in _games()]
    rated = rate_pools(_history(games), "uscf", corrections=True)
    for row in rated.changes.to_pylist():
        assert row["before"] == _rounded(row["exact_before"])
    changed = [{**game, "score": 0} if game["event"] == "A" else game for game in games]
    for row in rated.correct(_history(changed)).preview.to_pylist():
        assert row["before_new"] == _rounded(row["exact_before_new"])
        assert row["before_old"] == _rounded(row["exact_before_old"])


def test_a_preview_of_one_pool_has_them_too() -> None:
    rated = rate_history(_history(_games()), "uscf", corrections=True)
    found = rated.correct({0: 0}).preview.to_pylist()
    assert found
    for row in found:
        assert row["before_new"] == _rounded(row["exact_before_new"])


def test_the_command_shows_and_writes_published_numbers(tmp_path: Path) -> None:
    games, players = tmp_path / "games.csv", tmp_path / "players.csv"
    games.write_text("\n".join(",".join(map(str, each)) for each in [COLUMNS, *GAMES]))
    players.write_text(
        "id,rating,games\n" + "\n".join(",".join(map(str, each)) for each in PLAYERS)
    )
    out = str(tmp_path / "out")
    run = CliRunner().invoke
    made = run(app, ["history", str(games), "--players", str(players), "--rulebook", "uscf",
                     "--out", out])  # fmt: skip
    assert made.exit_code == 0, made.output
    written = pq.read_table(Path(out) / "changes.parquet").to_pylist()
    assert [row["before"] for row in written] == [round(row["exact_before"]) for row in written]
    shown = json.loads(run(app, ["history", out, "--player", "a", "--format", "json"]).stdout)
    for each in shown["changes"]:
        assert each["change"] == each["after"] - each["before"]
        assert each["change"] % 1 == 0
        assert round(each["exact_before"]) == each["before"]
        assert round(each["exact"]) == each["after"]
    explained = json.loads(run(app, ["history", out, "--explain", "a"]).stdout)
    (row,) = explained["players"]
    assert row["change"] % 1 == 0
    assert round(row["exact_before"]) == row["before"]
