"""What a page answers: the page itself, or what it shows as JSON, or its table as CSV.

A view makes a frozen dataclass by a function of ``site.shown`` and gives it to :func:`answer`;
``path``, ``path.json`` and ``path.csv`` are one view, routed by :func:`page`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, register_converter

from ratingbook.formats.tools.spreadsheets import cell

HTML, JSON, CSV = "html", "json", "csv"
_LARGE = 1e15
"""Beyond it a float is no longer every whole number."""
DRAWN: Mapping[str, bool] = MappingProxyType({"drawn": True})
"""Metadata of a field that is not given away: it only draws what others tell in numbers, or is the
number of a pool in the tables of the office, which goes by its name everywhere else."""


class _Form:
    """The end of a path that asks for another form of a page."""

    regex = f"{JSON}|{CSV}"

    def to_python(self, value: str) -> str:
        """As it stands."""
        return value

    def to_url(self, value: str) -> str:
        """As it stands."""
        return value


register_converter(_Form, "form")


@dataclass(frozen=True)
class Table:
    """A table as a file."""

    columns: Sequence[str]
    rows: Iterable[Sequence[object]]
    kinds: Sequence[type | None] = ()
    """Of the values of each column, whatever is in it; None, or without them: as they are."""


def page(
    route: str, view: Callable[..., HttpResponse], name: str, beside: str = ""
) -> list[URLPattern]:
    """The routes of a page: ``name``, and ``name_as`` with a ``form`` for JSON and CSV.

    The other forms of a page whose route is empty stand ``beside`` it.
    """
    # A key in a path may hold a dot: the other forms come first.
    return [
        path(f"{route or beside}.<form:form>", view, name=f"{name}_as"),
        path(route, view, {"form": HTML}, name=name),
    ]


def answer(
    request: HttpRequest,
    form: str,
    template: str,
    shown: object,
    table: Callable[[], Table] | None = None,
    **context: Any,
) -> HttpResponse:
    """What is shown, in the form that is asked for; templates know it as ``page``."""
    if form == JSON:
        return as_json(shown)
    if form == CSV:
        if table is None:
            raise Http404("This page has no table.")
        return as_csv(table())
    return render(request, template, {"page": shown, "has_csv": table is not None, **context})


def plain(value: object) -> Any:
    """Dataclasses, days and the like as JSON knows them."""
    if is_dataclass(value) and not isinstance(value, type):
        told = (each for each in fields(value) if not each.metadata.get("drawn"))
        return {each.name: plain(getattr(value, each.name)) for each in told}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return _as_printed(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return str(value)


def _as_printed(value: object) -> object:
    """A whole number without decimals, as lists have it."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGE:
        return int(value)
    return value


def in_file(value: object) -> object:
    """A value as files have it: true and false, and times, as JSON writes them."""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else _as_printed(value)


def as_json(shown: object) -> HttpResponse:
    """A dataclass as JSON."""
    text = json.dumps(plain(shown), ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(text, content_type="application/json")


def as_csv(table: Table) -> HttpResponse:
    """A table as CSV, in which no cell is a formula to a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(list(map(cell, table.columns)))
    writer.writerows([cell(in_file(value)) for value in row] for row in table.rows)
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
