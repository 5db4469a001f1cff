"""Faults of a rule book are told when it is loaded, with the function and its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ratingbook.engine.link import Linker
from ratingbook.rules.bulk import Bulk, FieldRules, Fold, Keeping, summed
from ratingbook.rules.paragraph import RuleFault, paragraph
from ratingbook.rules.usual import Sums, no_games


class Half(NamedTuple):
    score: int


def gain(half: Half, k: int) -> int:
    return half.score * k


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{foo}", "{foo} is no argument of the function; it knows half, k, value"),
        ("{half.points}", "half has no field points; it has score"),
        ("{value:.2f}", "{value:.2f} has another format than {value:sum} or {value:less}"),
        ("{k!r}", "{k!r} has another format"),
        ("{k", "expected '}'"),
    ],
)
@pytest.mark.parametrize("otherwise", [False, True])
def test_a_text_that_cannot_be_filled_in_is_refused(text: str, told: str, otherwise: bool) -> None:
    tag = paragraph("7", "", otherwise=text) if otherwise else paragraph("7", text)
    with pytest.raises(RuleFault) as fault:
        tag(gain)
    assert f"paragraph 7, gain (test_declared.py:{gain.__code__.co_firstlineno})" in str(
        fault.value
    )
    assert told in str(fault.value)


def test_a_text_of_arguments_fields_and_formats_is_taken() -> None:
    assert paragraph("7", "{half.score} × {k:less} {value:sum} {{}}")(gain) is gain


def leave(entered: Any, value: Any, p: Any) -> Any:
    return entered


def add(tally: Any, entered: Any, side: Any, p: Any) -> Any:
    return tally


def applies(entered: Any, p: Any) -> bool:
    return True


def kernel(entered: Any, sides: Any, p: Any) -> Any:
    return no_games(entered, p)


def short(entered: Any, p: Any) -> Any:
    return entered


def by_name(entered: Any, value: Any, *, p: Any) -> Any:
    return entered


def more(entered: Any, value: Any, p: Any, precise: bool = False) -> Any:
    return entered


@pytest.mark.parametrize(
    ("declare", "told"),
    [
        (lambda: Bulk(leave=short), "Bulk.leave is called with (entered, value, p); short("),
        (lambda: Bulk(leave=by_name), "Bulk.leave is called with (entered, value, p); by_name("),
        (lambda: Bulk(leave=leave, enter=leave), "Bulk.enter is called with (standing, how, "),
        (lambda: Bulk(leave=leave, kernels=(kernel, short)), "Bulk.kernels is called with ("),
        (lambda: Bulk(leave=leave, fold=summed(leave)), "Fold.add is called with (tally, "),
        (lambda: Keeping(Half, short, leave), "Keeping.keep is called with ("),
        (lambda: FieldRules(wants=short, facts=short), "FieldRules.facts is called with ("),
    ],
)
def test_a_function_of_other_arguments_is_refused(declare: Callable[[], Any], told: str) -> None:
    with pytest.raises(TypeError) as fault:
        declare()
    assert told in str(fault.value)
    assert "test_declared.py:" in str(fault.value)


def test_arguments_with_defaults_are_taken() -> None:
    assert Bulk(leave=more).leave is more


def test_kernels_go_with_a_fold_for_some_players_only() -> None:
    everybody, some = summed(add), Fold(Sums, no_games, add, applies=applies)
    with pytest.raises(ValueError, match="no kernels"):
        Bulk(leave=leave, fold=some)
    with pytest.raises(ValueError, match="would never be played"):
        Bulk(leave=leave, fold=everybody, kernels=(kernel,))
    assert Bulk(leave=leave, fold=some, kernels=(kernel,)).fold is some


class Whole(NamedTuple):
    rating: int


def inner(standing: Any) -> Any:
    return standing.rating.no_such_thing


def outer(standing: Any) -> Any:
    return inner(standing)


def test_a_rule_that_does_not_compile_is_told_in_a_line(tmp_path: Path) -> None:
    compiled = Linker({}, tmp_path / "cache" / "one").link(outer)
    with pytest.raises(RuleFault) as fault:
        compiled(Whole(7))
    told = str(fault.value)
    line = inner.__code__.co_firstlineno + 1
    assert f"the function inner (test_declared.py:{line}) does not compile: " in told
    assert "no_such_thing" in told
    assert "\n" not in told
