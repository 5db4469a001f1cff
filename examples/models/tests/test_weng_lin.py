"""The update of Weng and Lin: beside openskill, by hand, and the public checks."""

import math
import random

import pytest
from openskill.models import BradleyTerryFull, ThurstoneMostellerFull

from rating_models import weng_lin
from rating_models.weng_lin.normal import v, v_drawn, w, w_drawn
from ratingbook.checks import Check, checks_of
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing

CHECKS = [each for each in checks_of(weng_lin, examples=10) if not each.name.endswith("compiled")]
RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}
LIBRARY = {"bradley_terry": BradleyTerryFull, "thurstone_mosteller": ThurstoneMostellerFull}


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_it_holds_what_every_rule_book_must(check: Check) -> None:
    """Compiled, it is tried by `make exhaustive`."""
    check()


@pytest.mark.parametrize("model", LIBRARY)
def test_games_in_a_row_as_openskill_rates_them(model: str) -> None:
    """200 games of 9 players, some of whom come with a rating."""
    chance = random.Random(7)
    players = [f"p{n}" for n in range(9)]
    games: list[tuple[str, str, float]] = []
    for _ in range(200):
        white, black = chance.sample(players, 2)
        games.append((white, black, chance.choice([1.0, 1.0, 0.5, 0.0])))
    margin = {} if model == "bradley_terry" else {"epsilon": 6.0}
    library = LIBRARY[model](mu=1500.0, sigma=500.0, beta=250.0, tau=5.0, kappa=0.0001, **margin)
    theirs = {player: library.rating() for player in players}
    theirs |= {"p1": library.rating(mu=1700.0, sigma=80.0), "p2": library.rating(1250.0, 120.0)}
    for white, black, score in games:
        pair = [[theirs[white]], [theirs[black]]]
        ranks = [1 - score, score]
        [[theirs[white]], [theirs[black]]] = library.rate(pair, ranks=ranks)
    known = {
        "p1": Standing(rating=1700.0, games=9, extra={"deviation": 80.0}),
        "p2": Standing(rating=1250.0, games=9, extra={"deviation": 120.0}),
    }
    report = Report(
        Event("Invented Cup"),
        tuple(Entry(player, standing=known.get(player)) for player in players),
        tuple(
            Game(white, black, RESULTS[score], round=number)
            for number, (white, black, score) in enumerate(games, 1)
        ),
    )
    made = rate(report, weng_lin.with_parameters({"model": model}))
    last = {each.row.id: each.row for each in made.rows}
    for player in players:
        row, other = last[player], theirs[player]
        assert row.after == pytest.approx(other.mu, abs=1e-3)
        assert row.standing.extra["deviation"] == pytest.approx(other.sigma, abs=1e-3)


def test_numbers_of_the_normal_distribution() -> None:
    """By its tables: φ(0) = 0.398942, φ(1) = 0.241971, Φ(1) = 0.841345."""
    assert v(0.0, 0.0) == pytest.approx(0.398942 / 0.5, abs=2e-6)
    assert v(1.0, 0.0) == pytest.approx(0.241971 / 0.841345, abs=2e-6)
    assert w(0.0, 0.0) == pytest.approx((0.398942 / 0.5) ** 2, abs=4e-6)
    assert v_drawn(0.0, 1.0) == 0.0
    assert w_drawn(0.0, 1.0) == pytest.approx(2 * 0.241971 / (2 * 0.841345 - 1), abs=4e-6)


@pytest.mark.parametrize("x", [-60.0, -9.0, 9.0, 60.0])
def test_far_out_they_have_their_limits(x: float) -> None:
    """A victory that nobody expected moves by as much as was not expected."""
    assert v(x, 0.1) == pytest.approx(max(0.1 - x, 0.0), rel=0.02, abs=1e-9)
    assert w(x, 0.1) == pytest.approx(1.0 if x < 0 else 0.0, abs=0.02)
    assert v_drawn(x, 0.1) == pytest.approx(math.copysign(0.1, x) - x, rel=0.02)
    assert v_drawn(-x, 0.1) == pytest.approx(-v_drawn(x, 0.1))
