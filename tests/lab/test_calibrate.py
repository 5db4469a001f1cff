"""Expected beside scored: of a true model, of a wrong one, and of the table of even games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.engine.history.predictions import predict_history
from ratingbook.lab.calibrate import Band, bands, calibrate
from ratingbook.lab.even_games import wilson

RATINGS = {f"P{n}": 1000 + 50 * n for n in range(17)}
STILL = "elo:k=0.001"
"""Ratings that do not move: the very ones that the games are drawn from."""


def drawn(
    count: int = 3000,
    seed: int = 5,
    *,
    ratings: Mapping[str, float] = RATINGS,
    halves: float = 0.0,
) -> tuple[pa.Table, pa.Table]:
    """Games whose results come as Elo expects them of these ratings.

    ``halves``: the share of drawn games between equals.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    names = list(ratings)
    games = []
    for n in range(count):
        white, black = chance.choice(len(names), 2, replace=False)
        share = 1 / (1 + 10 ** ((ratings[names[black]] - ratings[names[white]]) / 400))
        half, found = halves * 4 * share * (1 - share), chance.random()
        score = 0.5 if found < half else float(found < share + half / 2)
        games.append({
            "date": date(2001, 1, 1) + timedelta(days=n // 4), "event": f"E{n // 20}",
            "white": names[white], "black": names[black], "score": score,
        })  # fmt: skip
    known = [{"id": name, "rating": rating, "games": 99} for name, rating in ratings.items()]
    return pa.Table.from_pylist(games), pa.Table.from_pylist(known)


def test_a_true_model_is_flat_and_a_wrong_scale_is_not():
    games, players = drawn()
    wrong = f"{STILL},scale=800"
    made = calibrate(games, [STILL, wrong], players=players, compiled=False)
    true, flat = made.systems
    assert len(true.by_difference) > 8
    outside = sum(not each.off.low <= 0 <= each.off.high for each in true.by_difference)
    assert outside <= 2
    assert true.white.off.low <= 0 <= true.white.off.high
    # On twice the scale the higher rated is expected to score less than he does.
    assert all(each.off.low > 0 for each in flat.by_difference[3:])
    assert all(each.off.high < 0 for each in flat.by_strength[:3])
    assert sum(each.games for each in true.by_difference) == made.games
    assert true.without_rating == 0


FAR = {f"P{n}": 1000.0 + 100 * n for n in range(17)}
"""In half of the games the stronger side loses less than one of ten points."""


def bands_of(model: str, count: int = 1200, **world: Any) -> Sequence[Band]:
    games, players = drawn(count, ratings=FAR, **world)
    (made,) = calibrate(games, [model], players=players, compiled=False).systems
    return *made.by_difference, *made.by_strength


@pytest.mark.parametrize("halves", [0.0, 0.4])
def test_chance_does_not_accuse_a_true_model(halves: float):
    """Not in more than one of twenty bands, though in many of them nearly all games are won."""
    found = [each for seed in range(8) for each in bands_of(STILL, seed=seed, halves=halves)]
    assert len(found) > 80
    assert any(each.scored == 1 for each in found)
    assert sum(each.off.is_sure for each in found) <= len(found) / 20


def test_far_bands_still_tell_a_wrong_scale():
    """On a scale of 400 the stronger side loses twice the points that one of 250 expects."""
    found = [each for each in bands_of("elo:k=0.001,scale=250", 6000) if each.expected > 0.95]
    assert sum(each.off.is_sure and each.off.mean < 0 for each in found) >= len(found) / 3


def test_what_is_expected_is_that_of_the_ratings_before_the_game():
    games, players = drawn(300)
    made = predict_history(games, "elo", players=players, compiled=False, before=True)
    assert made.before is not None
    ahead = made.before.black - made.before.white
    assert 1 / (1 + 10 ** (ahead / 400)) == pytest.approx(made.expected, abs=1e-12)
    assert made.before.white[0] == RATINGS[games["white"][0].as_py()]


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611),
     (1, 29, 0.0061, 0.1718)],
)  # fmt: skip
def test_the_interval_of_a_share(won: int, games: int, low: float, high: float):
    """Newcombe (1998), Statistics in Medicine 17, table I, method 3."""
    assert wilson(won, games) == pytest.approx((low, high), abs=5e-5)


