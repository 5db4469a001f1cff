"""The page of a comparison: what it says where the truth is known, and what its charts hold."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.engine.history.columns import GameColumns
from ratingbook.lab.charts import Bar, Mark, Point, calibration, courses, intervals
from ratingbook.lab.compare import CONSTANT, Comparison, scored, sentences
from ratingbook.lab.outcomes import of_expected
from ratingbook.lab.report import page_of

EXAMPLES = Path(__file__).parents[2] / "examples" / "history"


@pytest.fixture(scope="module")
def made() -> Comparison:
    """One system is true, one the same but too sure of favourites; White is worth nothing."""
    chance = np.random.Generator(np.random.PCG64(9))
    true = chance.uniform(0.1, 0.9, 6000)
    odds = (true / (1 - true)) ** 2
    expected = {"true": true, "too sure": odds / (1 + odds), CONSTANT: np.full(6000, 0.5)}
    number = np.arange(6000)
    columns = GameColumns(
        day=(number // 10).astype(np.int32), white=np.zeros(6000, np.int32),
        black=np.ones(6000, np.int32), event=(number // 50).astype(np.int32),
        score=(2 * (chance.random(6000) < true)).astype(np.int8),
    )  # fmt: skip
    return scored(columns, expected)


def test_the_findings_say_which_is_true(made: Comparison):
    heads = {each.head: each.text for each in page_of(made).findings}
    assert next(iter(heads)) == "true expected best what happened."
    assert "too sure" in heads["More than chance explains lies between it and the rest."]
    assert "too sure (−" in heads["Favourites score less than is expected of them."]
    assert heads["Favourites score as expected, as far as can be told."] == "With true."
    assert not any("cannot be told apart" in each for each in heads)
    assert not any("at home" in each for each in heads)


def test_systems_that_are_equal_are_not_told_apart():
    columns = GameColumns(
        day=np.arange(200, dtype=np.int32), white=np.zeros(200, np.int32),
        black=np.ones(200, np.int32), score=np.tile(np.array([2, 0, 2, 2], np.int8), 50),
    )  # fmt: skip
    same = np.full(200, 0.7)
    noise = np.random.Generator(np.random.PCG64(2)).normal(0, 0.01, 200)
    page = page_of(scored(columns, {"one": same, "other": same + noise}))
    assert any("cannot be told apart" in each.head for each in page.findings)


def test_each_chart_has_its_table(made: Comparison):
    page = page_of(made)
    assert [each.title for each in page.calibrations] == ["true", "too sure", CONSTANT]
    assert len({each.key for each in (*page.figures, *page.calibrations)}) == 5
    for each in (*page.figures, *page.calibrations):
        assert each.alt
        assert len(each.table.rows) >= 1
        assert all(len(row) == len(each.table.columns) for row in each.table.rows)
        marks = (
            len(re.findall(r'class="mark-symbol[^"]*">(.*?)</g>', each.svg)[0].split("<path")) - 1
        )
        assert marks == len(each.table.rows)
    first = page.calibrations[0]
    assert len(first.table.rows) == 10
    assert sum(int(row[1].replace(",", "")) for row in first.table.rows) == made.games


def test_draws_have_a_table_and_charts():
    """Where a layer parts the games; the share of draws is found, and the chart ends near it."""
    chance = np.random.Generator(np.random.PCG64(12))
    true = chance.uniform(0.2, 0.8, 6000)
    odds = of_expected(true, 0.8)
    dice = chance.random(6000)
    number = np.arange(6000)
    columns = GameColumns(
        day=(number // 10).astype(np.int32), white=np.zeros(6000, np.int32),
        black=np.ones(6000, np.int32), event=(number // 50).astype(np.int32),
        score=((dice < odds.win).astype(np.int8) + (dice < odds.win + odds.draw)).astype(np.int8),
    )  # fmt: skip
    page = page_of(scored(columns, {"true": true}, layers=True))
    assert page.outcomes is not None
    assert [row[0] for row in page.outcomes.rows] == ["true + layer"]
    (figure,) = page.draws
    assert "true + layer" in figure.title
    assert ">30%<" in figure.svg
    assert ">100%<" not in figure.svg
    heads = {each.head: each.text for each in page.findings}
    assert "about as many" in heads["true + layer told win, draw and loss best."]
    assert any("Davidson" in each.text for each in page.methods)
    plain = page_of(scored(columns, {"true": true}))
    assert plain.outcomes is None
    assert plain.draws == ()
    assert not any("layer" in each.head for each in plain.methods)


def test_groups_are_drawn_beside_the_best(made: Comparison):
    """A chart for each way in which there are several groups; its points stand in the table."""
    page = page_of(made)
    # All games count after the first hundred of these two players: there is one group of them.
    (figure,) = page.groups
    assert figure.title == "Over time"
    groups = made.by["year"]
    # The best is the line at 0; who knows no ratings is not shown.
    assert [row[0] for row in figure.table.rows] == [
        f"{group.name}: {name}" for group in groups for name in ("true", "too sure")
    ]
    symbols = re.findall(r'class="mark-symbol role-mark[^"]*">(.*?)</g>', figure.svg)
    assert len(symbols) == 1
    assert symbols[0].count("<path") == len(groups)
    assert ">too sure<" in figure.svg
    assert ">constant<" not in figure.svg
    behind = [each.systems[1].behind for each in groups]
    games = [each.games for each in groups]
    whole = sum(n * b for n, b in zip(games, behind, strict=True)) / made.games
    second = made.systems[1].behind
    assert second is not None
    assert whole == pytest.approx(second.mean)


def test_of_one_event_nothing_is_more_than_chance():
    columns = GameColumns(
        day=np.arange(200, dtype=np.int32), white=np.zeros(200, np.int32),
        black=np.ones(200, np.int32), event=np.zeros(200, np.int32),
        score=np.full(200, 2, np.int8),
    )  # fmt: skip
    made = scored(columns, {"right": np.full(200, 0.9), "wrong": np.full(200, 0.1)})
    told = sentences(made)
    assert "wrong is 2.1972 behind: that can be chance." in told
    assert told[-1] == "There is only one event: what chance explains nobody can tell."
    page = page_of(made)
    assert page.table.rows[1][2] == "unknown"
    assert "wrong cannot be told apart from it." in [each.head for each in page.findings]


@pytest.mark.parametrize(
    "svg",
    [intervals([Bar("<b>&", 0.5, 0.4, 0.6)], "loss", zero=True),
     calibration([Point(0.5, 0.4, -0.1, 1.2)]),
     courses([Mark("<b>&", "2001", 0.5, 0.4, 0.6)], "year", "loss", years=True),
     courses([Mark("<b>&", "10 or more", 0.5, 0.4, 0.6)], "band", "loss", years=False)],
)  # fmt: skip
def test_a_chart_is_plain_svg_in_the_colours_of_the_page(svg: str):
    """No script, style, link or size of its own; names are text."""
    assert svg.startswith("<svg viewBox=")
    assert not re.search(r"<(?:script|style|image|a|foreignObject|b)\b", svg)
    assert not re.search(r'(?:href|style|role|font-family|width="[0-9]+" height)=', svg)
    assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) <= {
        "none", "var(--ink)", "var(--soft)", "var(--line)", "var(--accent)", "var(--edge)",
        "var(--warn)",
    }  # fmt: skip


def invoked(*arguments: object):
    return CliRunner().invoke(app, ["lab", "compare", *map(str, arguments)])


def test_the_command_writes_a_page_that_says_how_to_do_it_again(tmp_path: Path):
    out = tmp_path / "report.html"
    options = ("--players", EXAMPLES / "players.csv", "--rulebook", "elo,fide-2009", "--seed", "3")
    done = invoked(EXAMPLES / "games.csv", *options, "--html", out, "-q")
    assert done.exit_code == 0, done.output
    text = out.read_text("utf-8")
    assert "fide-2009 expected best what happened." in text
    assert f"ratingbook lab compare {EXAMPLES / 'games.csv'} --rulebook elo,fide-2009" in text
    assert "--seed 3" in text
    # The hash of the file by sha256sum.
    assert text.count("SHA-256 ") == 2
    assert "http" not in re.sub(r'xmlns(?::xlink)?="[^"]*"|http-equiv', "", text)
    assert "<script" not in text


def test_a_page_is_not_written_over_what_is_read(tmp_path: Path):
    games = tmp_path / "games.csv"
    games.write_bytes((EXAMPLES / "games.csv").read_bytes())
    for place in (games, tmp_path, tmp_path / "none" / "x.html"):
        done = invoked(games, "--rulebook", "elo", "--html", place)
        assert done.exit_code == 2, done.output
        assert "--html" in done.output
    assert games.read_bytes() == (EXAMPLES / "games.csv").read_bytes()
