"""Numbers as people read them: halves go away from zero, as a pocket calculator shows them."""

from __future__ import annotations

import pytest

from ratingbook.desk.written import fixed, number, rating_number, rating_with


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        (11.25, 1, "11.3"),
        (-14.625, 2, "-14.63"),
        (14.625, 2, "14.63"),
        # In binary a little less than the half that it is.
        (0.285, 2, "0.29"),
        (2.5, 0, "3"),
        (1432.5, 0, "1433"),
        (0.2849, 2, "0.28"),
        (5e-07, 2, "0.00"),
        (30, 2, "30.00"),
    ],
)
def test_halves_are_rounded_away_from_zero(value, digits, written):
    assert fixed(value, digits) == written


def test_every_way_to_write_a_number_rounds_alike():
    assert number(-14.625) == "−14.63"
    assert rating_number(0.0625) == "0.063"
    assert rating_with(1432.5, 0, ",") == "1433"
