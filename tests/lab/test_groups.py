"""The same games in groups: by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.engine.history.columns import GameColumns
from ratingbook.lab.compare import compare
from ratingbook.lab.groups import (
    NO_RATING,
    by_band,
    by_experience,
    by_year,
    grouped,
    part,
    standard_error,
)

HISTORY = Path(__file__).resolve().parents[2] / "examples" / "history"
DAY = 14_610
"""1 January 2010."""


def columns(rows: list[tuple[int, int, int]]) -> GameColumns:
    """Day after the beginning of 2010, White and Black."""
    day, white, black = (np.array(each, np.int32) for each in zip(*rows, strict=True))
    return GameColumns(day + DAY, white, black, np.zeros(len(rows), np.int8))


def test_experience_is_that_of_the_less_experienced_on_days_before():
    given = columns([(0, 0, 1), (0, 0, 2), (1, 0, 1), (2, 1, 0), (2, 0, 3), (3, 0, 1)])
    names, number = by_experience(given, np.full(6, True))
    # Before them 0 and 1 had: 0 and 0; 0 and 0; 2 and 1; 2 and 3; 3 and 0; 5 and 3 games.
    assert [names[each] for each in number] == ["0", "0", "1–9", "1–9", "0", "1–9"]
    many = columns([(each, 0, 1) for each in range(101)])
    names, number = by_experience(many, np.arange(101) >= 9)
    assert [names[each] for each in number[[0, 1, 20, 21, -2, -1]]] == [
        "1–9", "10–29", "10–29", "30–99", "30–99", "100 or more",
    ]  # fmt: skip


def test_years_are_those_in_which_games_ended():
    names, number = by_year(columns([(0, 0, 1), (364, 0, 1), (365, 0, 1)]), np.full(3, True))
    assert [names[each] for each in number] == ["2010", "2010", "2011"]


def test_bands_hold_as_many_games_each():
    """Means 1000, 1100 … 1900; of one player there is no rating."""
    white = np.array([*range(900, 1900, 100), 1500.0])
    black = np.array([*range(1100, 2100, 100), np.nan])
    names, number = by_band(white, black, np.full(11, True))
    assert np.bincount(number).tolist() == [2, 2, 2, 2, 2, 1]
    assert names[number[0]] == "below 1180"
    assert names[number[9]] == "1720 or more"
    assert names[number[10]] == NO_RATING
    names, number = by_band(white * np.nan, black, np.full(11, True))
    assert {names[each] for each in number} == {NO_RATING}


def test_the_numbers_of_a_group_by_hand():
    """E 3/4 three times and 1/4 once; results 1, 1, 0, 0: two bands of the prediction."""
    expected = np.array([0.75, 0.75, 0.75, 0.25])
    score = np.array([1.0, 1.0, 0.0, 0.0])
    even = np.full(4, np.log(2))
    made = part("x", expected, score, np.array([0, 0, 1, 1]), even)
    assert made.log_loss == pytest.approx(-(3 * np.log(0.75) + np.log(0.25)) / 4)
    assert made.square == pytest.approx((3 * 0.0625 + 0.5625) / 4)
    assert made.accuracy == 0.75
    assert (made.expected, made.scored) == (0.625, 0.5)
    assert made.uncertainty == 0.25
    assert made.reliability == pytest.approx(0.75 * (3 / 4 - 2 / 3) ** 2 + 0.25 * 0.25**2)
    assert made.resolution == pytest.approx(0.75 * (2 / 3 - 0.5) ** 2 + 0.25 * 0.5**2)
    # The first two games cost ln 4/3 each, the others ln 4 and ln 4/3, and ln 2 whoever is even.
    assert made.behind == pytest.approx(made.log_loss - np.log(2))
    assert made.behind_error == pytest.approx(np.log(3) / 4)
    alone = part("x", expected, score, np.zeros(4), even)
    assert alone.error is alone.behind_error is None


def test_the_standard_error_of_blocks():
    """Each value for itself it is the usual one; in pairs alike it is that of the pairs."""
    values = np.array([1.0, 2.0, 4.0, 9.0])
    usual = values.std(ddof=1) / 2
    assert standard_error(values, np.arange(4)) == pytest.approx(usual)
    twice, blocks = np.repeat(values, 2), np.repeat(np.arange(4), 2)
    assert standard_error(twice, blocks) == pytest.approx(usual)


def test_groups_without_games_are_left_out():
    number = np.array([0, 2, 2, 2])
    found = grouped(
        ["a", "b", "c"], number, {"x": np.full(4, 0.5)}, np.array([1, 0, 1, 0.5]), np.arange(4)
    )
    assert [(each.name, each.games) for each in found] == [("a", 1), ("c", 3)]
    assert found[1].systems[0].log_loss == pytest.approx(np.log(2))


def test_groups_make_up_the_whole():
    """The loss of all games is the mean of the groups', whichever way they are grouped."""
    made = compare(
        HISTORY / "games.csv", ["fide-2009", "elo:k=10", "bradley-terry:half_life=1"],
        players=HISTORY / "players.csv", compiled=False,
    )  # fmt: skip
    assert made.by.keys() == {"band", "experience", "year"}
    assert made.band_of == "fide-2009"
    for groups in made.by.values():
        assert len(groups) > 1
        assert sum(each.games for each in groups) == made.games
        for place, system in enumerate(made.systems):
            parts = [each.systems[place] for each in groups]
            assert {each.name for each in parts} == {system.name}
            whole = sum(a.games * b.log_loss for a, b in zip(groups, parts, strict=True))
            assert whole / made.games == pytest.approx(system.log_loss.mean)
    # Of players without a rating FIDE expects nothing.
    assert all(each.name != NO_RATING for each in made.by["band"])


def test_the_command_shows_groups_and_the_baseline():
    words = ["lab", "compare", str(HISTORY / "games.csv"), "--players"]
    words += [str(HISTORY / "players.csv"), "--rulebook", "elo,bradley-terry:refit=month"]
    done = CliRunner().invoke(app, [*words, "--by", "year", "--by", "band"])
    assert done.exit_code == 0, done.output
    assert "bradley-terry:refit=month" in done.output
    assert "Ratings are those of elo before the game" in done.output
    assert "\n2010 " in done.output
    done = CliRunner().invoke(app, [*words, "--format", "json"])
    said = json.loads(done.stdout)
    (year, *_) = said["by"]["year"]
    assert {each["name"] for each in year["systems"]} == {each["name"] for each in said["systems"]}
    done = CliRunner().invoke(app, [*words[:-1], "elo,bradley-terry:refit=weekly"])
    assert done.exit_code == 2
    assert "refit" in done.output
