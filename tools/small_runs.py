"""Small histories whose runs are stopped and damaged: what they are made of, and what is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.checks.histories import history, tables
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.files import LeftBeside, Written, rate_into
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
_GAMES = {"fide-2009": 90, "uscf-2011": 40, "elo": 40}
"""So that there are some checkpoints, but not so many that all stops take hours."""


@dataclass(frozen=True)
class Command:
    """A run of a history into a folder."""

    given: HistoryInput
    program: Program
    register: str
    """What stands beside the ratings of this run, and must change with them."""
    tables: Mapping[str, pa.Table]
    """What ``given`` was read from."""
    games_at_once: int = 10

    def run(
        self,
        folder: Path,
        disk: Disk = DISK,
        seconds: float = 0,
        *,
        beside: LeftBeside | None = None,
    ) -> Written:
        """Rate, with a checkpoint whenever there can be one; ``beside`` leaves more than a text."""
        run = Run(self.given, self.program)
        run.games_at_once = self.games_at_once
        left = beside or {REGISTER: self.register}
        with alone_in(folder):
            return rate_into(folder, run, seconds=seconds, beside=left, disk=disk)


@dataclass(frozen=True)
class Case:
    """What was rated before, if anything, and what is to be rated now."""

    name: str
    before: Command | None
    now: Command


@cache
def cases(name: str) -> tuple[Case, ...]:
    """The cases of a rule book."""
    book = registry.load(name)
    program = Program(book, compiled=False)
    made = tables(book, 4, games=_GAMES[name], players=14, years=0.8)
    rows = made["games"].sort_by("date")
    middle = rows.num_rows * 5 // 9
    scores = rows["score"].to_pylist()
    scores[middle] = 0.0 if scores[middle] else 1.0
    at = rows.column_names.index("score")
    mended = rows.set_column(at, "score", pa.array(scores))
    other = Program(_with_another_parameter(book), compiled=False)

    def command(games: pa.Table, register: str, program: Program = program) -> Command:
        given = {**made, "games": games}
        return Command(history(given).given, program, register, given)

    early = command(rows.slice(0, rows.num_rows * 7 // 9), "early")
    return (
        Case("fresh", None, command(rows, "whole")),
        Case("append", early, command(rows, "whole")),
        Case("correct and append", early, command(mended, "corrected")),
        Case("parameters", command(rows, "before"), command(rows, "other", other)),
    )


_OTHER = {
    "fide-2009": {"k_rated": "20"},
    "uscf-2011": {"bonus_of_three": "3"},
    "elo": {"new_games": "1"},
}


def _with_another_parameter(book: BookOrSeries) -> BookOrSeries:
    return book.with_parameters(_OTHER[book.name])


class Left(NamedTuple):
    """A table or a text that a run has left."""

    data: bytes
    content: pa.Table | bytes

    @classmethod
    def at(cls, path: Path) -> Left:
        """What stands there."""
        data = path.read_bytes()
        return cls(data, _content(path, data))

    def is_at(self, path: Path) -> bool:
        """Whether the same stands there; it may be written in another way."""
        data = path.read_bytes()
        return data == self.data or _content(path, data) == self.content


def _content(path: Path, data: bytes) -> pa.Table | bytes:
    return pq.read_table(pa.BufferReader(data)) if path.suffix == ".parquet" else data


def tables_of(folder: Path, names: Sequence[str] = FILES) -> dict[str, Left]:
    """What a folder shows."""
    return {name: Left.at(folder / name) for name in names}


def differs(folder: Path, right: Mapping[str, Left]) -> str:
    """Which tables are not what they should be; empty: none."""
    found = []
    for name, left in right.items():
        try:
            is_right = left.is_at(folder / name)
        except (OSError, pa.ArrowException) as error:
            found.append(f"{name}: {type(error).__name__}")
        else:
            if not is_right:
                found.append(name)
    return ", ".join(found)


def is_of_one_run(folder: Path, shown: Sequence[Mapping[str, Left]]) -> bool:
    """Whether a folder shows nothing, or what one run has left, whole."""
    there = {name for name in shown[0] if (folder / name).exists()}
    return not there or any(there == set(each) and not differs(folder, each) for each in shown)