def test_small_bands_join():
    values = np.array([10.0] * 60 + [70.0] * 10 + [120.0] * 50 + [900.0] * 3)
    found = {name: int(some.sum()) for name, some in bands(values, values > 0, 50)}
    assert found == {"0 to 49": 60, "50 to 949": 63}


def invoked(*arguments: object):
    return CliRunner().invoke(app, ["lab", "calibrate", *map(str, arguments)])


def test_the_published_table_beside_the_editions(reference: Path):
    """1 dan against 2 dan: scored 38.1 % in the seed's table; 26.9 % and 35.2 % by the formulas."""
    table = reference / "tables" / "egf_even_games_statistics.csv"
    done = invoked(table, "--rulebook", "egf-1998,egf-2021", "--format", "json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["games"] == 138_854
    cell = next(each for each in said["cells"] if (each["grade"], each["stronger"]) == ("1d", 1))
    assert (cell["won"], cell["games"]) == (2685, 7054)
    assert 100 * cell["share"] == pytest.approx(38.1, abs=0.05)
    assert 100 * cell["predicted"]["egf-1998"] == pytest.approx(26.9, abs=0.05)
    assert 100 * cell["predicted"]["egf-2021"] == pytest.approx(35.2, abs=0.05)
    assert cell["low"] < cell["share"] < cell["high"]
    nearest = min(said["summary"], key=lambda each: each["log_loss"])
    assert nearest["name"] == "egf-2021"
    plain = invoked(table, "--rulebook", "egf-1998,egf-2021")
    assert "38.1" in plain.stdout
    assert "egf-2021 is 4.7 percentage points from the table" in " ".join(plain.stdout.split())


def test_even_games_of_a_history_are_counted_for_the_weaker_grade():
    """3k beats 2k, draws with 1k and loses to 1k with two stones, which is no even game."""
    day = date(2022, 3, 5)
    rows = [("a", "b", 1.0, 0), ("c", "a", 0.5, 0), ("c", "a", 0.0, 2)]
    games = [
        {"date": day, "event": "X", "round": n, "white": white, "black": black, "score": score,
         "handicap": stones}
        for n, (white, black, score, stones) in enumerate(rows, 1)
    ]  # fmt: skip
    grades = {"a": "3k", "b": "2k", "c": "1k"}
    entries = [{"event": "X", "player": each, "grade": grades[each]} for each in grades]
    made = calibrate(
        pa.Table.from_pylist(games), ["egf-2021"], entries=pa.Table.from_pylist(entries),
        since=day, compiled=False,
    )  # fmt: skip
    assert made.even_games is not None
    found = {(e.grade, e.stronger): (e.won, e.games) for e in made.even_games.cells}
    assert found == {("3k", 1): (1.0, 1), ("3k", 2): (0.5, 1)}
    first = made.even_games.cells[0]
    assert first.expected["egf-2021"] == pytest.approx(first.predicted["egf-2021"])
    assert made.systems[0].with_handicap == 1


@pytest.mark.parametrize(
    ("book", "status", "told"),
    [("elo", 1, "has no grades"), ("egf-1995", 2, "egf-1995"), ("egf-1998:eps=1", 2, "eps")],
)
def test_what_cannot_be_is_told(reference: Path, book: str, status: int, told: str):
    table = reference / "tables" / "egf_even_games_statistics.csv"
    done = invoked(table, "--rulebook", book)
    assert done.exit_code == status
    assert told in done.output
    assert isinstance(done.exception, SystemExit)


def test_the_command_on_games(tmp_path: Path):
    examples = Path(__file__).parents[2] / "examples" / "history"
    done = invoked(
        examples / "games.csv", "--players", examples / "players.csv", "--rulebook", "elo"
    )
    assert done.exit_code == 0, done.output
    assert "seen from the higher rated" in done.stdout
    assert "Intervals: 24 events drawn again, seed 1." in " ".join(done.stdout.split())
    done = invoked(tmp_path / "none.csv", "--rulebook", "elo")
    assert done.exit_code == 1
