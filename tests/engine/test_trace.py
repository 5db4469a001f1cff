"""Tracing watches the rule functions: it touches neither them nor anybody else's hook."""

from __future__ import annotations

import cProfile
import sys
from collections.abc import Iterator
from importlib import import_module
from types import FrameType
from typing import Any

import pytest

from ratingbook.engine.rate import rate
from ratingbook.engine.trace import Trace, those_called, traced
from ratingbook.formats.document.read import report_from
from ratingbook.rules.fide import fide_2009
from ratingbook.rules.fide.tables import difference_for
from ratingbook.rules.paragraph import Rule, paragraph


def twice(number: int) -> int:
    return 2 * number


@paragraph("T1", "twice {number} is {value}")
def doubled(number: int) -> int:
    return twice(number)


@paragraph("T2", "four times {number} is {value}")
def fourfold(number: int) -> int:
    return doubled(doubled(number))


@paragraph("T3")
def broken(number: int) -> int:
    return doubled(number) // 0


class Side:
    """All that a trace looks for in what is named ``side``."""

    def __init__(self, game: int) -> None:
        self.game = game


def of_side(side: Side) -> int:
    return doubled(side.game)


def over_sides(games: list[int]) -> int:
    return sum([of_side(Side(game)) for game in games]) + fourfold(1)


@pytest.fixture(autouse=True)
def _hook_of_before() -> Iterator[None]:
    """Whatever these tests do, the profiling hook of the test run survives."""
    before = sys.getprofile()
    yield
    sys.setprofile(before)


def hook(frame: FrameType, event: str, value: object) -> None:
    """Somebody else's profiler."""


def calls(trace: Trace) -> list[tuple[str, dict[str, object], object, int]]:
    return [(call.rule.name, call.arguments, call.value, call.depth) for call in trace.calls]


def found_by_name(rule: Rule) -> object:
    return getattr(import_module(rule.module), rule.name)


def test_the_tag_gives_the_function_back() -> None:
    def plain(number: int) -> int:
        return number

    assert paragraph("T0")(plain) is plain


def test_tracing_leaves_the_function_objects_untouched() -> None:
    rules = fide_2009.rules
    assert len(rules) > 10
    codes = [rule.function.__code__ for rule in rules]
    for during in (False, True, False):
        for rule, code in zip(rules, codes, strict=True):
            if during:
                with traced():
                    found = found_by_name(rule)
            else:
                found = found_by_name(rule)
            assert found is rule.function
            assert rule.function.__code__ is code
            assert not hasattr(found, "__wrapped__")


def test_a_rating_without_explanation_sets_no_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a hook was set")

    report = report_from(fide_2009.text.examples[0].document)
    monkeypatch.setattr(sys, "setprofile", refuse)
    assert rate(report, fide_2009).rows


def test_calls_come_in_the_order_of_their_ends_with_their_depth() -> None:
    with traced() as trace:
        assert fourfold(3) == 12
    assert calls(trace) == [
        ("doubled", {"number": 3}, 6, 1),
        ("doubled", {"number": 6}, 12, 1),
        ("fourfold", {"number": 3}, 12, 0),
    ]


def test_functions_without_a_tag_are_not_recorded() -> None:
    with traced() as trace:
        difference_for(50)
        abs(-1)
    assert calls(trace) == []


def test_nothing_is_recorded_after_the_block() -> None:
    with traced() as trace:
        doubled(1)
    doubled(2)
    assert [call.arguments for call in trace.calls] == [{"number": 1}]


def test_a_call_knows_the_game_of_the_side_that_it_serves() -> None:
    with traced() as trace:
        over_sides([4, 7, -1])
    # A side carried from an earlier batch has the game −1: no game of this batch.
    found = [(call.rule.name, call.game) for call in trace.calls]
    assert found == [
        ("doubled", 4),
        ("doubled", 7),
        ("doubled", None),
        # Not about a side at all:
        ("doubled", None),
        ("doubled", None),
        ("fourfold", None),
    ]


@pytest.mark.parametrize("before", [None, hook])
def test_the_hook_of_before_is_restored(before: Any) -> None:
    sys.setprofile(before)
    with traced():
        assert sys.getprofile() is not before
    assert sys.getprofile() is before


def test_an_explained_report_can_be_profiled() -> None:
    """The profiler of Python is not a function, and could not be put back as one."""
    report = report_from(fide_2009.text.examples[0].document)
    expected = repr(rate(report, fide_2009, explain=None))
    profile = cProfile.Profile()
    assert repr(profile.runcall(rate, report, fide_2009, explain=None)) == expected
    codes = [each.code for each in profile.getstats()]
    assert "check_report" in {code.co_name for code in codes if not isinstance(code, str)}


@pytest.mark.parametrize("before", [None, hook])
def test_the_hook_of_before_is_restored_after_an_exception(before: Any) -> None:
    sys.setprofile(before)
    with pytest.raises(ZeroDivisionError), traced():
        broken(1)
    assert sys.getprofile() is before


def test_an_exception_does_not_spoil_the_nesting_of_what_follows() -> None:
    with traced() as trace:
        with pytest.raises(ZeroDivisionError):
            broken(5)
        doubled(1)
    found = {call.rule.name: call for call in trace.calls if call.arguments == {"number": 1}}
    assert (found["doubled"].depth, found["doubled"].value) == (0, 2)


def test_a_trace_within_a_trace_hands_back_to_the_outer_one() -> None:
    with traced() as outer:
        doubled(1)
        with traced() as inner:
            doubled(2)
        doubled(3)
    assert [call.arguments["number"] for call in inner.calls] == [2]
    assert [call.arguments["number"] for call in outer.calls] == [1, 3]


def test_who_was_called_is_told_once_each() -> None:
    with those_called() as called:
        fourfold(3)
        twice(1)
    fourfold(1)
    assert [rule.name for rule in called] == ["fourfold", "doubled"]
