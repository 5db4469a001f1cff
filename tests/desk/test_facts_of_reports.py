"""A history of reports rates by what they say of games, and tells what it leaves."""

from __future__ import annotations

import json

import pytest

import ratingbook as rb
from ratingbook.desk.facts import gather
from ratingbook.engine.history.api import book_of

TWO = [
    {"id": "1", "name": "Alpha, Anna", "standing": {"rating": 2200, "games": 40}},
    {"id": "2", "name": "Bravo, Ben", "standing": {"rating": 2300, "games": 40}},
    {"id": "3", "name": "Charlie, Chris", "standing": {"rating": 2000, "games": 40}},
]


def written(tmp_path, *games, players=TWO):
    path = tmp_path / "cup.json"
    event = {"name": "Cup", "start": "2009-01-01", "end": "2009-03-01"}
    said = {"ratingbook": "report/1", "event": event, "players": players, "games": list(games)}
    path.write_text(json.dumps(said))
    return path


@pytest.mark.parametrize(
    "said", [{"white_rating": 2250, "black_rating": 2280}, {"white_for": "3"}, {}]
)
def test_games_are_rated_as_in_a_report(tmp_path, said):
    game = {"round": 1, "white": "1", "black": "2", "result": "1-0", "start": "2009-01-01",
            "end": "2009-03-01", **said}  # fmt: skip
    path = written(tmp_path, game)
    rated = rb.history(path, "iccf-2009", id="local")
    by_history = {
        row["player"]: row["rating"] for row in rated.ratings.to_pylist() if row["rating"]
    }
    by_report = {row["id"]: row["after"] for row in rb.rate(path, "iccf-2009").players}
    assert by_history == by_report


def test_a_withdrawal_is_left_to_the_rules_unless_the_report_decides(tmp_path):
    played = {"white": "1", "black": "2", "result": "1-0", "end": "2009-03-01"}
    games = [{**played, "round": 1}, {**played, "round": 2, "rated": True}]
    facts, _ = gather(
        [written(tmp_path, *games)], book_of("iecg-1999", {}), id_kind="local"
    )  # fmt: skip
    assert facts is not None
    assert [row["rated"] for row in facts.games] == [None, "both"]


@pytest.mark.parametrize(("name", "told"), [("uscf-2011", True), ("iccf-2009", False)])
def test_decisions_that_the_rules_know_are_told(tmp_path, name, told):
    players = [{**TWO[0], "decisions": {"adjusted_rating": 2000, "reason": "x"}}, TWO[1]]
    path = written(
        tmp_path, {"round": 1, "white": "1", "black": "2", "result": "1-0"}, players=players
    )
    _, findings = gather([path], book_of(name, {}), id_kind="local")
    assert ("history.decisions-unused" in {each.code for each in findings}) is told


@pytest.mark.parametrize("score", ["1-0", "0,5", "½-½", "1/2-1/2", " 1 ", "0-1"])
def test_a_table_beside_a_report_is_understood_as_it_is_alone(tmp_path, score):
    table = tmp_path / "table.csv"
    table.write_text(f"date;white;black;score;rated\n2010-01-05;1;2;{score};yes\n")
    report = written(tmp_path, {"white": "1", "black": "3", "result": "1-0", "end": "2009-03-01"})
    alone = rb.history(table, "elo", id="local", players=None)
    both = rb.history([report, table], "elo", id="local")
    (game,) = [row for row in both.changes.to_pylist() if str(row["date"]) == "2010-01-05"
               and row["player"] == "1"]  # fmt: skip
    (same,) = [row for row in alone.changes.to_pylist() if row["player"] in ("1", 1)]
    assert (game["games"], game["score"]) == (same["games"], same["score"])
