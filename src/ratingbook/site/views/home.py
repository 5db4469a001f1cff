"""Where everybody arrives, and where everybody looks for somebody."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from ratingbook.site.answers import HTML, answer
from ratingbook.site.shown import home as shown
from ratingbook.site.shown import search as searching


def home(request: HttpRequest, form: str) -> HttpResponse:
    """Search first, then what was published last."""
    return answer(request, form, "site/home.html", shown.front())


def search(request: HttpRequest, form: str) -> HttpResponse:
    """Whom and what somebody looks for; the one number that was asked for goes straight there."""
    found = searching.search(request.GET.get("q", ""), request.GET.get("club", ""))
    if found.only is not None and form == HTML:
        return HttpResponseRedirect(reverse("player", args=(found.only,)))
    return answer(
        request, form, "site/search.html", found, lambda: searching.table(found),
        wanted=request.GET.urlencode(),
    )  # fmt: skip


def players(request: HttpRequest, form: str) -> HttpResponse:
    """The same, from the head of the site."""
    return search(request, form)
