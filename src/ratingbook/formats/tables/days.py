"""The dates of a file, which share one order of day, month and year if they can."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from ratingbook.formats.tools import dates
from ratingbook.formats.tools.dates import Order
from ratingbook.model.patterns import pattern

_WITH_POINTS = pattern(r"[0-9]{1,2}\.\s?[0-9]{1,2}\.\s?[0-9]{4}\.?")
"""Who writes points puts the day first."""


class Day(NamedTuple):
    """What a text means; ``doubtful`` holds all its meanings where there are several."""

    day: date | None
    doubtful: tuple[date, ...] = ()


class Days:
    """Reads dates in the light of all the dates of a file."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        orders = set(Order)
        for found in map(dates.days_of, texts):
            if found and not orders.isdisjoint(found):
                orders.intersection_update(found)
        self._orders = orders
        self._known: dict[str, Day] = {}

    def read(self, text: str) -> Day:
        """The date in a cell, if there is one for certain."""
        # Most cells of a column hold one of a few days.
        if text not in self._known:
            self._known[text] = self._read(text)
        return self._known[text]

    def _read(self, text: str) -> Day:
        found = dates.days_of(text)
        if not found:
            return Day(None)
        if Order.DMY in found and _WITH_POINTS.fullmatch(text.strip()):
            return Day(found[Order.DMY])
        fitting = {order: day for order, day in found.items() if order in self._orders} or found
        meant = tuple(sorted(set(fitting.values())))
        return Day(meant[0]) if len(meant) == 1 else Day(None, meant)
