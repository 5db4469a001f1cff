"""The order of the games of an event, where rules look at all of them together.

A match is decided in the order in which it was played: by section and round, whatever the order
of the input.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import GameColumns
from ratingbook.engine.history.hashes import hashes_of

Array = np.ndarray[Any, Any]

_ROUNDS = 1 << 15
"""More than there are rounds."""


@dataclass(frozen=True)
class Turns:
    """Sections and rounds of games whose events are looked at together."""

    section: Array | None
    """By their codes; None: nobody says them, as below."""
    round: Array | None
    sections: Array
    """The number of each section that says the same in any history."""

    @classmethod
    def of(cls, columns: GameColumns, ids: pa.Array) -> Turns | None:
        """Those of some games; None where neither is said. ``ids`` are those of the sections."""
        if columns.section is None and columns.round is None:
            return None
        return cls(columns.section, columns.round, hashes_of(ids))

    def after(self, key: Array, looked_at: Array) -> Array:
        """What orders the games by the key and, of events that are looked at, by their turns."""
        found: Array = key.astype(np.int64)
        for column, count in ((self.section, len(self.sections)), (self.round, _ROUNDS)):
            if column is not None:
                found = found * count + np.where(looked_at, column, 0)
        return found

    def told(self) -> Array:
        """What tells by the columns of games when each was played."""
        found: Array = np.zeros(len(self), np.int64)
        if self.section is not None:
            found += self.sections.view(np.int64)[self.section]
        if self.round is not None:
            found += self.round
        return found

    def __len__(self) -> int:
        column = self.round if self.section is None else self.section
        return 0 if column is None else len(column)
