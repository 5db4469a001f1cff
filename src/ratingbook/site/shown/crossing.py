"""Marks that ratings cross by a run or a correction: floors, limits of titles and prizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ratingbook.office.logic.comparing import crossings_in

_THEN = "crossed_then"


@dataclass(frozen=True)
class Crossing:
    """A rating that comes to the other side of a mark."""

    person: int
    mark: float
    before: float
    after: float
    decimals: int
    """With which both are published."""
    rating: str = ""
    """One of the past, that was ``entered`` or ``left`` with, or ``listed``; empty: that of now."""
    day: date | None = None
    """When that was."""
    batch: str = ""
    """Which event or period, where the day does not say it."""
    name: str = ""


@dataclass(frozen=True)
class Crossed:
    """The crossings of a pool: how many there are, and the first of them."""

    pool: str
    now: int
    then: int
    shown: tuple[Crossing, ...]

    @property
    def more(self) -> int:
        """Those that are counted and not shown."""
        return self.now + self.then - len(self.shown)


def crossed(
    pool: str, report: Mapping[str, Any], decimals: int, on: Callable[[date], int] | None = None
) -> Crossed:
    """What a report of differences says of marks; ``on`` knows the decimals of a day."""
    now = [
        Crossing(int(x["player"]), x["mark"], x["before"], x["after"], decimals)
        for x in report.get("crossed", ())
    ]
    then = []
    for x in report.get(_THEN, ()):
        day = date.fromisoformat(x["day"])
        batch = "" if x["batch"] == x["day"] or x["rating"] == "listed" else x["batch"]
        then.append(
            Crossing(x["person"], x["mark"], x["was"], x["now"], on(day) if on else decimals,
                     x["rating"], day, batch)
        )  # fmt: skip
    return Crossed(pool, crossings_in(report), crossings_in(report, _THEN), (*now, *then))


def called(one: Crossed, names: Mapping[int, str]) -> Crossed:
    """The same with names."""
    shown = tuple(replace(each, name=names.get(each.person, "")) for each in one.shown)
    return replace(one, shown=shown)
