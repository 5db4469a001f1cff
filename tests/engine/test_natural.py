"""Numbers of the rules as people read them."""

from __future__ import annotations

import pytest

from ratingbook.engine.natural import natural, shown, unit_of, writer_of
from ratingbook.rules.fide.columns import Expectancy
from ratingbook.rules.units import SCORE_SCALE, Difference, Expectation, HalfPoints, Percent, Points
from ratingbook.rules.uscf.columns import FloatChange


@pytest.mark.parametrize(
    ("value", "hint", "number"),
    [
        (79, Percent, 0.79),
        (100, Percent, 1),
        (1, HalfPoints, 0.5),
        (2, HalfPoints, 1),
        (-79 * SCORE_SCALE // 10, Points, -7.9),
        (79 * SCORE_SCALE // 100, Expectation, 0.79),
        (-229, Difference, -229),
        (2806, None, 2806),
        (True, None, True),
        (None, None, None),
        (Expectancy.LOGISTIC, None, "logistic"),
    ],
)
def test_natural(value: object, hint: object, number: object) -> None:
    found = natural(value, hint)
    assert found == number
    assert type(found) is type(number)


@pytest.mark.parametrize(
    ("value", "hint", "spec", "text"),
    [
        (229, Difference, "", "+229"),
        (-229, Difference, "", "−229"),
        (0, Difference, "", "0"),
        (-8, Difference, "sum", "− 8"),
        (8, Difference, "sum", "+ 8"),
        (27.5, FloatChange, "", "+27.5"),
        (79, Percent, "", "0.79"),
        (100, Percent, "", "1"),
        (1, HalfPoints, "", "0.5"),
        (-79 * SCORE_SCALE // 10, Points, "", "−7.9"),
        (2800, None, "", "2800"),
        (True, None, "", "yes"),
        (False, None, "", "no"),
        (Expectancy.TABLE, None, "", "table"),
    ],
)
def test_shown(value: object, hint: object, spec: str, text: str) -> None:
    assert shown(value, unit_of(hint), spec) == text


def test_shown_has_six_digits_after_the_point() -> None:
    # 10 / 11 = 0.909090909…
    assert shown(SCORE_SCALE * 10 // 11, unit_of(Expectation)) == "0.909091"


@pytest.mark.parametrize("hint", [None, Difference, HalfPoints, Expectation, Points], ids=repr)
def test_what_was_written_before_is_written_as_it_stands(hint: object) -> None:
    unit = unit_of(hint)
    # True and 1.0 are equal to 1, and are written otherwise.
    for value in (1, True, 1.0, -3, 0, False, Expectancy.LOGISTIC, None, (2, 3)):
        assert [writer_of(unit, "")(value) for _ in range(2)] == [shown(value, unit)] * 2
