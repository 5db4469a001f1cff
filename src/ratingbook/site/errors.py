"""What cannot be answered, in the frame of the site: it says what to do."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ratingbook.model import Finding
from ratingbook.office.refused import OfficeRefused
from ratingbook.site.problems import asks_for_data, problem
from ratingbook.site.shown.findings import noticed
from ratingbook.site.shown.words import told as in_words

_UNKNOWN = "office.no-"
"""How the codes of findings begin that say that there is no such thing."""


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """There is no such page."""
    title = _("There is no such page")
    what = _("The address may be mistyped, or what stood here has another number now.")
    return _told(request, 404, title, what)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Not for everybody."""
    title = _("This is not for everybody")
    what = _("Sign in with an account that may do it, or ask the office.")
    return _told(request, 403, title, what)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Nothing that can be understood."""
    title = _("This cannot be understood")
    return _told(request, 400, title, _("Go back, and try it once more."))


def failed(request: HttpRequest) -> HttpResponse:
    """A fault of ours."""
    title = _("Something went wrong here")
    what = _("It is our fault, and noted. Nothing that was published is touched by it.")
    return _told(request, 500, title, what)


def _told(request: HttpRequest, status: int, title: str, what: str) -> HttpResponse:
    if asks_for_data(request):
        return problem(status, what, title)
    context = {"title": title, "what": what, "status": status}
    return render(request, "site/error.html", context, status=status)


class Refusals:
    """What the office refuses is told in words, with what to do about it."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self._respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer as it is."""
        return self._respond(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer to what was refused."""
        return told(request, error) if isinstance(error, OfficeRefused) else None


def told(request: HttpRequest, refused: OfficeRefused) -> HttpResponse:
    """A refusal as a page: 404 where something is not there, else 409."""
    findings: list[Finding] = list(refused.findings)
    unknown = any(each.code.startswith(_UNKNOWN) for each in findings)
    status = 404 if unknown else 409
    if asks_for_data(request):
        detail = " ".join(each.message for each in findings)
        title = _("There is no such thing") if unknown else _("The office refuses this")
        return problem(status, detail, title, noticed(findings))
    context = {"findings": in_words(findings), "unknown": unknown, "status": status}
    return render(request, "site/refused.html", context, status=status)
