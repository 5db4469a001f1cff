"""What is packed comes back with every bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.engine.spark.packing import packed, packed_records, put_records, unpacked

ODD_NAN = float(np.array([0xFFF8000000000001], np.uint64).view(np.float64)[0])
FLOATS = st.one_of(
    st.floats(),
    st.integers(-40_000, 40_000).map(float),
    st.integers(-40_000, 40_000).map(lambda n: n / 100),
    st.sampled_from([0.0, -0.0, float("nan"), ODD_NAN, -32768.0, 32767.0, 1e300]),
)


def same(column, found):
    assert found.dtype == column.dtype
    assert found.tobytes() == column.tobytes()


@given(st.lists(FLOATS, max_size=80))
def test_floats(values):
    column = np.array(values, np.float64)
    same(column, unpacked(packed(column)))


@given(
    st.sampled_from([np.int8, np.int32, np.int64, np.bool_]),
    st.lists(st.integers(-(2**31), 2**31 - 1) | st.integers(-100, 100), max_size=30),
)
def test_whole_numbers(kind, values):
    column = np.array(values, np.int64).astype(kind)
    same(column, unpacked(packed(column)))


@pytest.mark.parametrize("scale", [1, 2, 100])
def test_ratings_scores_and_expected_scores_take_two_bytes(scale):
    column = np.arange(-1000, 3000) / scale
    column[7] = np.nan
    found = packed(column)
    assert found.values.itemsize == 2
    same(column, unpacked(found))


def test_what_all_have_alike_is_sent_once():
    column = np.full(1000, 15_000, np.int32)
    assert len(packed(column).values) == 1
    same(column, unpacked(packed(column)))


def test_records():
    kind = np.dtype([("a", np.float64), ("b", np.int32), ("c", np.bool_)], align=True)
    records = np.zeros(5, kind)
    records["a"], records["b"] = [1.5, np.nan, 0.1, -0.0, 7], [1, 2, 3, 4, 10**6]
    found = np.zeros(7, kind)
    places = np.array([6, 0, 2, 3, 5])
    put_records(found, places, packed_records(records))
    found = found[places]
    for name in kind.names or ():
        same(np.array(records[name]), np.array(found[name]))
