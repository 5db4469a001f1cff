"""Section 2.2: the special rating, exactly.

The expected score against each opponent is a straight line between 400 points below
and 400 above him, and level outside.  So their sum is a line with bends (the knots of
the text), and the special rating is where it comes to S': one division, no iteration.
Where the sum is level at S' a whole interval of ratings fits, and the one nearest to R0
is taken (reading U1).  The iteration that the text prints is in :mod:`.printed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating
from ratingbook.rules.uscf.columns import (
    EffectiveGames,
    FloatScore,
    Parameters,
    Side,
    Stage,
    Standing,
    Start,
    stage_name,
)
from ratingbook.rules.uscf.printed import printed_iteration
from ratingbook.rules.uscf.provisional import (
    REACH,
    Prior,
    adjusted_score,
    prior_expectancy,
    prior_of,
    provisional_winning_expectancy,
)


@paragraph(
    "2.2", "f(R) = 0 at every rating from {low} to {high}; nearest to R0 = {rating}: {value}"
)
def nearest_between(rating: FloatRating, low: FloatRating, high: FloatRating) -> FloatRating:
    """2.2, 4(b): the rating nearest to R0 where all from ``low`` to ``high`` fit."""
    return min(max(rating, low), high)


@paragraph("2.2", "f(R) = 0 at every rating from {low} on; nearest to R0 = {rating}: {value}")
def nearest_above(rating: FloatRating, low: FloatRating) -> FloatRating:
    """2.2, 4(b): the same where all ratings from ``low`` on fit (a full score)."""
    return max(rating, low)


@paragraph("2.2", "f(R) = 0 at every rating up to {high}; nearest to R0 = {rating}: {value}")
def nearest_below(rating: FloatRating, high: FloatRating) -> FloatRating:
    """2.2, 4(b): the same where all ratings up to ``high`` fit (a score of zero)."""
    return min(rating, high)


class Line(NamedTuple):
    """One straight line of f, where 800 · f(R) = ``weight`` · R − ``total``."""

    total: FloatRating
    """Σ (Ri − 400) over the opponents within 400 points, and 800 times ``score``."""
    weight: EffectiveGames
    """Games against opponents within 400 points, N' for those before the event."""
    ratings: FloatRating
    """The sum of those opponents' ratings; R0' counts N' times."""
    score: FloatScore
    """S' less the games against weaker opponents, which count 1 each."""


@paragraph(
    "2.2",
    "within 400 points: games {line.weight}, sum of ratings {line.ratings}, part of S' "
    "{line.score}; f(R) = 0 at ({line.ratings} + 400 × (2 × {line.score} − {line.weight})) / "
    "{line.weight} = {line.total} / {line.weight} = {value}",
)
def crossing(line: Line) -> FloatRating:
    """2.2: the zero of f on one straight line.

    With everybody within 400 points this is the first estimate that the text prints.
    """
    return line.total / line.weight


def level_remainder(below: int, prior_is_below: bool, half_points: int, prior: Prior) -> float:
    """S' less the sum of expected scores where it is level, ``below`` games counting 1 each.

    It is exact: N', which may be irrational, is multiplied just once, by −1, −½, 0, ½ or 1.
    """
    if prior_is_below:
        return half_points / 2.0 - (below - 1) + (prior.share - 1.0) * prior.games
    return half_points / 2.0 - below + prior.share * prior.games


def special_root(
    opponents: Sequence[float], half_points: int, prior: Prior, target: float, rating: float
) -> float:
    """The zero of f that is nearest to R0 = ``rating``; free of the order of the opponents.

    ``half_points`` is the score S of the event, ``target`` is S'.
    """
    ratings = sorted(opponents)
    own = -1
    if prior.games > 0.0:
        own = 0
        while own < len(ratings) and ratings[own] < prior.rating:
            own += 1
        ratings.insert(own, prior.rating)
    count = len(ratings)
    for below in range(count + 1):
        if 0 < below < count and ratings[below - 1] + REACH > ratings[below] - REACH:
            continue
        if level_remainder(below, 0 <= own < below, half_points, prior) == 0.0:
            if below == 0:
                return nearest_below(rating, ratings[0] - REACH)
            if below == count:
                return nearest_above(rating, ratings[count - 1] + REACH)
            return nearest_between(rating, ratings[below - 1] + REACH, ratings[below] - REACH)
    return rising_root(ratings, own, prior.games, target)


def rising_root(ratings: Sequence[float], own: int, games: float, target: float) -> float:
    """The zero of f where f rises; ``ratings[own]`` is R0', which counts ``games`` times.

    The lines are passed upwards; the first whose zero lies before its end has it.
    """
    count = len(ratings)
    below = 0
    begun = 0
    low = ratings[0] - REACH
    counted = 0.0
    while below < count:
        if below == begun:
            low = ratings[below] - REACH
        while begun < count and ratings[begun] - REACH <= low:
            begun += 1
        high = ratings[below] + REACH
        if begun < count:
            high = min(high, ratings[begun] - REACH)
        total = 800.0 * (target - counted)
        weight = 0.0
        together = 0.0
        for place in range(below, begun):
            share = games if place == own else 1.0
            total += share * (ratings[place] - REACH)
            weight += share
            together += share * ratings[place]
        if total <= weight * high:
            return max(low, crossing(Line(total, weight, together, target - counted)))
        low = high
        while below < begun and ratings[below] + REACH <= low:
            counted += games if below == own else 1.0
            below += 1
    return low


@paragraph("2.2", "{rating} is above the cap of the special formula: {value}")
def capped_special(rating: FloatRating, p: Parameters) -> FloatRating:
    """2.2: a special rating of more than 2700 is changed to 2700."""
    return min(rating, p.special_cap)


@paragraph("2.2", "check: sum of PWe = {games} {prior:sum} (earlier games) = {value} = S'")
def sum_of_expectancies(games: FloatScore, prior: FloatScore) -> FloatScore:
    """2.2: f(R) = 0, for the games of the event and the N' games before it."""
    return games + prior


def special_rating(
    standing: Standing,
    sides: Sequence[Side],
    effective: float,
    p: Parameters,
    stage: Stage = Stage.STEP_4,
) -> float:
    """2.2 as a whole; ``effective`` is N', which Step 3 sets to 1."""
    score = 0
    for side in sides:
        score += side.score
    prior = prior_of(standing.rating, effective, standing.previous)
    target = adjusted_score(score, prior)
    opponents = [side.opponent for side in sides]
    if p.start == Start.NEAREST:
        rating = special_root(opponents, score, prior, target, standing.rating)
    else:
        rating = printed_iteration(opponents, score, prior, target, standing.rating, p)
    expected = 0.0
    name = stage_name(stage)
    for side in sides:
        expected += provisional_winning_expectancy(side, rating, name)
    expected_before = 0.0
    if prior.games > 0.0:
        expected_before = prior_expectancy(prior, rating)
    sum_of_expectancies(expected, expected_before)
    if rating > p.special_cap:
        rating = capped_special(rating, p)
    return rating
