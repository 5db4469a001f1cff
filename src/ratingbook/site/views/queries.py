"""What the address of a page asks for, and what of it nobody understands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from django.http import HttpRequest
from django.utils.translation import gettext

from ratingbook.office.limits import is_id
from ratingbook.site.answers import HTML
from ratingbook.site.shown.pools import refuse_unknown

T = TypeVar("T")
_NUMBERED = frozenset({"page", "section"})
"""What a query names by its number: another number is one of nothing, and no mistake in writing."""
_NAMED = frozenset({"pool"})
"""What it names by its name: another name is one of nothing, too."""
_LONGEST = 60
"""Letters of a value that are shown again."""


def number(request: HttpRequest, name: str) -> int | None:
    """A number of the query; what is none is not given."""
    text = request.GET.get(name, "")
    return int(text) if is_id(text) else None


def named(request: HttpRequest, name: str) -> str | None:
    """A name in the query; None: there is none."""
    return request.GET.get(name, "").strip() or None


def pool_of(request: HttpRequest, form: str) -> str | None:
    """The pool that the query names; None: it names none.

    A page says that there is none of that name, and shows what there is; a program that is given
    rows of another pool, or none, would not know it.
    """
    name = named(request, "pool")
    if name is not None and form != HTML:
        refuse_unknown(name)
    return name


def without_meaning(request: HttpRequest, **understood: object) -> tuple[str, ...]:
    """The names of what the query says and of which nothing came: it was left out.

    ``understood`` is what each was understood as; None: as nothing that there is.
    """
    return tuple(
        name for name, value in understood.items()
        if value is None and request.GET.get(name, "").strip()
    )  # fmt: skip


def left_out(request: HttpRequest, names: Iterable[str]) -> list[str]:
    """What a page says of values that were not understood; the rest of the query holds."""
    values = {name: request.GET.get(name, "") for name in names}
    return [
        (
            gettext("There is nothing of “{said}”, as the address has it; it was left out.")
            if name in _NAMED or (name in _NUMBERED and is_id(text))
            else gettext("“{said}” in the address was not understood, and was left out.")
        ).format(said=f"{name}={text[:_LONGEST]}")
        for name, text in values.items()
    ]


def only(asked: T | None, shown: T | None) -> T | None:
    """What was asked for, if it is what is shown."""
    return asked if asked == shown else None
