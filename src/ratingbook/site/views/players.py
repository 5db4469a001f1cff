"""Players, and why their ratings changed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from ratingbook.site.accounts import reader_of
from ratingbook.site.answers import CSV, HTML, Table, answer
from ratingbook.site.shown import explanations
from ratingbook.site.shown import player as shown
from ratingbook.site.shown.explanations import View
from ratingbook.site.shown.persons import identity, refuse_unless_public
from ratingbook.site.views.queries import left_out, number, without_meaning


def player(request: HttpRequest, person: int, form: str) -> HttpResponse:
    """A player; one who was merged with another is that one."""
    who = identity(person)
    if who.person != person:
        to = (who.person,) if form == HTML else (who.person, form)
        return HttpResponseRedirect(reverse("player" if form == HTML else "player_as", args=to))
    if form == CSV:
        found = shown.results(who)
        refuse_unless_public(who, found)
        return answer(request, form, "", None, lambda: shown.table(found))
    pool, at = number(request, "pool"), number(request, "page")
    page = shown.player(who, pool, at or 1)
    refuse_unless_public(who, page.pools, page.results)
    odd = without_meaning(request, pool=pool, page=at)
    return answer(
        request, form, "site/player.html", page, lambda: Table((), ()),
        turn=f"pool={page.results_of}&", left_out=left_out(request, odd),
    )  # fmt: skip


def explanation(request: HttpRequest, person: int, pool: int, key: str, form: str) -> HttpResponse:
    """Why a rating changed in a batch."""
    page = explanations.explanation(person, pool, key)
    return answer(
        request, form, "site/explanation.html", page, lambda: explanations.table(page),
        view=View.public.value,
    )  # fmt: skip


def my_explanation(request: HttpRequest, pool: int, key: str) -> HttpResponse:
    """The same of oneself, whole."""
    person = reader_of(request).person
    assert person is not None
    return _whole(request, (person, pool, key), View.player)


def desk_explanation(request: HttpRequest, person: int, pool: int, key: str) -> HttpResponse:
    """The same for the office, whole."""
    return _whole(request, (person, pool, key), View.office)


def _whole(request: HttpRequest, of: tuple[int, int, str], view: View) -> HttpResponse:
    page = explanations.explanation(*of, view)
    return answer(request, HTML, "site/explanation.html", page, view=view.value)
