"""``ratingbook history``: the contract of its files, stops and goes on, bad input refused whole."""

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.history.folder import alone_in

ROOT = Path(__file__).parents[2]
REFERENCE = Path(os.environ.get("RATINGBOOK_REFERENCE", ROOT.parent / "shared"))
COMMAND = Path(sys.executable).with_name("ratingbook")
GAMES = ROOT / "examples" / "history" / "games.csv"
PLAYERS = ROOT / "examples" / "history" / "players.csv"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, "history", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def benchmark(module: str, *arguments: object) -> None:
    command = [sys.executable, "-m", f"benchmarks.{module}", *map(str, arguments)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)


def test_the_files_of_the_contract(tmp_path: Path):
    out = tmp_path / "out"
    done = run(GAMES, "--players", PLAYERS, "--rulebook", "fide-2009", "--out", out)
    assert done.returncode == 0, done.stderr
    ratings = pq.read_table(out / "ratings.parquet")
    assert ratings.column_names[:3] == ["player", "rating", "games"]
    changes = pq.read_table(out / "changes.parquet")
    assert changes.column_names == [
        "player", "batch", "before", "after", "games", "score", "expected", "date",
    ]  # fmt: skip
    batches = pq.read_table(out / "batches.parquet")
    assert sum(batches["games"].to_pylist()) == 640
    in_process = rate_history(GAMES, "fide-2009", players=PLAYERS)
    assert changes.equals(in_process.changes)
    assert "640 games" in done.stdout


def test_no_changes_and_parameters(tmp_path: Path):
    out = tmp_path / "out"
    done = run(GAMES, "--rulebook", "fide-2009", "--out", out, "--no-changes", "--assume", "1500",
               "--set", "k_new=40")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not (out / "changes.parquet").exists()
    ratings = pq.read_table(out / "ratings.parquet")["rating"].to_pylist()
    assert None not in ratings


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "file.empty"),
        ("date,white,black\n2010-01-01,a,b\n", "table.no-results"),
        ("date,white,black,score\n2010-01-01,a,a,1\n", "history.same-player"),
        ("date,white,black,score\n2010-01-01,a,b,2\n", "history.score"),
        ("date,white,black,score\n2010-13-01,a,b,1\n", "history.date"),
    ],
)
def test_bad_games_are_refused_whole(tmp_path: Path, content: str, told: str):
    games = tmp_path / "games.csv"
    games.write_text(content)
    done = run(games, "--rulebook", "fide-2009", "--out", tmp_path / "out")
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_players_beyond_the_bounds_are_refused(tmp_path: Path):
    players = tmp_path / "players.csv"
    players.write_text("id,rating,games\nplayer-01,99999,3\n")
    done = run(GAMES, "--players", players, "--rulebook", "fide-2009", "--out", tmp_path / "out")
    assert done.returncode == 1
    assert "history.rating-range" in done.stderr
    assert "player-01" in done.stderr


def test_what_is_no_folder_is_left_alone(tmp_path: Path):
    out = tmp_path / "out"
    out.write_text("mine")
    done = run(GAMES, "--rulebook", "fide-2009", "--out", out)
    assert done.returncode == 1
    assert "history.out" in done.stderr
    assert out.read_text() == "mine"


def test_a_folder_takes_one_run_at_a_time(tmp_path: Path):
    command = (GAMES, "--players", PLAYERS, "--rulebook", "fide-2009", "--out", tmp_path)
    assert run(*command).returncode == 0
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    with alone_in(tmp_path):
        done = run(*command)
    assert done.returncode == 1
    assert "history.busy" in done.stderr
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    assert run(*command).returncode == 0, "let go of"


def test_what_is_read_is_not_written_over(tmp_path: Path):
    command = ("--rulebook", "fide-2009", "--out", tmp_path)
    assert run(GAMES, "--players", PLAYERS, *command).returncode == 0
    ratings = tmp_path / "ratings.parquet"
    before = ratings.read_bytes()
    done = run(GAMES, "--players", ratings, *command)
    assert done.returncode == 1
    assert "history.input-in-out" in done.stderr
    assert ratings.read_bytes() == before


def test_usage(tmp_path: Path):
    done = run(GAMES, "--rulebook", "fide-2009", "--out", tmp_path, "--assume", "-5")
    assert done.returncode == 2
    assert "--assume" in done.stderr
    assert run(GAMES, "--rulebook", "fide-1066", "--out", tmp_path).returncode == 2


