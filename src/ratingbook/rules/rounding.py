"""Exact rounding of fractions; each takes a numerator and a positive denominator.

Regulations differ in what they do with a half, and Python's ``round`` (half to
even) is what none of them means.  Negative numbers matter: a change of −2.5.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeVar

Number = TypeVar("Number", float, Any)
"""A number, or a column of them."""


class Tie(IntEnum):
    """Where a number half-way between two whole ones goes."""

    HALF_UP = 0
    HALF_EVEN = 1


TOLERANCE = 1e-9
"""So near to a number that a text can mean exactly, a half or a whole one, a float is it.

Binary fractions hold 10/11 and most decimals with an error in the last digits.  The error of
an event is some 10⁻¹², and 10⁻⁹ is far below what a rating list shows: of a thousand million
ratings about one lies so near to a half without being it.
"""


def as_published(number: Number, decimals: int) -> Number:
    """A number as it is published, or a column of them: a half up, within the tolerance.

    Whoever shows a number that is stored with more decimals shows it by this, so that a list, a
    row and an explanation cannot differ.
    """
    scale = 10.0**decimals
    # The quotient without its rest is the floor, of a number and of a column alike.
    return ((number + TOLERANCE) * scale + 0.5) // 1 / scale


def half_up(numerator: int, denominator: int) -> int:
    """Round to the nearest whole number, a half upwards: 2.5 → 3, −2.5 → −2."""
    return (2 * numerator + denominator) // (2 * denominator)


def half_away_from_zero(numerator: int, denominator: int) -> int:
    """Round to the nearest whole number, a half away from zero: 2.5 → 3, −2.5 → −3."""
    if numerator < 0:
        return -half_up(-numerator, denominator)
    return half_up(numerator, denominator)


def half_even(numerator: int, denominator: int) -> int:
    """Round to the nearest whole number, a half to the even one: 2.5 → 2, 3.5 → 4."""
    whole, rest = divmod(numerator, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and whole % 2 == 1):
        return whole + 1
    return whole


def rounded_by(tie: Tie, numerator: int, denominator: int) -> int:
    """Round to the nearest whole number, a half as is asked for."""
    if tie == Tie.HALF_EVEN:
        return half_even(numerator, denominator)
    return half_up(numerator, denominator)
