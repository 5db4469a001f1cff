"""Events: their index, and each with its cross tables."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from ratingbook.site.answers import answer
from ratingbook.site.shown import event as one_event
from ratingbook.site.shown import events as shown
from ratingbook.site.views.queries import left_out, number, without_meaning


def events(request: HttpRequest, form: str) -> HttpResponse:
    """The rated events."""
    year, pool, at = (number(request, name) for name in ("year", "pool", "page"))
    page = shown.events(year, pool, at or 1)
    odd = without_meaning(request, year=page.year, pool=page.pool, page=at)
    chosen = "&".join(f"{k}={v}" for k, v in (("year", page.year), ("pool", page.pool)) if v)
    return answer(
        request, form, "site/events.html", page, lambda: shown.table(page), wanted=chosen,
        turn=f"{chosen}&" if chosen else "", left_out=left_out(request, odd),
    )  # fmt: skip


def event(request: HttpRequest, report: int, form: str) -> HttpResponse:
    """An event, a section of it, in a notation."""
    section, notation = number(request, "section"), request.GET.get("notation")
    nth = number(request, "page")
    page = one_event.event(report, section, notation, nth or 1)
    odd = without_meaning(request, section=section, page=nth)
    at = page.section.number if page.section else 0
    return answer(
        request, form, "site/event.html", page, lambda: one_event.table(page),
        turn=f"section={at}&notation={page.notation}&", left_out=left_out(request, odd),
    )  # fmt: skip
