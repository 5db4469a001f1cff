"""Numbers and texts in templates, as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ratingbook.desk import written

register = template.Library()


@register.filter
def rating(value: float | None, decimals: int = 0) -> str:
    """A rating with the decimals that its pool prints; – for none."""
    return "–" if value is None else f"{value:.{decimals}f}".replace("-", "−")


@register.filter
def signed(value: float | None, decimals: int | None = None) -> str:
    """A change with its sign, ±0 where there is none; without ``decimals`` as many as it needs."""
    if value is None:
        return "–"
    size = abs(value)
    text = written.rating_number(size) if decimals is None else f"{size:.{decimals}f}"
    if not float(text):
        return f"±{text}"
    return f"{'+' if value > 0 else '−'}{text}"


@register.filter
def points(value: float | None) -> str:
    """Points as score tables print them: 3½."""
    return "–" if value is None else written.points(value)


@register.filter
def number(value: float | None, digits: int = 2) -> str:
    """A number without needless digits."""
    return written.number(value, digits=digits)


@register.filter
def clean(text: object) -> str:
    """A text of a report without control characters."""
    return written.clean(text)


@register.simple_tag
def change(value: float | None, decimals: int = 0, plain: bool = True) -> SafeString | str:
    """A change as it stands in a table: up, down or the same; unless ``plain`` with an arrow."""
    if value is None:
        return "–"
    kind = "same" if not round(value, decimals) else "up" if value > 0 else "down"
    return format_html(
        '<span class="{}{}">{}</span>', kind, " plain" if plain else "", signed(value, decimals)
    )


@register.filter
def figure(value: object) -> object:
    """A number, with up to three decimals; a text as it is."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return written.rating_number(value)


@register.filter("change")
def coloured(value: float | None) -> SafeString:
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