def killed_and_resumed(out: Path, *arguments: object) -> None:
    """Run, kill as soon as there is a checkpoint, and run again."""
    command = [
        str(COMMAND),
        "history",
        *map(str, arguments),
        "--out",
        str(out),
        "--checkpoint",
        "0",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (out / ".ratingbook" / "current").exists() and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it was done before it could be killed"
    assert not (out / "ratings.parquet").exists()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Went on after batch" in done.stderr


FILES = ("ratings.parquet", "changes.parquet", "batches.parquet")


def equal_files(one: Path, other: Path) -> None:
    for name in FILES:
        assert pq.read_table(one / name).equals(pq.read_table(other / name)), name


def test_a_million_games_killed_half_way(tmp_path: Path):
    games = tmp_path / "games.parquet"
    benchmark("generate", games, "--games", 1_000_000, "--players", 10_000)
    given = (games, "--players", tmp_path / "games.players.parquet", "--rulebook", "fide-2009")
    assert run(*given, "--out", tmp_path / "whole").returncode == 0
    killed_and_resumed(tmp_path / "killed", *given)
    equal_files(tmp_path / "whole", tmp_path / "killed")


@pytest.mark.skipif(
    not (REFERENCE / "data" / "football_intl").is_dir(), reason="no football results here"
)
@pytest.mark.parametrize("name", ["fide-2009", "uscf-2011"])
def test_football_killed_half_way(tmp_path: Path, name: str):
    """A century and a half of internationals: draws, neutral grounds, teams with former names."""
    games = tmp_path / "football.csv"
    benchmark("football", games)
    given = (games, "--rulebook", name, "--assume", "1500")
    assert run(*given, "--out", tmp_path / "whole").returncode == 0
    killed_and_resumed(tmp_path / "killed", *given)
    equal_files(tmp_path / "whole", tmp_path / "killed")
    ratings = pq.read_table(tmp_path / "whole" / "ratings.parquet")
    best = ratings.sort_by([("rating", "descending")])["player"].to_pylist()[:30]
    assert {"Brazil", "Argentina", "Germany", "France", "Spain"} <= set(best)
    with games.open(newline="") as file:
        teams = {row[side] for row in csv.DictReader(file) for side in ("white", "black")}
    assert len(ratings) == len(teams)
    assert pa.compute.all(pa.compute.is_valid(ratings["rating"])).as_py()


CORRECTIONS = ROOT / "examples" / "history" / "corrections.csv"


def test_the_preview_of_corrections_is_all_that_is_written(tmp_path: Path):
    given = (GAMES, "--players", PLAYERS, "--rulebook", "fide-2009", "--out", tmp_path / "out")
    assert run(*given).returncode == 0
    before = {name: pq.read_table(tmp_path / "out" / name) for name in FILES}
    done = run(*given, "--correct", CORRECTIONS, "--preview")
    assert done.returncode == 0, done.stderr
    for name, table in before.items():
        assert pq.read_table(tmp_path / "out" / name).equals(table), name
    preview = pq.read_table(tmp_path / "out" / "preview.parquet").to_pylist()
    # The first list that takes the games: two results turned, one game less for two players.
    first = {row["player"]: row for row in preview if row["date"] == preview[0]["date"]}
    assert sorted(first) == ["player-06", "player-09", "player-12", "player-14"]
    assert [row["score_new"] - row["score_old"] for row in first.values()] == [0, -1, -1, 1]
    assert [row["games_new"] - row["games_old"] for row in first.values()] == [-1, -1, 0, 0]


def test_corrected_as_if_the_file_had_said_so(tmp_path: Path):
    rows = list(csv.DictReader(GAMES.read_text("utf-8").splitlines()))
    kept = []
    for row in rows:
        game = (row["event"], row["round"], row["white"], row["black"])
        if game == ("Evening 1", "1", "player-12", "player-14"):
            row["score"] = "0"
        if game != ("Evening 1", "1", "player-06", "player-09"):
            kept.append(row)
    assert len(kept) == len(rows) - 1
    with (tmp_path / "mended.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(kept)
    given = ("--players", PLAYERS, "--rulebook", "fide-2009", "--out")
    assert run(tmp_path / "mended.csv", *given, tmp_path / "mended").returncode == 0
    assert run(GAMES, *given, tmp_path / "out").returncode == 0
    preview = (GAMES, *given, tmp_path / "out", "--correct", CORRECTIONS)
    assert run(*preview, "--preview").returncode == 0
    assert run(*preview).returncode == 0
    equal_files(tmp_path / "out", tmp_path / "mended")
    assert not (tmp_path / "out" / "preview.parquet").exists()


def test_corrections_that_are_refused_change_nothing(tmp_path: Path):
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("event,round,white,black,score\nEvening 1,1,player-12,player-13,0\n")
    given = (GAMES, "--players", PLAYERS, "--rulebook", "fide-2009", "--out", tmp_path / "out")
    done = run(*given, "--correct", wrong)
    assert done.returncode == 1
    assert "correction.no-game" in done.stderr
    assert "line 2" in done.stderr
    assert not (tmp_path / "out").exists()
    assert run(*given, "--preview").returncode == 2
    assert run(*given, "--correct", wrong, "--engine", "spark").returncode == 2


def test_decisions_of_the_office_are_a_file(tmp_path: Path):
    decisions = tmp_path / "decisions.csv"
    decisions.write_text(
        "player,date,kind,value,reason\nplayer-12,2009-01-01,base_rating,2300,a misprint\n"
    )
    out = tmp_path / "out"
    said = (GAMES, "--players", PLAYERS, "--rulebook", "fide-2009", "--decisions", decisions)
    done = run(*said, "--out", out)
    assert done.returncode == 0, done.stderr
    in_process = rate_history(GAMES, "fide-2009", players=PLAYERS, decisions=decisions)
    assert pq.read_table(out / "changes.parquet").equals(in_process.changes)
    plain = rate_history(GAMES, "fide-2009", players=PLAYERS)
    assert not in_process.changes.equals(plain.changes)
    mine = [row for row in in_process.changes.to_pylist() if row["player"] == "player-12"]
    asked = run(*said, "--explain", f"player-12@{mine[0]['date']}", "--format", "table")
    assert "by decision of the office the computation starts from 2300" in " ".join(
        asked.stdout.split()
    )
    decisions.write_text("player,date,kind,value\nplayer-12,2009-01-01,base_rating,much\n")
    refused = run(*said, "--out", out)
    assert refused.returncode == 1
    assert "history.value" in refused.stderr
