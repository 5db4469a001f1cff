"""The calculator: what is asked stands in the address, so that an answer can be passed on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from ratingbook.site.answers import Table, answer
from ratingbook.site.shown import whatif as shown
from ratingbook.site.shown.whatif_games import unrated
from ratingbook.site.views.queries import left_out, without_meaning

SCORES = (("1", "1"), ("0.5", "½"), ("0", "0"), ("?", "?"))


def whatif(request: HttpRequest, form: str) -> HttpResponse:
    """The form, and the answer beside it."""
    query = request.GET.dict()
    found = shown.show(query)
    odd = [*without_meaning(request, player=found.player), *shown.unknown_of(found, query)]
    by_points = found.answer.by_points if found.answer else ()
    rows = [(x.points, x.least, x.greatest, x.change) for x in by_points]
    columns = ("points", "least", "greatest", "change")
    return answer(
        request,
        form,
        "site/whatif.html",
        found,
        lambda: Table(columns, rows),
        scores=SCORES,
        unrated=unrated(),
        left_out=left_out(request, odd),
    )
