"""Charts as marks of an SVG: x in %, y in px, so that text keeps its size at any width."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ratingbook.desk.written import rating_number
from ratingbook.site.languages import localised

HEIGHT = 210
"""Pixels between the greatest value and the axis."""
_FOOT = 26
_TICKS = 5
_EVERY = 12
"""So many labels of the axis fit below it."""
_ON_A_PHONE = 36
"""So many letters, with those between the labels."""


@dataclass(frozen=True)
class Line:
    """A line; ``kind`` is its class in the style sheet."""

    kind: str
    x1: str
    y1: str
    x2: str
    y2: str


@dataclass(frozen=True)
class Dot:
    """A ring, or a full one."""

    kind: str
    x: str
    y: str


@dataclass(frozen=True)
class Bar:
    """A bar from the axis."""

    kind: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class Text:
    """A word; ``anchor`` says which end of it stands at x, ``dx`` how far from it."""

    kind: str
    x: str
    y: str
    anchor: str
    dx: int
    text: str


@dataclass(frozen=True)
class Chart:
    """A chart; ``says`` is what it shows, for those who do not see it."""

    title: str
    says: str
    height: int = HEIGHT + _FOOT
    bars: tuple[Bar, ...] = ()
    lines: tuple[Line, ...] = ()
    dots: tuple[Dot, ...] = ()
    texts: tuple[Text, ...] = ()


@dataclass
class Plot:
    """A chart under way: values between ``least`` and ``greatest``, in ``count`` places."""

    title: str
    says: str
    count: int
    least: float
    greatest: float
    bars: list[Bar] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    @classmethod
    def over(
        cls, title: str, says: str, count: int, values: Sequence[float], *, from_zero: bool = False
    ) -> Plot:
        """With an axis and a grid over whole round numbers around the values."""
        low = 0.0 if from_zero else min(values, default=0.0)
        high = max(values, default=1.0)
        step = nice(max(1.0, (high - low) / _TICKS))
        least, greatest = math.floor(low / step) * step, math.ceil(high / step) * step
        made = cls(title, says, max(1, count), least, max(greatest, least + step))
        for at in range(round((made.greatest - made.least) / step) + 1):
            value = made.least + at * step
            y = made.y(value)
            made.lines.append(Line("grid" if at else "base", "0", y, "100%", y))
            said = localised(rating_number(round(value, 6)))
            made.texts.append(Text("", "0", _px(float(y) + 4), "end", -8, said))
        return made

    def x(self, place: float) -> str:
        """Of the middle of a place, from 0."""
        return f"{100 * (place + 0.5) / self.count:.2f}%"

    def y(self, value: float) -> str:
        """Of a value."""
        return _px(HEIGHT * (self.greatest - value) / (self.greatest - self.least))

    def bar(self, place: int, value: float, kind: str = "bar") -> None:
        """A bar in a place."""
        y = self.y(value)
        width = 80 / self.count
        left = 100 * place / self.count + 10 / self.count
        self.bars.append(
            Bar(kind, f"{left:.2f}%", y, f"{width:.2f}%", _px(HEIGHT - float(y)))
        )  # fmt: skip

    def dot(self, place: float, value: float, kind: str = "dot") -> None:
        """A ring in a place."""
        self.dots.append(Dot(kind, self.x(place), self.y(value)))

    def line(self, kind: str, of: Sequence[tuple[float, float]]) -> None:
        """From value to value, by their places."""
        for (a, b), (c, d) in pairwise(of):
            self.lines.append(Line(kind, self.x(a), self.y(b), self.x(c), self.y(d)))

    def level(self, kind: str, value: float, label: str, tone: str = "") -> None:
        """A line through all places, with its number at the end."""
        y = self.y(value)
        self.lines.append(Line(kind, "0", y, "100%", y))
        self.texts.append(Text(tone, "100%", _px(float(y) + 4), "start", 6, label))

    def label(self, place: int, text: str) -> None:
        """Under a place; where there are many only some, and on a phone fewer by their length."""
        every = -(-self.count // _EVERY)
        if place % every == 0:
            labels, fit = -(-self.count // every), max(1, _ON_A_PHONE // (len(text) + 1))
            tick = "tick" if (place // every) % -(-labels // fit) else ""
            self.texts.append(Text(tick, self.x(place), _px(HEIGHT + 19), "middle", 0, text))

    def made(self) -> Chart:
        """The chart."""
        return Chart(
            self.title, self.says, HEIGHT + _FOOT, tuple(self.bars), tuple(self.lines),
            tuple(self.dots), tuple(self.texts),
        )  # fmt: skip


def nice(step: float) -> float:
    """The next of 1, 2, 5, 10 … that is not less."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(each * power for each in (1, 2, 5, 10) if each * power >= step * (1 - 1e-9))


def _px(value: float) -> str:
    return f"{value:.1f}"
