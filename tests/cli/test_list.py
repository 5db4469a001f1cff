"""The command ``list``: standings in, a list as the rules prescribe it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

STANDINGS = {
    "players": [
        {
            "id": "1",
            "name": "Ann",
            "federation": "GER",
            "sex": "w",
            "standing": {"rating": 2100, "games": 60, "wins": 30, "draws": 20, "losses": 10},
        },
        {"id": "2", "name": "Ben", "federation": "GER", "standing": {"rating": 2100, "games": 20}},
        {
            "id": "3",
            "name": "<b>Cyd",
            "federation": "FRA",
            "standing": {"rating": 2500, "games": 200, "last_played": "2008-01-01"},
        },
        {"id": "4", "name": "=Dan", "standing": {"rating": 1800, "games": 5}},
        {"id": "5", "name": "Eve"},
    ]
}
ICCF = ("--rulebook", "iccf-2009", "--date", "2012-04-10")


@pytest.fixture
def standings(tmp_path: Path) -> Path:
    path = tmp_path / "standings.json"
    path.write_text(json.dumps(STANDINGS), "utf-8")
    return path


def listed(run, standings, *options):
    done = run("list", standings, *options, "--format", "json")
    assert done.status == 0
    return json.loads(done.out)


def test_iccf_prints_its_own_columns(run, standings):
    found = listed(run, standings, *ICCF)
    assert [column["title"] for column in found["columns"]] == [
        "ID", "Country", "Title", "Name", "Games", "Rating", "Gender",
    ]  # fmt: skip
    assert [player["id"] for player in found["players"]] == ["3", "1", "2"]
    assert found["title"] == "ICCF rating list 2012/2"


def test_who_is_not_listed_and_why(run, standings):
    found = listed(run, standings, *ICCF)
    reasons = {left["id"]: left["reason"] for left in found["not_listed"]}
    assert reasons.keys() == {"4", "5"}
    assert "5 rated games" in reasons["4"]
    assert "no rating" in reasons["5"]


def test_iccf_counts_by_country(run, standings):
    """GER: two listed, one of them fixed, one woman; FRA: one, inactive since 2008."""
    (statistics,) = listed(run, standings, *ICCF)["statistics"]
    ger = {"country": "GER", "listed": 2, "fixed": 1, "provisional": 1, "inactive": 0, "women": 1}
    fra = {"country": "FRA", "listed": 1, "fixed": 1, "provisional": 0, "inactive": 1, "women": 0}
    assert statistics["rows"] == [{**fra, "games": None}, {**ger, "games": None}]


def test_iecg_prints_what_ii_5_requires(run, standings):
    """Position, position in class, number, name, country, rating, TER, games, W-D-L."""
    found = listed(run, standings, "--rulebook", "iecg-1999", "--date", "2008-02-05")
    first = next(player for player in found["players"] if player["id"] == "1")
    assert list(first) == [
        "position", "class_position", "id", "name", "country", "rating", "ter", "games",
        "wins", "draws", "losses",
    ]  # fmt: skip
    assert (first["position"], first["ter"]) == (2, 2100)
    assert (first["wins"], first["draws"], first["losses"]) == (30, 20, 10)


def test_equal_ratings_share_a_position(run, standings):
    found = listed(run, standings, "--rulebook", "iecg-1999", "--date", "2008-02-05", "--office")
    assert [player["position"] for player in found["players"]] == [1, 2, 2, 4]


def test_tournament_offices_see_unpublished_ratings(run, standings):
    options = ("--rulebook", "iecg-1999", "--date", "2008-02-05")
    public = {player["id"] for player in listed(run, standings, *options)["players"]}
    office = {player["id"] for player in listed(run, standings, *options, "--office")["players"]}
    assert office - public == {"4"}


def test_csv_is_safe_in_a_spreadsheet(run, standings):
    done = run("list", standings, *ICCF, "--set", "publication_minimum=1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["name"] for row in rows] == ["<b>Cyd", "Ann", "Ben", "'=Dan"]


def test_the_page_holds_names_as_text_and_asks_nothing_from_anywhere(run, standings):
    page = run("list", standings, *ICCF, "--format", "html").out
    assert "&lt;b&gt;Cyd" in page
    assert "<b>" not in page
    assert "://" not in page
    assert "src=" not in page
    assert "2012-04-01" in page.partition("<table")[0]
    head = page.partition("<thead>")[2].partition("</thead>")[0]
    assert head.index(">Name<") < head.index(">Rating<") < head.index(">Games<")


def test_the_table_is_for_people(run, standings):
    done = run("list", standings, *ICCF)
    assert "Not listed: 2" in done.out
    assert "<b>Cyd" in done.out


def test_the_output_of_rate_is_a_list_of_standings(run, tmp_path):
    """What comes out of a period goes into the list, with the games of the period."""
    report = {
        "ratingbook": "report/1",
        "event": {"start": "2011-12-01", "end": "2012-02-29"},
        "players": [
            {"id": "a", "federation": "GER", "standing": {"rating": 2200, "games": 100}},
            {"id": "b", "federation": "GER", "standing": {"rating": 2200, "games": 100}},
        ],
        "games": [{"white": "a", "black": "b", "result": "1-0"}],
    }
    (tmp_path / "report.json").write_text(json.dumps(report), "utf-8")
    rated = run("rate", tmp_path / "report.json", "--rulebook", "iccf-2009", "--format", "json")
    (tmp_path / "rated.json").write_text(rated.out, "utf-8")
    found = listed(run, tmp_path / "rated.json", *ICCF)
    # k = 15 at 2200 and 100 games; 15 · ½ = 7.5: 2207.5 and 2192.5, half up.
    assert [(p["id"], p["rating"]) for p in found["players"]] == [("a", 2208), ("b", 2193)]
    assert found["statistics"][0]["rows"][0]["games"] == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--rulebook", "iccf-2009", "--date", "tomorrow"), "YYYY-MM-DD"),
        (("--rulebook", "nope", "--date", "2012-04-10"), "nope"),
        ((*ICCF, "--set", "floor=1"), "floor"),
    ],
)
def test_a_wrong_call_is_a_usage_error(run, standings, options, told):
    done = run("list", standings, *options)
    assert done.status == 2
    assert told in done.err
    assert not done.out


@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"{", b'{"players": 3}', b"name,rating\nA,1"])
def test_standings_that_cannot_be_read_are_refused(run, tmp_path, content):
    path = tmp_path / "broken"
    path.write_bytes(content)
    done = run("list", path, *ICCF)
    assert done.status == 1
    assert not done.out
    assert "broken" in done.err


@pytest.mark.parametrize("rating", [-5, 99999, 2000.5])
@pytest.mark.parametrize("rulebook", ["iccf-2009", "fide-2009", "iecg-1999"])
def test_a_list_holds_no_impossible_rating(run, tmp_path, rulebook, rating):
    path = tmp_path / "players.csv"
    path.write_text(f"id,rating,games\nx,{rating},40\n", "utf-8")
    done = run("list", path, "--rulebook", rulebook, "--date", "2010-04-01")
    assert (done.status, done.out) == (1, "")
    assert str(rating) in done.err


def rated_by(rulebook: str) -> str:
    row = {"id": "1", "games": 3, "standing": {"rating": 2100, "games": 60}}
    return json.dumps({"rulebook": rulebook, "players": [row]})


def test_standings_of_another_federation_are_refused(run, tmp_path):
    path = tmp_path / "rated.json"
    path.write_text(rated_by("iccf-2009"), "utf-8")
    done = run("list", path, "--rulebook", "iecg-1999", "--date", "2000-04-01")
    assert (done.status, done.out) == (1, "")
    assert "list.other-rulebook" in done.err


def test_another_edition_of_the_federation_is_told(run, tmp_path):
    path = tmp_path / "rated.json"
    path.write_text(rated_by("egf-1998"), "utf-8")
    done = run("list", path, "--rulebook", "egf-2013", "--date", "2010-04-01")
    assert done.status == 0
    assert "list.other-rulebook" in done.err


def test_a_day_outside_the_edition_is_told(run, standings):
    done = run("list", standings, "--rulebook", "iccf-2009", "--date", "1980-04-01")
    assert "edition.outside-validity" in done.err


def test_fide_lists_nobody_below_the_floor_and_marks_the_inactive(run, tmp_path):
    path = tmp_path / "players.csv"
    path.write_text(
        "id,name,sex,rating,games,status,last_played\n"
        "1,Ada,w,2100,60,,2010-02-01\n"
        "2,Ben,m,2000,60,,2008-12-31\n"
        "3,Cyd,m,1199,60,,2010-02-01\n"
        "4,Dee,w,1850,5,unrated,2010-02-01\n",
        "utf-8",
    )
    found = listed(run, path, "--rulebook", "fide-2009", "--date", "2010-05-17")
    assert found["title"] == "FIDE rating list of 2010-05-01"
    assert [(p["id"], p["flag"]) for p in found["players"]] == [("1", "w"), ("2", "i")]
    reasons = {left["id"]: left["reason"] for left in found["not_listed"]}
    assert "1200" in reasons["3"]
    assert "5 games of 9" in reasons["4"]


def test_any_report_can_be_listed(run, reference):
    path = reference / "samples" / "trf" / "bunratty_masters_2011.tab"
    found = listed(run, path, "--rulebook", "fide-2009", "--date", "2011-03-01")
    assert len(found["players"]) == 34


@pytest.mark.parametrize(
    "asked",
    [
        ("list", "{nothing}", "--rulebook", "fide-2024", "--date", "2024-05-01"),
        ("grades", "{nothing}", "--rulebook", "egf-2021"),
        ("history", "{nothing}", "--rulebook", "fide-2024", "--explain", "1@2024-05-01"),
    ],
    ids=lambda asked: asked[0],
)
def test_what_is_refused_is_told_in_json_where_results_go(run, tmp_path, asked):
    nothing = str(tmp_path / "nothing.csv")
    done = run(*(each.format(nothing=nothing) for each in asked), "--format", "json")
    assert done.status == 1
    (finding,) = json.loads(done.out)["findings"]
    assert finding["severity"] in ("error", "fatal")
    assert finding["remedy"]


def test_numbers_are_those_that_the_rules_publish(run, tmp_path):
    """US Chess goes on with decimals and publishes whole numbers; equal ones share a place."""
    ratings = {"ann": 1418.17, "ben": 1417.6, "cyd": 1296.5 - 2**-42, "dan": 1200}
    players: list[dict[str, Any]] = [
        {"id": f"1000000{n}", "name": name, "standing": {"rating": rating, "games": 30}}
        for n, (name, rating) in enumerate(ratings.items())
    ]
    path = tmp_path / "standings.json"
    path.write_text(json.dumps({"players": players}), "utf-8")
    options = ("--rulebook", "uscf", "--date", "2024-03-01")
    found = listed(run, path, *options)
    assert [(each["position"], each["rating"]) for each in found["players"]] == [
        (1, 1418), (1, 1418), (3, 1297), (4, 1200),
    ]  # fmt: skip
    assert (
        "1418.17"
        not in run("list", path, *options).out + run("list", path, *options, "--format", "csv").out
    )
    # What is published alike has not moved.
    players[0]["standing"]["rating"] = 1418.4
    path.with_name("other.json").write_text(json.dumps({"players": players}), "utf-8")
    more = listed(run, path, *options, "--against", str(path.with_name("other.json")))
    assert more["facts"][-1] == "since the other list: 0 entered, 0 left, 0 moved"
