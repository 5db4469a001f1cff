"""How far a long history is, in lines: for programs, and where nobody watches a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable

from ratingbook.rules.wording import counted

PATIENCE = 1.0
"""Seconds before the first line: what is done by then needs none."""


class Lines:
    """A line after a second, then at every tenth."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._begun = time.monotonic()
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Tell how far it is, if it is time."""
        share = done / total if total else 1.0
        if share >= self._next and time.monotonic() - self._begun > PATIENCE and share < 1.0:
            # Rounded down: 100% is the end.
            percent = 100 * done // total
            self._say(f"{done:,} of {counted(total, 'game')} rated ({percent}%)")
            self._next = share + 0.1
