"""Section 2.2, steps 1 to 4: the iteration for the special rating, as it is printed.

It is kept for comparison (``start=printed``, ``start=office``); the edition takes the
exact root of :mod:`.special`.  Two things of the print matter where several ratings
fit: it begins at M, not at R0', and it counts R0' ± 400 among the knots even if N' = 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, HalfPoints
from ratingbook.rules.uscf.columns import Parameters, Start
from ratingbook.rules.uscf.provisional import REACH, Prior, expectancy

EPSILON = 1e-7
"""ε of the text; also what is forgiven where |M − Ri| is compared with 400."""


@paragraph(
    "2.2.1", "first estimate M = (N' R0' + sum of Ri + 400 × (2 S − m)) / (N' + m) = {value}"
)
def first_estimate(opponents: Sequence[float], score: HalfPoints, prior: Prior) -> FloatRating:
    """2.2, 1: M = (N' R0' + Σ Ri + 400 (2S − m)) / (N' + m)."""
    games = len(opponents)
    total = prior.games * prior.rating
    for opponent in opponents:
        total += opponent
    return (total + REACH * (score - games)) / (prior.games + games)


def balance(rating: float, opponents: Sequence[float], prior: Prior, target: float) -> float:
    """f(R) = N' PWe(R, R0') + Σ PWe(R, Ri) − S'."""
    total = prior.games * expectancy(rating, prior.rating)
    for opponent in opponents:
        total += expectancy(rating, opponent)
    return total - target


def knots_of(opponents: Sequence[float], prior: Prior) -> Sequence[float]:
    """S_z: R0' and all Ri, less and more 400, in order."""
    knots = [prior.rating - REACH, prior.rating + REACH]
    for opponent in opponents:
        knots.append(opponent - REACH)
        knots.append(opponent + REACH)
    return sorted(knots)


def knot_below(rating: float, knots: Sequence[float]) -> int:
    """Index of the largest knot below a rating; −1 without one."""
    place = -1
    while place + 1 < len(knots) and knots[place + 1] < rating:
        place += 1
    return place


def knot_above(rating: float, knots: Sequence[float]) -> int:
    """Index of the smallest knot above a rating; the number of knots without one."""
    place = len(knots)
    while place > 0 and knots[place - 1] > rating:
        place -= 1
    return place


@paragraph(
    "2.2.2",
    "f(M) = {above} > 0 at M = {estimate}; the knot below is z = {knot}, f(z) = {at_knot}; down by "
    "f(M) × (M − z) / (f(M) − f(z)), or to z if that is level or lower: M = {value}",
)
def step_down(
    estimate: FloatRating, above: float, knot: FloatRating, at_knot: float
) -> FloatRating:
    """2.2, 2: down to the zero of the line through f(M) = ``above`` and f(z_a), or to z_a."""
    if abs(above - at_knot) < EPSILON:
        return knot
    return max(knot, estimate - above * (estimate - knot) / (above - at_knot))


@paragraph(
    "2.2.3",
    "f(M) = {below} < 0 at M = {estimate}; the knot above is z = {knot}, f(z) = {at_knot}; up by "
    "−f(M) × (z − M) / (f(z) − f(M)), or to z if that is level or higher: M = {value}",
)
def step_up(estimate: FloatRating, below: float, knot: FloatRating, at_knot: float) -> FloatRating:
    """2.2, 3: up to the zero of the line through f(M) = ``below`` and f(z_b), or to z_b."""
    if abs(at_knot - below) < EPSILON:
        return knot
    return min(knot, estimate - below * (knot - estimate) / (at_knot - below))


@paragraph("2.2.4", "nobody within 400 points of M = {estimate}; from R0 = {rating}: {value}")
def step_tie(estimate: FloatRating, rating: FloatRating, knots: Sequence[float]) -> FloatRating:
    """2.2, 4(b): R0 between the knots around M, or the knot on its side.

    Where there is no knot on a side, nothing bounds R0 there (the text says nothing).
    """
    below, above = knot_below(estimate, knots), knot_above(estimate, knots)
    if below >= 0 and rating < knots[below]:
        return knots[below]
    if above < len(knots) and rating > knots[above]:
        return knots[above]
    return rating


def is_near_somebody(estimate: float, opponents: Sequence[float], prior: Prior) -> bool:
    """2.2, 4: whether R0' or an opponent is within 400 points."""
    near = abs(estimate - prior.rating) <= REACH + EPSILON
    for opponent in opponents:
        near = near or abs(estimate - opponent) <= REACH + EPSILON
    return near


def printed_iteration(
    opponents: Sequence[float],
    half_points: int,
    prior: Prior,
    target: float,
    rating: float,
    p: Parameters,
) -> float:
    """2.2, 1 to 4; ``rating`` is R0. The opponents are sorted, so that sums have one order."""
    ratings = sorted(opponents)
    knots = knots_of(ratings, prior)
    estimate = prior.rating
    if p.start == Start.PRINTED:
        estimate = first_estimate(ratings, half_points, prior)
    now = balance(estimate, ratings, prior, target)
    while now > EPSILON:
        knot = knots[knot_below(estimate, knots)]
        estimate = step_down(estimate, now, knot, balance(knot, ratings, prior, target))
        now = balance(estimate, ratings, prior, target)
    while now < -EPSILON:
        knot = knots[knot_above(estimate, knots)]
        estimate = step_up(estimate, now, knot, balance(knot, ratings, prior, target))
        now = balance(estimate, ratings, prior, target)
    if is_near_somebody(estimate, ratings, prior):
        return estimate
    return step_tie(estimate, rating, knots)
