"""Exact numbers as they are published."""

from __future__ import annotations

import math


def rounded_one(value: float | None, decimals: int) -> float | None:
    """An exact number as it is published: half up."""
    if value is None:
        return None
    scale = 10.0**decimals
    return math.floor(value * scale + 0.5) / scale
