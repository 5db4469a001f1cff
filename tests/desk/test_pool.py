"""From reports to a history, its lists, its corrections and a player's page."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from ratingbook.desk.players import read_players_file
from ratingbook.rules import registry
from tests.desk.conftest import FEBRUARY, JANUARY, MARCH, ORDERS, PEOPLE, trf


@pytest.fixture
def rated(run, office):
    """The three events as a history."""
    done = run(
        "history", office / "events", "--rulebook", "fide-2022", "--players",
        office / "players.csv", "--out", office / "pool",
    )  # fmt: skip
    assert done.status == 0, done.err
    return office / "pool"


def listed(run, folder, day):
    done = run("list", folder, "--date", day, "--format", "json")
    assert done.status == 0, done.err
    return {row["id"]: row["rating"] for row in json.loads(done.out)["players"]}


def test_lists_of_any_day_are_the_numbers_of_rate(run, office, rated):
    """The lists of February to April, as a chain of reports by hand of `rate`."""
    before = office / "players.csv"
    for number, day in ((1, "2024-02-01"), (2, "2024-03-01"), (3, "2024-04-01")):
        # Each event by itself, at the ratings of the list before.
        text = (office / f"events/{number}.trf").read_text("utf-8")
        if number > 1:
            for row in json.loads(before.read_text("utf-8"))["players"]:
                old = next(line for line in text.split("\n") if row["ids"]["fide"] in line)
                text = text.replace(old, old[:48] + f"{row['after']:>4}" + old[52:])
        path = office / f"now{number}.trf"
        path.write_text(text, "utf-8")
        after = office / f"after{number}.json"
        done = run("rate", path, "--rulebook", "fide-2022", "--players", before, "-o", after)
        assert done.status == 0, done.err
        before = after
        made = {
            row["ids"]["fide"]: row["after"] for row in json.loads(after.read_text())["players"]
        }
        now = listed(run, rated, day)
        assert {id_: now[id_] for id_ in made} == made
        assert now["4100005"] == 1750


def test_the_list_of_before_the_first_event_is_the_players_file(run, rated):
    assert listed(run, rated, "2024-01-31")["4100001"] == 2100
    told = {day: run("list", rated, "--date", day).err for day in ("2024-01-31", "2024-02-01")}
    assert ["list.before-history" in each for each in told.values()] == [True, False]


@pytest.mark.parametrize("book", ["fide-2024", "elo", "egf-2021", "iccf-2009"])
def test_a_history_whose_only_game_was_taken_out_says_so(run, tmp_path, book):
    """No day is later than its games, for there is none."""
    games, players, fixes = (tmp_path / f"{name}.csv" for name in ("games", "players", "fixes"))
    games.write_text("date,event,white,black,score\n2024-01-05,E,a,b,1\n")
    players.write_text("id,rating,games\na,1500,50\nb,1600,50\n")
    fixes.write_text("kind,event\nwithdraw,E\n")
    pool, mended = tmp_path / "pool", tmp_path / "mended"
    assert (
        run("history", games, "--rulebook", book, "--players", players, "--out", pool).status == 0
    )
    assert run("history", pool, "--correct", fixes, "--out", mended).status == 0
    for day in ("2023-12-01", "2024-08-01"):
        done = run("list", mended, "--date", day)
        assert done.status == 0, done.err
        assert "list.no-game" in done.err
        assert "list.before-history" not in done.err
        assert "1600" in done.out


def test_names_and_numbers_travel_along(run, rated):
    done = run("list", rated, "--format", "fide-txt")
    assert "4100003        Cedar, Cyd" in done.out
    assert run("list", rated, "--rulebook", "egf").status == 1


def test_a_list_against_another_tells_what_changed(run, rated):
    done = run("list", rated, "--date", "2024-02-01", "--against", rated, "--format", "json")
    against = json.loads(done.out)["against"]
    assert [row["id"] for row in against["moved"]] == ["4100001", "4100002", "4100003", "4100004"]
    assert against["moved"][0] == {
        "id": "4100001", "name": "Alder, Ann", "old": 2100, "new": 2086, "change": -14,
    }  # fmt: skip
    assert against["entered"] == against["left"] == []


def test_a_correction_is_previewed_then_applied_to_another_folder(run, office, rated):
    fixes = office / "fixes.csv"
    fixes.write_text("event,round,white,black,score,reason\nJanuary Open,1,Alder,Date,0,card\n")
    preview = run("history", rated, "--correct", fixes, "--preview")
    assert preview.status == 0
    # 20 points less of 20 × 1: 2086 − 20.
    assert "2066" in preview.out
    assert listed(run, rated, "2024-02-01")["4100001"] == 2086
    done = run("history", rated, "--correct", fixes, "--out", office / "mended")
    assert done.status == 0, done.err
    assert listed(run, office / "mended", "2024-02-01")["4100001"] == 2066
    register = (office / "mended/corrections.csv").read_text("utf-8")
    assert "January Open,,1,,4100001,4100004,0,,,card" in register
    # As if the report had come so.
    text = trf(
        "January Open", "2024/01/06", ORDERS[0], ([(0, 3, 0), *JANUARY[0][1:]], *JANUARY[1:])
    )
    (office / "events/1.trf").write_text(text, "utf-8")
    run(
        "history", office / "events", "--rulebook", "fide-2022", "--players",
        office / "players.csv", "--out", office / "anew",
    )  # fmt: skip
    anew = pq.read_table(office / "anew/ratings.parquet")
    assert pq.read_table(office / "mended/ratings.parquet").equals(anew)


def test_a_corrected_report_is_a_correction(run, office, rated):
    better = office / "better.trf"
    text = trf(
        "January Open", "2024/01/06", ORDERS[0], ([(0, 3, 0), *JANUARY[0][1:]], *JANUARY[1:])
    )
    better.write_text(text, "utf-8")
    done = run("history", rated, "--correct", better, "--out", office / "mended")
    assert done.status == 0, done.err
    assert listed(run, office / "mended", "2024-02-01")["4100001"] == 2066
    assert "corrected report better.trf" in (office / "mended/corrections.csv").read_text("utf-8")
    assert run("history", rated, "--correct", better, "--out", rated).status == 2


def test_a_row_with_a_reason_is_a_correction_whatever_the_result_is_called(run, office, rated):
    fixes = office / "fixes.csv"
    fixes.write_text(
        "event,round,white,black,result,reason\nJanuary Open,1,Alder,Date,0-1,card\n", "utf-8"
    )
    assert run("history", rated, "--correct", fixes, "--out", office / "mended").status == 0
    # The other games of the event stay: as by a column `score`.
    assert listed(run, office / "mended", "2024-02-01")["4100001"] == 2066


def test_games_that_a_corrected_report_takes_out_are_told(run, office, rated):
    better = office / "better.trf"
    text = trf("January Open", "2024/01/06", ORDERS[0], [JANUARY[0]])
    better.write_text(text, "utf-8")
    told = run("history", rated, "--correct", better, "--preview")
    games = len(JANUARY[0])
    everybody = sum(len(each) for each in JANUARY)
    assert f"takes out {everybody - games} games" in told.err
    assert "correction.takes-out" in told.err


def test_a_player_has_a_page(run, office, rated):
    table = run("history", rated, "--player", "ald")
    assert "January Open" in table.out
    page = office / "alder.html"
    assert run("history", rated, "--player", "4100001", "-o", page).status == 0
    text = page.read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<svg" in text
    assert text.count("<details>") == 3
    assert "1990" not in text
    document = json.loads(run("history", rated, "--player", "Alder", "--format", "json").out)
    assert document["changes"][0]["after"] == 2086
    last = document["changes"][0]["explanation"][-1]
    assert last["value"] == 2086
    assert run("history", rated, "--player", "Nobody").status == 2


def test_archives_and_our_own_csv(run, office, rated):
    run("convert", office / "events/2.trf", office / "feb.csv")
    with zipfile.ZipFile(office / "events.zip", "w") as archive:
        archive.write(office / "events/1.trf", "a/1.trf")
        archive.write(office / "events/3.trf", "3.trf")
    done = run(
        "history", office / "events.zip", office / "feb.csv", "--rulebook", "fide-2022",
        "--players", office / "players.csv", "--out", office / "other",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert listed(run, office / "other", "2024-04-01") == listed(run, rated, "2024-04-01")


def test_start_numbers_join_nobody(run, office):
    done = run(
        "history", office / "events", "--rulebook", "fide-2022", "--id", "local",
        "--out", office / "x",
    )  # fmt: skip
    assert done.status == 1
    assert "history.other-person" in done.err
    assert not (office / "x").exists()


def test_without_numbers_somebody_has_to_say_who_is_who(run, office):
    path = office / "events/1.trf"
    path.write_text(trf("January Open", "2024/01/06", ORDERS[0], JANUARY, numbers=False), "utf-8")
    options = ("--rulebook", "fide-2022", "--out", office / "x")
    done = run("history", office / "events", *options)
    assert done.status == 1
    assert "--id name" in done.err
    done = run("history", office / "events", *options, "--id", "name")
    assert done.status == 0, done.err
    assert pq.read_table(office / "x/ratings.parquet")["player"].to_pylist() == [
        "Alder, Ann", "Birch, Bob", "Cedar, Cyd", "Date, Dan",
    ]  # fmt: skip


def test_the_same_event_twice_is_refused(run, office):
    (office / "events/copy.trf").write_text((office / "events/1.trf").read_text("utf-8"))
    done = run("history", office / "events", "--rulebook", "fide", "--out", office / "x")
    assert done.status == 1
    assert "history.same-event" in done.err


def test_a_history_of_tables_keeps_its_lists_too(run, tmp_path):
    games = tmp_path / "games.csv"
    games.write_text("date,white,black,score\n2024-01-06,a,b,1\n2024-02-06,b,a,1\n")
    players = tmp_path / "players.csv"
    players.write_text("id,name,rating,games\na,Ash,2000,50\nb,Box,2000,50\n")
    out = tmp_path / "out"
    done = run("history", games, "--players", players, "--rulebook", "elo", "--out", out)
    assert done.status == 0, done.err
    # 2000 + 20 × 0.5, and back by 20 × (1 / (1 + 10^(−20/400)) …).
    assert listed(run, out, "2024-01-31")["a"] == 2010
    assert listed(run, out, "2024-02-28")["a"] == pytest.approx(2010 - 20 * 0.528751, abs=0.01)
    fixes = tmp_path / "fixes.csv"
    fixes.write_text("date,white,black,score\n2024-01-06,ash,box,0\n", "utf-8")
    done = run("history", out, "--correct", fixes, "--out", tmp_path / "mended")
    assert done.status == 0, done.err
    assert listed(run, tmp_path / "mended", "2024-01-31")["a"] == 1990
    assert listed(run, out, "2024-01-31")["a"] == 2010


def test_ratings_of_a_history_are_a_players_file_too(run, office, rated, tmp_path):
    """Also away from their folder, and as a table of what wrote them as CSV."""
    alone = pq.read_table(rated / "ratings.parquet")
    pq.write_table(alone, tmp_path / "alone.parquet")
    pacsv.write_csv(alone, tmp_path / "alone.csv")
    ratings = {row["player"]: row["rating"] for row in alone.to_pylist()}
    for name in ("alone.parquet", "alone.csv"):
        given = ("list", tmp_path / name, "--rulebook", "fide", "--date", "2024-04-01")
        found = json.loads(run(*given, "--format", "json").out)
        assert {row["id"]: row["rating"] for row in found["players"]} == ratings
        read, findings = read_players_file(tmp_path / name, registry.load("fide"))
        assert {e.id: e.standing and e.standing.rating for e in read} == ratings
        assert not findings
    done = run("rate", office / "events/1.trf", "--rulebook", "fide", "--players", rated)
    assert done.status == 1
    assert "the folder of a history" in done.err


def test_a_correction_names_an_event_of_the_history(run, office, rated):
    fixes = office / "fixes.csv"
    fixes.write_text("event,round,white,black,score\nJanury Open,1,ald,date,0\n", "utf-8")
    done = run("history", rated, "--correct", fixes, "--preview")
    assert done.status == 1
    assert "no event Janury Open; did you mean January Open" in done.err
    fixes.write_text("event,round,white,black,score\njanuary open,1,ald,date,0\n", "utf-8")
    assert run("history", rated, "--correct", fixes, "--preview").status == 0


def test_six_commands_from_files_to_a_page(run, office):
    """Three TRFs, an h9 and a table of four months, with the formula that any game may use."""
    go = office / "april.h9"
    go.write_text(
        "; EV[April Go]\n; PC[XX, Exampleton]\n; DT[2024-04-06,2024-04-06]\n"
        "1 Alder Ann 2d XX Club 0 0 0 2+/w\n2 Birch Bob 1d XX Club 0 0 0 1-/b\n", "utf-8",
    )  # fmt: skip
    results = office / "results.csv"
    results.write_text(
        'event,date,white,black,score\nClub,2024-04-20,"Cedar, Cyd","Date, Dan",1\n', "utf-8"
    )
    pool = office / "pool"
    done = run(
        "history", office / "events", go, results, "--rulebook", "elo", "--id", "name",
        "--out", pool,
    )  # fmt: skip
    assert done.status == 0, done.err
    # Each step by hand, as `rate` does it: K 20, in the order of play.
    rating = {name: float(elo) for name, _, _, elo in PEOPLE}
    assert listed(run, pool, "2024-01-05") == rating
    for rounds, day in ((JANUARY, "2024-01-31"), (FEBRUARY, "2024-02-29"), (MARCH, "2024-03-31")):
        for games in rounds:
            for white, black, score in games:
                _play(rating, PEOPLE[white][0], PEOPLE[black][0], score)
        assert listed(run, pool, day) == pytest.approx(rating, abs=1e-6)
    _play(rating, "Alder, Ann", "Birch, Bob", 1)
    _play(rating, "Cedar, Cyd", "Date, Dan", 1)
    assert listed(run, pool, "2024-04-30") == pytest.approx(rating, abs=1e-6)
    _is_what_rate_gives(run, office, pool, [*sorted((office / "events").iterdir()), go, results])
    fixes = office / "fixes.csv"
    fixes.write_text("event,round,white,black,score,reason\nJanuary Open,1,Alder,Date,0,card\n")
    assert run("history", pool, "--correct", fixes, "--preview").status == 0
    assert run("history", pool, "--correct", fixes, "--out", office / "mended").status == 0
    assert (
        run("history", office / "mended", "--player", "Alder", "-o", office / "a.html").status == 0
    )


def _is_what_rate_gives(run, office, pool, events):
    """The lists of a pool, and a chain of `rate`: of each event with what came of the last ones."""
    days = ("2024-01-31", "2024-02-29", "2024-03-31", "2024-04-10", "2024-04-30")
    known: list[Path] = []
    for number, (event, day) in enumerate(zip(events, days, strict=True)):
        after = office / f"after{number}.json"
        said = event
        if known and event.suffix == ".trf":
            # What the report says itself is of before the first event.
            lines = event.read_text("utf-8").split("\n")
            bare = [x[:48] + "    " + x[52:] if x.startswith("001") else x for x in lines]
            said = office / event.name
            said.write_text("\n".join(bare), "utf-8")
        given = [word for path in known for word in ("--players", path)]
        done = run("rate", said, "--rulebook", "elo", "--id", "name", *given, "-o", after)
        assert done.status == 0, done.err
        known.insert(0, after)
        now = listed(run, pool, day)
        made = {row["name"]: row["after"] for row in json.loads(after.read_text())["players"]}
        assert {name: now[name] for name in made} == made


def _play(rating, white, black, score):
    expected = 1 / (1 + 10 ** ((rating[black] - rating[white]) / 400))
    rating[white] += 20 * (score - expected)
    rating[black] -= 20 * (score - expected)


def test_what_is_somebody_elses_beside_the_facts_stays(run, office):
    """A folder named facts, and a file of corrections, once were replaced or taken away."""
    out = office / "pool"
    (out / "facts").mkdir(parents=True)
    (out / "facts" / "diary.txt").write_text("mine")
    options = (
        "--rulebook", "fide-2022", "--players", office / "players.csv", "--out", out
    )  # fmt: skip
    assert run("history", office / "events", *options).status == 0
    assert (out / "facts" / "diary.txt").read_text() == "mine"
    for name in ("corrections.csv", "pool.json"):
        folder = office / f"with {name}"
        folder.mkdir()
        (folder / name).write_text("mine")
        done = run("history", office / "events", *options[:-1], folder)
        assert (done.status, "history.foreign" in done.err) == (1, True)
        assert (folder / name).read_text() == "mine"
        assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("corrections.csv", "flipped"), ("corrections.csv", "gone"), ("pool.json", "short"),
        ("pool.json", "gone"), ("persons.json", "flipped"), ("facts-games", "flipped"),
    ],
)  # fmt: skip
def test_what_ratings_were_made_of_is_verified(run, office, rated, name, how):
    fixes = office / "fixes.csv"
    fixes.write_text("event,round,white,black,score,reason\nJanuary Open,1,Alder,Date,0,card\n")
    mended = office / "mended"
    assert run("history", rated, "--correct", fixes, "--out", mended).status == 0
    path = mended / ".ratingbook" / "current" / (name if "." in name else f"{name}.parquet")
    sound = path.read_bytes()
    middle = len(sound) // 2
    flipped = sound[:middle] + bytes([sound[middle] ^ 4]) + sound[middle + 1 :]
    path.unlink()
    if how != "gone":
        path.write_bytes({"flipped": flipped, "short": sound[:-1]}[how])
    done = run("list", mended, "--date", "2024-02-01")
    assert done.status == 1
    assert path.name in done.err
    assert "history.folder" in done.err
    # The same command once more makes it again.
    assert run("history", rated, "--correct", fixes, "--out", mended).status == 0
    assert listed(run, mended, "2024-02-01")["4100001"] == 2066


def test_a_pool_that_was_moved_or_copied_is_whole(run, office, rated):
    shutil.copytree(rated, office / "copy")
    rated.rename(office / "moved")
    for name in ("copy", "moved"):
        assert listed(run, office / name, "2024-02-01")["4100001"] == 2086


def test_a_correction_is_told_by_its_file_and_line(run, office, rated):
    fixes = office / "fixes.csv"
    fixes.write_text("event,round,white,black,score\n\nJanuary Open,1,Alder,Date,7\n", "utf-8")
    done = run("history", rated, "--correct", fixes, "--preview")
    assert f"{fixes}, line 3: “7” is no score of White." in done.err
    fixes.write_text("event,round,white,black,score\nJanuary Open,1,Alder,Date,0\n", "utf-8")
    mended = office / "mended"
    assert run("history", rated, "--correct", fixes, "--out", mended).status == 0
    done = run("history", mended, "--correct", fixes, "--preview")
    assert "says again of what corrections.csv, line 2 says already" in done.err


def test_a_correction_of_no_game_says_who_is_meant_and_where_they_met(run, office, rated):
    fixes = office / "fixes.csv"
    fixes.write_text("event,round,white,black,score\nJanuary Open,9,Alder,Date,1\n", "utf-8")
    done = run("history", rated, "--correct", fixes, "--preview")
    assert done.status == 1
    said = " ".join(done.err.split())
    assert "no game 4100001 Alder, Ann – 4100004 Date, Dan, event January Open, round 9" in said
    assert "these two met on 2024-01-" in said
    assert "in January Open, round 1, White was 4100001 Alder, Ann" in said


def test_results_in_a_folder_of_games_are_left_aside(run, office, rated):
    """The next month's run names the folder again, with what the last one wrote in it."""
    events = office / "events"
    shutil.move(rated, events / "pool")
    (events / "differences.parquet").write_bytes(b"")
    options = ("--rulebook", "fide-2022", "--players", office / "players.csv", "--out")
    done = run("history", events, *options, events / "pool")
    assert done.status == 0, done.err
    (told,) = [line for line in done.err.splitlines() if "[history.results-aside]" in line]
    assert "pool, differences.parquet" in told
    games = office / "games"
    games.mkdir()
    (games / "games.csv").write_text("date,white,black,score\n2024-01-06,a,b,1\n", "utf-8")
    shutil.copytree(events / "pool", games / "pool", symlinks=True)
    done = run("history", games, "--rulebook", "elo", "--out", office / "other")
    assert done.status == 0, done.err
    assert done.err.count("[history.results-aside]") == 1
    (games / "entries.csv").write_text("event,player\nx,a\n", "utf-8")
    done = run("history", games, "--rulebook", "elo", "--out", office / "other")
    assert done.status == 1


