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


def assert_found(rows: list[tuple[int, int, int, float]], factor: int | None = None) -> None:
    """Parts, pieces and places for keys are so small that few rows have several of them."""
    columns = [
        np.array(each, np.float64 if number == 3 else np.int32)
        for number, each in enumerate(zip(*rows, strict=True))
    ] or 4 * [np.empty(0, np.int32)]
    seen, expected = set(), []
    for number, row in enumerate(rows):
        if row in seen:
            expected.append(number)
        seen.add(row)
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (("_BLOCK", 4), ("_PART", 5), ("_PIECE", 2), ("_FLAGS", 8)):
            patch.setattr(twice, name, size)
        if factor is not None:
            patch.setattr(twice, "_FACTORS", np.full(32, factor, np.uint64))
            patch.setattr(twice, "_KEYS", np.full(3, factor % (1 << 32), np.uint32))
        assert sorted(twice._again(columns).tolist()) == expected


ROWS = st.lists(
    st.tuples(
        st.integers(0, 2), st.integers(0, 1), st.integers(-1, 1), st.sampled_from([0.0, 0.5])
    ),
    max_size=40,
)


@given(rows=ROWS, factor=st.sampled_from([0, 1, 1 << 31, 1 << 40, None]), ascend=st.booleans())
def test_rows_alike_are_those_that_stand_before(
    rows: list[tuple[int, int, int, float]], factor: int | None, ascend: bool
):
    """Whatever the marks are: with some factors rows that differ come to the same.

    Where the first column ascends, they are looked for part by part.
    """
    if ascend:
        rows.sort(key=lambda row: row[0])
    assert_found(rows, factor)


@given(rows=ROWS, data=st.data())
def test_files_that_overlap_in_any_way(
    rows: list[tuple[int, int, int, float]], data: st.DataObject
):
    """Some days of the games again, in the same order or in another one, or nothing."""
    rows.sort(key=lambda row: row[0])
    files = []
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(rows)))
        some = rows[start : data.draw(st.integers(start, len(rows)))]
        how = data.draw(st.sampled_from(["as they are", "by days", "in no order"]))
        if how != "as they are":
            some = data.draw(st.permutations(some))
        if how == "by days":
            some = sorted(some, key=lambda row: row[0])
        files += some
    assert_found(files)


@pytest.mark.parametrize("shape", ["a file twice", "a part of it", "another order", "no order"])
def test_long_files_that_overlap(shape: str):
    """In parts as long as they are in truth."""
    rng = np.random.default_rng(7)
    count = 3 * twice._PART
    columns = [
        np.sort(rng.integers(0, 40, count)).astype(np.int32),
        *rng.integers(0, 900, (2, count)).astype(np.int32),
        rng.integers(0, 3, count).astype(np.int8),
    ]
    again = np.arange(count // 3 if shape == "a part of it" else 0, count)
    if shape == "another order":
        again = again[np.lexsort((rng.random(count), columns[0]))]
    elif shape == "no order":
        again = rng.permutation(again)
    both = [np.concatenate([values, values[again]]) for values in columns]
    rows = np.stack([values.astype(np.int64) for values in both])
    _, first = np.unique(rows, axis=1, return_index=True)
    expected = np.setdiff1d(np.arange(rows.shape[1]), first)
    assert np.sort(twice._again(both)).tolist() == expected.tolist()
