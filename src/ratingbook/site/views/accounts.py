"""Where people come to when they have signed in."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from ratingbook.site.accounts import reader_of


def sign_in(request: HttpRequest) -> HttpResponse:
    """The short address of the page for signing in."""
    query = urlencode({"next": request.GET["next"]}) if "next" in request.GET else ""
    return HttpResponseRedirect(f"{reverse('account_login')}?{query}".rstrip("?"))


def my_page(request: HttpRequest) -> HttpResponse:
    """All that is the reader's own."""
    return render(request, "site/my_page.html", {"reader": reader_of(request)})
