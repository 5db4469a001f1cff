"""Stopped at any moment: after the next run the folder is as if nothing had happened."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules import registry
from tests.engine.history.histories import history, tables

FILES = ("changes.parquet", "ratings.parquet", "batches.parquet")
BOOK = registry.load("fide-2009")
PROGRAM = Program(BOOK, compiled=False)


class Stopped(BaseException):
    """Nobody catches it."""


def facts() -> tuple[HistoryInput, HistoryInput]:
    """A history; and with a result of its middle corrected, and the games of more lists."""
    made = tables(BOOK, 4, games=90, players=14, years=0.8)
    games = made["games"].sort_by("date")
    early = games.slice(0, 70)
    scores = games["score"].to_pylist()
    scores[50] = 0.0 if scores[50] else 1.0
    later = games.set_column(games.column_names.index("score"), "score", pa.array(scores))
    return history({**made, "games": early}).given, history({**made, "games": later}).given


def stop_at(patch: pytest.MonkeyPatch, number: int) -> None:
    """Stop before so many operations on files were done."""
    done = 0
    for owner, name in (
        (Path, "rename"), (Path, "replace"), (Path, "unlink"), (Path, "mkdir"), (Path, "touch"),
        (shutil, "rmtree"), (pq, "write_table"),
    ):  # fmt: skip
        plain = getattr(owner, name)

        def counted(*args: Any, plain: Any = plain, **options: Any) -> Any:
            nonlocal done
            done += 1
            if done > number:
                raise Stopped
            return plain(*args, **options)

        patch.setattr(owner, name, counted)


def rated(folder: Path, given: HistoryInput) -> None:
    run = Run(given, PROGRAM)
    run.games_at_once = 10
    rate_into(folder, run, seconds=0)


def test_a_corrected_history_that_grew_is_never_half_a_result(tmp_path: Path):
    before, now = facts()
    rated(tmp_path / "before", before)
    rated(tmp_path / "now", now)
    wanted = {name: pq.read_table(tmp_path / "now" / name) for name in FILES}
    number = 0
    while True:
        folder = tmp_path / "stopped"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / "before", folder)
        with pytest.MonkeyPatch.context() as patch:
            stop_at(patch, number)
            try:
                rated(folder, now)
            except Stopped:
                pass
            else:
                break
        rated(folder, now)
        for name in FILES:
            assert pq.read_table(folder / name).equals(wanted[name]), (number, name)
        assert sorted(each.name for each in folder.iterdir()) == sorted([*FILES, "checkpoint"])
        number += 1
    assert number > 20
