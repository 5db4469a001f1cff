"""Fitted parameters: those that made the data come back, and nonsense is told."""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from benchmarks.lab_coverage import SCALE, K, drawn
from ratingbook.cli.app import app
from ratingbook.desk.histories import read_history
from ratingbook.lab.compare import compare
from ratingbook.lab.fit import fit, sentences
from ratingbook.lab.likelihood import Likelihood, Range, range_in
from ratingbook.rules.bulk import EPOCH
from ratingbook.rules.registry import load
from ratingbook.rules.settings import ParameterError


@pytest.mark.slow
def test_what_made_the_data_comes_back():
    games, players = drawn(600, seed=11)
    made = fit(
        games, "elo:k=58,scale=300", ["k=4..60", "scale=200..800"], players=players, compiled=False
    )
    k, scale = made.parameters
    assert k.low <= K <= k.high
    assert scale.low <= SCALE <= scale.high
    assert k.value == pytest.approx(K, rel=0.4)
    assert scale.value == pytest.approx(SCALE, rel=0.3)
    assert not k.low <= k.own <= k.high
    assert made.loss < made.own_loss
    assert made.gained is not None
    assert made.held_out is not None
    assert made.games + made.games_before + made.games_held_out == 600
    # What it prints can be compared, and is then as good as it said on the games held out.
    again = compare(
        games, [made.fitted_rulebook], players=players, since=made.until, compiled=False
    )
    best = next(each for each in again.systems if each.name == made.fitted_rulebook)
    assert best.log_loss.mean == pytest.approx(made.held_out.mean)
    assert "does not fit" in sentences(made)[0]


def test_the_least_loss_is_where_a_grid_finds_it():
    games, players = drawn(200, seed=3)
    made = fit(games, "elo", ["k=4..60"], players=players, compiled=False)
    book = load("elo")
    history = read_history(games, book, players=players)
    looked = Likelihood(history, book, [range_in("k=4..60", book)], compiled=False)
    day = history.given.games.day
    looked.fitted = (day >= (made.since - EPOCH).days) & (day < (made.until - EPOCH).days)
    losses = {k: looked.loss((k,)) for k in np.arange(4.0, 60.0, 4.0).tolist()}
    assert made.loss <= min(losses.values())
    assert abs(made.parameters[0].value - min(losses, key=losses.__getitem__)) <= 4


def test_a_fit_begins_at_the_best_of_a_grid():
    """Each value with each, whole numbers once; what was tried is as likely as said."""
    games, players = drawn(200, seed=3)
    how = {"k": "k=4..60", "new_games": "new_games=0..2"}
    made = fit(games, "elo", [*how.values()], players=players, grid=4, compiled=False)
    assert [each.values for each in made.grid] == [
        (k, n) for k in (4.0, 22.667, 41.333, 60.0) for n in (0.0, 1.0, 2.0)
    ]
    assert made.loss <= min(each.loss for each in made.grid)
    alone = fit(games, "elo:k=60,new_games=2", ["k=59.9..60"], players=players, compiled=False)
    assert alone.own_loss == made.grid[-1].loss
    assert made.evaluations >= 12


def test_of_what_changes_no_game_nothing_is_known():
    """Nobody plays twice, so no k changes what is expected of anybody."""
    games = [
        {"date": date(2020, 1, 1 + n), "white": f"a{n}", "black": f"b{n}", "score": n % 2}
        for n in range(28)
    ]
    made = fit(games, "elo", ["k=10..40"], compiled=False)
    (k,) = made.parameters
    assert (k.value, k.low, k.high) == (20, 10, 40)
    assert "nothing can be said of it" in sentences(made)[0]
    assert "better" not in sentences(made)[1]
    assert "worse" not in sentences(made)[1]


