"""What somebody stumbles over who has files, the README and no patience."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import run
from tests.desk.conftest import office

__all__ = ["office", "run"]

GAMES = "event;date;round;white;white id;black;black id;result\n"
APRIL = GAMES + "League;2024-04-06;1;Alder, Ann;4100001;Birch, Bob;4100002;1-0\n"


@pytest.mark.parametrize("command", ["rate", "check", "whatif", "list"])
def test_a_folder_in_place_of_a_file(run, office, command):
    more = ("--date", "2024-02-01") if command == "list" else ()
    more = ("--player", "Ald") if command == "whatif" else more
    done = run(command, office / "events", "--rulebook", "fide", *more)
    assert done.status == 1
    assert "This is a folder, not a file." in done.out + done.err
    assert "`ratingbook history` reads whole folders" in done.out + done.err


def test_a_players_file_in_place_of_a_report(run, office):
    for command in ("rate", "check", "convert"):
        more = (office / "x.json",) if command == "convert" else ("--rulebook", "fide")
        done = run(command, office / "players.csv", *more)
        assert done.status == 1
        assert "file.players" in done.out + done.err
        assert "for its players" in done.out + done.err


def test_a_table_of_games_has_numbers_of_the_register_that_is_asked_for(run, office, tmp_path):
    """Its ids are such numbers where they are long enough; names are looked at as everywhere."""
    april = tmp_path / "april.csv"
    april.write_text(APRIL, "utf-8")
    given = ("--rulebook", "fide", "--players", office / "players.csv", "--id", "fide")
    done = run("history", office / "events", april, *given, "--out", tmp_path / "pool")
    assert done.status == 0, done.err
    listed = json.loads(run("list", tmp_path / "pool", "--format", "json").out)
    assert [row["id"] for row in listed["players"] if "Alder" in row["name"]] == ["4100001"]
    april.write_text(APRIL.replace("4100001", "4100003"), "utf-8")
    done = run("history", office / "events", april, *given, "--out", tmp_path / "other")
    assert done.status == 1
    assert "[history.other-person]" in done.err
    april.write_text(APRIL.replace("4100001", "1"), "utf-8")
    done = run("history", office / "events", april, *given, "--out", tmp_path / "other")
    assert "[history.no-id]" in done.err
    assert not (tmp_path / "other").exists()


def test_names_and_ids_that_changed_places(run, office, tmp_path):
    swapped = tmp_path / "swapped.csv"
    swapped.write_text(
        GAMES + "X;2024-04-06;1;4100001;Alder, Ann;4100002;Birch, Bob;1-0\n", "utf-8"
    )
    right = tmp_path / "right.csv"
    right.write_text(APRIL, "utf-8")
    assert "[table.swapped]" in run("check", swapped).out
    assert "[table.swapped]" not in run("check", right).out


def test_a_list_is_the_list_of_before_for_the_next_one(run, office, tmp_path):
    """Output of `list`, with the words of FIDE for women and men."""
    first = tmp_path / "first.json"
    ages = (
        'id,name,sex,rating,games\n4100001,"Alder, Ann",w,2100,50\n4100009,"Quiet, Qu",m,1999,9\n'
    )
    (tmp_path / "all.csv").write_text(ages, "utf-8")
    given = ("--rulebook", "fide", "--date", "2024-04-01")
    assert run("list", tmp_path / "all.csv", *given, "-o", first).status == 0
    new = tmp_path / "new.csv"
    new.write_text('id,name,rating,games\n4100001,"Alder, Ann",2111,53\n', "utf-8")
    done = run("list", new, first, *given, "--format", "json")
    assert done.status == 0, done.err
    rows = {row["id"]: (row["rating"], row["sex"]) for row in json.loads(done.out)["players"]}
    assert rows == {"4100001": (2111, "F"), "4100009": (1999, "M")}
    done = run("list", first, "--rulebook", "iccf-2009", "--date", "2010-04-01")
    assert "[list.other-rulebook]" in done.err


def test_a_player_of_a_players_file_is_named_as_everywhere(run, office):
    given = ("whatif", "--rulebook", "fide-2024", "--players", office / "players.csv")
    named = run(*given, "--player", "ald", "2000=1", "--format", "json")
    assert named.status == 0, named.err
    assert named.out == run(*given, "--player", "4100001", "2000=1", "--format", "json").out
    assert "there is no player 'Nemo'" in run(*given, "--player", "Nemo", "2000=1").err


def test_a_change_of_a_history_tells_names(run, office):
    pool = office / "pool"
    given = ("--rulebook", "fide-2022", "--players", office / "players.csv", "--out", pool)
    assert run("history", office / "events", *given).status == 0
    done = run("history", pool, "--explain", "ald", "--format", "table")
    assert "4100001 Alder, Ann: " in done.out
    assert "against 4100003 Cedar, Cyd" in done.out


def test_an_event_that_came_twice_under_two_names(run, office, tmp_path):
    again = (office / "events/1.trf").read_text("utf-8").replace("January Open", "Winter Open")
    (tmp_path / "again.trf").write_text(again, "utf-8")
    given = ("--rulebook", "fide-2022", "--out", tmp_path / "pool")
    assert "history.same-games" not in run("history", office / "events", *given).err
    done = run("history", office / "events", tmp_path / "again.trf", *given)
    assert "January Open and Winter Open have the same games" in done.err


def test_to_add_reports_all_are_named(run, office):
    pool = office / "pool"
    given = ("--rulebook", "fide-2022", "--players", office / "players.csv", "--out", pool)
    assert run("history", office / "events/1.trf", *given).status == 0
    done = run("history", pool, office / "events/2.trf", *given)
    assert done.status == 2
    assert "name all of them" in " ".join(done.err.split())
    done = run("history", office / "events/1.trf", office / "events/2.trf", *given)
    assert done.status == 0


def test_members_of_another_federation_are_none_of_this_one(run, office, tmp_path):
    """Their numbers look like any: 101099 of ICCF is nobody's number at FIDE."""
    listed = tmp_path / "iccf.txt"
    standing = 'id,name,federation,rating,games\n101099,"Quiet, Quinn",GER,2000,90\n'
    (tmp_path / "all.csv").write_text(standing, "utf-8")
    made = run("list", tmp_path / "all.csv", "--rulebook", "iccf-2009", "--date", "2010-04-01",
               "--format", "iccf", "-o", listed)  # fmt: skip
    assert made.status == 0, made.err
    given = ("--rulebook", "fide-2022", "--out", tmp_path / "pool", "--players", listed)
    assert run("history", office / "events", *given).status == 0
    assert "101099" not in run("list", tmp_path / "pool", "--format", "json").out
    done = run("rate", listed, "--rulebook", "fide")
    assert "This is a rating list, and no report." in done.err


