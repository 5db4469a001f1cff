"""The special rating of US Chess against exact rational arithmetic, on random cases.

``python benchmarks/check_uscf_special.py [--cases N] [--seed N]``

``exact_root`` follows the definition and shares no code with the package: f is asked
at every knot in fractions, both ends of the set where it is 0 are found, and the point
nearest to R0 is taken.  The cases are full of ties: few different ratings, whole and
half N', full scores and none, players who won or lost all their games before.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ratingbook.rules.uscf.provisional import Prior, adjusted_score
from ratingbook.rules.uscf.special import special_root

CLOSE = 1e-9
"""Points by which a float may be off."""
FAR = Fraction(10**6)
"""An end that is not there."""


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


def random_cases(count: int, seed: int) -> Iterator[Case]:
    """Cases of three kinds: whole ratings, few of them far apart, and decimals."""
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


def exact_root(case: Case) -> tuple[Fraction, bool]:
    """The point of the set {f = 0} that is nearest to R0, and whether the set is an interval."""
    prior = Fraction(case.prior.rating)
    effective = Fraction(case.prior.games)
    opponents = [Fraction(opponent) for opponent in case.opponents]
    target = Fraction(case.half_points, 2) + Fraction(case.prior.share) * effective

    def f(rating: Fraction) -> Fraction:
        total = effective * pwe(rating, prior)
        return total + sum(pwe(rating, opponent) for opponent in opponents) - target

    centres = [*opponents, prior] if effective else opponents
    knots = sorted({centre + reach for centre in centres for reach in (-400, 400)})
    values = [f(knot) for knot in knots]
    low, high = -FAR, FAR
    for n, value in enumerate(values):
        if value < 0:
            low = knots[n]
            if n + 1 < len(knots) and values[n + 1] > value:
                low = knots[n] - value * (knots[n + 1] - knots[n]) / (values[n + 1] - value)
        if value > 0:
            high = knots[n]
            if n > 0 and values[n - 1] < value:
                high = knots[n] - value * (knots[n] - knots[n - 1]) / (value - values[n - 1])
            break
    nearest = min(max(Fraction(case.rating), low), high)
    return nearest, high > low


def pwe(rating: Fraction, opponent: Fraction) -> Fraction:
    """The provisional winning expectancy."""
    return min(Fraction(1), max(Fraction(0), Fraction(1, 2) + (rating - opponent) / 800))


@dataclass
class Result:
    """What a run of the check found."""

    cases: int = 0
    intervals: int = 0
    worst: float = 0.0
    wrong: tuple[Case, ...] = ()


def check(cases: Sequence[Case] | Iterator[Case]) -> Result:
    """Compare all cases."""
    result = Result()
    for case in cases:
        exact, is_interval = exact_root(case)
        off = abs(float(Fraction(case.root) - exact))
        result.cases += 1
        result.intervals += is_interval
        result.worst = max(result.worst, off)
        if off > CLOSE:
            result.wrong = (*result.wrong, case)
    return result


def main() -> int:
    """Print what came out; 1 if a case is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2011)
    options = parser.parse_args()
    result = check(random_cases(options.cases, options.seed))
    print(
        f"{result.cases} cases, {result.intervals} of them with an interval of ratings that fit: "
        f"{len(result.wrong)} wrong, worst difference {result.worst:.1e}"
    )
    for case in result.wrong[:5]:
        print(f"  {case}: {case.root}, exactly {float(exact_root(case)[0])}")
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
