"""How a field is marked that is meant by what is refused above it."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratingbook.site import wrong as fields

register = template.Library()
PROBLEMS = "problems"
"""The id of what is refused, first in the page."""


@register.simple_tag(takes_context=True)
def wrong(context: dict[str, Any], name: str, described: str = "") -> SafeString | str:
    """The attributes of a field by its name; ``described`` are the ids of what else is said."""
    request = context.get("request")
    problems = context.get(PROBLEMS)
    meant = fields.meant(request, problems) if request and problems else ()
    is_wrong = name in meant
    ids = " ".join(filter(None, (PROBLEMS if is_wrong else "", described)))
    about = format_html(' aria-describedby="{}"', ids) if ids else ""
    return format_html("{}{}", SafeString(' aria-invalid="true"' if is_wrong else ""), about)