def test_columns_of_players_are_named_by_column(run, office, tmp_path):
    """What --column says holds for the players file, too."""
    known = tmp_path / "list.csv"
    known.write_text("id;Zahl;Anzahl\n4100003;1800;12\n", "utf-8")
    given = ("rate", office / "events" / "1.trf", "--rulebook", "fide-2022", "--format", "json")
    columns = ("--column", "rating=Zahl", "--column", "games=Anzahl")
    done = run(*given, "--players", known, *columns)
    assert "players.unknown-column" not in done.err
    (row,) = [e for e in json.loads(done.out)["players"] if e["ids"].get("fide") == "4100003"]
    assert row["standing"]["games"] > 12


@pytest.mark.parametrize("head", ["ID;Name;Country;Rating;Games", "id;name;federation;elo;Partien"])
def test_a_list_of_players_in_other_words_is_listed(run, tmp_path, head):
    """Its remedy once said that `list` prints it."""
    known = tmp_path / "known.csv"
    known.write_text(f"{head}\n101;Alt, Anton;GER;2200;150\n102;Bein, Berta;GER;2050;80\n", "utf-8")
    given = ("list", known, "--rulebook", "iccf-2009", "--date", "2010-04-01", "--against", known)
    done = run(*given, "--format", "csv")
    assert done.status == 0, done.err
    assert [line.split(",")[0] for line in done.out.splitlines()[1:]] == ["101", "102"]


def test_a_history_tells_once_what_it_assumed(run, office):
    """K of whoever brings no number of games; it comes first, and in no report after the first."""
    given = ("history", office / "events", "--rulebook", "fide-2022", "--out", office / "pool")
    told = run(*given).err.splitlines()
    assert told[0] == "warning"
    assumed = [line for line in told if "[fide.games-unknown]" in line]
    assert len(assumed) == 1, assumed
    # It is part of the finding of all that was assumed of a file, which names it.
    before = told[: told.index(assumed[0])]
    (finding,) = [line for line in before if "[fide.pool-unknown]" in line][-1:]
    assert "1.trf" in finding
    done = run(*given, "--players", office / "players.csv")
    assert "fide.games-unknown" not in done.err


def test_where_to_and_of_what_is_said_before_anything_else(run, office):
    pool = office / "pool"
    given = ("--rulebook", "fide-2022", "--players", office / "players.csv", "--out", pool)
    assert run("history", office / "events", *given).status == 0
    for out, told in ((office / "no" / "a.html", "no folder"), (office, "names a file")):
        done = run("history", pool, "--player", "Alder", "-o", out)
        assert (done.status, told in done.err) == (2, True), done.err
    assert run("history", pool, "--player", "Alder", "-o", office / "plain").out == ""
    assert "Alder, Ann" in (office / "plain").read_text("utf-8")
    done = run("history", office / "events", "--player", "Alder")
    assert (done.status, "is for a folder that `history` has written" in done.err) == (2, True)
    done = run("list", office / "pol")
    assert (done.status, "did you mean" in done.err) == (2, True)


def test_the_ratings_of_a_history_bring_the_names(run, office):
    pool = office / "pool"
    given = ("--rulebook", "fide-2022", "--players", office / "players.csv", "--out", pool)
    assert run("history", office / "events", *given).status == 0
    done = run("whatif", "2000=1", "--rulebook", "fide-2022", "--players", pool / "ratings.parquet",
               "--player", "Alder")  # fmt: skip
    assert done.status == 0, done.err
