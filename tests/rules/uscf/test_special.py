"""The special formula: exact, free of order, and never against a better score."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.rules.uscf.columns import Parameters, Start
from ratingbook.rules.uscf.printed import printed_iteration, step_tie
from ratingbook.rules.uscf.provisional import Prior, adjusted_score, expectancy
from ratingbook.rules.uscf.special import special_root
from tools.differential.common import CONTEXT
from tools.differential.uscf_text import nearest_root

SOME = 4_000
CLOSE = Decimal("1e-10")
FAR = Decimal(10**6)
P = Parameters()


@dataclass(frozen=True)
class Case:
    """A player with a prior rating, opponents, and the score against them."""

    rating: float
    prior: Prior
    opponents: tuple[float, ...]
    half_points: int

    @property
    def root(self) -> float:
        """The special rating of the package."""
        target = adjusted_score(self.half_points, self.prior)
        return special_root(self.opponents, self.half_points, self.prior, target, self.rating)

    def exact(self, near: Decimal) -> Decimal:
        """By the text, in decimals: the point nearest to ``near`` of all where f is 0."""
        effective = Decimal(self.prior.games)
        terms = [(Decimal(opponent), Decimal(1)) for opponent in self.opponents]
        if effective:
            terms.append((Decimal(self.prior.rating), effective))
        with localcontext(CONTEXT):
            wanted = Decimal(self.half_points) / 2 + Decimal(self.prior.share) * effective
            return nearest_root(terms, wanted, near)


def random_cases(count: int, seed: int) -> Iterator[Case]:
    """Cases full of ties: whole ratings, few of them far apart, and decimals."""
    chance = random.Random(seed)
    for _ in range(count):
        kind = chance.choice(("whole", "steps", "decimals"))
        games = chance.randint(1, 8)

        def rating(kind: str = kind) -> float:
            if kind == "whole":
                return float(chance.randint(100, 2800))
            if kind == "steps":
                return float(chance.choice((400, 800, 1200, 1300, 1600, 2000, 2400)))
            return chance.uniform(100.0, 2800.0)

        opponents = tuple(rating() for _ in range(games))
        half_points = chance.choice((0, 2 * games, *(chance.randint(0, 2 * games),) * 4))
        own, share = rating(), chance.choice((0.5, 0.5, 0.5, 1.0, 0.0))
        effective = chance.choice((0.0, 1.0, float(chance.randint(1, 10)), chance.uniform(0, 20)))
        if effective == 0.0:
            share = 0.5
        at = own + {0.5: 0.0, 1.0: -400.0, 0.0: 400.0}[share]
        yield Case(own, Prior(at, effective, share), opponents, half_points)


def test_exact_arithmetic_agrees():
    intervals = 0
    for case in random_cases(SOME, seed=7):
        assert abs(Decimal(case.root) - case.exact(Decimal(case.rating))) < CLOSE, case
        intervals += case.exact(FAR) > case.exact(-FAR)
    assert intervals > SOME // 10


def test_bisection_agrees(text_of_2011: Any):
    history = {0.5: "mixed", 1.0: "wins", 0.0: "losses"}
    for case in random_cases(1_500, seed=8):
        found = text_of_2011.special(
            case.rating,
            case.prior.games,
            history[case.prior.share],
            case.opponents,
            case.half_points / 2,
        )
        assert min(2700.0, case.root) == pytest.approx(found, abs=1e-6), case


def test_the_iteration_of_the_office_comes_to_the_nearest_point():
    """Begun at R0', the printed steps end where the exact root is."""
    p = P._replace(start=Start.OFFICE)
    for case in random_cases(SOME, seed=9):
        target = adjusted_score(case.half_points, case.prior)
        found = printed_iteration(
            case.opponents, case.half_points, case.prior, target, case.rating, p
        )
        # ε of the print is 10⁻⁷ of a point; where f is nearly level that is more of a rating.
        assert found == pytest.approx(case.root, abs=1e-3), case


def test_the_printed_start_does_not():
    """Of players without games a few in a hundred get another rating."""
    p = P._replace(start=Start.PRINTED)
    differ = total = 0
    for case in random_cases(SOME, seed=10):
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


def test_a_full_score_without_a_past():
    """All ratings from 400 above the best opponent on fit; R0 beyond that stays."""
    case = Case(1300.0, Prior(1300.0, 0.0, 0.5), (400.0,) * 4, 8)
    assert case.root == 1300.0
    assert replace(case, rating=700.0).root == 800.0


def test_no_score_without_a_past():
    case = Case(750.0, Prior(750.0, 0.0, 0.5), (1500.0, 1600.0, 1700.0), 0)
    assert case.root == 750.0
    assert replace(case, rating=1200.0).root == 1100.0


@pytest.mark.parametrize(
    ("rating", "value"), [(1400, 1450), (1500, 1500), (1600, 1550)], ids=["below", "in", "above"]
)
def test_a_tie_stays_between_the_knots_beside_it(rating, value):
    """Section 2.2, step 4 b; where no knot is on that side, nothing bounds it."""
    assert step_tie(1500, rating, [1450, 1550]) == value
    assert step_tie(1500, rating, []) == rating
