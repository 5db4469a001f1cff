"""Arithmetic with numbers as they are printed, so that a reader comes to the same with a pen.

1006.45 − 1000 is 6.45 on paper, and 6.4500000000000455 between the binary fractions that stand for
the two.  What a document says beside two of its own numbers is reckoned from these as they stand in
it; what rules reckon is not: that goes by ``float64``, in an order of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal


def change_of(before: float | None, after: float | None) -> float | None:
    """``after − before`` of two numbers as they are printed; None where one of them is.

    Whole numbers stay whole.
    """
    if before is None or after is None:
        return None
    if isinstance(before, int) and isinstance(after, int):
        return after - before
    return float(_printed(after) - _printed(before))


def total(numbers: Iterable[float]) -> float:
    """The sum of numbers as they are printed; it does not depend on their order."""
    return float(sum(map(_printed, numbers), Decimal()))


def mean(numbers: Iterable[float]) -> float | None:
    """The mean of numbers as they are printed; None of no number."""
    known = list(map(_printed, numbers))
    return float(sum(known, Decimal()) / len(known)) if known else None


def _printed(number: float) -> Decimal:
    # What NumPy makes of a number is written otherwise.
    return Decimal(number) if isinstance(number, int) else Decimal(repr(float(number)))
