"""Rows that say the same as an earlier one are told, and rated."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.engine.history import rate_history
from ratingbook.engine.history.intake import read_history, twice

GAMES = {
    "date": ["2010-01-01", "2010-01-01", "2010-01-02", "2010-01-01"],
    "white": ["a", "a", "a", "b"],
    "black": ["b", "b", "b", "a"],
    "score": [1.0, 0.5, 1.0, 0.0],
}


def told(*tables: pa.Table) -> list[str]:
    _, findings = read_history(list(tables))
    return [each.message for each in findings if each.code == "history.twice"]


def test_rows_that_differ_in_anything_are_games_of_their_own():
    assert told(pa.table(GAMES)) == []


@pytest.mark.parametrize(
    ("again", "message"),
    [
        ([2], "1 row says all that an earlier one says; both are rated"),
        ([1, 3, 1], "3 rows say all that an earlier one says; all are rated"),
    ],
)
def test_files_that_overlap(again: list[int], message: str):
    games = pa.table(GAMES)
    assert told(games, games.take(again)) == [f"{message} (the first is row 5 of all)."]
    assert len(rate_history([games, games.take(again)], "fide-2009", assume=1500).changes) == 2


def test_a_round_tells_games_apart():
    games = pa.table(GAMES)
    rounds = [games.append_column("round", pa.array([number] * 4)) for number in (1, 2)]
    assert told(*rounds) == []
    assert told(rounds[0], rounds[0])[0].startswith("4 rows")


def test_rows_that_are_left_out_count_too():
    games = pa.table({**GAMES, "score": [None, 0.5, 1.0, None]})
    assert "(the first is row 6 of all)" in told(games, games)[0]


@given(
    rows=st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 1), st.sampled_from([0.0, 0.5]))),
    factor=st.sampled_from([0, 1, 1 << 40, None]),
    ascend=st.booleans(),
)
def test_rows_alike_are_those_that_stand_before(
    rows: list[tuple[int, int, float]], factor: int | None, ascend: bool
):
    """Whatever the marks are: with some factors rows that differ come to the same.

    Where the first column ascends, they are looked for part by part.
    """
    if ascend:
        rows.sort(key=lambda row: row[0])
    columns = [np.array(each) for each in zip(*rows, strict=True)] or [np.empty(0, np.int32)]
    expected = [number for number, row in enumerate(rows) if row in rows[:number]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twice, "_BLOCK", 4)
        patch.setattr(twice, "_PART", 5)
        if factor is not None:
            patch.setattr(twice, "_FACTORS", np.full(32, factor, np.uint64))
        assert twice._again(columns).tolist() == expected
