"""Explanations: numbers as people write them, and each step can be recomputed from its own text."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from ratingbook.engine.explain import GamesTold, Step, steps_of
from ratingbook.engine.rate import RatedRow, rate
from ratingbook.engine.trace import traced
from ratingbook.formats.document.read import report_from
from ratingbook.model import Report
from ratingbook.rules import registry
from ratingbook.rules.book import Batch
from ratingbook.rules.fide import fide_2009
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.text import Example

Json = dict[str, Any]


def document(players: Sequence[Json], games: Sequence[Json], **event: object) -> Report:
    return report_from(
        {"ratingbook": "report/1", "event": event, "players": players, "games": games}
    )


def explained(report: Report, settings: Mapping[str, str] | None = None) -> dict[str, RatedRow]:
    book = fide_2009.with_parameters(settings or {})
    return {rated.row.id: rated for rated in rate(report, book, explain=None).rows}


def text_example() -> Report:
    """The example of the text: 2806 against 2577, K 10, the lower rated wins."""
    players = [
        {"id": "A", "name": "Kasparow", "standing": {"rating": 2806, "games": 100}},
        {"id": "B", "standing": {"rating": 2577, "games": 100}},
    ]
    return document(players, [{"round": 1, "white": "A", "black": "B", "result": "0-1"}])


def examples() -> list[Report]:
    return [report_from(example.document) for example in fide_2009.text.examples]


def all_steps() -> list[Step]:
    """The steps of all worked examples and of a first rating below one half, in both readings."""
    opponents = [{"id": str(n), "standing": {"rating": 2000 + n, "games": 50}} for n in range(9)]
    games = [
        {"white": "new", "black": str(n), "result": "1-0" if n < 4 else "0-1"} for n in range(9)
    ]
    reports = [*examples(), text_example(), document([{"id": "new"}, *opponents], games)]
    return [
        step
        for settings in ({}, {"expectancy": "logistic"})
        for report in reports
        for rated in explained(report, settings).values()
        for step in rated.explanation
    ]


# Natural units


def test_the_numbers_of_a_step_are_in_natural_units() -> None:
    steps = {step.rule: step for step in explained(text_example())["A"].explanation}
    # 229 lies in 226–235 of table 8.1.2: 0.79, not 79 hundredths; 10 × (0 − 0.79) = −7.9.
    assert steps["expected_by_table"].value == 0.79
    assert "0.79" in steps["expected_by_table"].text
    assert dict(steps["game_change"].inputs) == {"k": 10, "score": 0, "expected": 0.79}
    assert steps["game_change"].value == -7.9
    assert steps["rounded_change"].value == -8
    assert steps["new_rating"].value == 2798


def test_no_text_shows_a_scaled_integer_or_a_hyphen_for_a_minus_sign() -> None:
    steps = all_steps()
    for step in steps:
        assert not re.search(r"\d{6,}", step.text.partition(".")[0]), step.text
        without_dates = re.sub(r"\d{4}-\d\d-\d\d", "", step.text)
        assert not re.search(r"-\s*\(?\s*[\d(]", without_dates), step.text
    assert any("−" in step.text for step in steps)


def test_every_step_goes_into_json_in_natural_units() -> None:
    for step in all_steps():
        data = json.loads(json.dumps(step.as_dict()))
        assert {"paragraph", "rule", "inputs", "value"} <= data.keys()
        for number in [data["value"], *data["inputs"].values()]:
            assert not isinstance(number, int | float) or abs(number) < 100_000


# Recomputing a step from its own text


def arithmetic(text: str) -> Fraction:
    """The value of an expression with + − × / ^ and brackets."""
    plain = text.replace("−", "-").replace("×", "*").replace("^", "**")
    return _value(ast.parse(plain.strip(), mode="eval").body)


_BINARY: Mapping[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: Fraction(float(a) ** float(b)),
}


def _value(node: ast.expr) -> Fraction:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_value(left), _value(right))
        case ast.UnaryOp(op=op, operand=operand):
            return -_value(operand) if isinstance(op, ast.USub) else _value(operand)
        case ast.Constant(value=int() | float() as number):
            return Fraction(repr(number))
    raise AssertionError(ast.dump(node))


HALF = Fraction(1, 2)
EQUATIONS: Mapping[str, tuple[str, Fraction]] = {
    "rating_difference": ("difference ", Fraction(0)),
    "expected_by_formula": ("expected score ", Fraction(1, 10**6)),
    "game_change": ("change ", Fraction(1, 10**4)),
    "new_rating": ("new rating ", Fraction(0)),
    "opponents_average": ("Rc = ", HALF),
    "percentage_score": ("p = ", HALF / 100),
    "above_half": ("Ru = ", Fraction(0)),
    "below_half": ("Ru = ", Fraction(0)),
    "below_half_in_round_robin": ("Ru = ", Fraction(0)),
    "round_robin_average": ("Ra = ", HALF),
}
"""Rules whose text is an equation: what stands before it, and how far it rounds.

