"""Small histories whose runs are stopped and damaged: what they are made of, and what is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.checks.histories import history, tables
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.files import Written, rate_into
from ratingbook.engine.history.folder import alone_in
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.left import REGISTER
from ratingbook.engine.store import DISK, Disk
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries

TABLES = ("ratings.parquet", "changes.parquet", "batches.parquet")
FILES = (*TABLES, REGISTER)
BOOKS = ("fide-2009", "uscf-2011", "elo")
"""A rule book that rates by lists, one by sections and one game by game."""


@dataclass(frozen=True)
class Command:
    """A run of a history into a folder."""

    given: HistoryInput
    program: Program
    register: str
    """What stands beside the ratings of this run, and must change with them."""
    games_at_once: int = 10

    def run(self, folder: Path, disk: Disk = DISK, seconds: float = 0) -> Written:
        """Rate, with a checkpoint whenever there can be one."""
        run = Run(self.given, self.program)
        run.games_at_once = self.games_at_once
        with alone_in(folder):
            return rate_into(
                folder, run, seconds=seconds, beside={REGISTER: self.register}, disk=disk
            )


@dataclass(frozen=True)
class Case:
    """What was rated before, if anything, and what is to be rated now."""

    name: str
    before: Command | None
    now: Command


@cache
def cases(name: str, games: int = 90) -> tuple[Case, ...]:
    """The cases of a rule book."""
    book = registry.load(name)
    program = Program(book, compiled=False)
    made = tables(book, 4, games=games, players=14, years=0.8)
    rows = made["games"].sort_by("date")
    middle = rows.num_rows * 5 // 9
    scores = rows["score"].to_pylist()
    scores[middle] = 0.0 if scores[middle] else 1.0
    at = rows.column_names.index("score")
    mended = rows.set_column(at, "score", pa.array(scores))

    def given(games: pa.Table) -> HistoryInput:
        return history({**made, "games": games}).given

    early, whole = given(rows.slice(0, rows.num_rows * 7 // 9)), given(rows)
    corrected = given(mended)
    other = Program(_with_another_parameter(book), compiled=False)
    return (
        Case("fresh", None, Command(whole, program, "whole")),
        Case("append", Command(early, program, "early"), Command(whole, program, "whole")),
        Case(
            "correct and append",
            Command(early, program, "early"),
            Command(corrected, program, "corrected"),
        ),
        Case("parameters", Command(whole, program, "before"), Command(whole, other, "other")),
    )


_OTHER = {
    "fide-2009": {"k_rated": "20"},
    "uscf-2011": {"bonus_of_three": "3"},
    "elo": {"new_games": "1"},
}


def _with_another_parameter(book: BookOrSeries) -> BookOrSeries:
    return book.with_parameters(_OTHER[book.name])


def tables_of(folder: Path, names: Sequence[str] = FILES) -> dict[str, Any]:
    """What a folder shows."""
    return {name: _read(folder / name) for name in names}


def _read(path: Path) -> Any:
    return pq.read_table(path) if path.suffix == ".parquet" else path.read_bytes()


def differs(folder: Path, right: Mapping[str, Any]) -> str:
    """Which tables are not what they should be; empty: none."""
    found = []
    for name, table in right.items():
        try:
            is_right = _read(folder / name) == table
        except (OSError, pa.ArrowException) as error:
            found.append(f"{name}: {type(error).__name__}")
        else:
            if not is_right:
                found.append(name)
    return ", ".join(found)


def is_of_one_run(folder: Path, shown: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a folder shows nothing, or what one run has left, whole."""
    there = {name for name in shown[0] if (folder / name).exists()}
    return not there or any(there == set(each) and not differs(folder, each) for each in shown)
