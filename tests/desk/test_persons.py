"""Ids mean persons: a start number is nobody's number outside its event."""

from __future__ import annotations

import json

import pytest

from ratingbook.desk.explained import NotOne, player_meant
from ratingbook.desk.persons import same_name
from ratingbook.formats.lists import FidePlayer, Rated, write_fide_txt
from ratingbook.model import Entry
from tests.desk.conftest import FEBRUARY, JANUARY, ORDERS, trf

FIDE = ("--rulebook", "fide-2022")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Müller, Hans", "Mueller Hans", True),
        ("Schoene, Kaethe", "Schöne, K.", True),
        ("Foxtrot, Fay", "Fay Foxtrot", True),
        ("Arslan84, Per", "Abel41, Kira", False),
        ("Jelen65, Kira", "Abel41, Kira", False),
        ("Abel41, Kira", "Abel42, Kira", False),
        ("", "Abel, Kira", True),
        ("Novak, Jan", "Novak, Petra", False),
    ],
)
def test_names_of_one_person(one, other, same):
    assert same_name(one, other) is same
    assert same_name(other, one) is same


@pytest.fixture
def two(tmp_path):
    """Two events without federation numbers, in other orders."""
    paths = []
    for name, rounds, order in (("One", JANUARY, ORDERS[0]), ("Two", FEBRUARY, ORDERS[1])):
        path = tmp_path / f"{name}.trf"
        path.write_text(trf(name, "2024/01/06", order, rounds, numbers=False), "utf-8")
        paths.append(path)
    return paths


def test_nobody_takes_over_the_past_of_another_player_of_the_number(run, two, tmp_path):
    after = tmp_path / "after.json"
    run("rate", two[0], *FIDE, "-o", after)
    done = run("rate", two[1], *FIDE, "--players", after)
    assert (done.status, done.out) == (1, "")
    assert "Date, Dan" in done.err
    assert "Alder, Ann" in done.err
    assert "players.other-person" in done.err


def test_a_number_of_a_register_that_is_anothers_is_named_with_the_right_one(run, office):
    event = office / "events/1.trf"
    event.write_text(event.read_text("utf-8").replace("4100002", "4100005", 1), "utf-8")
    done = run("rate", event, *FIDE, "--players", office / "players.csv")
    said = " ".join(done.err.split())
    assert "The fide number 4100005 is Birch, Bob" in said
    assert "Birch, Bob has 4100002 in the players file" in said
    assert "start number" not in said


def test_joined_by_names_everybody_has_the_own_past(run, two, tmp_path):
    after = tmp_path / "after.json"
    run("rate", two[0], *FIDE, "-o", after)
    first = {row["name"]: row for row in json.loads(after.read_text("utf-8"))["players"]}
    done = run("rate", two[1], *FIDE, "--players", after, "--id", "name", "--format", "json")
    assert done.status == 0
    document = json.loads(done.out)
    for row in document["players"]:
        was = first[row["name"]]
        # Of before its rating differs: the report's holds, and that is told.
        assert row["before"] == was["before"]
        told = [f for f in document["findings"] if f["code"] == "players.rating-differs"]
        assert len(told) == sum(each["before"] != each["after"] for each in first.values())


def test_outputs_carry_the_numbers(run, office):
    done = run("rate", office / "events/1.trf", *FIDE, "--format", "json")
    row = json.loads(done.out)["players"][0]
    assert (row["ids"], row["birth_year"]) == ({"fide": "4100001"}, 1990)
    header, line = run("rate", office / "events/1.trf", *FIDE, "--format", "csv").out.split("\n")[
        :2
    ]
    assert header.endswith(",birth_year,ids.fide")
    assert line.endswith(",1990,4100001")


def test_a_players_file_by_federation_numbers_finds_a_trf(run, office):
    done = run(
        "rate", office / "events/2.trf", *FIDE, "--players", office / "players.csv",
        "--explain", "ced", "-q",
    )  # fmt: skip
    assert done.status == 0
    # 12 games: K is 40.
    assert "K = 40: 12 rated games" in done.out


def test_two_players_files_are_merged_in_their_order(run, office):
    bare = office / "bare.csv"
    bare.write_text("id,name,ids.fide,rating\n3,,4100003,1900\n", "utf-8")
    done = run(
        "rate", office / "events/1.trf", *FIDE, "--players", bare,
        "--players", office / "players.csv", "--explain", "Cedar",
    )  # fmt: skip
    assert done.status == 0
    assert "K = 40: 12 rated games" in done.out
    assert "fide.games-unknown" not in done.err


def test_what_was_assumed_is_a_warning_before_the_table(run, office):
    done = run("rate", office / "events/1.trf", *FIDE, "--explain", "3")
    assert "the number of rated games is not given: 30 assumed" in done.out
    assert done.err.startswith("warning")
    assert "fide.games-unknown" in done.err.split("info")[0]


