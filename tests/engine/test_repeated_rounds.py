"""Rounds that are repeated until nothing moves, left out, or played in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.model import Entry, Event, Game, Report, Result
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import RuleBook
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Paragraph
from tests.engine.toys import TOY, Round, Side, Standing, Value, play, rounds_of, toy_of


class Parameters(NamedTuple):
    nothing: int = 0


@paragraph("1", "half of {number} is {value}")
def half_of(number: float) -> float:
    return number / 2


def halves(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    """Half of what the opponents have together."""
    del standing, p
    return Value(half_of(sum(side.opponent for side in sides)), len(sides))


def own_and_one(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    """The own number of the round before, and one."""
    del p
    return Value(standing.before + 1, len(sides))


def as_it_was(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    """The rating."""
    del p
    return Value(standing.rating, len(sides))


START = play(as_it_was)


def toy(rounds: Sequence[Round], wants: Callable[[Value], bool] | None = None) -> RuleBook:
    return toy_of(
        replace(TOY, wants=wants, **rounds_of(rounds)),
        Settings(Parameters(), {"nothing": "nothing"}),
        Paragraph("1", "Halves", "…"),
    )


def rated(
    *rounds: Round,
    order: str = "ab",
    explain: Sequence[str] = (),
    wants: Callable[[Value], bool] | None = None,
) -> Rating:
    """Everybody from 16, each against the next one."""
    entries = tuple(Entry(each, standing=ReportedStanding(rating=16)) for each in order)
    games = tuple(
        Game(white, black, Result.DRAW, round=number)
        for number, (white, black) in enumerate(pairwise(order), 1)
    )
    return rate(Report(Event(), entries, games), toy(rounds, wants), explain=explain)


def numbers(done: Rating) -> dict[str, float | None]:
    """What came out."""
    return {each.row.id: each.row.exact for each in done.rows}


@pytest.mark.parametrize(
    ("goes_on", "value"),
    [
        (False, 4),  # 16 → 8 moves by 8; 8 → 4, by 4, is the first turn that is looked at
        (True, 8),  # 16 → 8 is looked at already
    ],
)
def test_a_round_may_go_on_from_the_one_before(goes_on: bool, value: float) -> None:
    again = play(halves, at_most=50, still=9, goes_on=goes_on)
    assert numbers(rated(START, again)) == {"a": value, "b": value}


def test_the_first_round_of_all_goes_on_from_nothing() -> None:
    first = play(halves, at_most=50, still=99, goes_on=True)
    assert numbers(rated(first)) == {"a": 4, "b": 4}


@pytest.mark.parametrize(
    ("at_most", "must_settle", "is_refused"),
    [(5, True, False), (4, True, True), (4, False, False), (1, True, True)],
)
def test_what_must_settle_and_does_not_is_refused(
    at_most: int, must_settle: bool, is_refused: bool
) -> None:
    # 8, 4, 2, 1, ½: the fifth turn moves by less than 0.6.
    done = rated(play(halves, at_most=at_most, still=0.6, must_settle=must_settle))
    refusing = [each for each in done.findings if each.severity.refuses]
    assert [each.code for each in refusing] == ["rate.unsettled"] * is_refused
    assert bool(done.rows) is not is_refused
    if is_refused:
        assert f"{at_most} turns of the round 'halves'" in refusing[0].message
        assert refusing[0].remedy


def test_the_round_that_does_not_settle_is_named() -> None:
    """The first one settles in its fifth turn; the second is at 0.25 then, which is too much."""
    first = play(halves, at_most=5, still=0.6, must_settle=True)
    second = play(halves, at_most=3, still=0.001, must_settle=True)
    (told,) = [each for each in rated(first, second).findings if each.severity.refuses]
    assert "3 turns of the round 'halves'" in told.message


def test_a_section_that_does_not_settle_is_named() -> None:
    book = toy([play(halves, at_most=2, still=0.6, must_settle=True)])
    entries = tuple(Entry(each, standing=ReportedStanding(rating=16)) for each in "abcd")
    games = (Game("a", "b", Result.DRAW, section="A"), Game("c", "d", Result.DRAW, section="B"))
    done = rate(Report(Event(), entries, games), book)
    told = [each for each in done.findings if each.code == "rate.unsettled"]
    # The first refuses the report; the second is not looked at any more.
    assert [each.where.section for each in told] == ["A"]
    assert done.rows == ()


@pytest.mark.parametrize(("least", "value"), [(8, 4), (9, 8)])
def test_a_round_is_left_out_unless_it_is_wanted(least: float, value: float) -> None:
    done = rated(play(halves), play(halves, wanted=True), wants=lambda value: value.value >= least)
    assert numbers(done) == {"a": value, "b": value}


def test_one_player_is_enough_to_want_a_round() -> None:
    # a 8, b 16, c 8: only b has 16; then a is half of b's.
    done = rated(
        play(halves),
        play(halves, wanted=True),
        order="abc",
        wants=lambda value: value.value >= 16,
    )
    assert numbers(done) == {"a": 8, "b": 8, "c": 8}


def test_the_kernel_sees_the_own_number_of_the_round_before() -> None:
    counted = play(own_and_one, at_most=3)
    assert numbers(rated(START, counted)) == {"a": 19, "b": 19}
    # In the very first round there is none: the standing is as entered.
    assert numbers(rated(counted)) == {"a": 19, "b": 19}
    assert numbers(rated(play(own_and_one))) == {"a": 17, "b": 17}


def test_leave_gets_the_standing_as_entered() -> None:
    done = rated(START, play(own_and_one, at_most=3))
    assert [each.row.before for each in done.rows] == [16, 16]


@pytest.mark.parametrize(("order", "expected"), [("ab", (8, 4)), ("ba", (4, 8))])
def test_in_turn_each_sees_those_before(order: str, expected: tuple[float, float]) -> None:
    found = numbers(rated(START, play(halves, in_turn=True), order=order))
    assert (found["a"], found["b"]) == expected


def test_of_a_round_that_settles_the_last_turn_is_explained() -> None:
    settles = play(halves, at_most=50, still=0.6)
    (told,) = (each for each in rated(START, settles, explain=["a"]).rows if each.explanation)
    assert [step.value for step in told.explanation] == [0.5]
    repeated = play(halves, at_most=3)
    (told,) = (each for each in rated(START, repeated, explain=["a"]).rows if each.explanation)
    assert [step.value for step in told.explanation] == [8, 4, 2]
