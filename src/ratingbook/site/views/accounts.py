"""Where people come to when they have signed in."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse

from ratingbook.office.refused import OfficeRefused
from ratingbook.site import tokens as kept
from ratingbook.site.accounts import reader_of
from ratingbook.site.shown.words import told
from ratingbook.site.views.forms import number_in, said, text_in


def sign_in(request: HttpRequest) -> HttpResponse:
    """The short address of the page for signing in."""
    query = urlencode({"next": request.GET["next"]}) if "next" in request.GET else ""
    return HttpResponseRedirect(f"{reverse('account_login')}?{query}".rstrip("?"))


def my_page(request: HttpRequest) -> HttpResponse:
    """All that is the reader's own."""
    return render(request, "site/my_page.html", {"reader": reader_of(request)})


def tokens(request: HttpRequest) -> HttpResponse:
    """The own tokens; a new one stands on the page that makes it, and never again."""
    problems: Any = ()
    made = ""
    if request.method == "POST":
        try:
            made = _token(request)
        except OfficeRefused as refused:
            problems = told(refused.findings)
        if not made and not problems:
            return redirect("tokens")
    return render(
        request, "site/tokens.html",
        {"tokens": [(each, [(key, kept.SCOPES[key]) for key in each.scopes])
                    for each in kept.tokens_of(request.user)],
         "scopes": kept.offered(reader_of(request).roles), "made": made,
         "problems": problems, "said": said(request) if problems else {}, "days": kept.USUAL_DAYS},
        status=422 if problems else 200,
    )  # fmt: skip


def _token(request: HttpRequest) -> str:
    """Make a token, which is given back, or revoke one."""
    who = reader_of(request).who()
    revoked = number_in(request, "revoke")
    if revoked is not None:
        kept.revoke(request.user, revoked, who)
        return ""
    days = number_in(request, "days") or 0
    offered = kept.offered(reader_of(request).roles)
    scopes = [each for each in request.POST.getlist("scopes") if each in offered]
    return kept.make(request.user, text_in(request, "name"), scopes, days, who)
