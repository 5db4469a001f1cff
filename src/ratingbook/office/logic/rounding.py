"""Numbers as they are published, and as they are shown."""

from __future__ import annotations

import math


def rounded_one(value: float | None, decimals: int) -> float | None:
    """An exact number as it is published: half up."""
    if value is None:
        return None
    scale = 10.0**decimals
    return math.floor(value * scale + 0.5) / scale


def of_hundred(score: float) -> int:
    """The score of a match as it is shown: what speaks beside a whole name makes it no more."""
    return min(round(score), 100)
