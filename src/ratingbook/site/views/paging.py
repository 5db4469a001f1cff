"""Long tables of the desk by pages, which say that there are others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.http import HttpRequest

from ratingbook.site.views.forms import number_in

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of something long, the newest first."""

    rows: Sequence[T]
    page: int
    pages: int
    turn: str
    """What else the address asks for, before the number of a page."""


def paged(
    request: HttpRequest, total: int, per_page: int, rows: Callable[[int, int], Sequence[T]]
) -> Page[T]:
    """The page that the address asks for; ``rows`` gives those from one place to another."""
    pages = max(1, -(-total // per_page))
    page = min(max(1, number_in(request, "page") or 1), pages)
    asked = request.GET.copy()
    asked.pop("page", None)
    turn = f"{asked.urlencode()}&" if asked else ""
    return Page(rows((page - 1) * per_page, page * per_page), page, pages, turn)


def paged_query(request: HttpRequest, query: Any, per_page: int) -> Page[Any]:
    """The same of what the database has."""
    return paged(request, query.count(), per_page, lambda first, end: query[first:end])
