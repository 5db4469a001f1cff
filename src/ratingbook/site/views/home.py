"""Where everybody arrives."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from ratingbook.site.answers import answer


def home(request: HttpRequest, form: str) -> HttpResponse:
    """Search first, then what was published last."""
    return answer(request, form, "site/home.html", None)
