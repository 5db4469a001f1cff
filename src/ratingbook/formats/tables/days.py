"""The dates of a file, which share one order of day, month and year if they can."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from ratingbook.formats.tables.cells import where
from ratingbook.formats.tools import dates
from ratingbook.formats.tools.dates import Order
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import Sentence, sentence

ORDER = Remark(
    "table.date-order",
    Severity.INFO,
    "Dates that could be read in two ways were read in the order that others of the file have",
    "Write dates as 2011-11-05, and none is in doubt.",
)
ORDER_OF_ONE = replace(
    ORDER,
    severity=Severity.WARNING,
    what="Dates that could be read in two ways were read in the order that one date alone settles",
    remedy="If that one is a slip, correct it; write dates as 2011-11-05, and none is in doubt.",
)
ORDERS = Remark(
    "table.date-orders",
    Severity.WARNING,
    "Dates of the file are written in two orders, so that they settle none",
    "If one is a slip, correct it; write dates as 2011-11-05.",
)
_WITH_POINTS = pattern(r"[0-9]{1,2}\.\s?[0-9]{1,2}\.\s?[0-9]{4}\.?")
"""Who writes points puts the day first."""

_IN_WORDS: Mapping[Order, Sentence] = {
    Order.YMD: sentence("year, month, day"), Order.DMY: sentence("day, month, year"),
    Order.MDY: sentence("month, day, year"), Order.YDM: sentence("year, day, month"),
}  # fmt: skip

Dated = tuple[str, Place]
"""A text that should be a date, and where it stands."""


class Day(NamedTuple):
    """What a text means; ``doubtful`` holds all its meanings where there are several."""

    day: date | None
    doubtful: tuple[date, ...] = ()


class Days:
    """Reads dates in the light of all the dates of a file."""

    def __init__(self, dated: Iterable[Dated] = ()) -> None:
        orders = set(Order)
        self._known: dict[str, Day] = {}
        self._dated: dict[str, Place] = {}
        """What are dates, each with the first of its places."""
        self._against: str | None = None
        """The first one that no order of those before it fits."""
        for text, place in dated:
            found = dates.days_of(text)
            if not found or text in self._dated:
                continue
            self._dated[text] = place
            if orders.isdisjoint(found):
                self._against = self._against or text
            else:
                orders.intersection_update(found)
        # Where some contradict others, they do not say how a third is meant.
        self._orders = set(Order) if self._against else orders

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
        if Order.DMY in found and _is_with_points(text):
            return Day(found[Order.DMY])
        fitting = {order: day for order, day in found.items() if order in self._orders} or found
        meant = tuple(sorted(set(fitting.values())))
        return Day(meant[0]) if len(meant) == 1 else Day(None, meant)

    def tell(self, notes: Notes) -> None:
        """Say in which order dates are read that could be meant in another one, and by what."""
        if self._against is not None:
            against = dates.days_of(self._against)
            one = next(
                text for text in self._dated if against.keys().isdisjoint(dates.days_of(text))
            )
            said = sentence(
                "{one} ({where}) and {other} ({there})",
                one=one, where=where(self._dated[one]), other=self._against,
                there=where(self._dated[self._against]),
            )  # fmt: skip
            notes.add(ORDERS, said, self._dated[self._against])
            return
        left_out = {
            order
            for text in self._dated
            if not _is_with_points(text) and self.read(text).day is not None
            for order, day in dates.days_of(text).items()
            if day != self.read(text).day
        }
        by = [text for text in self._dated if left_out - dates.days_of(text).keys()]
        if by:
            place = self._dated[by[0]]
            order = next(each for each in Order if each in self._orders)
            said = sentence("{order}, by {text}", order=_IN_WORDS[order], text=by[0])
            notes.add(ORDER if len(by) > 1 else ORDER_OF_ONE, said, place)


def _is_with_points(text: str) -> bool:
    return _WITH_POINTS.fullmatch(text.strip()) is not None
