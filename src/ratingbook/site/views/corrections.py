"""The pages of the register, and its feeds."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext

from ratingbook.office.acts.corrections import can_be_taken_back, reject
from ratingbook.office.logic.corrections import BY_ASKER
from ratingbook.office.logic.feeds import as_json, atom
from ratingbook.site.accounts import reader_of
from ratingbook.site.answers import CSV, Table, answer
from ratingbook.site.shown import corrections as shown
from ratingbook.site.shown.lists import Wanted
from ratingbook.site.views.forms import mark, tried


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
    found = shown.one(number, None, None) if form == CSV else shown.one(number)
    return answer(
        request,
        form,
        "site/correction.html",
        found,
        lambda: Table(*shown.movers_table(found.shown_lists, found.movers)),
        # Asked for by the template alone, of who has signed in.
        is_to_take_back=SimpleLazyObject(
            lambda: (
                can_be_taken_back(number) and shown.is_asked_by(number, reader_of(request).actor)
            )
        ),
        is_otherwise=found.joined in found.contradicting,
        mark=mark(),
    )


def take_back(request: HttpRequest, number: int) -> HttpResponse:
    """Who asked for a correction asks no longer, as long as nobody has decided."""
    reader = reader_of(request)
    if not shown.is_asked_by(number, reader.actor):
        raise Http404("nobody takes back what others asked for")
    problems = tried(
        request, lambda: reject(number, BY_ASKER, reader.who()),
        lambda _: gettext("Correction {n} is taken back.").format(n=number),
    )  # fmt: skip
    if problems:
        return render(request, "site/nothing_done.html", {"problems": problems}, status=422)
    return redirect("correction", number)


def feed(request: HttpRequest, kind: str) -> HttpResponse:
    """The facts about corrections as a feed: ``atom`` or ``feed.json``."""
    urn, items = shown.feed(request.build_absolute_uri(reverse("corrections")))
    if kind == "atom":
        return HttpResponse(atom("Corrections", urn, items), content_type="application/atom+xml")
    return HttpResponse(as_json("Corrections", urn, items), content_type="application/feed+json")