def test_a_table_of_games_with_other_columns_needs_no_id(run, office):
    """Its ids are persons, whatever its columns are called; as in Python."""
    table = office / "football.csv"
    table.write_text(
        "date,home,away,score\n2024-01-01,Ayr,Bex,1\n2024-01-08,Bex,Ayr,0.5\n", "utf-8"
    )
    columns = ("--column", "white=home", "--column", "black=away")
    done = run("history", table, "--rulebook", "elo", *columns, "--out", office / "cup")
    assert done.status == 0, done.err
    assert sorted(listed(run, office / "cup", "2024-02-01")) == ["Ayr", "Bex"]
    done = run("history", table, "--rulebook", "elo", "--column", "white=hom", "--column",
               "black=away", "--out", office / "cup")  # fmt: skip
    assert (done.status, "table.no-column" in done.err) == (1, True)


def test_a_page_has_a_stair_for_each_pool(run, office, rated):
    assert run("history", rated, "--player", "Alder", "-o", office / "a.html").status == 0
    page = (office / "a.html").read_text("utf-8")
    assert "<strong>" in page.split('<p class="say">')[1]
    ways = [part.split('"')[1::2] for part in page.split('<line class="way"')[1:]]
    # Across, then up or down, from what was before the first change.
    assert all(x1 == x2 or y1 == y2 for x1, y1, x2, y2 in (way[:4] for way in ways))
    assert page.count('href="#change-') == page.count('<ol id="change-') == 3


def test_corrections_that_cannot_be_meant(run, office, rated):
    fixes = office / "fixes.csv"

    def told(row, *options):
        fixes.write_text(f"event,round,white,black,score\nJanuary Open,1,{row}\n", "utf-8")
        done = run("history", rated, "--correct", fixes, *options)
        assert done.status == 1
        return done.err

    assert "'A' is too short to be meant for 4100001 Alder, Ann" in told("A,Date,0", "--preview")
    assert "change nothing: the history says so" in told("Alder,Date,1", "--preview")
    # The folder of the reports stays one, and a file is no folder.
    assert "holds other files and no history: 1.trf" in told(
        "Alder,Date,0", "-o", office / "events"
    )
    assert sorted(each.name for each in (office / "events").iterdir()) == [
        "1.trf",
        "2.trf",
        "3.trf",
    ]
    assert "list.csv is the name of a file" in told("Alder,Date,0", "-o", office / "list.csv")
