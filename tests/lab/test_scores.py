"""Losses by hand and by scikit-free formulas, calibration and intervals by what must hold."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.lab.bootstrap import difference, interval, intervals
from ratingbook.lab.scores import LEAST, calibration, hits, log_losses, squares


def array(*values: float) -> np.ndarray:
    return np.array(values, float)


def test_losses_by_hand():
    """−ln 0.8, −ln 0.2 and half of each; (1 − 0.8)², 0.8² and 0.3²."""
    expected, score = array(0.8, 0.8, 0.8), array(1, 0, 0.5)
    assert log_losses(expected, score).tolist() == pytest.approx(
        [0.22314355, 1.60943791, 0.91629073]
    )
    assert squares(expected, score).tolist() == pytest.approx([0.04, 0.64, 0.09])
    assert hits(expected, score).tolist() == [1, 0, 0.5]
    assert hits(array(0.5, 0.2), array(1, 0)).tolist() == [0.5, 1]


def test_who_expects_all_or_nothing_loses_a_finite_amount():
    assert log_losses(array(0.0), array(1.0))[0] == pytest.approx(-math.log(LEAST))


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_nobody_beats_the_truth(true, said):
    """Both losses are proper: the mean is least where what is said is true."""
    for loss in (log_losses, squares):
        both = loss(array(said, said), array(1, 0))
        best = loss(array(true, true), array(1, 0))
        assert true * both[0] + (1 - true) * both[1] >= (
            true * best[0] + (1 - true) * best[1] - 1e-12
        )


@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.3, 0.5, 0.64, 0.9]), st.sampled_from([0, 0.5, 1])),
        min_size=2,
        max_size=60,
    )
)
def test_the_parts_of_the_square_make_it(games):
    expected, score = array(*(e for e, _ in games)), array(*(s for _, s in games))
    made = calibration(expected, score)
    assert sum(each.games for each in made.bands) == len(games)
    assert made.reliability - made.resolution + made.uncertainty + made.within == pytest.approx(
        squares(expected, score).mean()
    )
    edges = [(each.least, each.greatest) for each in made.bands]
    assert all(one[1] < other[0] for one, other in pairwise(edges))


def test_a_true_model_is_calibrated():
    chance = np.random.Generator(np.random.PCG64(7))
    expected = chance.uniform(0.05, 0.95, 40_000)
    score = (chance.uniform(size=len(expected)) < expected).astype(float)
    made = calibration(expected, score)
    assert len(made.bands) == 10
    assert all(abs(each.expected - each.scored) < 4 * each.error for each in made.bands)
    off = calibration(np.clip(expected + 0.1, 0, 1), score)
    assert off.reliability > 20 * made.reliability


def test_intervals_hold_the_mean_as_often_as_they_say():
    """Of 200 samples of 60 blocks, each block with a level of its own, 95 % hold 0."""
    chance, held = np.random.Generator(np.random.PCG64(3)), 0
    for number in range(200):
        blocks = np.repeat(np.arange(60), 20)
        values = chance.normal(size=60)[blocks] + chance.normal(size=len(blocks))
        found = interval(values, blocks, draws=300, seed=number)
        held += found.low <= 0 <= found.high
    assert 180 <= held <= 199


def test_the_same_seed_draws_the_same():
    values, blocks = np.arange(100) % 7.0, np.arange(100) // 9
    assert interval(values, blocks, seed=4) == interval(values, blocks, seed=4)
    assert interval(values, blocks, seed=4) != interval(values, blocks, seed=5)
    same = difference(values, values, blocks)
    assert (same.mean, same.low, same.high) == (0, 0, 0)


def test_several_rows_have_the_same_draws():
    """What is drawn again for one is drawn for the others: a sum of rows is the sum of means."""
    chance = np.random.default_rng(4)
    one, other = chance.random((2, 60))
    blocks = np.arange(60) // 3
    alone = interval(one, blocks)
    first, second, both = intervals(np.stack([one, other, one + 1.0]), blocks)
    assert (first.mean, first.low, first.high) == pytest.approx((alone.mean, alone.low, alone.high))
    assert second != first
    assert both.low == pytest.approx(first.low + 1)
