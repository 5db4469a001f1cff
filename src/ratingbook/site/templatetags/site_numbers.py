"""Numbers in templates: real minus, and nothing where there is nothing."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()


@register.filter
def change(value: Any) -> str:
    """A change with its sign; ±0 where there is none."""
    if value is None or value == "":
        return "–"
    if float(value) == 0:
        return "±0"
    return f"{float(value):+.6f}".rstrip("0").rstrip(".").replace("-", "−")


@register.filter
def rating(value: Any) -> str:
    """A rating as it is published."""
    return "–" if value is None or value == "" else f"{float(value):g}".replace("-", "−")
