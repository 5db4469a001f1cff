"""The days of events as their games tell them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_DAYS = np.iinfo(np.int32)


@dataclass(frozen=True)
class Spans:
    """First and last day of each event by its games; of one without games the last is earlier."""

    start: Array
    end: Array

    @classmethod
    def none(cls, count: int) -> Spans:
        """So many events without games."""
        return cls(np.full(count, _DAYS.max, np.int32), np.full(count, _DAYS.min, np.int32))

    @classmethod
    def of(cls, begun: Array, ended: Array, codes: Array, count: int) -> Spans:
        """Those of the events of some games, by their first and last days."""
        spans = cls.none(count)
        if len(codes) and is_ascending(codes):
            firsts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
            spans.start[codes[firsts]] = np.minimum.reduceat(begun, firsts)
            spans.end[codes[firsts]] = np.maximum.reduceat(ended, firsts)
        elif len(codes):
            np.minimum.at(spans.start, codes, begun)
            np.maximum.at(spans.end, codes, ended)
        return spans

    @property
    def played(self) -> Array:
        """Which events have games."""
        found: Array = self.end >= self.start
        return found

    def take(self, places: Array, more: Spans) -> None:
        """Add games: those of the events at ``places``, each of them once."""
        self.start[places] = np.minimum(self.start[places], more.start)
        self.end[places] = np.maximum(self.end[places], more.end)


def is_ascending(values: Array) -> bool:
    """Whether no value is less than the one before."""
    return bool(np.all(values[:-1] <= values[1:]))
