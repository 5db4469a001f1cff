"""Numbers and texts in templates, as people read them."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratingbook.desk import written

register = template.Library()


@register.filter
def rating(value: float | None, decimals: int = 0) -> str:
    """A rating with the decimals that its pool prints; – for none."""
    return "–" if value is None else f"{value:.{decimals}f}".replace("-", "−")


@register.filter
def signed(value: float | None, decimals: int = 0) -> str:
    """A change with its sign: ±0 where there is none."""
    if value is None:
        return "–"
    text = f"{abs(value):.{decimals}f}"
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
