"""Rating a report: refusal, rounds, and explanations that change nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

import pytest

from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Entry, Event, Findings, Game, Place, Report, Result, Severity
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.bulk import NEVER_STILL, Keeping
from ratingbook.rules.fide import fide_2009
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Paragraph
from tests.engine.toys import TOY, Round, Side, Standing, Value, play, rounds_of, toy_of

# A toy federation.  A player's first number is a hundred a point; the second is the mean of
# the opponents' first numbers.  Everything can be computed in the head.


class Parameters(NamedTuple):
    point: int = 100
    """What a point is worth."""


@paragraph("1", "{rating} + {points} × {p.point} = {value}")
def own_number(rating: float, points: float, p: Parameters) -> float:
    return rating + points * p.point


@paragraph("2", "half of {opponent} is {value}")
def half_of(opponent: float) -> float:
    return opponent / 2


def by_points(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    points = sum(side.score for side in sides) / 2
    return Value(own_number(standing.rating, points, p), len(sides))


def mean_of_opponents(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    del p
    if not sides:
        return Value(standing.rating, 0)
    return Value(sum(side.opponent for side in sides) / len(sides), len(sides))


def halves(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
    del standing, p
    return Value(sum(half_of(side.opponent) for side in sides), len(sides))


POINTS = play(by_points)
MEAN = play(mean_of_opponents)


class Kept(NamedTuple):
    """A side of an earlier batch."""

    opponent: float
    score: int


KEEPING = Keeping(
    kept=Kept,
    keeps=lambda left, p: True,
    keep=lambda side, start, entered, left, p: Kept(side.opponent, side.score),
    side=lambda kept, entered, p: Side(kept.opponent, kept.score, -1, -1),
)


class Toy(RuleBook):
    """It refuses a section of that name."""

    def check(self, batch: Batch) -> Findings:
        findings = Findings()
        if batch.section == "refused":
            findings.add(Severity.ERROR, "toy.refused", "Not this section.", Place(), "Leave it.")
        return findings


def toy(*rounds: Round, keeping: Keeping | None = None, made: type[RuleBook] = Toy) -> RuleBook:
    return toy_of(
        replace(TOY, keeping=keeping, **rounds_of(rounds)),
        Settings(Parameters(), {"point": "what a point is worth"}),
        Paragraph("1", "Points", "…"),
        Paragraph("2", "Halves", "…"),
        made=made,
    )


def entry(player: str, rating: int) -> Entry:
    return Entry(player, standing=ReportedStanding(rating=rating))


def report(
    ratings: dict[str, int], games: Sequence[tuple[str, str]], section: str | None = None
) -> Report:
    """White wins every game."""
    return Report(
        Event(),
        tuple(entry(player, rating) for player, rating in ratings.items()),
        tuple(
            Game(white, black, Result.WHITE_WINS, round=number, section=section)
            for number, (white, black) in enumerate(games, 1)
        ),
    )


CHAIN = report({"a": 1000, "b": 2000, "c": 3000}, [("a", "b"), ("b", "c")])
"""a beats b, b beats c."""


def numbers(chain: Report, book: RuleBook) -> dict[str, float | None]:
    return {rated.row.id: rated.row.exact for rated in rate(chain, book).rows}


def test_one_round_sees_the_ratings_of_before() -> None:
    # a meets b; b meets a and c; c meets b.
    assert numbers(CHAIN, toy(MEAN)) == {"a": 2000, "b": 2000, "c": 2000}


def test_the_second_round_sees_the_opponents_values_of_the_first() -> None:
    # First numbers: a 1000 + 100, b 2000 + 100, c 3000; then the means of the opponents'.
    assert numbers(CHAIN, toy(POINTS)) == {"a": 1100, "b": 2100, "c": 3000}
    assert numbers(CHAIN, toy(POINTS, MEAN)) == {"a": 2100, "b": 2050, "c": 2100}


def test_a_round_does_not_see_its_own_values() -> None:
    # After POINTS, MEAN: a 2100, b 2050, c 2100.  A third round takes the means of those.
    assert numbers(CHAIN, toy(POINTS, MEAN, MEAN)) == {"a": 2050, "b": 2100, "c": 2050}


@pytest.mark.parametrize("order", ["abc", "cba", "bac"])
def test_the_order_of_the_players_changes_nothing(order: str) -> None:
    ratings = {"a": 1000, "b": 2000, "c": 3000}
    shuffled = report({player: ratings[player] for player in order}, [("a", "b"), ("b", "c")])
    assert numbers(shuffled, toy(POINTS, MEAN, MEAN)) == numbers(CHAIN, toy(POINTS, MEAN, MEAN))


def test_sides_of_earlier_batches_keep_their_frozen_numbers() -> None:
    document = report_from(
        {
            "ratingbook": "report/1",
            "players": [
                {
                    "id": "a",
                    "standing": {"rating": 1000},
                    "history": [{"opponent": 500, "score": 0}],
                },
                {"id": "b", "standing": {"rating": 2000}},
            ],
            "games": [{"white": "a", "black": "b", "result": "1-0"}],
        }
    )
    # a: the carried 500 stays, b counts as 2000 (no point): (500 + 2000) / 2; b sees 1100.
    assert numbers(document, toy(POINTS, MEAN, keeping=KEEPING)) == {"a": 1250, "b": 1100}


PAIR = report({"a": 16, "b": 16}, [("a", "b")])


@pytest.mark.parametrize(
    ("at_most", "still", "turns", "value"),
    [
        # Both halve in every turn: 8, 4, 2, 1, ½, ¼ …
        (1, NEVER_STILL, 1, 8),
        (3, NEVER_STILL, 3, 2),
        (50, 0.6, 5, 0.5),  # 1 → ½ moves by ½, less than 0.6
        (50, 0.5, 6, 0.25),  # ½ is not less than ½; ¼ is
        (3, 0.6, 3, 2),  # the bound comes first
        (50, 100, 2, 4),  # two turns at least: one to move, one to see that it was still
        (1, 100, 1, 8),
    ],
)
def test_a_round_is_repeated_until_nothing_moves(
    at_most: int, still: float, turns: int, value: float
) -> None:
    calls = []

    def counted(standing: Standing, sides: Sequence[Side], p: Parameters) -> Value:
        calls.append(standing)
        return halves(standing, sides, p)

    book = toy(play(counted, at_most=at_most, still=still))
    assert numbers(PAIR, book) == {"a": value, "b": value}
    assert len(calls) == 2 * turns


def test_one_moving_player_keeps_the_round_going() -> None:
    # a and b halve from 16, c and d from 1: the second pair is still at once, the first is not.
    players = {"a": 16, "b": 16, "c": 1, "d": 1}
    pairs = report(players, [("a", "b"), ("c", "d")])
    book = toy(play(halves, at_most=50, still=0.6))
    # Five turns for all: 16 / 32 and 1 / 32.
    assert numbers(pairs, book) == {"a": 0.5, "b": 0.5, "c": 0.03125, "d": 0.03125}


def test_a_repeated_round_starts_from_the_round_before() -> None:
    # First numbers a 116, b 16; then halves of the other's: a 8, b 58; a 29, b 4.
    book = toy(POINTS, play(halves, at_most=2))
    assert numbers(PAIR, book) == {"a": 29, "b": 4}


def test_the_explanation_tells_every_turn() -> None:
    book = toy(POINTS, play(halves, at_most=3))
    (rated, _) = rate(PAIR, book, explain=["a"]).rows
    # 116 v 16: b's 16 → a 8 | b 58 → a 29 | b 4 → a 2.
    told = [(step.paragraph, step.value) for step in rated.explanation]
    assert told == [("1", 116), ("2", 8), ("2", 29), ("2", 2)]
    assert rated.row.exact == told[-1][1]


def test_sections_are_rated_one_after_the_other() -> None:
    both = Report(
        Event(),
        CHAIN.entries,
        tuple(
            Game(white, black, Result.WHITE_WINS, section=section)
            for section, white, black in (("A", "a", "b"), ("B", "b", "c"))
        ),
    )
    rows = rate(both, toy(POINTS)).rows
    assert [(rated.row.section, rated.row.id, rated.row.exact) for rated in rows] == [
        ("A", "a", 1100),
        ("A", "b", 2000),
        ("B", "b", 2100),
        ("B", "c", 3000),
    ]


# Refusal


def test_one_refused_section_refuses_the_report() -> None:
    both = Report(
        Event(),
        CHAIN.entries,
        tuple(
            Game(white, black, Result.WHITE_WINS, section=section)
            for section, white, black in (("A", "a", "b"), ("refused", "b", "c"))
        ),
    )
    done = rate(both, toy(POINTS), explain=None)
    assert done.rows == ()
    assert [finding.code for finding in done.findings] == ["toy.refused"]


def test_a_refused_report_gives_no_rows_and_reaches_no_rule() -> None:
    class Untouchable(RuleBook):
        def batches(self, report: Report) -> Iterator[Batch]:
            raise AssertionError("a refused report was rated")

    book = toy(POINTS, made=Untouchable)
    unknown = report({"a": 1000, "b": 1000}, [("a", "x")])
    done = rate(unknown, book, explain=None)
    assert done.rows == ()
    assert done.findings.refused


def test_warnings_do_not_refuse() -> None:
    day = date(2011, 7, 1)
    late = Report(Event(start=day, end=day), PAIR.entries, PAIR.games)
    ratings = tuple(entry(one.id, 1500) for one in PAIR.entries)
    done = rate(Report(late.event, ratings, late.games), fide_2009)
    assert "edition.outside-validity" in {finding.code for finding in done.findings}
    assert len(done.rows) == 2


# Explanations


def test_k_is_noted_of_who_is_not_explained() -> None:
    """FIDE B.02 of 2009: 10 for a player who has reached 2400, 15 below, 25 for a new one."""
    entries = (
        Entry("a", standing=ReportedStanding(rating=2450, games=80, extra={"reached_2400": True})),
        Entry("b", standing=ReportedStanding(rating=2100, games=80)),
        Entry("c", standing=ReportedStanding(rating=2000, games=8)),
    )
    games = [Game(white, black, Result.DRAW) for white, black in ("ab", "bc", "ca")]
    event = Event(start=date(2010, 3, 5), end=date(2010, 3, 7))
    held = Report(event, entries, tuple(games))
    noted = rate(held, fide_2009, explain=["b"], coefficients=True)
    assert {each.row.id: each.coefficients for each in noted.rows} == {
        "a": (10,), "b": (15,), "c": (25,),
    }  # fmt: skip
    assert [each.row.id for each in noted.rows if each.explanation or each.ran] == ["b"]
    assert [each.row for each in noted.rows] == [each.row for each in rate(held, fide_2009).rows]


def test_only_the_edition_that_is_asked_for_is_made() -> None:
    program = (
        "import sys; from ratingbook.rules import registry; registry.load('fide-2009'); "
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "ratingbook.rules.fide.edition_2009" in done.stdout.split()
    assert not {"ratingbook.rules.fide.later", "shlex"} & {*done.stdout.split()}


def example_reports() -> list[Report]:
    return [report_from(example.document) for example in fide_2009.text.examples]


@pytest.mark.parametrize("settings", [{}, {"expectancy": "logistic"}])
def test_the_numbers_are_the_same_with_and_without_explanation(settings: dict[str, str]) -> None:
    book = fide_2009.with_parameters(settings)
    for one in example_reports():
        plain, told = rate(one, book), rate(one, book, explain=None)
        assert [rated.row for rated in plain.rows] == [rated.row for rated in told.rows]
        assert list(plain.findings) == list(told.findings)
        assert not any(rated.explanation for rated in plain.rows)
        assert all(rated.explanation for rated in told.rows)


def test_the_numbers_of_a_book_with_rounds_are_the_same_with_explanation() -> None:
    book = toy(POINTS, MEAN, play(halves, at_most=9, still=0.1))
    plain, told = rate(CHAIN, book), rate(CHAIN, book, explain=None)
    assert [rated.row for rated in plain.rows] == [rated.row for rated in told.rows]


def test_only_the_players_asked_for_are_explained() -> None:
    rows = rate(example_reports()[0], fide_2009, explain=["B"]).rows
    assert {rated.row.id: bool(rated.explanation) for rated in rows} == {"A": False, "B": True}


def test_rating_twice_gives_the_same() -> None:
    def shown(one: Report) -> list[Any]:
        return [(rated.row, rated.explanation) for rated in rate(one, fide_2009, explain=None).rows]

    for one in example_reports():
        assert shown(one) == shown(one)


def test_the_report_is_left_as_it_was() -> None:
    for example in fide_2009.text.examples:
        one, untouched = report_from(example.document), report_from(example.document)
        rate(one, fide_2009, explain=None)
        assert one == untouched
