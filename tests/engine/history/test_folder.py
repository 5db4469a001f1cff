"""What a run does not write over."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.engine.history import History, HistoryRefused
from ratingbook.engine.history import folder as folders
from ratingbook.engine.history.files import Written, rate_into
from ratingbook.engine.history.folder import alone_in, locked, shipped_of, work_of
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules import registry
from tools.small_runs import cases

FIDE = registry.load("fide-2009")
TABLES = ("ratings", "changes", "batches")


def a_run(*, first: str = "a", compiled: bool = False, changes: bool = True) -> Run:
    games = pa.table(
        {
            "date": ["2010-01-01", "2010-09-01"],
            "white": [first, "b"],
            "black": ["b", "c"],
            "score": [1.0, 0.5],
        }
    )
    return Run(History.of(games).given, Program(FIDE, compiled), assume=1500, rows=changes)


def rated(folder: Path, run: Run, **options: Any) -> Written:
    with alone_in(folder):
        return rate_into(folder, run, **options)


def tables_of(folder: Path) -> dict[str, pa.Table]:
    return {name: pq.read_table(folder / f"{name}.parquet") for name in TABLES}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", ["ratings", "changes", "batches"])
def test_a_table_of_somebody_else(tmp_path: Path, name: str):
    pq.write_table(pa.table({"mine": [1]}), tmp_path / f"{name}.parquet")
    before = contents(tmp_path)
    with pytest.raises(HistoryRefused) as refused:
        rated(tmp_path, a_run())
    assert [each.code for each in refused.value.findings] == ["history.foreign"]
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["ratings.parquet", "changes.parquet", ".ratingbook"])
@pytest.mark.parametrize("is_rated", [False, True])
def test_a_file_of_somebody_else_in_the_way(tmp_path: Path, name: str, is_rated: bool):
    away, tmp_path = tmp_path / "away", tmp_path / "run"
    tmp_path.mkdir()
    if is_rated:
        rated(tmp_path, a_run())
        (tmp_path / name).rename(away)
    (tmp_path / name).write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(HistoryRefused, match="is not of a run"):
        rated(tmp_path, a_run(), fresh=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("changes", [True, False])
def test_files_of_somebody_else_stay_wherever_they_are(tmp_path: Path, changes: bool):
    """Limits H3: a diary in any folder of a run, also one that goes, and under names of old."""
    run = a_run()
    rated(tmp_path, run)
    inside = tmp_path / ".ratingbook"
    (inside / "making-7").mkdir()
    folders = [each for each in tmp_path.rglob("*") if each.is_dir() and not each.is_symlink()]
    mine = [folder / "diary.txt" for folder in folders]
    for name in ("unfinished/diary.txt", "checkpoint.new/a", "checkpoint/manifest.parquet",
                 "ratings.parquet.new", "making-7/standings.txt"):  # fmt: skip
        mine.append(tmp_path / name)
    for path in mine:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    for _ in range(3):
        rated(tmp_path, a_run(first="x", changes=changes), seconds=0)
    assert [path.read_text() for path in mine] == ["mine"] * len(mine)


def test_a_folder_that_was_made_for_nothing_goes_again(tmp_path: Path):
    with pytest.raises(KeyError), alone_in(tmp_path / "out"):
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyError), alone_in(tmp_path):
        raise KeyError
    assert tmp_path.exists()


def test_a_worker_whose_driver_was_killed_is_waited_for(tmp_path, monkeypatch):
    """It rates a history by sections into the folder, and may go on a while."""
    shipped = shipped_of(tmp_path)
    with locked(shipped):
        (shipped / "games.arrow").write_text("being read")
        monkeypatch.setattr(folders, "SECONDS_FOR_A_WORKER", 0.2)
        with pytest.raises(HistoryRefused, match="Another run is writing"), alone_in(tmp_path):
            pass
        assert (shipped / "games.arrow").exists()
        monkeypatch.setattr(folders, "SECONDS_FOR_A_WORKER", 20.0)
        held = ThreadPoolExecutor(1).submit(lambda: rated(tmp_path, a_run()))
        time.sleep(0.3)
        assert not held.done()
    assert held.result().batches == 2
    assert not work_of(tmp_path).exists(), "nobody else would have swept it"


def test_other_files_are_no_matter(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("mine")
    rated(tmp_path, a_run())
    rated(tmp_path, a_run())
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["ratings", "changes", "batches"])
@pytest.mark.parametrize("copied", [False, True])
def test_a_damaged_table_of_a_run_is_made_again(tmp_path: Path, name: str, copied: bool):
    folder = tmp_path / "run"
    rated(folder, a_run())
    before = {name: pq.read_table(folder / f"{name}.parquet") for name in TABLES}
    if copied:
        # A copy has files where there were links.
        shutil.copytree(folder, tmp_path / "copy")
        folder = tmp_path / "copy"
    with (folder / f"{name}.parquet").open("r+b") as file:
        file.truncate(100)
    damaged = (folder / f"{name}.parquet").read_bytes()
    written = rated(folder, a_run())
    assert tables_of(folder) == before
    if name == "changes" and not copied:
        assert written.refused.startswith("changes.parquet is not what was written")
    else:
        assert written.refused == ""
    if name == "changes" or copied:
        (told,) = written.told
        assert told.code == "history.damaged"
        assert str(told.where.file).endswith(f"{name}.parquet")
        (aside,) = (folder / ".ratingbook" / "damaged").iterdir()
        assert aside.read_bytes() == damaged
    assert list(rated(folder, a_run()).told) == []


@pytest.mark.parametrize("place", [0, -4])
def test_a_table_of_a_copy_without_one_of_its_marks_is_put_aside(tmp_path: Path, place: int):
    """Parquet begins and ends with the same four bytes: one of them is told by the other."""
    rated(tmp_path / "run", a_run())
    shutil.copytree(tmp_path / "run", tmp_path / "copy")
    path = tmp_path / "copy" / "ratings.parquet"
    damaged = bytearray(path.read_bytes())
    damaged[place] ^= 1
    path.write_bytes(damaged)
    written = rated(tmp_path / "copy", a_run())
    assert [told.code for told in written.told] == ["history.damaged"]
    (aside,) = (tmp_path / "copy" / ".ratingbook" / "damaged").iterdir()
    assert aside.read_bytes() == damaged
    assert tables_of(tmp_path / "copy") == tables_of(tmp_path / "run")


def test_a_copy_of_a_folder_goes_on(tmp_path: Path):
    rated(tmp_path / "run", a_run())
    shutil.copytree(tmp_path / "run", tmp_path / "copy")
    written = rated(tmp_path / "copy", a_run())
    assert (written.refused, written.resumed_after) == ("", 1)
    assert tables_of(tmp_path / "copy") == tables_of(tmp_path / "run")
    assert (tmp_path / "copy" / "ratings.parquet").is_symlink()


def test_the_changes_of_another_run_are_not_taken_up(tmp_path: Path):
    """Of one with the same last row and as many rows: what differs is in the middle."""
    other, mine = tmp_path / "other", tmp_path / "mine"
    rated(mine, a_run())
    rows = pq.read_table(mine / "changes.parquet")
    after = rows["after"].to_pylist()
    after[0] += 1
    other.mkdir()
    pq.write_table(rows.set_column(3, "after", pa.array(after)), other / "changes.parquet")
    (mine / "changes.parquet").write_bytes((other / "changes.parquet").read_bytes())
    written = rated(mine, a_run())
    assert written.refused.startswith("changes.parquet is not what was written")
    assert pq.read_table(mine / "changes.parquet").equals(rows)


@pytest.mark.parametrize("name", ["standings", "kept", "signatures", "manifest", "changes"])
@pytest.mark.parametrize("how", ["flipped", "short", "empty", "gone", "swapped", "pipe"])
def test_what_is_read_back_is_verified(tmp_path: Path, name: str, how: str):
    rated(tmp_path, a_run())
    before = tables_of(tmp_path)
    file = name if name == "manifest" else f"{name}.parquet"
    path = tmp_path / ".ratingbook" / "current" / file
    sound = path.read_bytes()
    if how == "gone":
        path.unlink()
    elif how == "swapped":
        path.write_bytes((path.parent / "ratings.parquet").read_bytes())
    elif how == "pipe":
        # Nobody ever writes to it: whoever opens it as a file waits for good.
        path.unlink()
        os.mkfifo(path)
    else:
        middle = len(sound) // 2
        flipped = sound[:middle] + bytes([sound[middle] ^ 4]) + sound[middle + 1 :]
        path.write_bytes({"flipped": flipped, "short": sound[:-1], "empty": b""}[how])
    written = rated(tmp_path, a_run())
    (told,) = written.told
    assert (told.code, written.resumed_after) == ("history.damaged", 0)
    assert str(told.where.file).endswith(file)
    assert written.refused.startswith(file)
    # What is gone lies nowhere else.
    assert ("put aside" in told.message) == (how != "gone")
    assert tables_of(tmp_path) == before


def test_a_checkpoint_with_players_who_are_gone(tmp_path: Path):
    rated(tmp_path, a_run(first="Misspelt"))
    written = rated(tmp_path, a_run(first="a"))
    assert "batch 0" in written.refused
    # The same games, but a player fewer in the players file.
    games = pa.table({"date": ["2010-01-01"], "white": ["a"], "black": ["b"], "score": [1.0]})
    more = History.of(games, players=pa.table({"id": ["c"], "rating": [1800.0]})).given
    rated(tmp_path / "other", Run(more, Program(FIDE, False)))
    fewer = Run(History.of(games).given, Program(FIDE, False))
    assert rated(tmp_path / "other", fewer).refused == "players whom it knows are missing now"


def test_ids_that_are_numbers_now(tmp_path: Path):
    rated(tmp_path, a_run())
    games = pa.table({"date": ["2010-01-01"], "white": [1], "black": [2], "score": [1.0]})
    run = Run(History.of(games).given, Program(FIDE, False), assume=1500)
    assert rated(tmp_path, run).refused


def test_a_history_that_grows_into_compiled_code_goes_on(tmp_path: Path):
    rated(tmp_path, a_run(compiled=False))
    written = rated(tmp_path, a_run(compiled=True))
    assert written.refused == ""
    assert written.resumed_after == 1


@pytest.mark.parametrize("how", ["rounds", "rows"])
def test_the_order_of_games_behind_a_checkpoint_counts(tmp_path: Path, how: str):
    """Limits B2: games are rated one after the other, so another order gives other ratings."""
    command = cases("elo")[0].now
    games = command.given.games
    command.run(tmp_path / "now")
    if how == "rounds":
        rounds = np.arange(len(games))[::-1].astype(np.int16)
        now = replace(games, round=rounds)
    else:
        columns: dict[str, Any] = {
            name: None if values is None else values[::-1].copy()
            for name, values in vars(games).items()
        }
        now = replace(games, **columns)
    other = replace(command, given=replace(command.given, games=now))
    written = other.run(tmp_path / "now")
    other.run(tmp_path / "anew")
    assert tables_of(tmp_path / "now") == tables_of(tmp_path / "anew")
    assert written.refused.startswith("the games of batch 0 ")


def test_the_rules_are_the_same_in_every_process():
    """Else no run would go on from the checkpoint of another: sets have an order by chance."""
    code = (
        "from ratingbook.engine.history.program import Program\n"
        "from ratingbook.rules import registry\n"
        "for name in registry.names():\n"
        "    book = registry.load(name)\n"
        "    program = Program(book, False)\n"
        "    print(name, program.rules, program.key)\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(told) == 1
    assert "fide-2009" in told.pop()
