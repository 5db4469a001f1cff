"""A long history: what is as long as its games is in memory only where it must be."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.engine.history.intake import read_history
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.signatures import sums_of
from ratingbook.rules import registry

GAMES = 200_000
DAYS = 300


@pytest.fixture(scope="module")
def rated() -> Run:
    """Games that do not stand in the order in which they are rated."""
    chance = np.random.default_rng(18)
    white = chance.integers(0, 1000, GAMES)
    games = pa.table({
        "date": pa.array(chance.integers(14_000, 14_000 + DAYS, GAMES).astype(np.int32))
        .cast(pa.date32()),
        "white": white,
        "black": white + 1000,
        "score": np.ones(GAMES),
    })  # fmt: skip
    given, findings = read_history(games)
    assert given is not None, list(findings)
    return Run(given, Program(registry.load("elo"), compiled=False), rows=False)


def test_signatures_take_little_besides_the_games(rated: Run) -> None:
    tracemalloc.start()
    try:
        rated.signatures()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A place of four bytes for each game, and what is reckoned of a block of them.
    assert peak < 4 * GAMES + 6_000_000


def test_the_games_keep_their_order_and_days_once(rated: Run) -> None:
    plan = rated.plan
    assert plan.moved is not None
    assert plan.moved.dtype == np.int32
    assert plan.games.start is plan.games.end


def test_sums_do_not_depend_on_where_blocks_end(
    rated: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = rated.signatures()
    monkeypatch.setitem(sums_of.__globals__, "_BLOCK", 7_777)
    assert (rated.signatures() == marks).all()
