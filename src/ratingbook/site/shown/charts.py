"""Charts as numbers: across in percent, up and down in pixels, so that text never stretches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ratingbook.desk.written import rating_number, rating_with
from ratingbook.site.languages import decimal_point, localised

HEIGHT = 236
_ROOM = 0.12
"""Of the range of the numbers is left free above and below."""
_GRID = 6
_TICKS = 8
_NARROW = 4.0
"""Percent of the width below which two labels would touch."""


@dataclass(frozen=True)
class Point:
    """A rating from a day on; ``first`` is what was published first, where that was otherwise.

    It is written with the ``decimals`` of its day.
    """

    day: date
    value: float
    decimals: int
    first: float | None = None
    is_corrected: bool = False


@dataclass(frozen=True)
class Line:
    """From place to place."""

    x1: str
    x2: str
    y1: str
    y2: str


@dataclass(frozen=True)
class Mark:
    """A place, and what stands at it."""

    x: str
    y: str
    text: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Stair:
    """A history: a rating holds until the next one."""

    live: tuple[Line, ...]
    was: tuple[Line, ...]
    """As it was first published."""
    dots: tuple[Mark, ...]
    corrected: tuple[Mark, ...]
    spans: tuple[tuple[str, str], ...]
    """Place and width of what was revised."""
    grid: tuple[Mark, ...]
    ticks: tuple[tuple[str, date, str], ...]
    """Place, day and whether its label goes on the phone."""
    first: str
    """The number at the beginning."""
    peak: Mark
    last: Mark
    height: int = HEIGHT


def stair(points: Sequence[Point], first: Point, best: Point, until: date) -> Stair:
    """The chart of at least one point, in order, up to a day.

    ``first`` is the first among them that was in force, ``best`` the peak.
    """
    begin, end = points[0].day, max(until, points[-1].day)
    days = max((end - begin).days, 1)
    values = [v for each in points for v in (each.value, each.first) if v is not None]
    low, high, step = _axis(min(values), max(values), max(each.decimals for each in points))

    def x(day: date) -> str:
        return f"{100 * (day - begin).days / days:.2f}%"

    def y(value: float) -> str:
        return f"{HEIGHT * (high - value) / (high - low):.1f}"

    live, was, spans = list[Line](), list[Line](), list[tuple[str, str]]()
    for at, each in enumerate(points):
        ends = points[at + 1].day if at + 1 < len(points) else end
        live.append(Line(x(each.day), x(ends), y(each.value), y(each.value)))
        if at + 1 < len(points):
            live.append(Line(x(ends), x(ends), y(each.value), y(points[at + 1].value)))
        if each.first is not None:
            was.append(Line(x(each.day), x(ends), y(each.first), y(each.first)))
            wide = 100 * (ends - each.day).days / days
            spans.append((x(each.day), f"{wide:.2f}%"))
    changed = [
        each for at, each in enumerate(points)
        if not at or each is best or each.value != points[at - 1].value
    ]  # fmt: skip
    dots = tuple(
        Mark(x(each.day), y(each.value), kind="peak" if each is best else "") for each in changed
    )
    corrected = tuple(Mark(x(p.day), y(p.value)) for p in points if p.is_corrected)
    grid = tuple(
        Mark("0", y(value), localised(rating_number(round(value, 6))), "grid" if n else "base")
        for n, value in ((n, low + step * n) for n in range(round((high - low) / step) + 1))
    )
    at_peak = 100 * (best.day - begin).days / days
    side = "end" if at_peak > 85 else "start" if at_peak < 15 else "middle"

    def written(one: Point) -> str:
        return rating_with(one.value, one.decimals, decimal_point())

    final = points[-1]
    peak = Mark(x(best.day), f"{float(y(best.value)) - 9:.1f}", written(best), side)
    last = Mark("100%", f"{float(y(final.value)) + 4:.1f}", written(final))
    return Stair(
        live=tuple(live), was=tuple(was), dots=dots, corrected=corrected, spans=tuple(spans),
        grid=grid, ticks=tuple(_ticks(begin, end)), first=written(first), peak=peak, last=last,
    )  # fmt: skip


def _axis(low: float, high: float, decimals: int) -> tuple[float, float, float]:
    """Ends and step of an axis on which the numbers lie, with some room."""
    # No two lines of the grid have the same number.
    least = 10.0**-decimals
    room = max((high - low) * _ROOM, least)
    rough = max((high - low + 2 * room) / _GRID, least)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(n * power for n in (1, 2, 5, 10) if n * power >= rough)
    return math.floor((low - room) / step) * step, math.ceil((high + room) / step) * step, step


def _ticks(begin: date, end: date) -> list[tuple[str, date, str]]:
    """Firsts of months, so many that they stand apart."""
    months = (end.year - begin.year) * 12 + end.month - begin.month + 1
    every = next(n for n in (1, 3, 6, 12, 24, 60, 120, 1200) if months / n <= _TICKS)
    days = max((end - begin).days, 1)
    found, number = [], 0
    for month in range(begin.year * 12 + begin.month - 1, end.year * 12 + end.month):
        day = date(month // 12, month % 12 + 1, 1)
        if month % every or not begin <= day <= end:
            continue
        at = 100 * (day - begin).days / days
        if at <= 100 - _NARROW:
            found.append((f"{at:.2f}%", day, "tick" if number % 2 else ""))
            number += 1
    return found
