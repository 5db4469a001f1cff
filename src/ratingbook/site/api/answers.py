"""What the API answers: a dataclass as JSON, a table also as CSV and Arrow, long ones in parts."""

from __future__ import annotations

import binascii
import io
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_type_hints
from urllib.parse import urlencode

import pyarrow as pa
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.encoding import escape_uri_path
from ninja import Schema
from pydantic import BeforeValidator, Field

from ratingbook.site.answers import CSV, JSON, Table, as_csv, as_json, in_file
from ratingbook.site.api.numbers import whole
from ratingbook.site.problems import refusal

T = TypeVar("T")
ARROW = "arrow"
MEDIA = {JSON: "application/json", CSV: "text/csv", ARROW: "application/vnd.apache.arrow.stream"}
USUAL, MOST = 100, 1000
"""Items of a part of a table, where none are asked for, and at most."""
_ALL = 10**7


class OnlyJson(Schema):
    """In which form an answer is wanted that is no table."""

    format: Literal["json"] | None = Field(None, description="There is JSON alone of this.")


class Shape(Schema):
    """In which form a table is wanted."""

    format: Literal["json", "csv", "arrow"] | None = Field(
        None, description="Instead of what the header Accept says."
    )


class Paging(Shape):
    """Which part of a long table is wanted."""

    limit: Annotated[int, Field(ge=1, le=MOST), BeforeValidator(whole(1, MOST))] | None = Field(
        None,
        description=f"Items of a part; left out: {USUAL} of JSON, all of CSV and Arrow.",
    )  # fmt: skip
    cursor: str = Field("", max_length=400, description="`next` of the part before.")


@dataclass(frozen=True)
class Part:
    """A part of a table."""

    items: Sequence[object]
    next: str | None


def given(
    request: HttpRequest, shown: object, shape: Shape | OnlyJson,
    table: Callable[[], Table] | None = None,
) -> HttpResponse:  # fmt: skip
    """What is shown, in the form that is asked for."""
    form = _form(request, shape, has_table=table is not None)
    if isinstance(form, HttpResponse):
        return form
    return for_all(as_json(shown) if form == JSON or table is None else _as_file(form, table()))


def parts(
    request: HttpRequest,
    paging: Paging,
    fetch: Callable[[int, int], Sequence[T]],
    key: Callable[[T], object],
    table: Callable[[Sequence[T]], Table],
) -> HttpResponse:
    """A part of a table; ``fetch`` gives so many items from a place on, ``key`` tells them apart.

    A cursor is the last item that was given, so that nothing is given twice or left out where
    something came before it meanwhile.
    """
    form = _form(request, paging, has_table=True)
    if isinstance(form, HttpResponse):
        return form
    limit = paging.limit or (USUAL if form == JSON else _ALL)
    first: int | None = 0
    if paging.cursor:
        place, last = _place(paging.cursor)
        first = None if place < 1 else _after(place, last, fetch, key)
        if first is None:
            return refusal(
                400, "site.bad-cursor",
                "The cursor is none of this table, or what it was at is gone.",
                "Begin anew, without a cursor.",
            )  # fmt: skip
    found = fetch(first or 0, limit + 1)
    items, following = found[:limit], None
    if len(found) > limit:
        following = _cursor((first or 0) + limit, key(items[-1]))
    made = as_json(Part(items, following)) if form == JSON else _as_file(form, table(items))
    if following is not None:
        query = {**request.GET.dict(), "cursor": following}
        made.headers["Link"] = f'<{escape_uri_path(request.path)}?{urlencode(query)}>; rel="next"'
    return for_all(made)


def for_all(made: HttpResponse) -> HttpResponse:
    """An answer that may be kept, and is asked for anew by its mark."""
    patch_cache_control(made, no_cache=True)
    patch_vary_headers(made, ["Accept"])
    return made


def _form(
    request: HttpRequest, shape: Shape | OnlyJson, *, has_table: bool
) -> str | HttpResponse:  # fmt: skip
    """The form that is asked for; a problem, where there is none such."""
    if shape.format is not None:
        return shape.format
    forms = [JSON, CSV, ARROW] if has_table else [JSON]
    chosen = request.get_preferred_type([MEDIA[each] for each in forms])
    wanted = next((each for each in forms if MEDIA[each] == chosen), None)
    if wanted is None:
        there = ", ".join(MEDIA[each] for each in forms)
        return refusal(406, "site.no-form", f"There is {there} of this.", f"Accept {there}.")
    return wanted


def _after(
    place: int, last: object, fetch: Callable[[int, int], Sequence[T]], key: Callable[[T], object]
) -> int | None:
    """The place after the item that was given last, wherever it is by now."""
    if [_said(key(each)) for each in fetch(place - 1, 1)] == [last]:
        return place
    return next((at for at, x in enumerate(fetch(0, _ALL), 1) if _said(key(x)) == last), None)


def _said(key: object) -> Any:
    return json.loads(json.dumps(key, default=str))


def _cursor(place: int, last: object) -> str:
    text = json.dumps([place, last], default=str, separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _place(cursor: str) -> tuple[int, object]:
    """Place and key of a cursor; place 0, if it is none."""
    try:
        said = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        place, last = said
    except (ValueError, TypeError, binascii.Error, RecursionError):
        return 0, None
    return (place, last) if type(place) is int and 0 < place < _ALL else (0, None)


def _as_file(form: str, table: Table) -> HttpResponse:
    return as_csv(table) if form == CSV else as_arrow(table)


def as_arrow(table: Table) -> HttpResponse:
    """A table as a stream of Arrow; a column that has values of several kinds is text."""
    rows = list(table.rows)
    kinds = table.kinds or [None] * len(table.columns)
    columns = [_column([row[at] for row in rows], kind) for at, kind in enumerate(kinds)]
    made = pa.Table.from_arrays(columns, names=list(table.columns))
    out = io.BytesIO()
    with pa.ipc.new_stream(out, made.schema) as writer:
        writer.write_table(made)
    return HttpResponse(out.getvalue(), content_type=MEDIA[ARROW])


_ARROW = {
    str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), date: pa.date32(),
    datetime: pa.timestamp("us", "UTC"),
}  # fmt: skip


def rows_as_table(kind: type, rows: Sequence[Any]) -> Table:
    """Rows of plain values as a table, by the names and kinds of their fields."""
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind)]
    values = [[getattr(row, name) for name in names] for row in rows]
    return Table(names, values, [_kind_of(hints[name]) for name in names])


def _kind_of(hint: Any) -> type | None:
    """The kind of values that a field has, if it is one that a column can have."""
    every = [each for each in get_args(hint) or (hint,) if each is not NoneType]
    return every[0] if len(every) == 1 and every[0] in _ARROW else None


def _column(values: Iterable[object], kind: type | None) -> pa.Array:
    every = list(values)
    try:
        return pa.array(every, None if kind is None else _ARROW[kind])
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        # Arrow has an error of its own for each way in which values are of several kinds.
        return pa.array([None if each is None else str(in_file(each)) for each in every])
