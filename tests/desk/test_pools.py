"""From reports of several pools to one history: its lists, changes, corrections and sections."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest


def report(name, day, games, players, **more):
    """A report of one day; players are ``(id, standing, pools)``."""
    event = {"name": name, "start": day, "end": day, **more.pop("event", {})}
    rows = [
        {"id": id_, "name": f"Player {id_}", "standing": standing, "pools": pools}
        for id_, standing, pools in players
    ]
    rows = [{key: value for key, value in row.items() if value} for row in rows]
    played = [
        {"round": number, "white": white, "black": black, "result": result, **told}
        for number, (white, black, result, *rest) in enumerate(games, 1)
        for told in [rest[0] if rest else {}]
    ]
    return json.dumps(
        {"ratingbook": "report/1", "event": event, "players": rows, "games": played, **more}
    )


def ratings(run, folder, *options):
    done = run("list", folder, *options, "--format", "json")
    assert done.status == 0, done.err
    return {row["id"]: row["rating"] for row in json.loads(done.out)["players"]}


@pytest.fixture
def fide(run, tmp_path):
    """A standard event, and one that is rapid by its name, of the same two players."""
    folder = tmp_path / "events"
    folder.mkdir()
    rated = {"rating": 2000, "games": 50}, {"rating": 2100, "games": 50}
    players: list[tuple[str, dict[str, int], dict[str, dict[str, int]]]] = [
        ("a", rated[0], {}),
        ("b", rated[1], {}),
    ]
    (folder / "1.json").write_text(report("Open", "2024-03-10", [("a", "b", "1-0")], players))
    players = [("a", {}, {"standard": rated[0]}), ("b", {}, {"standard": rated[1]})]
    (folder / "2.json").write_text(
        report("Evening Rapid", "2024-04-10", [("a", "b", "1-0")], players)
    )
    out = tmp_path / "office"
    done = run("history", folder, "--rulebook", "fide", "--id", "local", "--out", out)
    assert done.status == 0, done.err
    return out


def test_reports_of_two_lists_are_one_history(run, fide):
    # 100 points: 0.36; 20 × 0.64 = 12.8. From the list of April: 2013 v 2087, 74 points, 0.40.
    assert ratings(run, fide) == {"a": 2013, "b": 2087}
    # K 40: 2013 + 40 × 0.60.
    assert ratings(run, fide, "--pool", "rapid") == {"a": 2037, "b": 2063}
    changes = pq.read_table(fide / "changes.parquet").to_pylist()
    assert [(row["pool"], row["player"], row["after"]) for row in changes] == [
        ("standard", "a", 2013), ("standard", "b", 2087),
        ("rapid", "a", 2037), ("rapid", "b", 2063),
    ]  # fmt: skip
    refused = run("list", fide, "--pool", "blitz")
    assert refused.status == 1
    assert "it has standard, rapid" in refused.err


def test_a_correction_in_one_list_reaches_the_other(run, fide):
    fixes = fide.parent / "fixes.csv"
    fixes.write_text("event,white,black,score,reason\nOpen,a,b,0,the score card\n")
    done = run("history", fide, "--correct", fixes, "--preview", "-o", fide.parent / "seen")
    assert done.status == 0, done.err
    rows = pq.read_table(fide.parent / "seen/preview.parquet").to_pylist()
    # 2000 − 20 × 0.36 = 1993 v 2107; 114 points: 0.34. 1993 + 40 × 0.66 = 2019.
    told = {(row["pool"], row["player"]): row["after_new"] for row in rows}
    assert told["rapid", "a"] == 2019
    assert set(told) == {(pool, player) for pool in ("standard", "rapid") for player in "ab"}


def test_a_player_is_shown_and_explained_by_pool(run, fide):
    done = run("history", fide, "--player", "a", "--pool", "rapid", "--format", "json")
    (change,) = json.loads(done.out)["changes"]
    assert (change["pool"], change["after"]) == ("rapid", 2037)
    assert change["explanation"][-1]["value"] == 2037
    done = run("history", fide, "--explain", "a")
    (player,) = json.loads(done.out)["players"]
    assert player["after"] == 2037
    assert run("history", fide, "--explain", "a", "--pool", "blitz").status == 1


def test_sections_of_several_systems_are_events_of_their_own(run, tmp_path):
    """US Chess: one section is dual, the other regular only."""
    standing = {"rating": 1500, "games": 30}
    players: list[tuple[str, dict[str, int], dict[str, int]]] = [
        (id_, standing, {}) for id_ in "abcd"
    ]
    games = [("a", "b", "1-0", {"section": "A"}), ("c", "d", "1-0", {"section": "B"})]
    heads = [{"name": "A", "number": 1, "pool": "dual"}, {"name": "B", "number": 2}]
    event = {"pool": "regular"}
    path = tmp_path / "report.json"
    path.write_text(report("Open", "2013-05-05", games, players, event=event, sections=heads))
    out = tmp_path / "office"
    done = run("history", path, "--rulebook", "uscf-2013", "--id", "local", "--out", out)
    assert done.status == 0, done.err
    batches = pq.read_table(out / "batches.parquet").to_pylist()
    assert [(row["pool"], row["batch"], row["event"]) for row in batches] == [
        ("regular", 0, "Open, A"), ("quick", 0, "Open, A"), ("regular", 1, "Open, B"),
    ]  # fmt: skip


PLAYERS_OF_POOLS = (
    "id,name,pool,rating,games,birth_date\n"
    "10000001,Player a,regular,1800,100,1990-01-01\n10000001,,quick,1500,60,\n"
    "10000002,Player b,,1700,80,1991-01-01\n10000002,Player b,QUICK,1650,50,\n"
)


def us_chess(tmp_path, pool, text=PLAYERS_OF_POOLS):
    """A report of one game in a pool, and players with a row for each pool."""
    of, players = tmp_path / "r.json", tmp_path / "p.csv"
    players.write_text(text)
    event = {"name": "Open", "start": "2024-03-10", "end": "2024-03-10", "pool": pool,
             "time_control": "G/45;d5"}  # fmt: skip
    made = {
        "ratingbook": "report/1", "event": event,
        "players": [{"id": "10000001", "name": "Player a"}, {"id": "10000002", "name": "Player b"}],
        "games": [{"round": 1, "white": "10000001", "black": "10000002", "result": "0-1"}],
    }  # fmt: skip
    of.write_text(json.dumps(made))
    return of, players


def begun(folder):
    """With which rating everybody enters each pool."""
    rows = pq.read_table(folder / "changes.parquet").to_pylist()
    return {(row["player"], row.get("pool")): row["before"] for row in rows}


def test_players_have_a_row_for_each_pool_beside_reports(run, tmp_path):
    of, players = us_chess(tmp_path, "dual")
    out = tmp_path / "office"
    done = run(
        "history", of, "--rulebook", "uscf", "--players", players, "--id", "uscf", "--out", out
    )
    assert done.status == 0, done.err
    assert "players." not in done.err
    assert begun(out) == {
        ("10000001", "regular"): 1800, ("10000001", "quick"): 1500,
        ("10000002", "regular"): 1700, ("10000002", "quick"): 1650,
    }  # fmt: skip


@pytest.mark.parametrize(("pool", "ratings"), [("regular", {1800, 1700}), ("quick", {1500, 1650})])
def test_a_report_is_filled_from_the_rows_of_its_pool(run, tmp_path, pool, ratings):
    of, players = us_chess(tmp_path, pool)
    done = run("rate", of, "--rulebook", "uscf-2023", "--players", players, "--format", "json")
    assert done.status == 0, done.err
    assert {row["before"] for row in json.loads(done.out)["players"]} == ratings


def test_a_pool_that_is_none_and_one_that_comes_twice_are_told(run, tmp_path):
    more = (
        "10000003,Player c,postal,1500,10,\n10000002,Player b,regular,1500,10,\n"
        "10000001,,quick,1,1,\n"
    )
    of, players = us_chess(tmp_path, "regular", PLAYERS_OF_POOLS + more)
    done = run("rate", of, "--rulebook", "uscf-2023", "--players", players)
    assert done.status == 1
    assert "no pool 'postal'" in done.err
    assert done.err.count("players.duplicate") == 2


def test_who_has_no_row_in_the_pool_is_unrated_there(run, tmp_path):
    text = (
        "id,name,pool,rating,games\n10000001,Player a,quick,1500,60\n10000002,Player b,,1700,80\n"
    )
    of, players = us_chess(tmp_path, "regular", text)
    done = run("rate", of, "--rulebook", "uscf-2023", "--players", players, "--format", "json")
    assert done.status == 0, done.err
    assert {row["before"] for row in json.loads(done.out)["players"]} == {None, 1700}


def test_the_column_is_unknown_where_there_is_one_pool(run, tmp_path):
    of, players = us_chess(tmp_path, "regular", "id,pool,rating,games\n10000001,regular,1500,60\n")
    done = run("rate", of, "--rulebook", "iccf-2009", "--players", players)
    assert "players.unknown-column" in done.err


@pytest.mark.parametrize(
    ("pool", "says"), [("dual", "dual (regular ratings)"), ("quick", "quick"), ("", "uscf-2023")]
)
def test_the_head_of_a_table_says_which_ratings_it_has(run, tmp_path, pool, says):
    of, players = us_chess(tmp_path, pool)
    done = run("rate", of, "--rulebook", "uscf-2023", "--players", players)
    assert done.status == 0, done.err
    assert f"2024-03-10, {says}" in done.out.splitlines()[0]
