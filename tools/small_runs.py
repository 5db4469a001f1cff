"""Small histories whose runs are stopped and damaged: what they are made of, and what is right."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.checks.histories import history, tables
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.files import Written, rate_into
from ratingbook.engine.history.folder import alone_in
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.store import DISK, Disk
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries

FILES = ("ratings.parquet", "changes.parquet", "batches.parquet")
BOOKS = ("fide-2009", "uscf-2011", "elo")
"""A rule book that rates by lists, one by sections and one game by game."""
CASES = ("fresh", "append", "correct and append", "parameters")


@cache
def book_of(name: str) -> BookOrSeries:
    """An edition, or the example ``elo``."""
    if name == "elo" and name not in registry.names():
        sys.path.append(str(Path(__file__).parents[1] / "examples" / "elo" / "src"))
        found: BookOrSeries = importlib.import_module("elo_rating").elo
        return found
    return registry.load(name)


@dataclass(frozen=True)
class Command:
    """A run of a history into a folder."""

    given: HistoryInput
    program: Program
    games_at_once: int = 10

    def run(self, folder: Path, disk: Disk = DISK, seconds: float = 0) -> Written:
        """Rate, with a checkpoint whenever there can be one."""
        run = Run(self.given, self.program)
        run.games_at_once = self.games_at_once
        with alone_in(folder):
            return rate_into(folder, run, seconds=seconds, disk=disk)


@dataclass(frozen=True)
class Case:
    """What was rated before, if anything, and what is to be rated now."""

    name: str
    before: Command | None
    now: Command


@cache
def cases(name: str, games: int = 90) -> tuple[Case, ...]:
    """The cases of a rule book."""
    book = book_of(name)
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
        Case("fresh", None, Command(whole, program)),
        Case("append", Command(early, program), Command(whole, program)),
        Case("correct and append", Command(early, program), Command(corrected, program)),
        Case("parameters", Command(whole, program), Command(whole, other)),
    )


_OTHER = {
    "fide-2009": {"k_rated": "20"},
    "uscf-2011": {"bonus_of_three": "3"},
    "elo": {"new_games": "1"},
}


def _with_another_parameter(book: BookOrSeries) -> BookOrSeries:
    return book.with_parameters(_OTHER[book.name])


def tables_of(folder: Path) -> dict[str, pa.Table]:
    """What a folder shows."""
    return {name: pq.read_table(folder / name) for name in FILES}


def differs(folder: Path, right: dict[str, pa.Table]) -> str:
    """Which tables are not what they should be; empty: none."""
    found = []
    for name, table in right.items():
        try:
            is_right = pq.read_table(folder / name).equals(table)
        except (OSError, pa.ArrowException) as error:
            found.append(f"{name}: {type(error).__name__}")
        else:
            if not is_right:
                found.append(name)
    return ", ".join(found)


Tell = Callable[[str], None]
