"""Explanations from what a run has left in its folder, without the files that it has read."""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.engine.history import History, rate_history
from ratingbook.engine.history import archive as archives
from ratingbook.engine.history.archive import Archived, archived_in
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.files import Written, rate_into
from ratingbook.engine.history.folder import store_of
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.store import DISK, Disk, Generation, making
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries
from tests.engine.history.histories import history, said_of_some, tables
from tools.faulty_disk import FullDisk, Killed, KilledDisk

NUMBERS = ("before", "after", "games", "score", "expected")
EXPLAINED = 6


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every history is large enough, and has several segments."""
    monkeypatch.setattr(archives, "ARCHIVED_FROM", 1)
    monkeypatch.setattr(archives, "GAMES_OF_A_SEGMENT", 60)


class Stopped(Exception):
    """A run was stopped."""


def rated(
    folder: Path, given: HistoryInput, book: BookOrSeries, stop_after: int = -1, disk: Disk = DISK
) -> Written:
    run = Run(given, Program(book, False))
    run.games_at_once = 10
    calls = 0

    def stop(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == stop_after:
            raise Stopped

    return rate_into(folder, run, seconds=0, progress=stop, disk=disk)


def current(folder: Path) -> Generation:
    generation = store_of(folder).current()
    assert generation is not None
    return generation


def there(folder: Path, book: BookOrSeries) -> Archived:
    archived = archived_in(store_of(folder), book, None)
    assert archived is not None
    return archived


def all_are_explained(folder: Path, given: HistoryInput, book: BookOrSeries) -> None:
    """From the folder as from the facts; the last numbers are those that were published."""
    archived, plain = there(folder, book), rate_history(History(given), book, compiled=False)
    published = pq.read_table(folder / "changes.parquet").to_pylist()
    assert published
    for change in random.Random(9).sample(published, EXPLAINED):
        rows = archived.explain(change["player"], change["batch"])
        assert rows == plain.explain(change["player"], change["batch"])
        assert rows is not None
        assert {name: change[name] for name in NUMBERS} in [
            {name: getattr(each.row, name) for name in NUMBERS} for each in rows
        ]
    last = published[len(published) // 2]
    for when in (None, last["date"]):
        assert archived.explain(last["player"], when) == plain.explain(last["player"], when)


@pytest.mark.parametrize("name", ["fide", "uscf-2025", "egf-2021"])
def test_changes_are_explained_from_the_folder_alone(tmp_path: Path, name: str):
    book = registry.load(name)
    given = history(said_of_some(book, tables(book, 9), 9)).given
    rated(tmp_path, given, book)
    bounds = current(tmp_path).said["archive"]["bounds"]
    assert len(bounds) > 3, "there is one segment only"
    all_are_explained(tmp_path, given, book)


def test_a_run_that_was_stopped_and_grew_leaves_all_of_it(tmp_path: Path):
    book = registry.load("fide-2009")
    made = tables(book, 9)
    plan = Run(history(made).given, Program(book, False)).plan
    rows = np.arange(len(made["games"])) if plan.moved is None else plan.moved
    # The lists of a later month: its games are behind those that were there.
    later = int(plan.games.offsets[3 * len(plan) // 5])
    early, late = np.sort(rows[:later]), np.sort(rows[later:])
    first = history({**made, "games": made["games"].take(pa.array(early))}).given
    with pytest.raises(Stopped):
        rated(tmp_path, first, book, stop_after=6)
    assert rated(tmp_path, first, book).resumed_after > 0
    now = history({**made, "games": made["games"].take(pa.array(np.r_[early, late]))}).given
    assert rated(tmp_path, now, book).resumed_after > 0
    all_are_explained(tmp_path, now, book)


@pytest.mark.parametrize("disk", [KilledDisk, FullDisk])
def test_what_is_written_beside_fails_as_all_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: type[KilledDisk]
):
    """Wherever it stops, in whichever thread: the tables of before stay, and a run mends all."""
    monkeypatch.setattr(making, "LARGE", 0)
    book = registry.load("fide-2009")
    made = tables(book, 9)
    early = history({**made, "games": made["games"].slice(0, 150)}).given
    given, whole = history(made).given, tmp_path / "whole"
    rated(whole, given, book)
    all_operations = disk()
    shutil.copytree(whole, tmp_path / "first", symlinks=True)
    rated(tmp_path / "first", early, book)
    shutil.copytree(tmp_path / "first", tmp_path / "seen", symlinks=True)
    rated(tmp_path / "seen", given, book, disk=all_operations)
    assert all_operations.done > 100
    failed = 0
    for at in range(5, all_operations.done, all_operations.done // 6):
        folder = tmp_path / str(at)
        shutil.copytree(tmp_path / "first", folder, symlinks=True)
        try:
            rated(folder, given, book, disk=disk(at))
        except (Killed, OSError):
            failed += 1
            shown = pq.read_table(folder / "changes.parquet")
            assert any(
                shown.equals(pq.read_table(each / "changes.parquet"))
                for each in (tmp_path / "first", whole)
            )
        rated(folder, given, book)
        for name in ("ratings", "changes"):
            found, right = (pq.read_table(each / f"{name}.parquet") for each in (folder, whole))
            assert found.equals(right)
    all_are_explained(folder, given, book)
    assert failed > 4


class OneBadFile(Disk):
    """One file cannot be written, and all others can."""

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, file: BinaryIO, data: bytes | memoryview) -> None:
        if Path(file.name).name.startswith(self.name):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().write(file, data)


@pytest.mark.parametrize("name", ["segment-", "standings-", "kept.", "events."])
def test_no_fault_of_another_thread_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
):
    monkeypatch.setattr(making, "LARGE", 0)
    book = registry.load("fide-2009")
    given = history(tables(book, 9)).given
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        rated(tmp_path, given, book, disk=OneBadFile(name))
    assert not (tmp_path / "ratings.parquet").exists()


def test_what_does_not_fit_is_not_believed(tmp_path: Path):
    book = registry.load("fide-2009")
    given = history(tables(book, 9)).given
    rated(tmp_path, given, book)
    player = str(given.players[int(np.bincount(given.games.white).argmax())].as_py())
    assert there(tmp_path, book).explain(player, None)
    assert there(tmp_path, book).explain("nobody", None) is None
    other = book.with_parameters({"k_rated": "20"})
    assert archived_in(store_of(tmp_path), other, None) is None
    assert archived_in(store_of(tmp_path), book, 1500.0) is None
    segments = [*current(tmp_path).folder.glob("segment-*")]
    assert segments
    for path in segments:
        path.write_bytes(path.read_bytes()[:-1])
    assert there(tmp_path, book).explain(player, None) is None


def test_damaged_standings_are_not_carried_on(tmp_path: Path):
    """What is damaged is told, and explained from the standings before: never for good a gap."""
    book = registry.load("fide-2009")
    given = history(tables(book, 9)).given
    rated(tmp_path, given, book)
    before = current(tmp_path)
    path = sorted(before.folder.glob("standings-*"))[1]
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    written = rated(tmp_path, given, book)
    assert written.resumed_after > 0
    assert [each.code for each in written.told] == ["history.damaged"]
    assert path.name in next(iter(written.told)).message
    assert (
        len(current(tmp_path).said["archive"]["bounds"])
        == len(before.said["archive"]["bounds"]) - 1
    )
    all_are_explained(tmp_path, given, book)
    assert not rated(tmp_path, given, book).told


ANSWER = """
import sys
from pathlib import Path
from ratingbook.cli import explained
from ratingbook.engine.history.archive import archived_in
from ratingbook.engine.history.folder import store_of
from ratingbook.rules import registry
archived = archived_in(store_of(Path(sys.argv[1])), registry.load("fide-2009"), None)
print(archived.explain(sys.argv[2], int(sys.argv[3]))[0].row.after, *sys.modules)
"""


def test_who_waits_for_an_answer_waits_for_nothing_else(tmp_path: Path):
    """PyArrow loads pandas, where there is one, at many a step: as long as the answer takes."""
    given = history(tables(registry.load("fide-2009"), 9)).given
    rated(tmp_path, given, registry.load("fide-2009"))
    changes = pq.read_table(tmp_path / "changes.parquet").to_pylist()
    change = changes[len(changes) // 2]
    asked = [str(tmp_path), str(change["player"]), str(change["batch"])]
    done = subprocess.run(
        [sys.executable, "-c", ANSWER, *asked], capture_output=True, text=True, check=True
    )
    after, *loaded = done.stdout.split()
    assert float(after) == change["after"]
    heavy = {
        "pandas",
        "pyarrow.dataset",
        "numba",
        "ratingbook.formats.lists",
        "ratingbook.desk.facts",
    }
    assert not heavy & set(loaded)


def test_no_more_of_a_segment_is_read_than_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(archives, "GAMES_READ_AT_ONCE", 10)
    monkeypatch.setattr(archives, "GAMES_OF_A_SEGMENT", 200)
    book = registry.load("fide-2009")
    given = history(tables(book, 9)).given
    rated(tmp_path, given, book)
    read: list[int] = []
    table = Generation.table

    def told(self: Generation, name: str, **more: Any) -> pa.Table:
        found = table(self, name, **more)
        if name.startswith("segment"):
            read.append(len(found))
        return found

    monkeypatch.setattr(Generation, "table", told)
    offsets = np.array(Run(given, Program(book, False)).plan.games.offsets)
    bounds = current(tmp_path).said["archive"]["bounds"]
    first = bounds[0]
    change = next(
        each
        for each in pq.read_table(tmp_path / "changes.parquet").to_pylist()
        if each["batch"] == first
    )
    assert there(tmp_path, book).explain(change["player"], first)
    asked = int(offsets[first + 1])
    assert offsets[bounds[1]] > asked + 10, "it is all of the segment"
    assert len(read) == 1
    assert asked <= read[0] < asked + 10
