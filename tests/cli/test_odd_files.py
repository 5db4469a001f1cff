"""Pipes, devices, and names of files that are no text."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="others name pipes otherwise")

GAMES = "date,event,round,white,black,score\n2010-01-01,E,1,a,b,1\n2010-09-02,F,1,b,c,0.5\n"
ODD = os.fsdecode(b"\xff\xfe")
REPORTS = Path(__file__).parents[2] / "examples" / "reports"
RATE = ("rate", REPORTS / "spring-open.trf", "--rulebook", "fide-2009", "--format", "csv")


def history(run, games, out, *more):
    return run("history", games, "--rulebook", "fide-2009", "--assume", 1500, "--out", out, *more)


@pytest.mark.parametrize(
    "command",
    [
        ("history", "--rulebook", "fide-2009", "--out", "out"),
        ("rate", "--rulebook", "fide-2009"),
        ("check",),
        ("list", "--rulebook", "fide-2009", "--date", "2010-01-01"),
        ("verify",),
    ],
    ids=lambda command: command[0],
)
def test_a_pipe_to_which_nobody_writes_is_not_waited_for(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    done = run(command[0], "pipe", *command[1:])
    assert done.status == 1
    assert "pipe" in done.err + done.out
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("rate", "--rulebook", "fide-2009"),
        ("check",),
        ("whatif", "--rulebook", "fide-2009", "--player", "1"),
        ("convert", "out.json"),
    ],
    ids=lambda command: command[0],
)
def test_a_pipe_is_read_like_a_file_or_refused_for_one(run, tmp_path, monkeypatch, command):
    """It was said to be an empty file, and whoever began to write then waited for ever."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    done = run(command[0], "pipe", *command[1:])
    assert (done.status, "file.unreadable" in done.err + done.out) == (1, True)
    assert "nobody wrote to it" in done.err + done.out
    # What is written while somebody has it open stays in it for who reads next.
    held = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    Path("pipe").write_bytes((REPORTS / "spring-open.trf").read_bytes())
    assert run(command[0], "pipe", *command[1:]).status == 0
    os.close(held)


def test_corrections_are_no_pipe(run, tmp_path, monkeypatch):
    """It is looked at before it is read: what was looked at was lost."""
    monkeypatch.chdir(tmp_path)
    Path("games.csv").write_text(GAMES)
    assert history(run, Path("games.csv"), "out").status == 0
    os.mkfifo("fixes.csv")
    done = run("history", "out", "--correct", "fixes.csv", "--preview")
    assert (done.status, "history.format" in done.err) == (1, True)


def test_a_device_without_an_end_is_no_bundle(run):
    """It was read into memory, to the end of that."""
    done = run("verify", "/dev/zero")
    assert (done.status, "pipe or a device" in done.err) == (1, True)


def test_what_was_looked_at_in_a_pipe_is_not_lost(run):
    """A history looked at the first games and then read the others, with exit status 0."""
    players = REPORTS / "spring-open-players.csv"
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as file:
        file.write(players.read_bytes())
    piped = run(*RATE, "--players", f"/dev/fd/{reading}")
    os.close(reading)
    assert piped.out == run(*RATE, "--players", players).out

    reading, writing = os.pipe()
    os.close(writing)
    done = history(run, f"/dev/fd/{reading}", "out")
    os.close(reading)
    assert (done.status, "history.format" in done.err) == (1, True)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_name_that_is_no_text(run, tmp_path, suffix):
    games = tmp_path / f"{ODD}{suffix}"
    if suffix == ".csv":
        games.write_text(GAMES)
    else:
        (tmp_path / "plain.csv").write_text(GAMES)
        with games.open("wb") as file:
            pq.write_table(pyarrow.csv.read_csv(tmp_path / "plain.csv"), file)
    out = tmp_path / f"out{ODD}"
    assert history(run, games, out).status == 0
    again = history(run, games, out)
    assert (again.status, "Went on after" in again.out + again.err) == (0, True)
    assert run("list", out, "--date", "2011-01-01").status == 0
    fixes = tmp_path / f"fix{ODD}.csv"
    fixes.write_text("event,round,white,black,score,reason\nE,1,a,b,0,misread\n")
    corrected = tmp_path / "corrected"
    assert run("history", out, "--correct", fixes, "--out", corrected).status == 0
    assert run("history", corrected, "--explain", "a").status == 0
