"""The account of a change: why a game does not count, and sums that a pocket calculator does."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.desk.account import Account, GameAccount, accounts, sum_line
from ratingbook.desk.cross_table import Meeting, cross_tables
from ratingbook.desk.whole_event import whole_events
from ratingbook.engine.rate import RatedRow, rate
from ratingbook.model import (
    Colour,
    Entry,
    Event,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Standing,
    StandingStatus,
)
from ratingbook.rules import registry
from ratingbook.rules.book import Row


def game(*, white_rated: bool = True) -> Game:
    return Game("1", "2", Result.DRAW, white_rated=white_rated)


@pytest.mark.parametrize(
    ("rating", "of", "half_points", "why"),
    [
        (None, game(), 1, "the opponent has no rating"),
        (1800.0, game(white_rated=False), 1, "not to be rated, as the report says"),
        (1800.0, game(), None, "no result"),
        (1800.0, game(), 1, "not rated"),
        (None, None, 1, "the opponent has no rating"),
    ],
)
def test_why_a_game_that_was_played_does_not_count(rating, of, half_points, why):
    meeting = Meeting(
        opponent=2, name="Bravo, Ben", round=1, colour=Colour.WHITE, half_points=half_points,
        status=GameStatus.PLAYED, handicap=0, rated=False, substituted=False, game=of,
    )  # fmt: skip
    assert GameAccount(meeting, rating, None, None).why_unrated == why


def account(score: float, expected: float, k: float, before: float, after: float) -> Account:
    row = Row(
        id="1", name="Bravo, Ben", section=None, before=before, after=round(after), exact=after,
        games=5, score=score, expected=expected, status=StandingStatus.ESTABLISHED,
        published=True, standing=Standing(after),
    )  # fmt: skip
    return Account(RatedRow(row), (), (k,))


def value(text: str) -> Decimal:
    """A number as it is written; ½ is a half."""
    plain = text.replace("−", "-").replace("+", "")
    return Decimal((plain[:-1] or "0") + ".5") if plain.endswith("½") else Decimal(plain)


@pytest.mark.parametrize(
    ("score", "expected", "k", "before", "after", "said"),
    [
        # 4½ − 4.64 = −0.14, times 36.65 is −5.131: the digits that were left out are needed.
        (4.5, 4.635193, 36.6512, 1447.463, 1442.508, "0.1352 less, times K 36.6512 makes −4.955"),
        (1.0, 1.822492, 30.0, 635.0, 610.0, "0.8225 less, times K 30 makes −24.67, rounded −25"),
        (4.0, 4.47, 20.0, 2175.0, 2166.0, "0.47 less, times K 20 makes −9.4, rounded −9"),
        (1.0, 0.997, 40.0, 1500.0, 1500.0, "0.003 more, times K 40 makes +0.12, rounded 0"),
    ],
)
def test_what_is_multiplied_has_the_digits_that_the_product_needs(
    score, expected, k, before, after, said
):
    made = account(score, expected, k, before, after)
    assert said in made.text()
    assert said.split()[0] == sum_line(made)[0].result[1:]


@settings(deadline=None)
@given(
    st.integers(0, 18), st.floats(0, 9), st.floats(5, 120),
    st.integers(800_000, 2_800_000).map(lambda thousandths: thousandths / 1000),
)  # fmt: skip
def test_a_pocket_calculator_comes_to_what_the_sum_says(halves, expected, k, before):
    made = account(halves / 2, expected, k, before, before + k * (halves / 2 - expected))
    terms = sum_line(made)
    score, less = (value(each) for each in terms[0].text.removesuffix(" =").split(" − "))
    assert score - less == value(terms[0].result)
    factor, sign = terms[1].text.removeprefix("× ").split()
    product, shown = (score - less) * value(factor), value(terms[1].result)
    assert sign == "="
    assert abs(product - shown) <= Decimal("0.005")


def test_what_is_rounded_by_itself_is_not_said_to_be_equal():
    """1500.0004 − 5.9727 = 1494.0277: as written 1500 − 5.973 = 1494.027, one thousandth less."""
    terms = sum_line(account(0, 0.2986350, 20.0, 1500.0004, 1494.0277))
    (new,) = [each for each in terms if each.label == "new rating"]
    assert (new.text, new.result) == ("1500 − 5.973 ≈", "1494.028")


def test_a_change_of_two_rounded_ratings_is_no_bonus():
    whole = replace(account(1.0, 1.13, 40.0, 1500.0, 1494.0), is_each_rounded=True)
    assert whole.text().endswith("makes −5.2, and with both ratings rounded −6.")
    assert [each.label for each in sum_line(whole)][2] == "both ratings rounded"


def account_of(games: list[Game]) -> Account:
    """Of White, rated game by game, in an event of these games."""
    players = [Entry(each, standing=Standing(1500, 30)) for each in "12"]
    report = Report(Event(), tuple(players), tuple(games))
    book = registry.load("elo").edition(None)
    rows = whole_events(rate(report, book, explain=None).rows, book)
    return accounts(rows, list(cross_tables(report, rows)), book)["1", None]


def test_games_alike_have_each_the_own_numbers():
    """The rating has moved when the same two meet again: the two are told by their places."""
    games = [Game("1", "2", Result.WHITE_WINS, place=Place(line=line)) for line in (1, 2)]
    first, second = account_of(games).games
    assert first.expected == 0.5
    assert second.expected == pytest.approx(0.5288, abs=0.01)
    assert (first.change or 0) > (second.change or 0) > 0


def test_games_of_which_nothing_tells_one_from_the_other_have_what_they_have_in_common():
    games = [Game("1", "2", Result.WHITE_WINS) for _ in range(2)]
    assert [each.expected for each in account_of(games).games] == [None, None]


@pytest.mark.parametrize("explained", [(), ("ben",)])
def test_the_opponent_of_a_substitute_counts_with_the_higher_rating_of_the_two(
    explained: tuple[str, ...],
) -> None:
    """ICCF 18b; the average is of the ratings with which games were rated, explained or not."""
    ratings = {"ann": 2000, "ben": 2100, "eve": 2300, "fay": 2090}
    entries = [Entry(each, standing=Standing(rating=r, games=100)) for each, r in ratings.items()]
    games = (
        Game("ann", "ben", Result.DRAW, white_for="eve"),
        Game("ben", "ann", Result.DRAW, black_for="fay"),
    )
    book = registry.load("iccf-2009")
    report = Report(Event(category="master_class"), tuple(entries), games)
    rows = rate(report, book, explain=explained).rows
    told = accounts(rows, list(cross_tables(report, rows)), book)
    assert told["ben", None].average == (2300 + 2090) / 2
