"""A sweep on Spark says what the one on this machine says, to the last bit."""

from __future__ import annotations

import json

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
