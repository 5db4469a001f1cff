"""Histories that a cluster rates, from the command: what its folder knows, and how it ends."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("pyspark")

COMMAND = [sys.executable, "-c", "from ratingbook.cli import main; main()"]
ON_SPARK = ("--engine", "spark", "--master", "local[1]")
SECONDS = 90


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A history in which some games have no score yet."""
    return written(tmp_path, 200)


def written(tmp_path: Path, count: int) -> Path:
    """Two games a day, so many."""
    chance = random.Random(3)
    pairs = [chance.sample(range(1, 12), 2) for _ in range(count)]
    table = pa.table(
        {
            "date": [date(2020, 1, 1) + timedelta(number // 2) for number in range(len(pairs))],
            "white": [f"p{white}" for white, _ in pairs],
            "black": [f"p{black}" for _, black in pairs],
            "score": [None if row % 9 == 4 else chance.choice((0, 0.5, 1)) for row in range(count)],
        }
    )
    pq.write_table(table, tmp_path / "games.parquet")
    return tmp_path / "games.parquet"


def test_its_folder_is_that_of_a_history(games: Path, tmp_path: Path) -> None:
    said = (games, "--rulebook", "elo", "--set", "k=24")
    last = []
    for name, how in (("here", ()), ("there", ON_SPARK)):
        done = run("history", *said, *how, "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
        last.append(done.stdout.splitlines()[-1])
    # Every ninth game of the 200, from the fifth on, has no score: 22 of them.
    assert last == ["200 rows of games read: 178 rated, 22 left out without a score."] * 2
    tables = [pq.read_table(tmp_path / name / "changes.parquet") for name in ("here", "there")]
    assert tables[0].equals(tables[1])
    player = str(tables[0]["player"][0])
    for asked in (("list",), ("history", "--explain", player)):
        here, there = (run(asked[0], tmp_path / name, *asked[1:]) for name in ("here", "there"))
        assert here.returncode == there.returncode == 0, there.stderr
        assert here.stdout == there.stdout


@pytest.mark.parametrize("how", [(), ON_SPARK])
def test_halves_that_are_not_rated_are_told(tmp_path: Path, how: tuple[str, ...]) -> None:
    """Of the ten the rows leave out one, and the rules both of the game of the unrated player."""
    table = tmp_path / "games.csv"
    table.write_text(
        "date,white,black,score,rated\n2010-01-01,b,c,1,white\n2010-01-02,c,b,0,both\n"
        "2010-01-03,b,c,1,both\n2010-01-04,a,b,0,both\n2010-01-05,c,b,0.5,both\n", "utf-8"
    )  # fmt: skip
    players = tmp_path / "players.csv"
    players.write_text("id,rating,games\nb,1800,50\nc,1700,50\n", "utf-8")
    done = run(
        "history", table, "--players", players, "--rulebook", "fide-2009", *how, "--out",
        tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == (
        "5 rows of games read: 5 gone through, of which 3 halves are not rated."
    )


def test_who_stops_it_reads_no_traces(tmp_path: Path) -> None:
    """As a terminal does: everything that belongs to the command is told at once."""
    out = tmp_path / "out"
    # Of years, which take it seconds, however fast its disk is.
    said = ("history", written(tmp_path, 6_000), "--rulebook", "fide-2009", *ON_SPARK, "--out", out)
    stopped = subprocess.Popen(
        [*COMMAND, *map(str, said)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + SECONDS
    while not (out / ".ratingbook" / "work").exists():
        assert time.monotonic() < until
        assert stopped.poll() is None, stopped.communicate()
        time.sleep(0.002)
    # From here on it waits for what Java answers: the workers begin to read.
    time.sleep(0.3)
    os.killpg(stopped.pid, signal.SIGINT)
    _, told = stopped.communicate(timeout=SECONDS)
    assert stopped.returncode == 130, told
    assert "nothing is half written" in told
    assert "Traceback" not in told
