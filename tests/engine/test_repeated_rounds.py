"""Rounds that are repeated until nothing moves, left out, or played in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.model import Entry, Event, Findings, Game, Report, Result
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Batch, RatedBy, Round, Row, TwiceWritten
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Paragraph, Regulation

# A toy federation: everybody has a number and sees those of the opponents.


class Standing(NamedTuple):
    rating: float
    before: float
    """The own number of the round before."""


class Side(NamedTuple):
    opponent: float
    score: int
    other: int
    game: int


class Value(NamedTuple):
    value: float


class Parameters(NamedTuple):
    nothing: int = 0


@paragraph("1", "half of {number} is {value}")
def half_of(number: float) -> float:
    return number / 2


def halved(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    """Half of what the opponents have together."""
    del standing, p
    return Value(half_of(sum(side.opponent for side in sides)))


def own_and_one(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    """The own number of the round before, and one."""
    del sides, p
    return Value(standing.before + 1)


def as_it_was(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    """The rating."""
    del sides, p
    return Value(standing.rating)


ToyRound = Round[Standing, Side, Value, Parameters]
START: ToyRound = Round("start", as_it_was)


class Toy(TwiceWritten[Batch, Standing, Side, Value, Parameters]):
    """A rule book whose rounds the test chooses."""

    def batches(self, report: Report) -> Iterator[Batch]:
        for section in report.sections():
            yield Batch(report, section.name, section.entries, section.games)

    def check(self, batch: Batch) -> Findings:
        del batch
        return Findings()

    def standing(self, batch: Batch, row: int) -> Standing:
        standing = batch.entries[row].standing
        rating = float(standing.rating or 0) if standing else 0.0
        return Standing(rating, rating)

    def enter(self, standing: Standing) -> Standing:
        return standing

    def sides(self, batch: Batch, entered: Sequence[Standing], row: int) -> list[Side]:
        player, sides = batch.entries[row].id, []
        for index in batch.games_of[row]:
            game = batch.games[index]
            other = batch.rows[str(game.black if game.white == player else game.white)]
            sides.append(Side(entered[other].rating, 1, other, index))
        return sides

    def rounds(self, batch: Batch) -> Sequence[ToyRound]:
        del batch
        return ROUNDS

    def moved(self, side: Side, value: Value) -> Side:
        return side._replace(opponent=value.value)

    def between(self, entered: Standing, value: Value) -> Standing:
        return entered._replace(before=value.value)

    def leave(self, entered: Standing, value: Value) -> Standing:
        return Standing(value.value, entered.before)

    def row(
        self, batch: Batch, row: int, sides: Sequence[Side], value: Value, left: Standing
    ) -> Row:
        return Row(
            id=batch.entries[row].id,
            name="",
            section=batch.section,
            before=left.before,
            after=left.rating,
            exact=value.value,
            games=len(sides),
            score=0,
            expected=None,
            status="established",
            published=True,
            standing=ReportedStanding(rating=left.rating),
        )


ROUNDS: list[ToyRound] = []
TOY = Toy(
    name="toy",
    text=Regulation(
        title="Toy",
        federation="Toy",
        source="this test",
        valid_from=None,
        valid_until=None,
        paragraphs=(Paragraph("1", "Halves", "…"),),
        readings=(),
    ),
    settings=Settings(Parameters(), {"nothing": "nothing"}),
    rated_by=RatedBy.SECTION,
)


def rated(*rounds: ToyRound, order: str = "ab", explain: Sequence[str] = ()) -> Rating:
    """Everybody from 16, each against the next one."""
    ROUNDS[:] = rounds
    entries = tuple(Entry(each, standing=ReportedStanding(rating=16)) for each in order)
    games = tuple(
        Game(white, black, Result.DRAW, round=number)
        for number, (white, black) in enumerate(pairwise(order), 1)
    )
    return rate(Report(Event(), entries, games), TOY, explain=explain)


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
    again: ToyRound = Round("halves", halved, at_most=50, still=9, goes_on=goes_on)
    assert numbers(rated(START, again)) == {"a": value, "b": value}


def test_the_first_round_of_all_goes_on_from_nothing() -> None:
    first: ToyRound = Round("halves", halved, at_most=50, still=99, goes_on=True)
    assert numbers(rated(first)) == {"a": 4, "b": 4}


@pytest.mark.parametrize(
    ("at_most", "must_settle", "is_refused"),
    [(5, True, False), (4, True, True), (4, False, False), (1, True, True)],
)
def test_what_must_settle_and_does_not_is_refused(
    at_most: int, must_settle: bool, is_refused: bool
) -> None:
    # 8, 4, 2, 1, ½: the fifth turn moves by less than 0.6.
    done = rated(Round("halves", halved, at_most=at_most, still=0.6, must_settle=must_settle))
    refusing = [each for each in done.findings if each.severity.refuses]
    assert [each.code for each in refusing] == ["rate.unsettled"] * is_refused
    assert bool(done.rows) is not is_refused
    if is_refused:
        assert f"{at_most} turns of the round 'halves'" in refusing[0].message
        assert refusing[0].remedy


def test_a_section_that_does_not_settle_is_named() -> None:
    ROUNDS[:] = [Round("halves", halved, at_most=2, still=0.6, must_settle=True)]
    entries = tuple(Entry(each, standing=ReportedStanding(rating=16)) for each in "abcd")
    games = (Game("a", "b", Result.DRAW, section="A"), Game("c", "d", Result.DRAW, section="B"))
    done = rate(Report(Event(), entries, games), TOY)
    told = [each for each in done.findings if each.code == "rate.unsettled"]
    # The first refuses the report; the second is not looked at any more.
    assert [each.where.section for each in told] == ["A"]
    assert done.rows == ()


@pytest.mark.parametrize(("least", "value"), [(8, 4), (9, 8)])
def test_a_round_is_left_out_unless_it_is_wanted(least: float, value: float) -> None:
    wanted: ToyRound = Round("more", halved, wanted=lambda value: value.value >= least)
    assert numbers(rated(Round("halves", halved), wanted)) == {"a": value, "b": value}


def test_one_player_is_enough_to_want_a_round() -> None:
    # a 8, b 16, c 8: only b has 16; then a is half of b's.
    wanted: ToyRound = Round("more", halved, wanted=lambda value: value.value >= 16)
    assert numbers(rated(Round("halves", halved), wanted, order="abc")) == {"a": 8, "b": 8, "c": 8}


def test_the_kernel_sees_the_own_number_of_the_round_before() -> None:
    counted: ToyRound = Round("one more", own_and_one, at_most=3)
    assert numbers(rated(START, counted)) == {"a": 19, "b": 19}
    # In the very first round there is none: the standing is as entered.
    assert numbers(rated(counted)) == {"a": 19, "b": 19}
    assert numbers(rated(Round("one more", own_and_one))) == {"a": 17, "b": 17}


def test_leave_gets_the_standing_as_entered() -> None:
    done = rated(START, Round("one more", own_and_one, at_most=3))
    assert [each.row.before for each in done.rows] == [16, 16]


@pytest.mark.parametrize(("order", "expected"), [("ab", (8, 4)), ("ba", (4, 8))])
def test_in_turn_each_sees_those_before(order: str, expected: tuple[float, float]) -> None:
    found = numbers(rated(START, Round("halves", halved, in_turn=True), order=order))
    assert (found["a"], found["b"]) == expected


def test_of_a_round_that_settles_the_last_turn_is_explained() -> None:
    settles: ToyRound = Round("halves", halved, at_most=50, still=0.6)
    (told,) = (each for each in rated(START, settles, explain=["a"]).rows if each.explanation)
    assert [step.value for step in told.explanation] == [0.5]
    repeated: ToyRound = Round("halves", halved, at_most=3)
    (told,) = (each for each in rated(START, repeated, explain=["a"]).rows if each.explanation)
    assert [step.value for step in told.explanation] == [8, 4, 2]
