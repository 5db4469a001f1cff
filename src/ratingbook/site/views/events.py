"""Events: their index, and each with its cross tables."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode

from ratingbook.site.answers import HTML, answer
from ratingbook.site.shown import event as one_event
from ratingbook.site.shown import events as shown
from ratingbook.site.views.queries import left_out, number, only, pool_of, without_meaning


def events(request: HttpRequest, form: str) -> HttpResponse:
    """The rated events."""
    year, pool, at = number(request, "year"), pool_of(request, form), number(request, "page")
    page = shown.events(year, pool or "", at or 1)
    if form == HTML and not page.rows and page.page > 1:
        # A program that asks for page after page is told of the end by an empty one.
        page = shown.events(year, pool or "")
    odd = without_meaning(
        request, year=page.year, pool=only(pool, page.pool), page=only(at, page.page)
    )
    chosen = urlencode({k: v for k, v in (("year", page.year), ("pool", page.pool)) if v})
    return answer(
        request, form, "site/events.html", page, lambda: shown.table(page), wanted=chosen,
        turn=f"{chosen}&" if chosen else "", left_out=left_out(request, odd),
    )  # fmt: skip


def event(request: HttpRequest, report: int, form: str) -> HttpResponse:
    """An event, a section of it, in a notation."""
    section, notation = number(request, "section"), request.GET.get("notation")
    nth = number(request, "page")
    page = one_event.event(report, section, notation, nth or 1)
    at = page.section.number if page.section else 0
    odd = without_meaning(
        request, section=only(section, at), page=only(nth, page.page),
        notation=notation if notation == page.notation else None,
    )  # fmt: skip
    return answer(
        request, form, "site/event.html", page, lambda: one_event.table(page),
        turn=f"section={at}&notation={page.notation}&", left_out=left_out(request, odd),
    )  # fmt: skip
