"""Bradley–Terry by maximum likelihood: by hand, beside an optimiser, and never looking ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ratingbook.engine.history.columns import GameColumns
from ratingbook.lab.bradley_terry import (
    SETTINGS,
    Pairings,
    Parameters,
    Ties,
    fitted,
    predictions,
    probabilities,
)
from ratingbook.rules.settings import ParameterError

Array = np.ndarray[Any, Any]


def pairings(rows: Sequence[Sequence[float]], players: int) -> Pairings:
    """White, Black, wins, draws and losses."""
    table = np.array(rows, dtype=float)
    white, black = table[:, :2].T.astype(int)
    wins, draws, losses = table[:, 2:].T
    return Pairings(
        white, black, np.ones((1, len(rows))), wins + draws + losses, wins + draws / 2, draws,
        players,
    )  # fmt: skip


def test_two_players_by_hand():
    """A wins 9 of 12 with either side, and has drawn once with a middling player beforehand.

    By symmetry B's strength is −θ and White's side is worth nothing, so that θ is the root of
    24 · (3/4 − 1 / (1 + e^(−2θ))) = 1 / (1 + e^(−θ)) − 1/2.
    """
    half = Parameters(ties=Ties.HALF)
    found = fitted(pairings([(0, 1, 9, 0, 3), (1, 0, 3, 0, 9)], 2), np.zeros(4), half)
    theta = 0.5
    for _ in range(200):
        e, even = 1 / (1 + np.exp(-2 * theta)), 1 / (1 + np.exp(-theta))
        theta += 0.05 * (24 * (0.75 - e) - (even - 0.5))
    assert found[:3] == pytest.approx([theta, -theta, 0], abs=1e-6)


def test_draws_by_hand():
    """Of 30 even games 10 were drawn, and one of two beforehand: ν / (2 + ν) = 11 / 32."""
    found = fitted(pairings([(0, 1, 10, 10, 10)], 2), np.zeros(4), Parameters())
    made = probabilities(pairings([(0, 1, 0, 1, 0)], 2), found, Parameters())
    assert made.expected == pytest.approx([0.5])
    assert made.draw == pytest.approx([11 / 32])
    assert np.exp(found[-1]) == pytest.approx(22 / 21)


def test_an_optimiser_finds_the_same():
    """The likelihood, written out game by game, by differences of values."""
    chance = np.random.default_rng(5)
    rows = [
        (int(white), int(black), *chance.integers(0, 4, 3).tolist())
        for white, black in (chance.choice(5, 2, replace=False) for _ in range(25))
    ]
    given, p = pairings(rows, 5), Parameters(prior=0.7)
    found = fitted(given, np.zeros(7), p)

    def value(x: Array) -> float:
        nu, sum_ = np.exp(x[6]), 0.0
        for white, black, wins, draws, losses in rows:
            d = x[white] - x[black] + x[5]
            all_ = np.exp(d / 2) + np.exp(-d / 2) + nu
            sum_ += wins * (d / 2 - np.log(all_)) + losses * (-d / 2 - np.log(all_))
            sum_ += draws * (x[6] - np.log(all_))

        def even(t: float) -> float:
            return float(np.log(1 / (1 + np.exp(-t))) + np.log(1 / (1 + np.exp(t))))

        sum_ += sum(0.7 / 2 * even(x[player]) for player in range(5)) + even(x[5])
        return float(sum_ + np.log(nu / (2 + nu)) + np.log(2 / (2 + nu)))

    best = value(found)
    for place in range(7):
        for move in (-1e-3, 1e-3):
            other = found.copy()
            other[place] += move
            assert value(other) < best
            assert best - value(other) < 1e-4


def columns(count: int, seed: int) -> GameColumns:
    """Games over three years; the player with the smaller number wins more."""
    chance = np.random.default_rng(seed)
    white = chance.integers(0, 6, count)
    black = (white + chance.integers(1, 6, count)) % 6
    score = np.where(chance.random(count) < 0.5 + 0.08 * (black - white), 2, 0)
    score[chance.random(count) < 0.2] = 1
    day = np.sort(chance.integers(10957, 10957 + 3 * 365, count))
    return GameColumns(
        day.astype(np.int32), white.astype(np.int32), black.astype(np.int32), score.astype(np.int8)
    )


@pytest.mark.parametrize("refit", ["year", "month"])
def test_no_prediction_knows_what_comes_later(refit: str):
    """Other results of the last year, or month, change nothing."""
    given = columns(300, 3)
    made = predictions(given, 6, {"refit": refit, "half_life": "2"})
    unit = "datetime64[Y]" if refit == "year" else "datetime64[M]"
    period = given.day.astype("datetime64[D]").astype(unit)
    last = period == period[-1]
    turned = np.where(last, 2 - given.score, given.score).astype(np.int8)
    other = GameColumns(given.day, given.white, given.black, turned)
    again = predictions(other, 6, {"refit": refit, "half_life": "2"})
    assert np.array_equal(made, again, equal_nan=True)
    first = period == period[0]
    assert np.isnan(made[first]).all()
    assert np.isfinite(made[~first]).all()
    assert ((made > 0) & (made < 1))[~first].all()


def test_a_game_that_went_on_into_the_year_was_not_known_when_it_began():
    """It is asked for by its beginning, and known from its end on."""
    day = np.array([10900, 10990, 11000], np.int32)
    white, black = np.array([0, 0, 0], np.int32), np.array([1, 1, 1], np.int32)
    start = np.array([10900, 10950, 10999], np.int32)
    score = np.array([2, 0, 2], np.int8)
    made = predictions(GameColumns(day, white, black, score, start=start), 2, {})
    assert np.isnan(made[:2]).all()
    assert made[2] > 0.5
    other = score.copy()
    other[1] = 2
    again = predictions(GameColumns(day, white, black, other, start=start), 2, {})
    assert again[2] == made[2]


def test_the_model_is_found_again():
    """Strengths that made 20,000 games, and what White's side was worth."""
    chance = np.random.default_rng(11)
    true = np.array([0.9, 0.4, 0.0, -0.5, -0.8])
    white = chance.integers(0, 5, 20_000)
    black = (white + chance.integers(1, 5, 20_000)) % 5
    d = true[white] - true[black] + 0.3
    odds = np.column_stack([np.exp(d / 2), np.full(len(d), 0.7), np.exp(-d / 2)])
    above = chance.random(len(d))[:, None] > (odds / odds.sum(axis=1)[:, None]).cumsum(axis=1)
    score = 2 - above.sum(axis=1)
    rows = [
        (one, other, *(float(((white == one) & met & (score == each)).sum()) for each in (2, 1, 0)))
        for one in range(5)
        for other in range(5)
        if one != other
        for met in [black == other]
    ]
    found = fitted(pairings(rows, 5), np.zeros(7), Parameters())
    assert found[:5] == pytest.approx(true, abs=0.06)
    assert found[5] == pytest.approx(0.3, abs=0.06)
    assert np.exp(found[6]) == pytest.approx(0.7, abs=0.04)


def test_what_it_does_not_know_is_told():
    with pytest.raises(ParameterError, match="half_life"):
        SETTINGS.with_texts("bradley-terry", {"halflife": "3"})
    with pytest.raises(ParameterError):
        predictions(columns(9, 1), 6, {"prior": "0"})
