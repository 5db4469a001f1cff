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


def three_ways(layer: Layer, games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.Generator(np.random.PCG64(seed))
    expected = chance.uniform(0.05, 0.95, games)
    made, dice = layer.outcomes(expected), chance.uniform(size=games)
    return expected, np.where(dice < made.win, 1.0, np.where(dice < made.win + made.draw, 0.5, 0.0))


def test_draws_are_found_with_their_intervals():
    """Of 200 samples the 95 % intervals of all three numbers hold what made the games in 95 of 100.

    With 200 samples that is 190, give or take three standard errors of 3.
    """
    true = Layer(0.3, 0.8, 0.7)
    held = np.zeros(3)
    for seed in range(200):
        found = fitted(*three_ways(true, 400, seed))
        assert found.sure is not None
        for at, name in enumerate(("shift", "slope", "nu")):
            within = getattr(found.sure, name)
            held[at] += within.low <= getattr(true, name) <= within.high
    assert (held >= 181).all()
    assert (held <= 199).all()


def test_the_most_likely_nu_is_found():
    """Beside all values in steps of a thousandth, the expected scores being as they are."""
    expected, score = three_ways(Layer(0.3, 0.8, 0.7), 3_000, 7)
    found = fitted(expected, score)

    def loss(nu: float) -> float:
        return float(Layer(found.shift, found.slope, nu).outcomes(expected).log_losses(score).sum())

    tried = np.arange(0.4, 1.1, 0.001)
    best = tried[np.argmin([loss(nu) for nu in tried])]
    assert found.nu == pytest.approx(best, abs=0.001)
    assert found.sure is not None
    assert (found.sure.games, found.sure.draws) == (3_000, int((score == 0.5).sum()))


def test_the_expected_score_and_the_draws_are_right_on_average():
    """In the games in which a layer is found, whatever made them: here draws know no difference."""
    chance = np.random.Generator(np.random.PCG64(3))
    expected = chance.uniform(0.1, 0.9, 20_000)
    score = np.where(chance.uniform(size=20_000) < expected, 1.0, 0.0)
    score[chance.uniform(size=20_000) < 0.3] = 0.5
    found = fitted(expected, score)
    made = found.outcomes(expected)
    assert made.expected.mean() == pytest.approx(score.mean(), abs=1e-9)
    assert made.draw.mean() == pytest.approx((score == 0.5).mean(), abs=0.002)


def test_games_of_one_block_are_one_witness():
    """Each game ten times over says no more than once; a single block says nothing of chance."""
    expected, score = three_ways(Layer(0.3, 0.8, 0.7), 500, 8)
    once = fitted(expected, score)
    again = fitted(np.tile(expected, 10), np.tile(score, 10), np.tile(np.arange(500), 10))
    assert (again.shift, again.nu) == pytest.approx((once.shift, once.nu))
    assert once.sure is not None
    assert again.sure is not None
    assert again.sure.nu.high == pytest.approx(once.sure.nu.high)
    alone = fitted(expected, score, np.zeros(500, int)).sure
    assert alone is not None
    assert not alone.nu.is_known


@pytest.mark.parametrize("gap", [0.3, 0.001])
def test_favourites_who_win_every_game(gap: float):
    """No slope is the best; one is found that is as good as the loss can tell."""
    expected = np.repeat([0.5 - gap, 0.5 + gap], 100)
    found = fitted(expected, np.repeat([0.0, 1.0], 100))
    assert np.isfinite([found.shift, found.slope]).all()
    assert found.nu == 0
    assert log_losses(found.on(expected), np.repeat([0.0, 1.0], 100)).mean() < 0.01
    assert np.isfinite(found.outcomes(np.array([0.0, 0.5, 1.0])).draw).all()


def test_too_few_games_find_nothing():
    expected, score = drawn(Layer(1.0, 1.0), 99, 1)
    assert fitted(expected, score) == Layer()
    assert fitted(expected, score).sure is None
    assert fitted(np.full(200, 0.7), np.ones(200)) == Layer()
    assert Layer().on(expected) == pytest.approx(expected)
    assert logit(np.array([0.0]))[0] == pytest.approx(-6.906754778648553)
