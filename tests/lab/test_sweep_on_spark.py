"""Sweeps on Spark say what those on this machine say, to the last bit: of worlds and of fits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app

SWEEP = (
    "lab sweep --rulebook elo --over k=10,20,40 --over scale=400,300 --runs 2 --set players=40 "
    "--set years=2 --set meets=2 --set events=2 --format json -q"
)


def invoked(more: str = ""):
    return CliRunner().invoke(app, [*SWEEP.split(), *more.split()])


def test_settings_on_a_cluster_come_to_the_same_numbers():
    here = json.loads(invoked().stdout)
    done = invoked("--engine spark --master local[2]")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == here
    assert len(here["settings"]) == 6
    # What each setting comes to is its own: nobody's numbers are another's.
    assert len({each["numbers"]["error"]["mean"] for each in here["settings"]}) == 6


@pytest.mark.parametrize(
    ("more", "status", "told"),
    [("--master local[2]", 2, "--engine spark"), ("--engine spark --master nowhere", 1, "address")],
)
def test_where_there_is_no_cluster_it_says_so(more: str, status: int, told: str):
    done = invoked(more)
    assert done.exit_code == status, done.output
    assert told in done.output
    assert done.stdout == "" or status == 2


EXAMPLES = Path(__file__).parents[2] / "examples" / "history"
FIT = (
    f"lab fit {EXAMPLES / 'games.csv'} --players {EXAMPLES / 'players.csv'} --rulebook elo "
    "--parameter k=5..60 --parameter scale=200..800 --grid 3 --format json -q"
)


def test_the_grid_of_a_fit_comes_to_the_same_numbers():
    """By one process, by two, and on a cluster."""
    asked = ("", "--jobs 2", "--engine spark --master local[2]")
    done = [CliRunner().invoke(app, [*FIT.split(), *more.split()]) for more in asked]
    assert [each.exit_code for each in done] == [0, 0, 0], [each.output for each in done]
    said = [json.loads(each.stdout) for each in done]
    assert said[0] == said[1] == said[2]
    assert len({each["loss"] for each in said[0]["grid"]}) == 9


def test_a_fit_without_a_cluster_says_so():
    words = [*FIT.split(), "--engine", "spark", "--master", "nowhere"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1, done.output
    assert "address" in done.output
