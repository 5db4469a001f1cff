"""What acts are about, in the words of the reader."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

register = template.Library()
_SUBJECTS: Mapping[str, str | Promise] = {
    "account": _("account {n}"), "actor": _("actor {n}"), "correction": _("correction {n}"),
    "fact": _("fact {n}"), "list": _("list {n}"), "partner": _("partner {n}"),
    "person": _("person {n}"), "pool": _("pool {n}"), "report": _("report {n}"),
    "run": _("run {n}"), "section": _("section {n}"), "token": _("token {n}"),
    "webhook": _("webhook {n}"), "file": _("file {n}"), "job": _("job {n}"),
}  # fmt: skip
_SHORT = 12


@register.simple_tag
def subject(text: str) -> SafeString:
    """What an act is about, as a link to all acts about it; it comes as ``person:7``."""
    kind, _colon, which = text.partition(":") if ":" in text else text.partition(" ")
    if kind not in _SUBJECTS:
        return format_html("<bdi>{}</bdi>", text)
    said = str(_SUBJECTS[kind]).format(n=which if kind != "file" else which[:_SHORT])
    to = f"{reverse('audit')}?{urlencode({'about': f'{kind}:{which}'})}"
    return format_html('<a href="{}"><bdi>{}</bdi></a>', to, said)
