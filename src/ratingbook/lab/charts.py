"""Charts as SVG: said as data with Altair, drawn by Vega-Lite here, with nothing fetched.

What comes out has no script, no style and no font of its own: colours are names of the page's
tokens, so that a chart is light or dark with the page, and black on paper.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ratingbook.model.patterns import pattern

if TYPE_CHECKING:
    import altair

TOKENS = {
    "#010101": "var(--ink)",
    "#020202": "var(--soft)",
    "#030303": "var(--line)",
    "#040404": "var(--accent)",
    "#050505": "var(--edge)",
    "#060606": "var(--warn)",
}
"""Colours that stand for tokens of the page, which Vega-Lite does not know."""
INK, SOFT, LINE, ACCENT, EDGE, WARN = TOKENS

WIDTH = 330
"""Points: as wide as a phone shows without shrinking the text."""
SERIES = 4
"""Systems that one chart can hold, so that they are told apart."""
_COLOURS = [ACCENT, WARN, INK, EDGE]
_SHAPES = ["circle", "square", "triangle-up", "diamond"]
_DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3]]
_SHAPE = 40
_TICKS = 6
_WIDE, _HIGH = 300, 200
_ROW = 38
_SQUARE = 270
_FONT = 11
_ROLES = pattern(r' (?:role|aria-[a-z]+|pointer-events|font-family)="[^"]*"')
_SIZES = pattern(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>')
_GROUND = pattern(r'<rect width="[0-9.]+" height="[0-9.]+" fill="white"/>')


@dataclass(frozen=True)
class Bar:
    """A number with its interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Point:
    """Expected beside scored."""

    expected: float
    scored: float
    low: float
    high: float


@dataclass(frozen=True)
class Mark:
    """A number of one system in one group of games, with its interval."""

    system: str
    group: str
    value: float
    low: float
    high: float


def intervals(bars: Sequence[Bar], title: str, *, zero: bool = False) -> str:
    """Numbers with their intervals below each other, the names above the bars."""
    import altair as alt

    low, high = min(each.low for each in bars), max(each.high for each in bars)
    if zero:
        low, high = min(0.0, low), max(0.0, high)
    room = 0.04 * ((high - low) or 1.0)
    scale = alt.Scale(domain=[low - room, high + room], nice=False, zero=False)
    rows = [{**asdict(each), "row": n} for n, each in enumerate(bars)]
    base = alt.Chart(_data(rows)).encode(
        y=alt.Y("row:O", axis=None, scale=alt.Scale(paddingInner=0.2))
    )
    x = alt.X(
        "low:Q", title=title, scale=scale,
        axis=alt.Axis(tickCount=5, labelFlush=False, grid=True),
    )  # fmt: skip
    layers: list[Any] = [
        base.mark_rule(strokeWidth=3, color=ACCENT, yOffset=7).encode(x=x, x2="high:Q"),
        base.mark_circle(size=70, color=ACCENT, opacity=1, yOffset=7).encode(x="value:Q"),
        base.mark_text(
            align="left", baseline="middle", dx=4, dy=-8, color=INK, fontSize=_FONT + 1, limit=WIDTH
        ).encode(x=alt.value(0), text="name:N"),
    ]
    if zero:
        nothing = alt.Chart(_data([{"low": 0}]))
        layers.insert(0, nothing.mark_rule(color=EDGE).encode(x=x))
    return drawn(alt.layer(*layers).properties(width=WIDTH, height=_ROW * len(bars)))


def calibration(points: Sequence[Point], *, scored: str = "scored", whole: bool = True) -> str:
    """Scored by expected, with intervals; on the straight line from corner to corner is right.

    Unless the ``whole`` is shown, from 0 to 100 %, the chart ends where its points do.
    """
    import altair as alt

    most = max(max(each.expected, each.high) for each in points)
    # In tenths, and at least two of them, so that there is something between the corners.
    end = 1.0 if whole else min(1.0, max(2, math.ceil(10 * most)) / 10)
    scale = alt.Scale(domain=[0, end], nice=False)
    ticks = [end * each / 4 for each in range(5)] if end == 1 else [n / 10 for n in range(11)]
    axis = alt.Axis(values=[each for each in ticks if each <= end], format=".0%")
    rows = [
        {
            "expected": e.expected,
            "scored": e.scored,
            "low": max(0.0, e.low),
            "high": min(end, e.high),
        }
        for e in points
    ]
    right = (
        alt.Chart(_data([{"expected": 0, "scored": 0}, {"expected": end, "scored": end}]))
        .mark_line(color=EDGE, strokeDash=[4, 4], strokeWidth=1)
        .encode(
            x=alt.X("expected:Q", title="expected", scale=scale, axis=axis),
            y=alt.Y("scored:Q", title=scored, scale=scale, axis=axis),
        )
    )
    base = alt.Chart(_data(rows)).encode(x="expected:Q")
    return drawn(
        alt.layer(
            right,
            base.mark_line(color=ACCENT, strokeWidth=1.5).encode(y="scored:Q"),
            base.mark_rule(color=ACCENT, strokeWidth=2).encode(y="low:Q", y2="high:Q"),
            base.mark_circle(color=ACCENT, size=40, opacity=1).encode(y="scored:Q"),
        ).properties(width=_SQUARE, height=_SQUARE)
    )


