"""Arrays that take rows whose number is not known beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class Growing:
    """A column that grows; with :meth:`reserve` it is never copied."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._room: npt.NDArray[Any] = np.empty(0, dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def array(self) -> npt.NDArray[Any]:
        """The rows so far; writing to it writes to the column."""
        return self._room[: self._length]

    def reserve(self, rows: int) -> None:
        """Make room for ``rows`` rows in all."""
        if rows > len(self._room):
            # Memory that is not written to costs nothing: the system gives it page by page.
            room = np.empty(rows, self._room.dtype)
            room[: self._length] = self.array
            self._room = room

    def extend(self, rows: int) -> npt.NDArray[Any]:
        """Add ``rows`` rows with whatever content, to be written to by the caller."""
        needed = self._length + rows
        if needed > len(self._room):
            self.reserve(max(needed, 2 * len(self._room)))
        self._length = needed
        return self._room[self._length - rows : self._length]
