"""Links to players and explanations, from wherever they are named."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratingbook.site.templatetags.written import coloured

register = template.Library()


@register.simple_tag
def player(person: int, name: str) -> SafeString:
    """The name of a person, as a link to the page of the player."""
    to = _to("player", person)
    called = format_html("<bdi>{}</bdi>", name)
    return format_html('<a href="{}">{}</a>', to, called) if to else called


@register.simple_tag
def why(
    value: float | None, person: int, pool: str = "", batch: str = "", decimals: int | None = None,
    then: int | None = None,
) -> SafeString:  # fmt: skip
    """A change, as a link to its explanation; without a batch to the page of the player.

    ``then`` is the number of the list as of which it is explained, where it is otherwise by now.
    """
    to = _to("explanation", person, pool, batch) if batch else ""
    text = coloured(value, decimals)
    if to and then is not None:
        # Whoever follows all links would rate all that was ever published again.
        return format_html('<a class="why" href="{}?list={}" rel="nofollow">{}</a>', to, then, text)
    to = to or (_to("player", person) if value is not None else "")
    return format_html('<a class="why" href="{}">{}</a>', to, text) if to else text


@register.filter
def of(found: Mapping[int, str], person: int) -> str:
    """What a mapping has for a person."""
    return found.get(person, "")


def _to(route: str, *arguments: object) -> str:
    try:
        return reverse(route, args=arguments)
    except NoReverseMatch:
        return ""
