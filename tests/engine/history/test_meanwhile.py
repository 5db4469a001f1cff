"""Plain Python rates until another process has compiled the loops."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.link import Compiled
from ratingbook.rules import registry
from tests.engine.history.histories import FAMILIES, FEW_LISTS, SERIES, history, tables


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


def bits(column: np.ndarray) -> list[bytes]:
    """Without what lies between the fields of records."""
    if column.dtype.names is None:
        return [column.tobytes()]
    return [each for name in column.dtype.names for each in bits(column[name])]


def until_compiled(run: Run) -> None:
    while not run.loops.compiled:
        time.sleep(0.05)


def compiled_here(loop: Any) -> int:
    assert isinstance(loop, Compiled)
    return loop._compiled_here()


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RATINGBOOK_CACHE", str(tmp_path))
    return tmp_path


def test_compiled_loops_take_over_with_the_same_bits(empty_cache: Path):
    book = registry.load("elo")
    given = history(tables(book, 5)).given
    plain = Run(given, Program(book, compiled=False))
    for _ in plain.batches():
        pass

    run = Run(given, Program(book, compiled=True), meanwhile=True)
    run.games_at_once = 1
    assert run.begins_plain
    batches = run.batches()
    next(batches)
    assert 0 < run.state.next_batch < len(run.plan)
    assert run.begins_plain
    until_compiled(run)
    for _ in batches:
        pass

    assert bits(run.state.people.standings) == bits(plain.state.people.standings)
    assert run.table().equals(plain.table())
    assert not compiled_here(run.program.rate_batches)
    assert not compiled_here(run.program.final_table)
    # Nothing has to be compiled from now on.
    assert not Run(given, Program(book, compiled=True), meanwhile=True).begins_plain


def test_a_run_that_ends_before_is_plain_throughout(empty_cache: Path):
    book = registry.load("elo")
    given = history(tables(book, 5)).given
    run = Run(given, Program(book, compiled=True), meanwhile=True)
    for _ in run.batches():
        pass
    assert run.state.next_batch == len(run.plan)
    until_compiled(run)


def test_large_batches_and_many_players_wait(empty_cache: Path, monkeypatch: pytest.MonkeyPatch):
    book = registry.load("elo")
    given = history(tables(book, 5)).given
    monkeypatch.setattr("ratingbook.engine.history.run.PLAIN_PLAYERS", 1)
    assert not Run(given, Program(book, compiled=True), meanwhile=True).begins_plain
    monkeypatch.setattr("ratingbook.engine.history.run.PLAIN_PLAYERS", 1_000)
    monkeypatch.setattr("ratingbook.engine.history.run.PLAIN_BATCH", 0)
    assert not Run(given, Program(book, compiled=True), meanwhile=True).begins_plain


def test_where_nothing_can_be_kept_nobody_compiles_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tmp_path.chmod(0o777)
    monkeypatch.setenv("RATINGBOOK_CACHE", str(tmp_path / "open"))
    book = registry.load("elo")
    given = history(tables(book, 5)).given
    assert not Run(given, Program(book, compiled=True), meanwhile=True).begins_plain


class AfterSomeBatches:
    """Stands for another process, which is over when the loops ask for the third time."""

    def __init__(self, *_: object) -> None:
        self._asked = 0

    def is_over(self) -> bool:
        self._asked += 1
        return self._asked > 3


@pytest.mark.parametrize("name", [*FAMILIES, *SERIES])
def test_a_change_on_the_way_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch):
    book = registry.load(name)
    given = history(tables(book, 5, **FEW_LISTS)).given
    whole = Run(given, Program(book, compiled=True), rows=True, keep_left=True)
    expected = list(whole.batches())

    monkeypatch.setattr("ratingbook.engine.history.run.Beside", AfterSomeBatches)
    monkeypatch.setattr(Run, "is_compiled", lambda _: False)
    run = Run(given, Program(book, compiled=True), rows=True, keep_left=True, meanwhile=True)
    run.games_at_once = 1
    kinds, rows = [], []
    for some in run.batches():
        kinds.append("compiled" if run._compiler is None else "plain")
        rows.append(some)
    assert kinds[0] == "plain"
    assert kinds[-1] == "compiled"
    for column in vars(expected[0]):
        one, other = (
            np.concatenate([vars(each)[column] for each in of]) for of in (expected, rows)
        )
        assert bits(one) == bits(other), column
    assert run.table().equals(whole.table())
