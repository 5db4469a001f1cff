"""The pages of the register, and its feeds."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from ratingbook.office.logic.feeds import as_json, atom
from ratingbook.site.answers import CSV, Table, answer
from ratingbook.site.shown import corrections as shown
from ratingbook.site.shown.lists import Wanted


def index(request: HttpRequest, form: str) -> HttpResponse:
    """The register, the newest first."""
    page = Wanted.of(request.GET.dict()).page
    found = shown.index(page, None if form == CSV else shown.LINES)
    return answer(
        request,
        form,
        "site/corrections.html",
        found,
        lambda: Table(*shown.index_table(found.entries)),
    )


def one(request: HttpRequest, form: str, number: int) -> HttpResponse:
    """A correction."""
    found = shown.one(number, None if form == CSV else shown.MOVERS)
    return answer(
        request,
        form,
        "site/correction.html",
        found,
        lambda: Table(*shown.movers_table(found.shown_lists, found.movers)),
    )


def feed(request: HttpRequest, kind: str) -> HttpResponse:
    """The facts about corrections as a feed: ``atom`` or ``feed.json``."""
    urn, items = shown.feed(request.build_absolute_uri(reverse("corrections")))
    if kind == "atom":
        return HttpResponse(atom("Corrections", urn, items), content_type="application/atom+xml")
    return HttpResponse(as_json("Corrections", urn, items), content_type="application/feed+json")
