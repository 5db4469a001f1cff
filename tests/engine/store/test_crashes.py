"""Stopped at operations on the folder, by a kill, a power cut or a full disk: some of each.

``python -m tools.crashes`` tries all of them.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ratingbook.engine.history.folder import store_of
from tools.crashes import Crashes, tallies
from tools.faulty_disk import Killed, KilledDisk, SeenDisk
from tools.small_runs import BOOKS, cases, is_of_one_run

EVERY = 97


@pytest.mark.parametrize("book", BOOKS)
def test_stopped_anywhere_the_next_run_gives_the_same_bits(book: str):
    for case, count, found in tallies(book, every=EVERY, cuts=2):
        for how, tally in found.items():
            assert tally.tried, (case, how)
            assert tally.is_clean, (case, how, tally)
        assert count > 40, case


class Forgetful(SeenDisk):
    """Does not wait for the disk, as the program once did."""

    def sync(self, file):
        self._go()

    def sync_folder(self, path):
        self._go()
        self.lasting_commits = len(self.committed)
        return True


def test_the_harness_finds_what_is_not_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A commit that is believed before it lasts is lost in a power cut."""
    monkeypatch.setattr("tools.crashes.SeenDisk", Forgetful)
    crashes = Crashes(cases("fide-2009")[0], tmp_path)
    _, cut = crashes.stopped({crashes.operations() - 1}, 12, random.Random(0))
    assert cut.repeated


def test_the_harness_finds_tables_that_change_one_after_the_other(tmp_path: Path):
    crashes = Crashes(cases("fide-2009")[2], tmp_path)
    folder = crashes._fresh_copy()
    shown = (folder / "ratings.parquet").read_bytes()
    crashes.case.now.run(folder)
    assert is_of_one_run(folder, crashes.shown)
    (folder / "ratings.parquet").unlink()
    (folder / "ratings.parquet").write_bytes(shown)
    assert not is_of_one_run(folder, crashes.shown)


def test_a_killed_correction_leaves_no_old_rows(tmp_path: Path):
    """Limits B1: killed after the last checkpoint of a correction of a list before it."""
    case = cases("fide-2009")[2]
    crashes = Crashes(case, tmp_path)
    count = crashes.operations()
    killed, _ = crashes.stopped(range(count - 25, count, 3), 0, random.Random(0))
    assert killed.tried == 9
    assert killed.is_clean, killed


def test_a_dead_disk_does_nothing_more(tmp_path: Path):
    disk = KilledDisk(1)
    store = store_of(tmp_path, disk)
    with pytest.raises(Killed):
        store.begin()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(Killed):
        store.begin()
    assert sorted(tmp_path.rglob("*")) == before
