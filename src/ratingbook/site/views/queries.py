"""What the address of a page asks for, and what of it nobody understands."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest
from django.utils.translation import gettext

from ratingbook.office.limits import is_id

_LONGEST = 60
"""Letters of a value that are shown again."""


def number(request: HttpRequest, name: str) -> int | None:
    """A number of the query; what is none is not given."""
    text = request.GET.get(name, "")
    return int(text) if is_id(text) else None


def without_meaning(request: HttpRequest, **understood: object) -> tuple[str, ...]:
    """The names of what the query says and of which nothing came: it was left out.

    ``understood`` is what each was understood as; None: as nothing.
    """
    return tuple(
        name for name, value in understood.items()
        if value is None and request.GET.get(name, "").strip()
    )  # fmt: skip


def left_out(request: HttpRequest, names: Iterable[str]) -> list[str]:
    """What a page says of values that were not understood; the rest of the query holds."""
    said = gettext("“{said}” in the address was not understood, and was left out.")
    values = {name: request.GET.get(name, "") for name in names}
    return [said.format(said=f"{name}={text[:_LONGEST]}") for name, text in values.items()]
