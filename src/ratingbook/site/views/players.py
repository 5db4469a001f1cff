"""Players, and why their ratings changed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import urlencode

from ratingbook.site.accounts import reader_of
from ratingbook.site.answers import CSV, HTML, Table, answer
from ratingbook.site.shown import explanations
from ratingbook.site.shown import player as shown
from ratingbook.site.shown.explanations import View
from ratingbook.site.shown.persons import identity, refuse_unless_public
from ratingbook.site.views.queries import left_out, number, only, pool_of, without_meaning


def player(request: HttpRequest, person: int, form: str) -> HttpResponse:
    """A player; one who was merged with another is that one."""
    who = identity(person)
    if who.person != person:
        to = (who.person,) if form == HTML else (who.person, form)
        return HttpResponseRedirect(reverse("player" if form == HTML else "player_as", args=to))
    pool, at = pool_of(request, form), number(request, "page")
    if form == CSV:
        found = shown.results(who)
        refuse_unless_public(who, found)
        own = [each for each in found if not pool or each.pool == pool]
        return answer(request, form, "", None, lambda: shown.table(own))
    page = shown.player(who, pool or "", at or 1)
    refuse_unless_public(who, page.pools, page.results)
    odd = without_meaning(request, pool=only(pool, page.results_of), page=only(at, page.page))
    return answer(
        request, form, "site/player.html", page, lambda: Table((), ()),
        turn=f"{urlencode({'pool': page.results_of})}&", left_out=left_out(request, odd),
    )  # fmt: skip


def explanation(request: HttpRequest, person: int, pool: str, key: str, form: str) -> HttpResponse:
    """Why a rating changed in a batch; with the number of a list, as it was on that list."""
    listed = number(request, "list")
    page = explanations.explanation(person, pool, key, listed=listed)
    odd = without_meaning(request, list=listed)
    return answer(
        request, form, "site/explanation.html", page, lambda: explanations.table(page),
        view=View.public.value, left_out=left_out(request, odd),
    )  # fmt: skip


def my_explanation(request: HttpRequest, pool: str, key: str) -> HttpResponse:
    """The same of oneself, whole."""
    person = reader_of(request).person
    assert person is not None
    return _whole(request, (person, pool, key), View.player)


def desk_explanation(request: HttpRequest, person: int, pool: str, key: str) -> HttpResponse:
    """The same for the office, whole."""
    return _whole(request, (person, pool, key), View.office)


def _whole(request: HttpRequest, of: tuple[int, str, str], view: View) -> HttpResponse:
    page = explanations.explanation(*of, view, number(request, "list"))
    return answer(request, HTML, "site/explanation.html", page, view=view.value)
