"""Numbers as they are published, and as they are shown."""

from __future__ import annotations

from ratingbook.rules.rounding import as_published


def rounded_one(value: float | None, decimals: int) -> float | None:
    """An exact number as it is published; of none there is none."""
    return None if value is None else as_published(value, decimals)


def of_hundred(score: float) -> int:
    """The score of a match as it is shown: what speaks beside a whole name makes it no more."""
    return min(round(score), 100)
