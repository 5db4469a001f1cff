"""Notices of corrections at the desk: which mails wait, sent, and tried again."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from ratingbook.office.acts import notices as acts
from ratingbook.office.home import current
from ratingbook.office.refused import refuse
from ratingbook.site.accounts import reader_of
from ratingbook.site.letters import leading, speaking
from ratingbook.site.shown import noticing
from ratingbook.site.views.forms import refuse_unseen, tell, text_in, tried

MOST = 50
"""Mails that are sent while somebody waits for the page."""


def notices(request: HttpRequest) -> HttpResponse:
    """The mails that wait, and what became of the last notices."""
    problems: Any = None
    if request.method == "POST":
        problems = tried(request, lambda: _act(request), lambda done: done)
        if problems is None:
            return redirect("desk_notices")
    return render(
        request, "site/desk_notices.html",
        {"n": noticing.notices(), "most": MOST, "problems": problems or ()},
        status=422 if problems else 200,
    )  # fmt: skip


def _act(request: HttpRequest) -> str:
    """Send what waits, or let wait what failed; neither does anything twice by itself."""
    who, what = reader_of(request).who(), text_in(request, "act")
    if what == "again":
        count = acts.again(who)
        return ngettext("{n} notice waits again.", "{n} notices wait again.", count).format(n=count)
    if what not in ("send", "digests"):
        raise refuse(
            "site.act", gettext("Nothing was chosen."), gettext("Choose what is to be done.")
        )
    refuse_unseen(
        request, noticing.notices().seen, gettext("Other mails wait than those on the page.")
    )
    home = current()
    count, findings = acts.send(
        home, who, digests=what == "digests", speaking=speaking(home), leading=leading(home),
        most=MOST,
    )  # fmt: skip
    tell(request, findings)
    return ngettext("{n} mail is sent.", "{n} mails are sent.", count).format(n=count)
