"""Rule books beside each other, on games whose predictions somebody else has published."""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.engine.history.predictions import predict_history
from ratingbook.lab.compare import (
    NothingToCompare,
    compare,
    mean_so_far,
    names_in,
    sentences,
    shares_of_draws,
    title_of,
)
from ratingbook.rules.registry import load, names
from tests.rules.elo.test_nfl import SETTINGS, rows, write_files


@pytest.mark.usefixtures("reference")
def test_every_published_prediction_comes_out(tmp_path: Path):
    """16,810 games of American football; the starts that are published have three decimals."""
    games, players, entries = write_files(rows("nfl_games.csv"), tmp_path)
    book = load("elo").with_parameters(SETTINGS)
    made = predict_history(games, book, players=players, entries=entries, compiled=False)
    told = np.array([float(game["elo_prob1"]) for game in rows("nfl_games.csv")])
    assert len(made.expected) == 16_810
    assert np.abs(made.expected - told).max() < 1e-5


def season(number: int, strong: float) -> list[dict[str, object]]:
    """A beats everybody; who else wins is as the numbers of the players fall out."""
    players = "ABCDEF"
    return [
        {"event": f"S{number}", "date": date(2010 + number, 1 + turn, 5),
         "white": one, "black": other, "score": strong if one == "A" else float((turn + place) % 2)}
        for turn in range(4)
        for place, one in enumerate(players)
        for other in players[place + 1 :]
    ]  # fmt: skip


def table() -> pa.Table:
    return pa.Table.from_pylist([game for year in range(4) for game in season(year, 1.0)])


def test_who_learns_is_ahead_of_who_does_not():
    """Elo finds that A wins; the mean of all results does not; K 0.001 learns nothing."""
    made = compare(table(), ["elo", "elo:k=0.001"], assume=1500, compiled=False)
    names = [each.name for each in made.systems]
    assert names[0] == "elo"
    assert sorted(names[1:]) == ["constant", "elo:k=0.001"]
    behind = {each.name: each.behind for each in made.systems}
    assert behind["elo"] is None
    found = behind["elo:k=0.001"]
    assert found is not None
    assert found.low > 0
    assert made.games + made.before == len(table())
    assert (made.blocks, made.left_out) == ("event", 0)
    still = next(each for each in made.systems if each.name == "elo:k=0.001")
    assert still.log_loss.mean == pytest.approx(np.log(2), abs=1e-3)


def test_only_games_of_which_all_expect_something_count():
    """A player without a rating is nobody to FIDE, and a beginner to Elo."""
    known = pa.Table.from_pylist([{"id": each, "rating": 1800, "games": 50} for each in "ABCDE"])
    made = compare(
        table(), ["elo", "fide-2009"], players=known, since=date(2010, 1, 5), compiled=False
    )
    assert made.left_out > 0
    expects = {each.name: each.expects for each in made.systems}
    assert expects["elo"] == made.games + made.left_out
    assert expects["fide-2009"] < expects["elo"]


def test_games_before_a_day_only_find_the_ratings():
    made = compare(table(), ["elo"], since=date(2013, 1, 1), assume=1500, compiled=False)
    assert (made.games, made.since) == (len(season(3, 1.0)), date(2013, 1, 1))
    with pytest.raises(NothingToCompare, match="another day"):
        compare(table(), ["elo"], since=date(2031, 1, 1), assume=1500, compiled=False)


def test_the_constant_knows_only_days_before():
    day, score = np.array([3, 1, 1, 2]), np.array([1.0, 1.0, 0.0, 1.0])
    assert mean_so_far(day, score).tolist() == pytest.approx([2 / 3, 0.5, 0.5, 0.5])


def test_names_and_their_parameters():
    assert names_in("elo:k=32,scale=400, fide-2009,") == ["elo:k=32,scale=400", "fide-2009"]


def test_everything_that_is_compared_has_a_title():
    """The page of a comparison names them all; no rule book is called like the baseline."""
    assert title_of("elo") == load("elo").title
    assert "Bradley" in title_of("bradley-terry")
    assert "bradley-terry" not in names()


def write(folder: Path) -> Path:
    made = folder / "games.csv"
    with made.open("w", encoding="utf-8", newline="") as file:
        lines = csv.DictWriter(file, ("event", "date", "white", "black", "score"))
        lines.writeheader()
        lines.writerows(table().to_pylist())
    return made


