"""Exact numbers as they are published."""

from __future__ import annotations

import math
from decimal import Decimal


def rounded_one(value: float | None, decimals: int) -> float | None:
    """An exact number as it is published: half up."""
    if value is None:
        return None
    scale = 10.0**decimals
    return math.floor(value * scale + 0.5) / scale


def change_of(before: float | None, after: float | None) -> float | None:
    """The change between two numbers as they are published, with no more decimals than these.

    2.848 from 1800 to 1802.848, whose floats differ by 2.8479999999999563.
    """
    if before is None or after is None:
        return None
    return float(Decimal(str(after)) - Decimal(str(before)))
