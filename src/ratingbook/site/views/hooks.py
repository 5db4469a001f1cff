"""Webhooks: programs elsewhere that are told what happens, and what was sent to them."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy

from ratingbook.office.acts import webhooks as acts
from ratingbook.office.home import current
from ratingbook.office.refused import OfficeRefused
from ratingbook.site.accounts import reader_of
from ratingbook.site.shown.words import told
from ratingbook.site.views.forms import number_in, said, text_in

_SHOWN = 50
EVENTS = {
    acts.PUBLISHED: gettext_lazy("a list is published"),
    acts.REVISED: gettext_lazy("a list is revised"),
    acts.CORRECTION: gettext_lazy("a correction is registered"),
    acts.REPORT: gettext_lazy("a report gets into another state"),
}
"""What somebody is told of."""


def webhooks(request: HttpRequest) -> HttpResponse:
    """The addresses and the log; a new secret stands on the page that makes it, and never again."""
    problems: Any = ()
    secret = ""
    if request.method == "POST":
        try:
            secret = _done(request)
        except OfficeRefused as refused:
            problems = told(refused.findings)
        if not secret and not problems:
            return redirect("webhooks")
    return render(
        request,
        "site/webhooks.html",
        {
            "hooks": [(each, [(key, EVENTS[key]) for key in each.events]) for each in acts.every()],
            "log": [
                (each, EVENTS.get(each.event, ""), acts.log_of(each)) for each in acts.last(_SHOWN)
            ],
            "events": EVENTS.items(),
            "secret": secret,
            "problems": problems,
            "said": said(request) if problems else {},
        },
        status=422 if problems else 200,
    )


def _done(request: HttpRequest) -> str:
    """Do what a form asks for; gives the secret of a new webhook."""
    who = reader_of(request).who()
    removed, again = number_in(request, "remove"), number_in(request, "again")
    if removed is not None:
        acts.remove(removed, who)
    elif again is not None:
        acts.again(again, who)
    else:
        events = request.POST.getlist("events")
        return acts.add(current(), text_in(request, "url"), events, who)[1]
    return ""
