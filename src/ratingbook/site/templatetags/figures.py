"""Numbers as the pages print them: a real minus, no needless decimals, – for none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ratingbook.desk import written
from ratingbook.desk.written import rating_number
from ratingbook.site.templatetags.written import points

register = template.Library()
register.filter("points", points)


@register.filter
def figure(value: object) -> object:
    """A number, with up to three decimals; a text as it is."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return rating_number(value)


@register.filter
def signed(value: float | None) -> str:
    """A difference with its sign: +5, −3, ±0."""
    if value is None:
        return "–"
    text = str(figure(value))
    return "±0" if text == "0" else text if value < 0 else f"+{text}"


@register.filter
def change(value: float | None) -> SafeString:
    """A difference in the colour of its kind, without an arrow: the sign is enough."""
    if value is None:
        return format_html('<span class="quiet">{}</span>', "–")
    text = signed(value)
    kind = "same" if text == "±0" else "up" if value > 0 else "down"
    return format_html('<span class="{} plain">{}</span>', kind, text)


@register.filter
def short(digest: str) -> str:
    """The beginning of a long digest."""
    return f"{digest[:12]}…" if len(digest) > len("0" * 16) else digest


@register.filter
def size(count: int) -> str:
    """Bytes as people say them."""
    number = float(count)
    for unit in ("bytes", "kB", "MB"):
        if number < 1000 or unit == "MB":
            return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
        number /= 1000
    raise AssertionError


@register.filter
def is_number(value: object) -> bool:
    """Whether a cell is set right."""
    return isinstance(value, int | float) and not isinstance(value, bool)


@register.filter
def figure_or_nothing(value: object) -> object:
    """A cell of a table as it was printed: nothing for what is not known."""
    return "" if value is None else figure(value)


@register.filter
def size_of(value: float) -> float:
    """Without the sign, where a word or an arrow says it."""
    return abs(value)


@register.filter
def cells(statistics: Mapping[str, Any]) -> list[list[object]]:
    """The rows of a kept table in the order of its columns."""
    keys = [key for key, _, _ in statistics["columns"]]
    return [[row.get(key) for key in keys] for row in statistics["rows"]]


@register.filter
def breakable(digest: str) -> SafeString:
    """A digest that may break in the middle of a line."""
    return format_html_join(
        "", "{}<wbr>", ((digest[at : at + 8],) for at in range(0, len(digest), 8))
    )


@register.filter
def hundredths(value: float | None) -> str:
    """An expected score, with two decimals at most."""
    return written.number(value)
