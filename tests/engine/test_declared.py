"""A rule of somebody's own book that gives no number is named, by reports and histories alike."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ratingbook as rb
from ratingbook.engine.declared import is_of_others, wrong_in
from ratingbook.engine.history import run
from ratingbook.model import Entry, Event, Game, Report, Result
from ratingbook.rules import registry
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.catalogue import EDITIONS
from ratingbook.rules.paragraph import RuleFault
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Regulation
from ratingbook.rules.units import Rating

RULES = """
import math
from typing import NamedTuple

from ratingbook.rules.bulk import Bulk, Calendar, summed
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import SCORE_SCALE, Expectation, Rating
from ratingbook.rules.usual import NO_RATING, Standing, Sums, lists_every, one_more


class Parameters(NamedTuple):
    start: Rating = 1500


@paragraph("1", "starts at {value}")
def starting_rating(p: Parameters) -> Rating:
    return START


def enter(standing, how, facts, p):
    if standing.rating == NO_RATING:
        return Standing(starting_rating(p), standing.games)
    return standing


@paragraph("2", "expected {value}")
def expected_score(own: Rating, opponent: Rating) -> Expectation:
    return EXPECTED


def with_game(so_far, standing, side, p):
    expected = expected_score(side.own, side.opponent)
    return one_more(so_far, side.score, expected, 20 * side.score * SCORE_SCALE // 2 - expected)


def leave(entered, value, p):
    return LEFT


RULES = Bulk(enter=enter, fold=summed(with_game), leave=leave, calendar=Calendar(lists_every(1)))
"""
RIGHT = {
    "START": "p.start", "EXPECTED": "SCORE_SCALE // 2",
    "LEFT": "Standing(entered.rating + value.games, entered.games + value.games)",
}  # fmt: skip
NUMBERS = count()
GAMES = [
    {"date": "2024-01-05", "white": "a", "black": "b", "score": 1},
    {"date": "2024-02-05", "white": "b", "black": "c", "score": 0.5},
]
REPORT = Report(Event(), (Entry("a"), Entry("b")), (Game("a", "b", Result.DRAW, round=1),))


@pytest.fixture
def book_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., RuleBook]:
    """A rule book with some of its rules written otherwise."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def made(**written: str) -> RuleBook:
        text = RULES
        for name, value in (RIGHT | written).items():
            text = text.replace(f"return {name}", f"return {value}")
        module = f"own_rules_{next(NUMBERS)}"
        (tmp_path / f"{module}.py").write_text(text)
        rules = import_module(module)
        return RuleBook(
            name="own-2024",
            text=Regulation(title="Own", federation="Own", source="invented", valid_from=None),
            settings=Settings(rules.Parameters()),
            rated_by=RatedBy.PERIOD,
            bulk=rules.RULES,
        )

    return made


WRONG = [
    ({"START": '"1500"'}, "starting_rating", 17, "it gives '1500', and must give a whole number"),
    ({"START": "None"}, "starting_rating", 17, "it gives None, and must give a whole number"),
    ({"START": "1500.5"}, "starting_rating", 17, "it gives 1500.5, and must give a whole number"),
    ({"EXPECTED": "math.nan"}, "expected_score", 28, "it gives nan, .* a whole number"),
    ({"LEFT": "Standing(math.nan, 1)"}, "leave", 37, "gives nan for rating of Standing, .* whole"),
    ({"LEFT": "None"}, "leave", 36, "it gives None, and must give a Standing"),
    ({"LEFT": "(1500, 1)"}, "leave", 36, r"it gives \(1500, 1\), and must give a Standing"),
]


@pytest.mark.parametrize(("written", "rule", "line", "told"), WRONG)
def test_reports_and_histories_name_the_rule(
    book_with: Callable[..., RuleBook], written: dict[str, str], rule: str, line: int, told: str
) -> None:
    book = book_with(**written)
    named = rf"fails in {rule}, .*own_rules_\d+\.py, line {line}: .*{told}"
    with pytest.raises(RuleFault, match=named):
        rb.rate(REPORT, book)
    with pytest.raises(RuleFault, match=named):
        rb.history(GAMES, book, compiled=False, progress=False)


COMPILED = [
    ({"START": '"1500"'}, "starting_rating", "it gives '1500', and must give a whole number"),
    ({"START": "None"}, "starting_rating", "it gives None, and must give a whole number"),
    ({"EXPECTED": "math.nan"}, "expected_score", "it gives nan, and must give a whole number"),
    (
        {"LEFT": "Standing(0.5 * entered.rating, 1)"},
        "leave",
        "750.0 for rating of Standing, .* ",
    ),
]


@pytest.mark.parametrize(("written", "rule", "told"), COMPILED)
def test_the_compiler_names_the_rule(
    book_with: Callable[..., RuleBook], written: dict[str, str], rule: str, told: str
) -> None:
    book = book_with(**written)
    for _ in range(2):
        with pytest.raises(RuleFault, match=rf"fails in {rule}, .*own_rules_\d+\.py, .*{told}"):
            rb.history(GAMES, book, compiled=True, progress=False)


def test_what_compiled_rules_raise_has_a_place(book_with: Callable[..., RuleBook]) -> None:
    book = book_with(EXPECTED="SCORE_SCALE // (own - opponent)")
    with pytest.raises(ZeroDivisionError) as error:
        rb.history(GAMES, book, compiled=True, progress=False)
    frame = traceback.extract_tb(error.value.__traceback__)[-1]
    assert (frame.name, frame.lineno) == ("expected_score", 28)


@pytest.mark.parametrize(("games", "where"), [(100_000, "expected_score"), (1, "_run")])
def test_nobody_waits_long_for_the_place(
    book_with: Callable[..., RuleBook], monkeypatch: pytest.MonkeyPatch, games: int, where: str
) -> None:
    """The second list fails; where the first one has all the games that are rated once more."""
    monkeypatch.setattr(run, "AGAIN_IN_PYTHON", games)
    book = book_with(EXPECTED="SCORE_SCALE // (own - opponent)")
    later = [{"date": "2024-02-05", "white": "c", "black": "d", "score": 0.5}]
    players = [{"id": "a", "rating": 1700, "games": 9}, {"id": "b", "rating": 1500, "games": 9}]
    with pytest.raises(ZeroDivisionError) as error:
        rb.history([GAMES[0], *later], book, players=players, compiled=True, progress=False)
    assert traceback.extract_tb(error.value.__traceback__)[-1].name == where


def test_right_rules_are_left_alone(book_with: Callable[..., RuleBook]) -> None:
    book = book_with()
    assert is_of_others(book.bulk)
    assert [row.row.after for row in rb.rate(REPORT, book)] == [1501, 1501]
    rated = rb.history(GAMES, book, compiled=False, progress=False)
    assert rated.ratings["rating"].to_pylist() == [1501, 1502, 1501]
    step = rb.rate(REPORT, book, explain="a").explain("a").steps[0]
    assert (step.paragraph, step.told) == ("1", "starts at 1500")


def test_what_is_ours_is_not_looked_at() -> None:
    for name in EDITIONS:
        assert not is_of_others(registry.edition(name).bulk), name


class Row(NamedTuple):
    rating: Rating
    share: float
    listed: bool


@pytest.mark.parametrize(
    ("value", "kind", "wrong"),
    [
        (3, Rating, None),
        (True, int, None),
        (math.nan, float, None),
        (math.nan, int, ("nan", "a whole number")),
        ("x" * 99, float, (f"'{'x' * 59}…", "a number")),
        (None, str, None),
        (Row(1, 0.5, True), Row, None),
        (Row._make((1, None, True)), Row, ("None for share of Row", "a number")),
    ],
)
def test_values_of_kinds(value: Any, kind: Any, wrong: Any) -> None:
    assert wrong_in(value, kind) == wrong
