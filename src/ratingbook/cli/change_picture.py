"""The picture of a field's changes: who stood where, and who gained or lost how much.

Each player stands on one axis of ratings; a stem goes up by what the player gained,
or down by what the player lost.  Who has a first rating stands in a strip below.
Places along the axis are percent, so that the picture is as wide as its page and its
letters stay as large as they are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ratingbook.desk.written import clean, rating_number
from ratingbook.rules.book import Row

_HEIGHT = 220
"""Pixels for the changes."""
_STACK = 60
"""Pixels for the strip of first ratings."""
_GAP = 12
"""Pixels between both."""
_BINS = 60
"""Places of the strip at which marks are stacked."""
_PITCH = 10
"""Pixels from a stacked mark to the next, where there is room."""
_TICKS_ACROSS, _TICKS_UP = 6, 6


@dataclass(frozen=True, slots=True)
class Mark:
    """A player in the picture; ``x`` in percent, ``y`` in pixels from the top."""

    row: Row
    kind: str
    """``gain``, ``loss``, ``same`` or ``first``."""
    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and what it says in words."""

    marks: tuple[Mark, ...]
    across: tuple[tuple[float, str], ...]
    """Ticks of the ratings: percent and number."""
    up: tuple[tuple[float, str], ...]
    """Ticks of the changes: pixels and number."""
    zero: float | None
    """Pixels of no change; None where nobody has one."""
    strip: float | None
    """Pixels of the line on which the first ratings stand."""
    height: float
    words: str
    extremes: tuple[Mark, ...]
    """Whose names stand in the picture: the greatest gain and the greatest loss."""


def change_title(row: Row) -> str:
    """A player's change in one line."""
    name = clean(row.name or row.id)
    if row.after is None:
        return f"{name}: {rating_number(row.before)}, no new rating"
    if row.change is None:
        return f"{name}: first rating {rating_number(row.after)}"
    return (
        f"{name}: {rating_number(row.before)} → {rating_number(row.after)} "
        f"({rating_number(row.change, signed=True)})"
    )


def change_picture(rows: Sequence[Row]) -> Picture | None:
    """The picture of these rows; None where nobody has a rating."""
    shown = [row for row in rows if row.after is not None]
    if not shown:
        return None
    changed = [(row, row.change) for row in shown if row.change is not None]
    first = [row for row in shown if row.change is None]
    ratings = [value for row in shown for value in (row.before, row.after) if value is not None]
    least, greatest, step = _axis(ratings, _TICKS_ACROSS)

    def across(rating: float | None) -> float:
        return round(100 * ((rating or 0) - least) / (greatest - least), 2)

    marks, up, zero, height = [], [], None, 0.0
    if changed:
        bottom, top, rise = _axis([0.0, *(change for _, change in changed)], _TICKS_UP)

        def above(change: float) -> float:
            return round(_HEIGHT * (top - change) / (top - bottom), 1)

        zero, height = above(0), float(_HEIGHT)
        up = [(above(tick), rating_number(tick, signed=True)) for tick in _ticks(bottom, top, rise)]
        marks = [
            Mark(row, _kind(change), across(row.before), above(change), change_title(row))
            for row, change in changed
        ]
    strip = height + (_GAP if changed else 0) + _STACK if first else None
    if strip is not None:
        marks += _stacked([(across(row.after), row) for row in first], strip)
        height = strip
    return Picture(
        marks=tuple(marks),
        across=tuple((across(tick), f"{tick:g}") for tick in _ticks(least, greatest, step)),
        up=tuple(up),
        zero=zero,
        strip=strip,
        height=height,
        words=_words(changed, first),
        extremes=_extremes(marks),
    )


def _kind(change: float) -> str:
    return "gain" if change > 0 else "loss" if change < 0 else "same"


def _axis(values: Iterable[float], ticks: int) -> tuple[float, float, float]:
    """Least and greatest value of an axis, and the step between its round numbers."""
    known = list(values)
    span = (max(known) - min(known)) or 1
    power = 10.0 ** math.floor(math.log10(span / ticks))
    step = next(n * power for n in (1, 2, 5, 10) if n * power * ticks >= span)
    least, greatest = math.floor(min(known) / step) * step, math.ceil(max(known) / step) * step
    return least, max(greatest, least + step), step


def _ticks(least: float, greatest: float, step: float) -> list[float]:
    count = round((greatest - least) / step)
    return [least + n * step for n in range(count + 1)]


def _stacked(first: Sequence[tuple[float, Row]], strip: float) -> list[Mark]:
    """Marks on the line, one above the other where ratings coincide."""
    bins = [round(x * _BINS / 100) for x, _ in first]
    highest = max(Counter(bins).values())
    pitch = min(_PITCH, (_STACK - _PITCH) / max(1, highest - 1))
    seen: Counter[int] = Counter()
    marks = []
    for place, (x, row) in sorted(zip(bins, first, strict=True), key=lambda each: each[1][0]):
        y = strip - _PITCH / 2 - pitch * seen[place]
        seen[place] += 1
        marks.append(Mark(row, "first", x, round(y, 1), change_title(row)))
    return marks


def _extremes(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    found = []
    for kind, furthest in (("gain", min), ("loss", max)):
        own = [mark for mark in marks if mark.kind == kind]
        if own:
            found.append(furthest(own, key=lambda mark: mark.y))
    return tuple(found)


def _words(changed: Sequence[tuple[Row, float]], first: Sequence[Row]) -> str:
    """What the picture shows, for whoever does not see it."""
    said = []
    gained = [row for row, change in changed if change > 0]
    lost = [row for row, change in changed if change < 0]
    same = len(changed) - len(gained) - len(lost)
    if gained:
        most = max(gained, key=lambda row: row.change or 0)
        said.append(f"{len(gained)} gained, the most {change_title(most)}.")
    if lost:
        most = min(lost, key=lambda row: row.change or 0)
        said.append(f"{len(lost)} lost, the most {change_title(most)}.")
    if same:
        said.append(f"{same} kept {'their' if same > 1 else 'the'} rating.")
    if first:
        said.append(f"{len(first)} {'have' if len(first) > 1 else 'has'} a first rating.")
    return " ".join(said)