def test_whole_numbers_stay_whole_and_ends_are_told():
    games, players = drawn(400, seed=4)
    made = fit(games, "elo:k_new=60", ["new_games=0..1"], players=players, compiled=False)
    (found,) = made.parameters
    assert found.value in (0.0, 1.0)
    assert found.is_at_end
    assert "widen its range" in sentences(made)[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kk=1..2", "kk"),
        ("k", "from where to where"),
        ("k=3..", "number"),
        ("k=9..3", "not below"),
        ("k=1..5000", "lies between"),
        ("margin=0..1", "no number"),
    ],
)
def test_ranges_that_are_none(text: str, told: str):
    with pytest.raises(ParameterError, match=told):
        range_in(text, load("elo"))


def test_a_series_is_fitted_like_an_edition():
    assert range_in("k_new=10..50", load("fide")) == Range("k_new", 10, 50, whole=True)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    found = []
    for name, table in zip(("games", "players"), drawn(200, seed=6), strict=True):
        path = tmp_path / f"{name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            lines = csv.DictWriter(file, table.column_names)
            lines.writeheader()
            lines.writerows(table.to_pylist())
        found.append(path)
    return found[0], found[1]


def invoked(*arguments: object):
    done = CliRunner().invoke(app, ["lab", "fit", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done


def test_the_command_says_the_numbers_of_the_library(files: tuple[Path, Path]):
    games, players = files
    options = ("--players", players, "--rulebook", "elo", "--parameter", "k=4..60")
    done = invoked(games, *options, "--format", "json", "-q")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    made = fit(games, "elo", ["k=4..60"], players=players, compiled=False)
    assert said["parameters"][0]["value"] == made.parameters[0].value
    assert said["parameters"][0]["low"] == made.parameters[0].low
    assert made.held_out is not None
    assert said["held_out"]["mean"] == made.held_out.mean
    done = invoked(games, *options, "-q")
    # What is to be typed is typed.
    typed = " ".join(done.stdout.split()).partition("And for rate and history: ")[2].split()
    report = Path(__file__).parents[2] / "examples" / "reports" / "spring-open.trf"
    again = CliRunner().invoke(app, ["rate", str(report), *typed, "--format", "json"])
    assert json.loads(again.stdout)["parameters"]["k"] == made.parameters[0].value
    assert f"elo:k={made.parameters[0].value:g}" in done.stdout


@pytest.mark.parametrize(
    ("more", "status", "told"),
    [
        (("--parameter", "k=60..4"), 2, "not below"),
        (("--parameter", "k=4..60", "--until", "soon"), 2, "is no day"),
        (("--parameter", "k=4..60", "--jobs", "2"), 2, "for --grid"),
        (("--parameter", "k=4..60", "--grid", "20000"), 1, "10,000 sets"),
        (("--parameter", "k=4..60", "--grid", "1"), 2, "--grid"),
        (("--parameter", "k=4..60", "--parameter", "k=5..6"), 1, "once"),
        (("--parameter", "k=4..60", "--since", "2031-01-01"), 1, "other days"),
    ],
)
def test_nonsense_is_told(files: tuple[Path, Path], more: tuple[str, ...], status: int, told: str):
    done = invoked(files[0], "--players", files[1], "--rulebook", "elo", *more)
    assert done.exit_code == status
    assert told in " ".join(done.output.split())


def test_days_part_the_games():
    games, players = drawn(400, seed=6)
    made = fit(
        games, "elo", ["k=4..60"], since=date(2001, 1, 11), until=date(2001, 1, 31),
        players=players, compiled=False,
    )  # fmt: skip
    assert (made.games_before, made.games, made.games_held_out) == (100, 200, 100)
    assert (made.blocks, made.drawn) == ("event", 6)
    assert "only 6 events" in sentences(made)[-1]


def test_without_the_extra_it_says_what_to_install(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr("ratingbook.cli.lab.shared.find_spec", lambda name: None)
    done = invoked(files[0], "--rulebook", "elo", "--parameter", "k=4..60")
    assert done.exit_code == 1
    assert "ratingbook[lab]" in done.output
    page = tmp_path / "page.html"
    done = CliRunner().invoke(
        app, ["lab", "compare", str(files[0]), "--rulebook", "elo", "--html", str(page)]
    )
    assert done.exit_code == 1
    assert "altair is not installed" in done.output
    assert not page.exists()
