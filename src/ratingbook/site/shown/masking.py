"""Texts that were written before a person was suppressed, without the person's name."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from ratingbook.office.acts.registry import suppressed, token
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.site.shown.printed import hidden_since


def mask() -> Callable[[str], str]:
    """What takes the names of suppressed persons out of a text; they had some in reports, too."""
    since = hidden_since()
    if not since:
        return str
    found = _names(current().folder, since)
    if not found:
        return str
    longest = sorted(found, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in longest))
    return lambda text: pattern.sub(lambda one: found[one.group()], text)


@lru_cache(maxsize=4)
def _names(folder: Path, since: int) -> dict[str, str]:
    """Each name that a suppressed person had, and what stands in its place."""
    del folder, since
    hidden = suppressed()
    said = [
        *m.PersonName.objects.filter(person__in=hidden).values_list("person", "text"),
        *m.Link.objects.filter(person__in=hidden).values_list("person", "entry__name"),
    ]
    return {text: token(person) for person, text in said if text and text != token(person)}
