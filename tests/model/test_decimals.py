"""What is reckoned of printed numbers is what a pen comes to."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.model.decimals import change_of, mean, total

PRINTED = st.decimals(-4000, 4000, places=6).map(float)
"""Numbers as lists print them, with up to six decimals."""


def exact(number: float | None) -> Decimal:
    assert number is not None
    return Decimal(repr(number))


@given(PRINTED, PRINTED)
def test_a_change_is_the_difference_on_paper(before, after):
    assert exact(change_of(before, after)) == exact(after) - exact(before)


@given(st.lists(PRINTED, min_size=1, max_size=30))
def test_a_sum_is_that_on_paper_in_any_order(numbers):
    assert exact(total(numbers)) == sum(map(exact, numbers))
    assert total(numbers) == total(sorted(numbers))


@given(st.lists(PRINTED, min_size=1, max_size=30))
def test_a_mean_is_the_nearest_to_that_on_paper(numbers):
    assert mean(numbers) == float(sum(map(exact, numbers)) / len(numbers))


def test_whole_numbers_stay_whole():
    assert repr(change_of(1500, 1493)) == "-7"
    assert repr(change_of(1500.0, 1493.0)) == "-7.0"


def test_numbers_of_numpy_are_read_as_others():
    assert change_of(np.float64(1000.0), np.float64(1006.45)) == 6.45


def test_of_nothing_there_is_nothing():
    assert change_of(None, 1500) is change_of(1500, None) is mean([]) is None
    assert total([]) == 0
