"""The pages of lists, and their files."""

from __future__ import annotations

import hashlib
from datetime import date
from urllib.parse import urlencode

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ratingbook import __version__
from ratingbook.office.refused import refuse
from ratingbook.site.answers import CSV, Table, answer
from ratingbook.site.files import CHECKSUM
from ratingbook.site.shown import lists as shown
from ratingbook.site.templatetags.written import day as written
from ratingbook.site.views.queries import left_out, number, only, without_meaning


def index(request: HttpRequest, form: str) -> HttpResponse:
    """All lists by pool and year."""
    found = shown.index()
    return answer(request, form, "site/lists.html", found, lambda: Table(*shown.index_table(found)))


def by_number(request: HttpRequest, number: int) -> HttpResponse:
    """A list by its number: to its own address, which stays."""
    return HttpResponseRedirect(reverse("list_revision", args=shown.address_of(number)))


def one(
    request: HttpRequest, form: str, pool: str, day: date, revision: int | None = None
) -> HttpResponse:
    """A list, or what is wanted of it; a repeat gets 304 before anything is made."""
    found = found_list(pool, day, revision)
    known = known_mark(request, found)
    if isinstance(known, HttpResponse):
        return known
    wanted = shown.Wanted.of(request.GET.dict())
    if form == CSV:
        made = answer(request, form, "", None, lambda: shown.table_of(found, wanted))
    else:
        page = shown.show(found, wanted)
        made = answer(
            request, form, "site/list.html", page,
            lambda: Table((), ()), query=urlencode(wanted.filters),
            forms=page.forms, left_out=left_out(request, _odd(request, wanted)),
            earlier=[r for r in range(found.newest, 0, -1) if r != page.revision],
        )  # fmt: skip
    return marked(made, known)


def _odd(request: HttpRequest, wanted: shown.Wanted) -> tuple[str, ...]:
    """The values of the address that say nothing."""
    return without_meaning(
        request, active=wanted.active or None, page=only(number(request, "page"), wanted.page)
    )


def changes(
    request: HttpRequest, form: str, pool: str, day: date, revision: int | None = None
) -> HttpResponse:
    """Who moved, entered or left since the list before."""
    found = found_list(pool, day, revision)
    known = known_mark(request, found)
    if isinstance(known, HttpResponse):
        return known
    said = request.GET.get("kind", "")
    kind = said if said in shown.KINDS else shown.KINDS[0]
    page = shown.Wanted.of(request.GET.dict()).page
    odd = without_meaning(request, kind=only(said, kind), page=only(number(request, "page"), page))
    report = shown.changes(found, kind, page, None if form == CSV else shown.ROWS)
    if report is None:
        raise refuse(
            "office.no-list",
            _("The list of {day} is the first of the pool {pool}.").format(
                day=written(day), pool=pool
            ),
            _("There is nothing to compare it with."),
        )
    rows = [(kind, x.person, x.name, x.place, x.old, x.new, x.change) for x in report.lines]
    columns = ("kind", "person", "name", "place", "old", "new", "change")
    made = answer(
        request, form, "site/list_changes.html", report, lambda: Table(columns, rows),
        kinds=shown.KINDS, left_out=left_out(request, odd),
    )  # fmt: skip
    return marked(made, known)


def downloads(request: HttpRequest, form: str, pool: str, day: date, revision: int) -> HttpResponse:
    """The files of a list with their checksums."""
    found = shown.list_files(found_list(pool, day, revision))
    rows = [(x.form, x.name, x.size, x.sha256) for x in found.files]
    columns = ("form", "name", "size", "sha256")
    return answer(
        request, form, "site/list_files.html", found, lambda: Table(columns, rows),
        bundle=found.files[-1].name if found.has_bundle else "",
    )  # fmt: skip


def file(
    request: HttpRequest, pool: str, day: date, revision: int, kind: str
) -> HttpResponse | FileResponse:
    """A file of a list: made when it is first asked for, and kept; or its checksum."""
    one, path = shown.file_of(found_list(pool, day, revision), kind.removesuffix(CHECKSUM))
    if kind.endswith(CHECKSUM):
        text = f"{one.sha256}  {one.name}\n"
        return HttpResponse(text, content_type="text/plain; charset=utf-8")
    mark = f'"{one.sha256}"'
    if _has(request, mark):
        return HttpResponse(status=304, headers={"ETag": mark})
    made = FileResponse(path.open("rb"), as_attachment=True, filename=one.name)
    made.headers["ETag"] = mark
    made.headers["Repr-Digest"] = f"sha-256=:{one.base64}:"
    return made


def found_list(pool: str, day: date, revision: int | None) -> shown.Found:
    """The list; refused in words where there is none."""
    try:
        return shown.find(pool, day, revision)
    except shown.NoList:
        said = _("There is no list of {day} in the pool {pool}.")
        if revision is not None:
            said = _("There is no revision {n} of the list of {day} in the pool {pool}.")
        raise refuse(
            "office.no-list", said.format(day=written(day), pool=pool, n=revision),
            _("Look at the index of lists."),
        ) from None  # fmt: skip


def known_mark(request: HttpRequest, found: shown.Found) -> HttpResponse | str:
    """The mark of a page of a list, or 304 if the reader has it already.

    It covers the list and those beside it, who was suppressed, the language, and what is the
    reader's own in the frame.
    """
    said = (
        __version__, found, request.get_full_path(), get_language(),
        request.headers.get("Cookie", ""), request.headers.get("Accept", ""),
    )  # fmt: skip
    mark = f'"{found.digest[:16]}-{hashlib.sha256(repr(said).encode()).hexdigest()[:24]}"'
    if _has(request, mark):
        return marked(HttpResponse(status=304), mark)
    return mark


def _has(request: HttpRequest, mark: str) -> bool:
    given = [each.strip() for each in request.headers.get("If-None-Match", "").split(",")]
    return mark in [each.removeprefix("W/") for each in given]


def marked(made: HttpResponse, mark: HttpResponse | str) -> HttpResponse:
    """An answer with the mark by which it is asked for anew."""
    made.headers["ETag"] = str(mark)
    patch_cache_control(made, no_cache=True)
    return made
