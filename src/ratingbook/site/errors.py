"""What cannot be answered, in the frame of the site: it says what to do."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import DisallowedHost, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.utils.translation import gettext as _

from ratingbook.model import Finding
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store.away import in_a_line, is_away
from ratingbook.site.opening import HOSTS
from ratingbook.site.problems import asks_for_data, problem, refusal
from ratingbook.site.shown.findings import noticed
from ratingbook.site.shown.words import UNKNOWN
from ratingbook.site.shown.words import told as in_words

MOST_HOSTS = 100
"""Names by which the site is asked for amiss, of which the log tells: robots try many."""
hosts_told: set[str] = set()
"""Those of which this process has told."""
_LONGEST = 100
_AGAIN_SECONDS = 60
"""After which a program may ask again."""
_LOG = logging.getLogger("ratingbook.site")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """There is no such page."""
    title = _("There is no such page")
    what = _("The address may be mistyped, or what stood here has another number now.")
    return _told(request, 404, "site.no-page", title, what)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Not for everybody."""
    title = _("This is not for everybody")
    what = _("Sign in with an account that may do it, or ask the office.")
    return _told(request, 403, "site.forbidden", title, what)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Nothing that can be understood."""
    if isinstance(exception, DisallowedHost):
        return _of_other_host(request)
    title = _("This cannot be understood")
    remedy, what = _("Go back, and try it once more."), ""
    if isinstance(exception, TooManyFilesSent):
        what = _("More than {n} files came at once.").format(
            n=settings.DATA_UPLOAD_MAX_NUMBER_FILES
        )
        remedy = _("Send them in several turns, or in one archive.")
    elif isinstance(exception, TooManyFieldsSent):
        what = _("More than {n} fields came at once.").format(
            n=settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        )
        remedy = _("Fill in less of it at once.")
    elif isinstance(exception, MultiPartParserError):
        what = _("A file or field has a name that is too long, or the form broke off.")
        remedy = _("Give the file a short name, and send it again.")
    return _told(request, 400, "site.bad-request", title, remedy, what)


def _of_other_host(request: HttpRequest) -> HttpResponse:
    """The site goes by another name; by which ones is nothing for whoever tries names."""
    host = str(request.META.get("HTTP_HOST") or request.META.get("SERVER_NAME", ""))[:_LONGEST]
    if host not in hosts_told and len(hosts_told) < MOST_HOSTS:
        hosts_told.add(host)
        _LOG.error(
            "The site was asked for as %r, which is not allowed: name it in %s, or as the url of "
            "site in office.json, and start the site anew.", host, HOSTS,
        )  # fmt: skip
    title = _("The site does not go by this name")
    what = _("It was asked for as “{host}”, which is not allowed.").format(host=host)
    remedy = _(
        "Take the address that the office names. Whoever runs the site allows a name in "
        "RATINGBOOK_HOSTS, or as the url of site in office.json."
    )
    return _told(request, 400, "site.host", title, remedy, what)


def no_method(request: HttpRequest, *, is_read: bool) -> HttpResponse:
    """An address that is only read, or to which a form only sends."""
    if is_read:
        title = _("Nothing can be sent to this page")
        remedy = _("Open it by its address to read it; what you sent was not kept.")
    else:
        title = _("This is no page to be opened")
        remedy = _("A button sends to this address. Go back to the page with the button.")
    return _told(request, 405, "site.no-method", title, remedy)


def with_nul(request: HttpRequest) -> HttpResponse:
    """A text with the character that no text has."""
    title = _("This cannot be understood")
    what = _("In what was sent stands a character that no text has (NUL).")
    return _told(request, 400, "site.nul", title, _("Write it without."), what)


def failed(request: HttpRequest) -> HttpResponse:
    """A fault of ours, or of the machine."""
    if is_away(sys.exception()):
        return _unavailable(request)
    title = _("Something went wrong here")
    what = _("It is our fault, and noted. Nothing that was published is touched by it.")
    return _told(request, 500, "site.fault", title, what)


def _unavailable(request: HttpRequest) -> HttpResponse:
    """The office cannot be asked, nor who it is that asks: nothing of the page may need it."""
    request.user = AnonymousUser()
    title = _("The office cannot answer just now")
    what = _("Its database does not answer, or its disk is full. What was published is safe.")
    remedy = _(
        "Try it again in a few minutes. If you sent something, look then whether it has come in."
    )
    answer = _told(request, 503, "site.unavailable", title, remedy, what, messages=())
    answer.headers["Retry-After"] = str(_AGAIN_SECONDS)
    return answer


def _in_short(record: logging.LogRecord) -> bool:
    """Of what the machine lacks, whoever runs the site needs a line, not where it was asked."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and is_away(error):
        record.msg += ": %s"
        record.args = (*(record.args or ()), in_a_line(error))
        record.exc_info = record.exc_text = None
    return True


logging.getLogger("django.request").addFilter(_in_short)


def _told(
    request: HttpRequest, status: int, code: str, title: str, remedy: str, what: str = "",
    **frame: object,
) -> HttpResponse:  # fmt: skip
    """What is wrong, where the title does not say all of it, and what to do.

    ``frame`` is what stands around it, where it is not what the request says.
    """
    if asks_for_data(request):
        return refusal(status, code, what or title, remedy, title)
    context = {"title": title, "what": f"{what} {remedy}".strip(), "status": status, **frame}
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
    unknown = any(each.code.startswith(UNKNOWN) for each in findings)
    status = 404 if unknown else 409
    if asks_for_data(request):
        title = _("There is no such thing") if unknown else _("The office refuses this")
        return problem(status, noticed(findings), title)
    context = {"findings": in_words(findings), "unknown": unknown, "status": status}
    return render(request, "site/refused.html", context, status=status)