def test_the_command_says_the_numbers_of_the_library(tmp_path: Path):
    path = write(tmp_path)
    done = CliRunner().invoke(
        app, ["lab", "compare", str(path), "--rulebook", "elo,elo:k=0.001", "--assume", "1500",
              "--format", "json"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    made = compare(table(), ["elo", "elo:k=0.001"], assume=1500, compiled=False)
    assert [each["name"] for each in said["systems"]] == [each.name for each in made.systems]
    assert said["systems"][1]["log_loss"]["low"] == made.systems[1].log_loss.low
    done = CliRunner().invoke(
        app, ["lab", "compare", str(path), "--rulebook", "elo,elo:k=0.001", "--assume", "1500"]
    )
    assert "elo expected best what happened" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("more", "status", "told"),
    [
        ("--rulebook elo --assume nan", 2, "an assumed rating lies between"),
        ("--rulebook elo --id nobody", 2, "--id knows no 'nobody'; it takes"),
        ("--rulebook elo --column nothing=x", 2, "--column knows no field"),
        ("--rulebook elo --since 2050-01-01", 1, "the last is of"),
        ("--rulebook elo,fide-2009", 1, "fide-2009 of 0."),
        ("--rulebook elo --id name --events EVENTS", 1, "history.of-tables"),
    ],
)
def test_what_cannot_be_compared_is_told(tmp_path: Path, more: str, status: int, told: str):
    events = tmp_path / "events.csv"
    events.write_text("event,start\nE,2010-01-01\n", "utf-8")
    words = more.replace("EVENTS", str(events)).split()
    done = CliRunner().invoke(app, ["lab", "compare", str(write(tmp_path)), *words, "-q"])
    assert done.exit_code == status, done.output
    assert told in " ".join(done.output.split())
    assert isinstance(done.exception, SystemExit)


def test_reports_are_read_as_by_history(tmp_path: Path):
    """Two reports of Go whose players have no numbers: by their names they are one person each."""
    report = {
        "ratingbook": "report/1",
        "players": [{"id": n, "name": f"Ada {n}", "grade": "1d", "standing": {"rating": 2100}}
                    for n in ("1", "2")],
    }  # fmt: skip
    for month in (1, 2, 3):
        said = {
            **report,
            "event": {"name": f"E{month}", "start": f"2022-0{month}-01"},
            "games": [{"round": 1, "white": "1", "black": "2", "result": "1-0"}],
        }
        (tmp_path / f"{month}.json").write_text(json.dumps(said), "utf-8")
    words = ["lab", "compare", *(str(tmp_path / f"{n}.json") for n in (1, 2, 3)), "-q"]
    words += ["--rulebook", "egf-2021,elo", "--format", "json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert "history.which-id" in done.output
    done = CliRunner().invoke(app, [*words, "--id", "name"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["games"] == 2
    # Of one game in each of two events there is a mean, and of a band of one game no error.
    assert "NaN" not in done.stdout


@pytest.mark.parametrize(
    ("books", "told"),
    [
        ("ello", "elo"),
        ("elo:kk=3", "kk"),
        ("elo,", None),
        ("", "name a rule book"),
        ("bradley-terry", "name a rule book"),
    ],
)
def test_bad_names_are_told(tmp_path: Path, books: str, told: str | None):
    done = CliRunner().invoke(
        app, ["lab", "compare", str(write(tmp_path)), "--rulebook", books, "--assume", "1500"]
    )
    assert done.exit_code == (0 if told is None else done.exit_code)
    if told is not None:
        assert done.exit_code == 2
        assert told in done.output
        assert "Traceback" not in done.output
        assert isinstance(done.exception, SystemExit)


def test_a_layer_learns_of_home_from_games_that_do_not_count():
    """White scores 3 of 4, whoever it is: Elo without home knows nothing of that."""
    games = [
        {"date": date(2010 + n // 100, 1 + n % 12, 1 + n % 28),
         "white": f"P{n % 9}", "black": f"P{(n % 9 + 1 + n % 7) % 9}", "score": float(n % 4 > 0)}
        for n in range(800)
    ]  # fmt: skip
    made = compare(
        pa.Table.from_pylist(games), ["elo:k=1"], assume=1500, layers=True, compiled=False
    )
    best = made.systems[0]
    assert best.name == "elo:k=1 + layer"
    assert best.layer is not None
    assert best.layer.shift == pytest.approx(np.log(3), abs=0.15)
    plain = next(each for each in made.systems if each.name == "elo:k=1")
    assert plain.layer is None
    assert plain.behind is not None
    assert plain.behind.low > 0


def drawish(games: int = 900) -> pa.Table:
    """Even players, White at home: four of ten won by White, three drawn, the rest lost."""
    chance = np.random.Generator(np.random.PCG64(6))
    white = chance.integers(0, 9, games)
    black = (white + chance.integers(1, 9, games)) % 9
    return pa.table({
        "date": [date(2010 + n // 100, 1 + n % 12, 1 + n % 28) for n in range(games)],
        "white": [f"P{n}" for n in white], "black": [f"P{n}" for n in black],
        "score": chance.choice([1.0, 0.5, 0.0], games, p=[0.4, 0.3, 0.3]),
    })  # fmt: skip


def test_layers_tell_win_draw_and_loss():
    """Beside those who know of draws themselves; on games that were not there when they were found.

    Three tenths of even games are drawn: ν / (2 + ν) = 0.3 is ν = 0.86, and White's 0.55 a shift of
    ln (0.55 / 0.45) = 0.2.
    """
    books = ["elo:k=1", "bradley-terry", "bradley-terry:ties=half"]
    made = compare(drawish(), books, assume=1500, layers=True, compiled=False)
    names = {each.name for each in made.outcomes}
    assert names == {*(f"{book} + layer" for book in books), "bradley-terry", "constant"}
    layer = next(each for each in made.systems if each.name == "elo:k=1 + layer").layer
    assert layer is not None
    assert layer.sure is not None
    assert layer.sure.nu.low < 6 / 7 < layer.sure.nu.high
    assert layer.sure.shift.low < np.log(0.55 / 0.45) < layer.sure.shift.high
    best, *others = made.outcomes
    assert best.behind is None
    assert all(each.behind is not None and each.behind.mean >= 0 for each in others)
    for each in made.outcomes:
        assert each.drawn_more.low < 0 < each.drawn_more.high
        # Somebody who knew the shares would have a loss of 1.089 and a ranked score of 0.225.
        assert each.log_loss.mean == pytest.approx(1.089, abs=0.02)
        assert each.ranked.mean == pytest.approx(0.225, abs=0.02)
    assert any("of the games were drawn" in each for each in sentences(made))
    without = compare(drawish(), books, assume=1500, compiled=False)
    assert without.outcomes == ()


def test_a_layer_may_look_at_late_games_only():
    """Draws came to be: none before 2014, and those who look from then on expect more of them."""
    games = drawish().to_pylist()
    for each in games:
        if each["date"].year < 2014 and each["score"] == 0.5:
            each["score"] = 0.0
    table = pa.Table.from_pylist(games)
    expected = []
    for since in (None, date(2014, 1, 1)):
        made = compare(
            table, ["elo:k=1"], assume=1500, layers=True, layers_since=since,
            since=date(2016, 1, 1), compiled=False,
        )  # fmt: skip
        found = next(each for each in made.outcomes if each.name == "elo:k=1 + layer")
        expected.append(shares_of_draws(found)[0])
    assert expected[0] < 0.15
    assert 0.2 < expected[1] < 0.4


def test_where_nobody_draws_there_is_no_table_of_draws():
    assert compare(table(), ["elo"], assume=1500, layers=True, compiled=False).outcomes == ()


def test_who_found_no_layer_knows_nothing_of_draws():
    """Of games that were all drawn no shift or slope is found."""
    games = drawish(400)
    level = games.set_column(3, "score", pa.array(np.full(400, 0.5)))
    made = compare(level, ["elo:k=1"], assume=1500, layers=True, compiled=False)
    assert [each.name for each in made.outcomes] == ["constant"]


def test_the_command_prints_win_draw_and_loss(tmp_path: Path):
    path = tmp_path / "games.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.DictWriter(file, ("date", "white", "black", "score"))
        lines.writeheader()
        lines.writerows(drawish().to_pylist())
    words = ["lab", "compare", str(path), "--rulebook", "elo:k=1", "--assume", "1500", "-q"]
    done = CliRunner().invoke(app, [*words, "--layers-since", "2011-01-01"])
    assert done.exit_code == 0, done.output
    assert "ν 0." in done.stdout
    assert "told best" in done.stdout
    done = CliRunner().invoke(app, [*words, "--layers", "--format", "json"])
    said = json.loads(done.stdout)
    layer = next(each["layer"] for each in said["systems"] if each["layer"])
    assert layer["sure"]["nu"]["low"] < layer["nu"] < layer["sure"]["nu"]["high"]
    assert {each["name"] for each in said["outcomes"]} == {"constant", "elo:k=1 + layer"}


def test_rule_books_are_named_as_with_every_command(tmp_path):
    """``--rulebook``; another way of writing it is no option."""
    words = ["lab", "compare", str(write(tmp_path)), "--assume", "1500"]
    made = CliRunner().invoke(app, [*words, "--rulebook", "elo,elo:k=1"])
    assert made.exit_code == 0, made.output
    assert CliRunner().invoke(app, [*words, "--rulebooks", "elo"]).exit_code == 2
