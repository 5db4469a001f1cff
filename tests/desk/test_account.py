"""The account of a change: why a game does not count, and sums that a pocket calculator does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

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
    assert GameAccount(meeting, rating, None, None, rating).why_unrated == why


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


def _rated_by(
    rulebook: str, ratings: Mapping[str, tuple[float, int] | None], games: tuple[Game, ...],
    explained: tuple[str, ...], **event: Any,
) -> dict[tuple[str, str | None], Account]:  # fmt: skip
    """The accounts of everybody; without a rating and games somebody has no standing."""
    entries = tuple(
        Entry(each, standing=None if said is None else Standing(rating=said[0], games=said[1]))
        for each, said in ratings.items()
    )
    book = registry.load(rulebook)
    report = Report(Event(**event), entries, games)
    rows = rate(report, book, explain=explained).rows
    return accounts(rows, list(cross_tables(report, rows)), book)


def _total(account: Account) -> object:
    """The sum of the opponents that the explanation divides."""
    (found,) = (
        step.inputs["total"] for step in account.rated.explanation
        if step.rule == "average_of_opponents"
    )  # fmt: skip
    return found


@pytest.mark.parametrize("explained", [(), ("ben",)])
def test_the_opponent_of_a_substitute_counts_with_the_higher_rating_of_the_two(explained):
    """ICCF 18b; the average is of the ratings with which games were rated, explained or not."""
    ratings = {"ann": (2000, 100), "ben": (2100, 100), "eve": (2300, 100), "fay": (2090, 100)}
    games = (
        Game("ann", "ben", Result.DRAW, white_for="eve"),
        Game("ben", "ann", Result.DRAW, black_for="fay"),
    )
    told = _rated_by("iccf-2009", ratings, games, explained, category="master_class")
    assert told["ben", None].average == (2300 + 2090) / 2


@pytest.mark.parametrize("explained", [(), ("ben",)])
@pytest.mark.parametrize(
    ("category", "counted"), [("open_class", [1900, 1850]), ("master_class", [2200, 2200])]
)
def test_a_substitute_without_a_rating_counts_with_the_higher_of_level_and_rating(
    explained, category, counted
):
    """ICCF 18b and 11: the level stands for who has none, whether at the board or replaced."""
    ratings = {"ann": None, "ben": (2100, 100), "eve": (1900, 100), "fay": (1850, 100)}
    games = (
        Game("ann", "ben", Result.DRAW, white_for="eve", round=1),
        Game("ben", "fay", Result.DRAW, black_for="ann", round=2),
    )
    own = _rated_by("iccf-2009", ratings, games, explained, category=category)["ben", None]
    assert [each.rating for each in own.games] == counted
    assert own.average == sum(counted) / 2


@pytest.mark.parametrize("explained", [(), ("ann",)])
@pytest.mark.parametrize(
    ("rulebook", "counted"),
    # A newcomer has the level of 1800, or the starting rating of 800.
    [("iccf-2009", [1450, 2150, 1900]), ("iecg-1999", [1200, 1200, 1200])],
)
def test_the_average_is_that_of_the_rules_with_their_limits(rulebook, counted, explained):
    """ICCF 5, IECG III.8: an opponent counts as at most 350, or 400, points away."""
    ratings = {"ann": None, "ben": (1336, 100), "eve": (2300, 100), "fay": (1900, 100)}
    games = tuple(
        Game("ann", each, Result.DRAW, round=n) for n, each in enumerate(("ben", "eve", "fay"), 1)
    )
    said = {"category": "open_class", "start": date(2009, 1, 5), "end": date(2009, 2, 20)}
    own = _rated_by(rulebook, ratings, games, explained, **said)["ann", None]
    assert [each.rating for each in own.games] == counted
    assert [each.listed for each in own.games] == [1336, 2300, 1900]
    assert own.average == sum(counted) / 3
    if explained:
        assert _total(own) == sum(counted)


def test_a_fixed_rating_meets_opponents_as_they_are():
    """ICCF 8 limits the difference, not the rating."""
    ratings = {"ann": (1800, 100), "ben": (1336, 100)}
    games = (Game("ann", "ben", Result.DRAW),)
    own = _rated_by("iccf-2009", ratings, games, ("ann",), category="open_class")["ann", None]
    assert [each.rating for each in own.games] == [1336]


def test_an_opponent_who_was_reset_counts_with_the_rating_of_the_reset():
    """EGF 11: somebody declares a grade far above the highest so far."""
    extra = {"highest_grade": "6k"}
    entries = [
        Entry(each, grade=grade, standing=Standing(rating, 20, extra=extra))
        for each, grade, rating in (("ann", "1k", 1500), ("ben", "6k", 1700))
    ]
    book = registry.load("egf-2021")
    games = (Game("ann", "ben", Result.WHITE_WINS),)
    report = Report(Event(class_="A"), tuple(entries), games)
    rows = rate(report, book, explain=None).rows
    told = accounts(rows, list(cross_tables(report, rows)), book)
    assert told["ann", None].reset is not None
    assert told["ben", None].average == told["ann", None].start == 2000


@pytest.mark.parametrize("explained", [(), ("ann",)])
def test_opponents_of_us_chess_count_with_what_the_event_made_of_them(explained):
    """Step 5: the average is of the numbers of Step 4, with those of who had no rating."""
    ratings = {"ann": (1600, 30), "ben": (1700, 30), "eve": None, "fay": None}
    games = (
        Game("ann", "ben", Result.DRAW, round=1), Game("eve", "fay", Result.WHITE_WINS, round=1),
        Game("ann", "eve", Result.DRAW, round=2), Game("fay", "ben", Result.DRAW, round=2),
        Game("fay", "ann", Result.DRAW, round=3), Game("ben", "eve", Result.DRAW, round=3),
    )  # fmt: skip
    everybody = tuple(ratings)
    steps = {
        each: step.value
        for (each, _), told in _rated_by("uscf-2011", ratings, games, everybody).items()
        for step in told.rated.explanation
        if step.rule == "rating_of_step_4" and isinstance(step.value, float)
    }
    own = _rated_by("uscf-2011", ratings, games, explained)["ann", None]
    assert [each.rating for each in own.games] == [steps["ben"], steps["eve"], steps["fay"]]
    assert [each.listed for each in own.games] == [1700, None, None]
    assert own.average == pytest.approx((steps["ben"] + steps["eve"] + steps["fay"]) / 3)


def test_of_opponents_whose_numbers_are_withheld_there_is_no_average():
    """Not that of the others: an average of some is none of the games."""
    rated = [Entry(each, standing=Standing(1600, 30)) for each in ("ann", "ben")]
    entries = (*rated, Entry("eve"))
    games = (Game("ann", "eve", Result.DRAW), Game("ann", "ben", Result.DRAW))
    report, book = Report(Event(), entries, games), registry.load("uscf-2011")
    rows = rate(report, book, explain=None).rows
    tables = list(cross_tables(report, rows))
    own = accounts(rows, tables, book, frozenset({"ann"}))["ann", None]
    assert [each.rating for each in own.games] == [None, 1600]
    assert own.average is None
    assert "on average" not in own.text()


def test_the_bonus_is_called_so():
    """EGF, paragraph 9 of 2021: 5.2 points of the games, and of each its bonus."""
    ratings = {"ann": (1500, 20), "ben": (1520, 20)}
    played = tuple(Game("ann", "ben", Result.DRAW, round=n) for n in (1, 2, 3))
    told = _rated_by("egf-2021", ratings, played, ("ann",), class_="A")["ann", None]
    assert "; with the bonus the change is" in told.text()
    assert [each.label for each in sum_line(told)][2] == "with the bonus"


def test_a_bonus_of_a_few_hundredths_is_no_rounding():
    ratings = {"ann": (2400, 20), "ben": (2400, 20)}
    played = (Game("ann", "ben", Result.WHITE_WINS),)
    told = _rated_by("egf-2021", ratings, played, ("ann",), class_="A")["ann", None]
    assert "rounded" not in told.text()
    assert "; with the bonus the change is" in told.text()


@pytest.mark.parametrize("rulebook", ["uscf-2011", "uscf-2025"])
def test_the_bonus_of_an_event_is_called_so(rulebook):
    """US Chess, 2.3: what K (S − E) has above the threshold is added once more."""
    others = "bcde"
    ratings = {"ann": (1500, 30), **dict.fromkeys(others, (1600, 30))}
    played = tuple(Game("ann", each, Result.WHITE_WINS) for each in others)
    told = _rated_by(rulebook, ratings, played, ("ann",))["ann", None]
    assert told.bonus
    assert "; with the bonus the change is" in told.text()
    assert [each.label for each in sum_line(told)][2] == "with the bonus"
    lost = tuple(Game("ann", each, Result.BLACK_WINS) for each in others)
    told = _rated_by(rulebook, ratings, lost, ("ann",))["ann", None]
    assert "bonus" not in told.text()


def test_what_is_not_rounded_is_not_said_to_be():
    """Elo: the new rating is not rounded, and the change is the product."""
    ratings = {"ann": (1500, 20), "ben": (1523, 20)}
    played = (Game("ann", "ben", Result.WHITE_WINS),)
    told = _rated_by("elo", ratings, played, ("ann",))["ann", None]
    assert [each.label for each in sum_line(told)] == ["score − expected", "times K", "new rating"]
    rounded = account(1.0, 1.822492, 30.0, 635.0, 610.0)
    assert [each.label for each in sum_line(rounded)][2] == "rounded"


@pytest.mark.parametrize(
    ("rulebook", "rating", "games", "event", "said"),
    [
        # Class B weighs three quarters, and no bonus, floor or limit had a part.
        ("egf-2013", 1500, 20, {"class_": "B"}, "; with the other rules the change is"),
        # Away from the old rating: 8 and a bit are 9.
        ("uscf-2011", 1500, 30, {}, ", rounded"),
    ],
)
def test_what_made_another_change_is_not_called_what_it_is_not(
    rulebook, rating, games, event, said
):
    ratings = {"ann": (rating, games), "ben": (rating + 20, games)}
    played = (Game("ann", "ben", Result.WHITE_WINS),)
    told = _rated_by(rulebook, ratings, played, ("ann",), **event)["ann", None]
    assert said in told.text()
    assert "bonus" not in told.text()
