"""Rows of changes."""

from __future__ import annotations

from typing import Any

from ratingbook.engine.loops.arrays import Rows
from ratingbook.engine.loops.names import store_standing


def write_row(
    rows: Rows, at: Any, player: Any, batch: int, made: Any, left: Any, entered: Any, value: Any
) -> None:
    """One row of changes; a report asks also how the player entered, and for the value."""
    rows.player[at] = player
    rows.batch[at] = batch
    rows.before[at] = made.before
    rows.after[at] = made.after
    rows.games[at] = made.games
    rows.score[at] = made.score / 2
    rows.expected[at] = made.expected
    if len(rows.left):
        store_standing(rows.left, at, left)
