"""Glicko-2: the paper's example, idle periods, and the public checks."""

import math

import pytest

from rating_models import glicko_2
from rating_models.glicko_2.rules import SCALE, Parameters, grown
from rating_models.glicko_2.volatility import iterated, slope
from ratingbook.checks import Check, checks_of
from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from

CHECKS = [each for each in checks_of(glicko_2, examples=10) if not each.name.endswith("compiled")]


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_it_holds_what_every_rule_book_must(check: Check) -> None:
    """Compiled, it is tried by `make exhaustive`."""
    check()


def test_the_example_of_the_paper() -> None:
    """1464.06, 151.52 and 0.05999; the paper rounds v and Δ on the way, hence a hundredth."""
    report = report_from(glicko_2.text.examples[0].document, glicko_2.standing_fields)
    row = next(each.row for each in rate(report, glicko_2).rows if each.row.id == "A")
    assert row.after == pytest.approx(1464.06, abs=0.011)
    assert row.standing.extra["deviation"] == pytest.approx(151.52, abs=0.005)
    assert row.standing.extra["volatility"] == pytest.approx(0.05999, abs=1e-5)


def test_the_example_in_40_digits() -> None:
    """v, Δ and σ' by decimals of 40 digits and a bisection, r' = 1464.0506705390892510."""
    found = iterated(0.06, -0.4839332609836551, 200 / SCALE, 1.7789770897239978, 0.5)
    assert found == pytest.approx(0.0599959844006778, abs=1e-9)


@pytest.mark.parametrize("sigma", [0.01, 0.06, 0.3])
@pytest.mark.parametrize("delta", [0.0, 0.5, 3.0, 6.0])
@pytest.mark.parametrize("tau", [0.2, 0.5, 1.2])
def test_the_new_volatility_is_a_root(sigma: float, delta: float, tau: float) -> None:
    """By a bisection of f: above the start of the search where Δ is great, else below it."""
    phi, v = 0.8, 1.5
    a = math.log(sigma * sigma)
    low, high = a - 60.0, a + 60.0
    for _ in range(200):
        middle = (low + high) / 2
        if slope(middle, delta, phi, v, a, tau) > 0:
            low = middle
        else:
            high = middle
    assert iterated(sigma, delta, phi, v, tau) == pytest.approx(math.exp(low / 2), rel=1e-6)


def test_a_period_without_a_game() -> None:
    """√(50² + 30 · (173.7178 · 0.06)²) = √(2500 + 3259.2103) = 75.8895."""
    assert grown(50.0, 0.06, 30, Parameters()) == pytest.approx(75.8895, abs=5e-5)