The text shows six digits, so a logistic expected score times K 25 is exact to four.
"""


WORDS = (", rounded", " half points above 50 %")
"""What equations say beside their numbers."""


@pytest.mark.parametrize("rule", EQUATIONS)
def test_the_value_of_an_equation_follows_from_its_own_text(rule: str) -> None:
    before, rounding = EQUATIONS[rule]
    steps = [step for step in all_steps() if step.rule == rule]
    assert steps, f"no example reaches {rule}"
    for step in steps:
        assert step.text.startswith(before), step.text
        left, _, right = step.text.removeprefix(before).rpartition(" = ")
        for words in WORDS:
            left = left.replace(words, "")
        number = arithmetic(right.partition(",")[0])
        assert abs(arithmetic(left) - number) <= rounding, step.text
        assert number == pytest.approx(Fraction(repr(step.value)), abs=1e-6), step.text


def test_rounding_follows_from_its_own_text() -> None:
    steps = [step for step in all_steps() if step.rule == "rounded_change"]
    assert steps
    for step in steps:
        exact, _, rounded = step.text.partition(": ")[2].partition(" is ")
        number = arithmetic(exact)
        away = int(abs(number) + HALF) * (-1 if number < 0 else 1)
        assert arithmetic(rounded) == away == step.value, step.text


def test_the_sums_follow_from_the_steps_of_the_games() -> None:
    for report in examples():
        for rated in explained(report).values():
            totals = [step for step in rated.explanation if step.rule == "period_reckoning"]
            for total in totals:
                said = re.findall(r"[−+]?\d+(?:\.\d+)?", total.text)
                games, score, expected, changes = (arithmetic(number) for number in said)
                parts = [step for step in rated.explanation if step.rule == "game_change"]
                assert games == len(parts)
                assert score == sum(Fraction(repr(step.inputs["score"])) for step in parts)
                assert expected == sum(Fraction(repr(step.inputs["expected"])) for step in parts)
                assert changes == sum(Fraction(repr(step.value)) for step in parts)


def test_the_table_is_quoted_with_the_difference_that_it_was_read_at() -> None:
    for step in all_steps():
        if step.rule == "expected_by_table":
            expected, difference = re.findall(r"[−+]?\d+(?:\.\d+)?", step.text.partition(": ")[2])
            assert arithmetic(expected) == Fraction(repr(step.value))
            assert arithmetic(difference) == step.inputs["difference"]


# What a step is about


def test_a_step_names_its_game_as_the_player_would() -> None:
    rows = explained(text_example())
    titles = {
        player: {step.game for step in rated.explanation if step.game}
        for player, rated in rows.items()
    }
    assert titles == {
        "A": {"round 1, white against B"},
        "B": {"round 1, black against A Kasparow"},
    }
    assert {step.round for step in rows["A"].explanation if step.game} == {1}


def test_games_alike_are_told_apart_by_their_sections_else_by_their_order() -> None:
    players = [{"id": one, "standing": {"rating": 1500, "games": 50}} for one in "abc"]
    alike: Json = {"white": "a", "black": "b", "result": "1-0", "round": 1}
    again: Json = {"white": "a", "black": "c", "result": "1-0", "section": "B"}
    games = [{**alike, "section": "A"}, {**alike, "section": "B"}, again, again]
    report = document(players, games)
    told = [step for step in explained(report)["a"].explanation if step.role == "change"]
    titles = {step.about: step.game for step in told}
    assert [titles[game] for game in report.games] == [
        "section A, round 1, white against b",
        "section B, round 1, white against b",
        "section B, game 1 of 2 alike, white against c",
        "section B, game 2 of 2 alike, white against c",
    ]


def example_of(title: str) -> Example:
    (found,) = [example for example in fide_2009.text.examples if title in example.title]
    return found


def test_the_number_of_an_unrated_opponent_is_told_with_the_game_against_him() -> None:
    """In the handbook's round robin C counts as 2411, E as 2386, H as 2150, I as 2032 (§ 6g)."""
    steps = explained(report_from(example_of("round robin").document))["A"].explanation
    numbers = {"C": 2411, "E": 2386, "H": 2150, "I": 2032}
    for opponent, number in numbers.items():
        told = [s for s in steps if s.paragraph.startswith("6") and s.value == number]
        assert told, f"nothing tells where {number} comes from"
        for step in told:
            assert step.game is None or step.game.endswith(f"against {opponent}"), step
        (met,) = [
            s
            for s in steps
            if s.rule == "rating_difference" and s.game == f"white against {opponent}"
        ]
        assert met.inputs["opponent"] == number
    said = {step.inputs["player"] for step in steps if "player" in step.inputs}
    assert said == {*"ABCDEFGHIJ"}, "a player is told by the id"


