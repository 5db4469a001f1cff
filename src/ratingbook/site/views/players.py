"""Players, and why their ratings changed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from ratingbook.site.answers import HTML, answer
from ratingbook.site.shown import explanations
from ratingbook.site.shown import players as shown
from ratingbook.site.shown.persons import identity


def player(request: HttpRequest, person: int, form: str) -> HttpResponse:
    """A player; one who was merged with another is that one."""
    who = identity(person)
    if who.person != person:
        to = (who.person,) if form == HTML else (who.person, form)
        return HttpResponseRedirect(reverse("player" if form == HTML else "player_as", args=to))
    page = shown.player(who, number(request, "pool"), number(request, "page") or 1)
    return answer(
        request, form, "site/player.html", page, lambda: shown.table(shown.results(who)),
        turn=f"pool={page.results_of}&",
    )  # fmt: skip


def explanation(request: HttpRequest, person: int, pool: int, key: str, form: str) -> HttpResponse:
    """Why a rating changed in a batch."""
    page = explanations.explanation(person, pool, key)
    return answer(
        request, form, "site/explanation.html", page, lambda: explanations.table(page)
    )  # fmt: skip


def number(request: HttpRequest, name: str) -> int | None:
    """A number of the query; what is none is not given."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
