"""The commands that simulate, sweep and reform."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.lab.simulate import NAMED, Scenario, scenario
from ratingbook.lab.simulate.sweep import grid, sweep

EXAMPLE = Path(__file__).parents[2] / "examples" / "history"
SMALL = ["--set", "players=40", "--set", "years=2", "--set", "meets=2", "--set", "events=2"]


def lab(*given: object, status: int = 0) -> str:
    made = CliRunner().invoke(app, ["lab", *map(str, given)])
    assert made.exit_code == status, made.output
    return made.stdout if not status else made.output


def test_a_world_is_told_in_words_and_as_numbers():
    told = lab("simulate", "--rulebook", "elo:k=32", *SMALL)
    assert "After 2 years ratings are" in told
    assert "elo:k=32, scenario club, seed 1:" in told
    said = json.loads(lab("simulate", "--rulebook", "elo:k=32", *SMALL, "--format", "json"))
    (run,) = said["runs"]
    assert [each["year"] for each in run["years"]] == [0, 1, 2]
    assert said["scenario"]["players"] == 40
    assert run["people"] == 40 + round(0.1 * 40 * 2)
    for year in run["years"]:
        assert year["above"] == pytest.approx(year["rating"] - year["strength"], abs=1e-6)


def test_a_scenario_goes_out_and_in(tmp_path):
    path = tmp_path / "mine.toml"
    lab("scenario", "juniors", "-o", path)
    assert scenario(path) == NAMED["juniors"]
    names = lab("scenario")
    assert all(name in names for name in NAMED)
    told = lab("simulate", "--rulebook", "elo", "--scenario", path, *SMALL, "--write", tmp_path)
    assert "scenario juniors" in told
    games = pq.read_table(tmp_path / "games.parquet")
    assert f"{len(games):,} games" in told
    assert scenario(tmp_path / "scenario.toml").players == 40


def test_a_reform_of_a_world_stands_beside_it():
    told = lab("simulate", "--rulebook", "elo", *SMALL, "--from", "2031-01-01", "--add", 100)
    assert "+100 points for everybody, once" in told
    said = json.loads(
        lab("simulate", "--rulebook", "elo:k=0.000000001", *SMALL, "--from", "2031-01-01",
            "--add", 100, "--format", "json")
    )  # fmt: skip
    without, with_ = (run["years"] for run in said["runs"])
    assert with_[0] == without[0]
    # The list after the first year is that of January, when the reform is done.
    assert with_[1]["rating"] == pytest.approx(without[1]["rating"] + 100, abs=1e-3)
    # Newcomers after that day begin where they always do; everybody else has 100 points more.
    assert {round(each["median"]) for each in said["runs"][1]["bands"]} <= {0, 100}
    assert max(each["median"] for each in said["runs"][1]["bands"]) == pytest.approx(100, abs=1e-3)


@pytest.mark.parametrize(
    ("book", "more", "codes"),
    [
        ("elo", ["--from", "2031-01-01", "--add", 3], []),
        ("elo", ["--from", "2012-01-01", "--add", 3], ["reform.before-games"]),
        ("elo", ["--from", "2070-01-01", "--add", 3], ["reform.after-games"]),
        ("fide-2009", [], ["edition.outside-validity"]),
        (
            "fide-2022",
            ["--from", "2031-01-01", "--to", "fide-2009", "--set", "start=2023-01-01"],
            ["edition.outside-validity", "reform.after-games", "edition.outside-validity"],
        ),
    ],
)
def test_days_that_lie_outside_the_world_are_told(book, more, codes):
    given = ["simulate", "--rulebook", book, *SMALL, *more, "--format", "json"]
    made = CliRunner().invoke(app, ["lab", *map(str, given)])
    assert made.exit_code == 0, made.output
    assert [each["code"] for each in json.loads(made.stdout)["findings"]] == codes
    assert all(code in made.stderr for code in codes)


def test_a_sweep_tells_of_an_edition_of_another_time():
    said = json.loads(
        lab("sweep", "--rulebook", "fide-2009", "--over", "k_rated=15", *SMALL, "--runs", 1,
            "--format", "json")
    )  # fmt: skip
    assert [each["code"] for each in said["findings"]] == ["edition.outside-validity"]


def test_a_reform_after_all_games_is_told():
    given = ["reform", EXAMPLE / "games.csv", "--players", EXAMPLE / "players.csv", "--rulebook",
             "elo", "--from", "2050-01-01", "--add", 3]  # fmt: skip
    made = CliRunner().invoke(app, ["lab", *map(str, given)])
    assert "reform.after-games" in made.stderr


def test_a_reform_of_real_games():
    """K 25 instead of 15 from 2011 on moves people; from a day after all games it moves nobody."""
    given = ["reform", EXAMPLE / "games.csv", "--players", EXAMPLE / "players.csv", "--rulebook",
             "fide-2009", "--change", "k_rated=25", "--format", "json"]  # fmt: skip
    made = json.loads(lab(*given, "--from", "2011-01-01"))
    assert 0 < made["games_since"] < made["games"]
    assert sum(each["players"] for each in made["bands"]) == made["players"] > 0
    assert any(each["unchanged"] < 1 for each in made["bands"])
    later = json.loads(lab(*given, "--from", "2030-01-01"))
    assert later["games_since"] == 0
    assert all(each["unchanged"] == 1 for each in later["bands"])


def test_a_sweep_takes_every_setting_with_every_seed():
    world = Scenario(players=40, years=2, meets=2, events=2)
    settings = [*grid({"k": ["20", "40"]})]
    made = sweep("elo", settings, world, seeds=(1, 2, 3), compiled=False)
    assert [each.settings for each in made] == [{"k": "20"}, {"k": "40"}]
    assert {each.mean for each in made[0].against_first.values() if each.mean == each.mean} == {0.0}
    for name, found in made[1].numbers.items():
        less = found.mean - made[0].numbers[name].mean
        assert made[1].against_first[name].mean == pytest.approx(less, nan_ok=True)
    told = lab("sweep", "--rulebook", "elo", "--over", "k=20,40", *SMALL, "--runs", 2, "-q")
    assert "k=40" in told
    assert "seeds 1 to 2" in told
    assert len([*grid({"a": ["1", "2"], "b": ["3", "4", "5"]})]) == 6


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["simulate", "--rulebook", "fide"], "is a series"),
        (["simulate", "--rulebook", "eloo"], "eloo"),
        (["simulate", "--rulebook", "elo:k=many"], "k is a number"),
        (["simulate", "--rulebook", "elo", "--scenario", "moon"], "no scenario 'moon'"),
        (["simulate", "--rulebook", "elo", "--set", "players"], "NAME=VALUE"),
        (["simulate", "--rulebook", "elo", "--lift", "0.4@2000"], "--from"),
        (["simulate", "--rulebook", "elo", "--from", "soon"], "YYYY-MM-DD"),
        (["simulate", "--rulebook", "elo", "--from", "2031-01-01"], "say what the reform changes"),
        (["sweep", "--rulebook", "elo", "--over", "k="], "0 settings"),
        (["reform", "none.csv", "--rulebook", "elo", "--add", "3"], "--from"),
        (["scenario", "moon"], "no scenario 'moon'"),
        (["simulate", "--rulebook", "elo", "--set", "start=9999-01-01"], "from 1500 to 2200"),
        (["simulate", "--rulebook", "elo", "--set", "spread=nan"], "spread lies between"),
        (
            [
                "reform",
                EXAMPLE / "games.csv",
                "--rulebook",
                "fide-2009",
                "--from",
                "2011-01-01",
                "--add",
                "3",
                "--assume",
                "nan",
            ],
            "an assumed rating",
        ),
        (
            ["reform", "none.csv", "--rulebook", "elo", "--from", "2011-01-01", "--add", "nan"],
            "lies between -10,000",
        ),
    ],
)
def test_what_cannot_be_is_a_usage_error(given, message):
    assert message in " ".join(lab(*given, status=2).replace("│", " ").split())


def test_a_file_that_is_not_there_is_refused():
    lab("reform", "none.csv", "--rulebook", "elo", "--from", "2030-01-01", "--add", 3, status=1)
