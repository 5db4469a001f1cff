"""The special formula: exact, free of order, and never against a better score."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.rules.uscf.columns import Parameters, Start
from ratingbook.rules.uscf.printed import printed_iteration
from ratingbook.rules.uscf.provisional import Prior, adjusted_score, expectancy
from ratingbook.rules.uscf.special import special_root

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "check_uscf_special.py"
SOME = 4_000
P = Parameters()


@pytest.fixture(scope="module")
def check() -> Iterator[ModuleType]:
    """The check against rational arithmetic as a module; it runs with 100,000 cases by itself."""
    name = "benchmark_check_uscf_special"
    spec = importlib.util.spec_from_file_location(name, SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


def test_exact_rational_arithmetic_agrees(check: ModuleType):
    result = check.check(check.random_cases(SOME, seed=7))
    assert result.cases == SOME
    assert result.intervals > SOME // 10
    assert not result.wrong, result.wrong[0]
    assert result.worst < 1e-10


def test_bisection_agrees(check: ModuleType, text_of_2011: Any):
    history = {0.5: "mixed", 1.0: "wins", 0.0: "losses"}
    for case in check.random_cases(1_500, seed=8):
        found = text_of_2011.special(
            case.rating,
            case.prior.games,
            history[case.prior.share],
            case.opponents,
            case.half_points / 2,
        )
        assert min(2700.0, case.root) == pytest.approx(found, abs=1e-6), case


def test_the_iteration_of_the_office_comes_to_the_nearest_point(check: ModuleType):
    """Begun at R0', the printed steps end where the exact root is."""
    p = P._replace(start=Start.OFFICE)
    for case in check.random_cases(SOME, seed=9):
        target = adjusted_score(case.half_points, case.prior)
        found = printed_iteration(
            case.opponents, case.half_points, case.prior, target, case.rating, p
        )
        # ε of the print is 10⁻⁷ of a point; where f is nearly level that is more of a rating.
        assert found == pytest.approx(case.root, abs=1e-3), case


def test_the_printed_start_does_not(check: ModuleType):
    """Of players without games a few in a hundred get another rating."""
    p = P._replace(start=Start.PRINTED)
    differ = total = 0
    for case in check.random_cases(SOME, seed=10):
        if case.prior.games:
            continue
        target = adjusted_score(case.half_points, case.prior)
        found = printed_iteration(
            case.opponents, case.half_points, case.prior, target, case.rating, p
        )
        total += 1
        differ += abs(found - case.root) > 1e-3
    assert 0.02 < differ / total < 0.5


RATING = st.sampled_from([400.0, 1200.0, 1300.0, 1600.0]) | st.floats(100.0, 2800.0)


@given(
    opponents=st.lists(RATING, min_size=1, max_size=8),
    own=RATING,
    games=st.sampled_from([0.0, 1.0, 5.0, 8.0]) | st.floats(0.0, 50.0),
    half_points=st.integers(0, 15),
    chance=st.randoms(use_true_random=False),
)
@settings(max_examples=300, deadline=None)
def test_order_and_better_scores(opponents, own, games, half_points, chance):
    """The order of the opponents changes nothing, and half a point more never lowers."""
    half_points = min(half_points, 2 * len(opponents) - 1)
    prior = Prior(own, games, 0.5)

    def root(of: list[float], score: int) -> float:
        return special_root(of, score, prior, adjusted_score(score, prior), own)

    found = root(opponents, half_points)
    assert root(chance.sample(opponents, len(opponents)), half_points) == found
    assert root(opponents, half_points + 1) >= found


@given(own=RATING, opponent=RATING)
def test_expectancies_of_a_game_add_to_one(own, opponent):
    both = expectancy(own, opponent) + expectancy(opponent, own)
    assert both == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("difference", "value"),
    [(-401, 0), (-400, 0), (-200, 0.25), (0, 0.5), (399, 0.99875), (400, 1)],
)
def test_the_restored_signs_join_at_400(difference, value):
    assert expectancy(1500.0 + difference, 1500.0) == value


def test_a_full_score_without_a_past(check: ModuleType):
    """All ratings from 400 above the best opponent on fit; R0 beyond that stays."""
    case = check.Case(1300.0, Prior(1300.0, 0.0, 0.5), (400.0,) * 4, 8)
    assert case.root == 1300.0
    assert replace(case, rating=700.0).root == 800.0


def test_no_score_without_a_past(check: ModuleType):
    case = check.Case(750.0, Prior(750.0, 0.0, 0.5), (1500.0, 1600.0, 1700.0), 0)
    assert case.root == 750.0
    assert replace(case, rating=1200.0).root == 1100.0
