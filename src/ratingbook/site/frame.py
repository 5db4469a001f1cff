"""What stands in the frame of every page."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import NoReverseMatch, get_script_prefix, reverse
from django.utils.encoding import escape_uri_path
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from ratingbook import __version__
from ratingbook.office.home import current
from ratingbook.site.accounts import speak

NAVIGATION = (
    ("lists", _("Lists")),
    ("events", _("Events")),
    ("players", _("Players")),
    ("corrections", _("Corrections")),
    ("rules", _("Rules")),
    ("whatif", _("What if")),
)
"""The names of the routes in the head, and what they are called."""
_WITHIN = {
    "player": "players", "explanation": "players", "search": "players", "event": "events",
    "list": "lists", "list_changes": "lists", "correction": "corrections", "rulebook": "rules",
    "desk_report": "desk", "new_correction": "desk_corrections",
    "desk_correction": "desk_corrections", "desk_person": "people",
    "person_suppress": "people", "run": "runs", "job": "jobs",
    "abroad": "outbox",
}  # fmt: skip
"""The part of the site to which a page belongs."""
FOOT = (
    ("statistics", _("Statistics")),
    ("downloads", _("Downloads")),
    ("status", _("Status")),
    ("api", _("API")),
    ("privacy", _("Privacy: my data")),
)
"""The same of the foot."""
COLOURS = (("system", _("as the system")), ("light", _("light")), ("dark", _("dark")))
LOOKS = "looks"
"""The cookie by which a browser has its colours."""
_YEAR = 365 * 86400


@cache
def _addressed(
    parts: tuple[tuple[str, Promise], ...], prefix: str
) -> tuple[tuple[str, str, Promise], ...]:
    """With their addresses, looked up once; a route that does not exist is left out.

    ``prefix`` is that of all addresses, where the site is not at the root.
    """
    del prefix
    found = []
    for route, name in parts:
        with suppress(NoReverseMatch):
            found.append((route, reverse(route), name))
    return tuple(found)


def of_every_page(request: HttpRequest) -> dict[str, Any]:
    """The navigation, with where the reader is, the office, and the version."""
    here = request.resolver_match.url_name if request.resolver_match else None
    looks = request.COOKIES.get(LOOKS, "")
    return {
        "version": __version__, "here": here,
        "navigation": _addressed(NAVIGATION, get_script_prefix()),
        "foot": _addressed(FOOT, get_script_prefix()),
        "within": _WITHIN.get(here or "", here),
        "office": current().name, "contact": current().contact,
        "contact_link": current().contact_link, "colours": COLOURS,
        "where": request.get_full_path(),
        "address": escape_uri_path(request.path),
        "languages": settings.LANGUAGES,
        "looks": looks if looks in ("light", "dark") else "",
    }  # fmt: skip


def looks(request: HttpRequest) -> HttpResponse:
    """Light, dark or as the system has it, from now on in this browser; then back."""
    answer = _back(request)
    chosen = request.GET.get("as", "")
    if chosen in ("light", "dark"):
        answer.set_cookie(LOOKS, chosen, max_age=_YEAR, httponly=True, samesite="Lax")
    else:
        answer.delete_cookie(LOOKS, samesite="Lax")
    return answer


def language(request: HttpRequest) -> HttpResponse:
    """Another language, from now on in this browser and for this account; then back."""
    answer = _back(request)
    chosen = request.GET.get("as", "")
    if chosen in dict(settings.LANGUAGES):
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, chosen, max_age=settings.LANGUAGE_COOKIE_AGE,
            httponly=True, samesite="Lax",
        )  # fmt: skip
        speak(request, chosen)
    return answer


def _back(request: HttpRequest) -> HttpResponseRedirect:
    """To the page from which it was asked, if that is one of this site."""
    back = request.GET.get("next", "")
    inside = url_has_allowed_host_and_scheme(back, None)
    return HttpResponseRedirect(back if inside and back.startswith("/") else "/")