def courses(marks: Sequence[Mark], groups: str, values: str, *, years: bool) -> str:
    """How several systems fare from group to group: beside each other, or over years as lines.

    Values are differences, and 0 is drawn.  Over years the shade is the interval of the first.
    Who sees no colours, or prints in black, tells the systems by their shape and stroke.
    """
    import altair as alt

    systems = list(dict.fromkeys(each.system for each in marks))
    count = len(systems)
    rows = [asdict(each) for each in marks]
    low = min(0.0, *(each.low for each in marks))
    high = max(0.0, *(each.high for each in marks))
    room = 0.06 * ((high - low) or 1.0)
    legend = alt.Legend(
        title=None, orient="top", direction="vertical", columns=1, labelLimit=WIDTH,
        symbolSize=60, symbolStrokeWidth=0, rowPadding=3, offset=8,
    )  # fmt: skip
    colour = alt.Color(
        "system:N", legend=legend, sort=systems,
        scale=alt.Scale(domain=systems, range=_COLOURS[:count]),
    )  # fmt: skip
    shape = alt.Shape(
        "system:N", legend=legend, sort=systems,
        scale=alt.Scale(domain=systems, range=_SHAPES[:count]),
    )  # fmt: skip
    y = alt.Y(
        "low:Q", title=values, axis=alt.Axis(tickCount=5, grid=True),
        scale=alt.Scale(domain=[low - room, high + room], nice=False, zero=False),
    )  # fmt: skip
    if years:
        some = sorted({int(each.group) for each in marks})
        ticks = [*range(some[0], some[-1] + 1, -(-(some[-1] - some[0]) // _TICKS) or 1)]
        axis = alt.Axis(format="d", values=ticks, grid=False, labelFlush=False)
        x = alt.X("group:Q", title=groups, axis=axis, scale=alt.Scale(nice=False, zero=False))
        base = alt.Chart(_data(rows)).encode(x=x, color=colour)
        dash = alt.StrokeDash(
            "system:N", legend=None, sort=systems,
            scale=alt.Scale(domain=systems, range=_DASHES[:count]),
        )  # fmt: skip
        # Of all systems the shades would hide each other.
        first = alt.Chart(_data([each for each in rows if each["system"] == systems[0]]))
        layers: list[Any] = [
            first.mark_area(opacity=0.15, color=_COLOURS[0]).encode(x=x, y=y, y2="high:Q"),
            base.mark_line(strokeWidth=1.75).encode(y="value:Q", strokeDash=dash),
        ]
    else:
        names = list(dict.fromkeys(each.group for each in marks))
        # A word to a line: side by side the names would touch.
        words = alt.Axis(labelAngle=0, labelExpr="split(datum.label, ' ')")
        base = alt.Chart(_data(rows)).encode(
            x=alt.X("group:O", title=groups, sort=names, axis=words,
                    scale=alt.Scale(paddingInner=0.35, paddingOuter=0.2)),
            xOffset=alt.XOffset("system:N", sort=systems),
            color=colour,
        )  # fmt: skip
        layers = [base.mark_rule(strokeWidth=2).encode(y=y, y2="high:Q")]
    nothing = alt.Chart(_data([{"low": 0}]))
    layers.insert(0, nothing.mark_rule(color=EDGE).encode(y=y))
    # The shapes come last: the legend is theirs.
    layers.append(base.mark_point(filled=True, opacity=1, size=_SHAPE).encode(
        y="value:Q", shape=shape
    ))  # fmt: skip
    return drawn(alt.layer(*layers).properties(width=_WIDE, height=_HIGH))


def _data(rows: list[dict[str, Any]]) -> Any:
    """Rows that stand in the chart itself."""
    return {"values": rows}


def drawn(chart: altair.LayerChart | altair.FacetChart) -> str:
    """The chart as SVG for a page, in the page's colours; what it shows is said beside it."""
    import vl_convert

    chart = (
        chart.configure(padding=2)
        .configure_view(stroke=LINE)
        .configure_axis(
            labelColor=SOFT, titleColor=SOFT, gridColor=LINE, domainColor=EDGE, tickColor=EDGE,
            labelFontSize=_FONT, titleFontSize=_FONT, titleFontWeight="normal", titlePadding=6,
        )
        .configure_legend(labelColor=INK, labelFontSize=_FONT)
    )  # fmt: skip
    svg = str(vl_convert.vegalite_to_svg(chart.to_dict()))
    svg = _GROUND.sub("", _ROLES.sub("", svg))
    svg = _SIZES.sub(r'<svg viewBox="\1" aria-hidden="true" focusable="false">', svg, count=1)
    for colour, token in TOKENS.items():
        svg = svg.replace(f'"{colour}"', f'"{token}"')
    return svg
