"""Halves, as schools teach to round them and as banks do."""

from __future__ import annotations

import pytest

from ratingbook.rules.rounding import half_even


@pytest.mark.parametrize(
    ("twice", "rounded"), [(4, 2), (5, 2), (6, 3), (7, 4), (-5, -2), (-7, -4), (1, 0), (3, 2)]
)
def test_a_half_goes_to_the_even_number(twice, rounded):
    assert half_even(twice, 2) == rounded