def test_a_list_in_fides_format_prints_no_start_numbers(run, two, tmp_path, office):
    after = tmp_path / "after.json"
    run("rate", two[0], *FIDE, "-o", after)
    options = (*FIDE, "--date", "2024-02-01", "--format", "fide-txt")
    done = run("list", after, *options)
    assert (done.status, done.out) == (1, "")
    assert "1 Alder, Ann" in done.err
    run("rate", office / "events/1.trf", *FIDE, "-o", after)
    done = run("list", after, *options)
    assert done.status == 0
    assert done.out.split("\n")[1].startswith("4100001 ")


def test_who_did_not_play_stays_on_the_list(run, office, tmp_path):
    after = tmp_path / "after.json"
    run("rate", office / "events/1.trf", *FIDE, "--players", office / "players.csv", "-o", after)
    options = (*FIDE, "--date", "2024-02-01", "--format", "json")
    done = run("list", after, office / "players.csv", *options)
    listed = {row["id"]: row["rating"] for row in json.loads(done.out)["players"]}
    # Alder: 2100 + 20 × (1.5 − 2.18) = 2086.4; Elm did not play.
    assert listed["4100001"] == 2086
    assert listed["4100005"] == 1750
    assert len(listed) == 5


def test_ratings_of_one_federation_are_not_printed_as_anothers(run, tmp_path):
    listed = tmp_path / "list.csv"
    listed.write_text("ID;Country;Title;Name;Games;Rating;Gender;\n101;GER;;Ash, Al;50;2000;M;\n")
    done = run("list", listed, *FIDE, "--date", "2024-02-01")
    assert done.status == 1
    assert "list.other-federation" in done.err


def test_an_option_for_one_value_is_not_given_twice(run, office):
    done = run("rate", office / "events/1.trf", "--rulebook", "fide", "--rulebook", "uscf")
    assert done.status == 2
    assert "only once" in done.err


def test_check_refuses_what_rate_refuses(run, tmp_path):
    go = tmp_path / "club.h9"
    go.write_text("; EV[Club]\n; DT[2024-01-06]\n1 Ash Al 2d XX Club 0 0 0 2+\n"
                  "2 Oak Oz 1d XX Club 0 0 0 1-\n")  # fmt: skip
    rated = run("rate", go, *FIDE)
    checked = run("check", go, *FIDE)
    assert (rated.status, checked.status) == (1, 1)
    assert "refused" in checked.out


def test_who_is_meant():
    entries = [Entry("15", "Tamm, Tea"), Entry("2", "Tamm, Ulo"), Entry("3", "Õun, Ann")]
    assert player_meant(entries, "tamm, t").id == "15"
    assert player_meant(entries, "oun").id == "3"
    assert player_meant(entries, "2").id == "2"
    with pytest.raises(NotOne, match="15 Tamm, Tea; 2 Tamm, Ulo"):
        player_meant(entries, "Tamm")


def test_k_of_fides_list_is_used_where_the_games_are_unknown(run, office):
    listed = office / "standard_foa.txt"
    with listed.open("wb") as out:
        write_fide_txt(
            [
                FidePlayer("4100003", "Cedar, Cyd", "GER", "M", standard=Rated(1900, 0, 40)),
                FidePlayer("4100004", "Date, Dan", "GER", "M", standard=Rated(1800, 0, 20)),
            ],
            out,
        )
    report = office / "events/1.trf"
    done = run("rate", report, *FIDE, "--players", listed, "--explain", "Cedar", "-q")
    assert done.status == 0
    # 40 × (2.5 − 1.18) = 52.8.
    assert "new rating 1900 + 53 = 1953" in done.out
    assert "the number of rated games is not given, and the list has K = 40" in done.out
    # Of the others nothing is known: that is a warning, of them only.
    assert "2 players (1 Alder, Ann; 2 Birch, Bob)" in " ".join(done.err.split())
    # A players file after the list has the games.
    games = office / "games.csv"
    games.write_text("id,name,ids.fide,games\n9,,4100003,70\n", "utf-8")
    done = run("rate", report, *FIDE, "--players", listed, "--players", games, "--explain", "Ced")
    assert "K = 20: 70 rated games" in done.out


def test_a_misspelt_rule_book_is_guessed(run, office):
    report = office / "events/1.trf"
    assert "did you mean fide?" in run("rate", report, "--rulebook", "FIED").err
    assert "examples/icu" in run("rate", report, "--rulebook", "icu").err
    done = run("rate", report)
    assert done.status == 2
    assert "ratingbook rulebooks" in done.err


def test_short_options_and_files_to_write(run, office):
    assert run("-V").out.startswith("ratingbook ")
    assert "Examples:" in run("rate", "-h").out
    page = office / "page.html"
    report = office / "events/1.trf"
    assert run("rate", report, *FIDE, "-o", page, "-q").out == ""
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    before = report.read_text("utf-8")
    assert run("rate", report, *FIDE, "-o", report).status == 2
    assert report.read_text("utf-8") == before
    assert "info" not in run("rate", report, *FIDE, "-q").err
