"""An event by rules that rate game by game: one account for each player, from first to last."""

from __future__ import annotations

import pytest

from ratingbook.cli.rate_table import accounts_of
from ratingbook.cli.report_page import page
from ratingbook.desk.library import whatif
from ratingbook.desk.rated import Rated, rate_file
from ratingbook.desk.whole_event import whole_events
from ratingbook.rules import registry

TABLE = """white,black,result,round,white_rating,black_rating
a,b,1,1,1600,1400
c,a,0.5,2,1500,1600
b,c,0,3,1400,1500
"""


@pytest.fixture
def rated(tmp_path) -> Rated:
    path = tmp_path / "games.csv"
    path.write_text(TABLE)
    return rate_file(path, registry.load("elo"), explain=["a"])


def expected(own: float, other: float) -> float:
    return 1 / (1 + 10 ** ((other - own) / 400))


def test_the_account_is_of_the_event_and_not_of_its_last_game(rated) -> None:
    # By hand, with K = 20: a wins against 1400 and then draws with 1500.
    first = expected(1600, 1400)
    between = 1600 + 20 * (1 - first)
    second = expected(between, 1500)
    _, told = accounts_of(rated)
    account = told["a", None]
    row = account.rated.row
    assert row.before == 1600
    assert row.after == pytest.approx(between + 20 * (0.5 - second))
    assert (row.games, row.score) == (2, 1.5)
    assert row.expected == pytest.approx(first + second)
    assert account.is_all
    assert "From 2 rated games" in account.text()
    assert "rounded" not in account.text()
    assert [game.change for game in account.games] == pytest.approx(
        [20 * (1 - first), 20 * (0.5 - second)]
    )


def test_each_step_is_about_its_game(rated) -> None:
    (joined,) = [r for r in whole_events(rated.rating.rows, rated.rating.book) if r.row.id == "a"]
    games = [step.game for step in joined.explanation]
    assert None not in games
    assert len(set(games)) == 2
    html = page([rated], rated.rating.book, "a")
    assert html.count("From 2 rated games") == 1


def test_what_is_rated_together_stays_as_it_is(tmp_path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(TABLE)
    together = rate_file(path, registry.load("fide-2009"))
    assert whole_events(together.rating.rows, together.rating.book) is together.rating.rows


def test_what_if_is_about_all_games() -> None:
    first = expected(1500, 1600)
    between = 1500 + 20 * (1 - first)
    second = expected(between, 1700)
    (outcome,) = whatif(["1600=1", "1700=0"], "elo", rating=1500)["outcomes"]
    assert (outcome["before"], outcome["games"], outcome["score"]) == (1500, 2, 1)
    assert outcome["after"] == pytest.approx(between - 20 * second)
    assert outcome["expected"] == pytest.approx(first + second)
