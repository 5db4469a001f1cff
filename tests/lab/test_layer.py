"""A layer finds what made the results, and changes nothing where there is nothing to find."""

from __future__ import annotations

import numpy as np
import pytest

from ratingbook.lab.layer import Layer, fitted, logit
from ratingbook.lab.scores import log_losses


def drawn(layer: Layer, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.Generator(np.random.PCG64(seed))
    expected = chance.uniform(0.05, 0.95, count)
    score = (chance.uniform(size=count) < layer.on(expected)).astype(float)
    return expected, score


@pytest.mark.parametrize("true", [Layer(), Layer(0.4, 1.0), Layer(-0.2, 0.7)])
def test_what_made_the_results_is_found(true: Layer):
    """Within four standard errors of 60,000 games, which are below 0.012 here."""
    found = fitted(*drawn(true, 60_000, 5))
    assert found.shift == pytest.approx(true.shift, abs=0.05)
    assert found.slope == pytest.approx(true.slope, abs=0.05)


def test_it_is_the_least_loss_of_its_games():
    expected, score = drawn(Layer(0.3, 0.8), 2_000, 9)
    found = fitted(expected, score)
    best = log_losses(found.on(expected), score).mean()
    for shift, slope in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
        other = Layer(found.shift + shift, found.slope + slope)
        assert log_losses(other.on(expected), score).mean() > best


def test_by_hand():
    """With E = ½ everywhere, White's mean score of 0.6 is a shift of ln 1.5."""
    expected, score = np.full(500, 0.5), np.repeat([1.0, 0.0], [300, 200])
    found = fitted(expected, score)
    assert found.shift == pytest.approx(np.log(1.5))
    assert found.on(expected)[0] == pytest.approx(0.6)


def test_too_few_games_find_nothing():
    expected, score = drawn(Layer(1.0, 1.0), 99, 1)
    assert fitted(expected, score) == Layer()
    assert fitted(np.full(200, 0.7), np.ones(200)) == Layer()
    assert Layer().on(expected) == pytest.approx(expected)
    assert logit(np.array([0.0]))[0] == pytest.approx(-6.906754778648553)