def test_a_game_that_is_not_rated_says_so() -> None:
    players = [{"id": one, "standing": {"rating": 1500, "games": 50}} for one in "ab"]
    games = [{"white": "a", "black": "b", "result": "1-0", "status": "forfeit", "round": 2}]
    steps = explained(document(players, games))["a"].explanation
    (step,) = [step for step in steps if step.paragraph == "8"]
    assert step.game == "round 2, white against b"
    assert dict(step.inputs) == {"status": "forfeit", "score": 1}
    assert "forfeit" in step.text


def test_the_400_point_rule_is_told_only_where_it_acts() -> None:
    players = [
        {"id": one, "standing": {"rating": rating, "games": 50}}
        for one, rating in {"a": 2000, "b": 1600, "c": 1599}.items()
    ]
    games = [{"white": "a", "black": other, "result": "1-0"} for other in "bc"]
    steps = explained(document(players, games))["a"].explanation
    told = [step for step in steps if step.rule == "counted_difference"]
    assert [(step.game, step.value) for step in told] == [("white against c", 400)]


def test_the_last_value_is_the_row_s_number() -> None:
    for report in [*examples(), text_example()]:
        for rated in explained(report).values():
            if rated.row.after is not None:
                assert rated.explanation[-1].value == rated.row.after


def test_every_step_says_a_paragraph_of_the_edition() -> None:
    numbers = {paragraph.number for paragraph in fide_2009.text.paragraphs}
    assert {step.paragraph for step in all_steps()} <= numbers


@pytest.mark.parametrize("name", registry.names())
def test_no_step_stands_twice_in_a_row(name: str) -> None:
    """Nor do several: only games can be alike, those of earlier batches too."""
    book = registry.load(name)
    for example in book.edition(None).text.examples:
        report = report_from(example.document, book.standing_fields)
        for rated in rate(report, book, explain=None).rows:
            steps = [
                None if step.game or "side" in step.inputs else step for step in rated.explanation
            ]
            for length in range(1, 7):
                for at in range(len(steps) - 2 * length + 1):
                    first, second = steps[at : at + length], steps[at + length : at + 2 * length]
                    assert first != second or None in first, [step.text for step in first if step]


@paragraph("T1")
def with_bonus(rating: int) -> int:
    return rating + 7


def test_a_rule_without_a_text_is_told_by_its_name() -> None:
    report = document([{"id": "a"}, {"id": "b"}], [])
    with traced() as trace:
        with_bonus(1500)
    games = GamesTold(Batch(report, None, report.entries, report.games), "a", {})
    (step,) = steps_of(trace, games, fide_2009)
    assert (step.paragraph, step.text) == ("T1", "with bonus: 1507")


def test_what_is_asked_of_a_game_by_several_rules_is_answered_once():
    """That the opponent has no rating, of a newcomer who met another one."""
    known = [{"id": str(n), "standing": {"rating": 1850 + n, "games": 50}} for n in range(5)]
    games = [{"round": n + 1, "white": "new", "black": str(n), "result": "1/2-1/2"}
             for n in range(5)]  # fmt: skip
    games.append({"round": 6, "white": "new", "black": "other", "result": "1-0"})
    report = document([*known, {"id": "new"}, {"id": "other"}], games, end="2025-01-09")
    row = {x.row.id: x for x in rate(report, registry.load("fide-2024"), explain=None).rows}["new"]
    told = [(step.game, step.rule, step.phase, step.text) for step in row.explanation if step.game]
    assert any(rule == "counts_as_rated" for _, rule, _, _ in told)
    assert len(told) == len(set(told))


def test_what_is_said_of_several_events_names_each():
    """K of each, in a period; of one alone nothing is to be told apart."""
    players = [{"id": each, "standing": {"rating": 1850, "games": 50}} for each in "ab"]
    games = [
        {"event": event, "round": 1, "white": "a", "black": "b", "result": "1-0",
         "start": day, "end": day}
        for event, day in (("First", "2025-01-09"), ("Second", "2025-01-16"))
    ]  # fmt: skip

    def told(games):
        report = document(players, games, end="2025-01-31")
        row = rate(report, registry.load("fide-2024"), explain={"a"}).rows[0]
        of_k = [step for step in row.explanation if step.role == "coefficient"]
        assert all(step.told.endswith(f"{step.text}") for step in of_k)
        return [step.as_dict().get("event") for step in of_k], [step.told for step in of_k]

    events, texts = told(games)
    assert events == ["First", "Second"]
    assert [each.partition(":")[0] for each in texts] == ["First", "Second"]
    assert told(games[:1])[0] == [None]


def test_what_the_events_say_themselves_is_told_apart():
    """Of the level of each, which no game says."""
    players = [{"id": each, "standing": {"rating": 1850, "games": 50}} for each in "ab"]
    games = [
        {"event": event, "round": 1, "white": "a", "black": "b", "result": "1-0"}
        for event in ("First", "Second")
    ]  # fmt: skip
    report = document(players, games, end="2010-01-31", level=2000)
    row = rate(report, registry.load("iccf-2009"), explain={"a"}).rows[0]
    assert [step.event for step in row.explanation if step.paragraph == "11"] == ["First", "Second"]
