"""Win, draw and loss: Davidson's model by hand, by its two roads, and scores by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ratingbook.lab.bradley_terry import Parameters, fitted, probabilities
from ratingbook.lab.layer import Layer
from ratingbook.lab.layer import fitted as layer_of
from ratingbook.lab.outcomes import Outcomes, of_difference, of_expected
from tests.lab.test_bradley_terry import pairings


def test_davidson_by_hand():
    """Strengths 4 and 1 and ν ½: odds of 4 : ½ · √4 : 1, so that of six games four are won."""
    made = of_difference(np.array([np.log(4.0)]), 0.5)
    assert [made.win[0], made.draw[0], made.loss[0]] == pytest.approx([4 / 6, 1 / 6, 1 / 6])
    assert made.expected == pytest.approx([0.75])
    assert of_expected(np.array([0.75]), 0.5).draw == pytest.approx([1 / 6])


def test_even_sides_draw_nu_of_two_and_nu():
    assert of_expected(np.array([0.5]), 0.7).draw == pytest.approx([0.7 / 2.7])
    assert Layer(nu=0.7).outcomes(np.array([0.5])).draw == pytest.approx([0.7 / 2.7])


def test_with_nu_two_a_game_is_two_half_games():
    """win : draw : loss = p² : 2 p q : q², the law of Hardy and Weinberg."""
    p = np.linspace(0, 1, 11)
    made = of_expected(p, 2.0)
    assert made.win == pytest.approx(p**2)
    assert made.draw == pytest.approx(2 * p * (1 - p))


@pytest.mark.parametrize("nu", [0.0, 1e-6, 0.3, 1.0, 2.0, 5.0, 1e4])
def test_the_expected_score_says_the_same_as_the_difference(nu: float):
    d = np.linspace(-12, 12, 201)
    one = of_difference(d, nu)
    other = of_expected(one.expected, nu)
    for name in ("win", "draw", "loss"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-11)
    assert (other.win >= 0).all()
    assert (other.loss >= 0).all()


def test_certain_games_are_not_drawn_and_unknown_ones_unknown():
    made = of_expected(np.array([0.0, 1.0, np.nan]), 0.9)
    assert made.draw[:2].tolist() == [0, 0]
    assert np.isnan(made.draw[2])
    assert np.isnan(of_expected(np.array([np.nan]), 0.0).draw[0])


def test_a_layer_on_bradley_terry_has_its_draws():
    """On the abilities of Bradley and Terry's model the layer finds its ν, and changes nothing."""
    chance = np.random.default_rng(4)
    true = np.array([0.8, 0.3, 0.0, -0.4, -0.7])
    rows = []
    for white in range(5):
        for black in range(5):
            if white != black:
                made = of_difference(true[[white]] - true[[black]] + 0.3, 0.8)
                odds = [made.win[0], made.draw[0], made.loss[0]]
                rows.append((white, black, *chance.multinomial(4000, odds).tolist()))
    given = pairings(rows, 5)
    found = fitted(given, np.zeros(7), Parameters(prior=0.001))
    own = probabilities(given, found, Parameters())
    counts = np.array(rows)[:, 2:].astype(int)
    score = np.concatenate([np.repeat([1, 0.5, 0], each) for each in counts])
    layer = layer_of(np.repeat(own.expected, counts.sum(axis=1)), score)
    assert (layer.shift, layer.slope) == pytest.approx((0, 1), abs=2e-3)
    assert layer.nu == pytest.approx(np.exp(found[-1]), abs=2e-3)
    assert layer.outcomes(own.expected).draw == pytest.approx(own.draw, abs=1e-3)


def test_scores_by_hand():
    """Half a win, three tenths a draw, a fifth a loss, once each."""
    made = Outcomes(np.full(3, 0.65), np.full(3, 0.3))
    score = np.array([1.0, 0.5, 0.0])
    assert made.log_losses(score) == pytest.approx(-np.log([0.5, 0.3, 0.2]))
    assert made.squares(score) == pytest.approx([0.38, 0.78, 0.98])
    # Of Black's share 0.2, and of what is no win of White, 0.5: each beside what happened.
    assert made.ranked(score) == pytest.approx(
        [(0.2**2 + 0.5**2) / 2, (0.2**2 + 0.5**2) / 2, (0.8**2 + 0.5**2) / 2]
    )
    assert (Outcomes(np.ones(1), np.zeros(1)).log_losses(np.array([0.5])) == -np.log(0.001)).all()
