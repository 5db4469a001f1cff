"""What a run does not write over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.engine.history import History, HistoryRefused
from ratingbook.engine.history.files import Written, rate_into
from ratingbook.engine.history.folder import alone_in
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules import registry

FIDE = registry.load("fide-2009")


def a_run(*, first: str = "a", compiled: bool = False) -> Run:
    games = pa.table(
        {
            "date": ["2010-01-01", "2010-09-01"],
            "white": [first, "b"],
            "black": ["b", "c"],
            "score": [1.0, 0.5],
        }
    )
    return Run(History.of(games).given, Program(FIDE, compiled), assume=1500)


def rated(folder: Path, run: Run, **options: Any) -> Written:
    with alone_in(folder):
        return rate_into(folder, run, **options)


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
        rated(tmp_path, a_run(), assume=1500)
    assert [each.code for each in refused.value.findings] == ["history.foreign"]
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["checkpoint/mine.txt", "ratings.parquet", "unfinished"])
def test_a_file_of_somebody_else(tmp_path: Path, name: str):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(HistoryRefused, match="is not of a run"):
        rated(tmp_path, a_run(), assume=1500, fresh=True)
    assert (tmp_path / name).read_text() == "mine"


def test_a_folder_that_was_made_for_nothing_goes_again(tmp_path: Path):
    with pytest.raises(KeyError), alone_in(tmp_path / "out"):
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyError), alone_in(tmp_path):
        raise KeyError
    assert tmp_path.exists()


def test_other_files_are_no_matter(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("mine")
    rated(tmp_path, a_run(), assume=1500)
    rated(tmp_path, a_run(), assume=1500)
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["ratings", "changes", "batches"])
def test_a_damaged_table_of_a_run_is_made_again(tmp_path: Path, name: str):
    rated(tmp_path, a_run(), assume=1500)
    before = pq.read_table(tmp_path / f"{name}.parquet")
    with (tmp_path / f"{name}.parquet").open("r+b") as file:
        file.truncate(100)
    written = rated(tmp_path, a_run(), assume=1500)
    assert pq.read_table(tmp_path / f"{name}.parquet").equals(before)
    assert written.refused == ("its changes are missing" if name == "changes" else "")


def test_the_changes_of_another_run_are_not_taken_up(tmp_path: Path):
    other = Run(a_run().given, Program(FIDE.with_parameters({"k_new": "40"}), False), assume=1500)
    rated(tmp_path / "other", other, assume=1500)
    rated(tmp_path / "mine", a_run(), assume=1500)
    before = pq.read_table(tmp_path / "mine" / "changes.parquet")
    (tmp_path / "other" / "changes.parquet").rename(tmp_path / "mine" / "changes.parquet")
    written = rated(tmp_path / "mine", a_run(), assume=1500)
    assert written.refused == "its changes are missing"
    assert pq.read_table(tmp_path / "mine" / "changes.parquet").equals(before)


def test_changes_with_rows_too_few_are_not_taken_up(tmp_path: Path):
    rated(tmp_path, a_run(), assume=1500)
    before = pq.read_table(tmp_path / "changes.parquet")
    pq.write_table(before[:1], tmp_path / "changes.parquet")
    assert rated(tmp_path, a_run(), assume=1500).refused == "its changes are missing"
    assert pq.read_table(tmp_path / "changes.parquet").equals(before)


def test_a_checkpoint_with_players_who_are_gone(tmp_path: Path):
    rated(tmp_path, a_run(first="Misspelt"), assume=1500)
    written = rated(tmp_path, a_run(first="a"), assume=1500)
    assert "batch 0" in written.refused
    # The same games, but a player fewer in the players file.
    games = pa.table({"date": ["2010-01-01"], "white": ["a"], "black": ["b"], "score": [1.0]})
    more = History.of(games, players=pa.table({"id": ["c"], "rating": [1800.0]})).given
    rated(tmp_path / "other", Run(more, Program(FIDE, False)))
    fewer = Run(History.of(games).given, Program(FIDE, False))
    assert rated(tmp_path / "other", fewer).refused == "players whom it knows are missing now"


def test_ids_that_are_numbers_now(tmp_path: Path):
    rated(tmp_path, a_run(), assume=1500)
    games = pa.table({"date": ["2010-01-01"], "white": [1], "black": [2], "score": [1.0]})
    run = Run(History.of(games).given, Program(FIDE, False), assume=1500)
    assert rated(tmp_path, run, assume=1500).refused


def test_a_history_that_grows_into_compiled_code_goes_on(tmp_path: Path):
    rated(tmp_path, a_run(compiled=False), assume=1500)
    written = rated(tmp_path, a_run(compiled=True), assume=1500)
    assert written.refused == ""
    assert written.resumed_after == 1
