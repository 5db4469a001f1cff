"""The pages of rule books."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from ratingbook.site.answers import Table, answer
from ratingbook.site.shown import rules as shown


def index(request: HttpRequest, form: str) -> HttpResponse:
    """All installed rule books."""
    found = shown.index()
    return answer(request, form, "site/rules.html", found, lambda: Table(*shown.index_table(found)))


def one(request: HttpRequest, form: str, name: str) -> HttpResponse:
    """An edition with its paragraphs, or a series over time."""
    found = shown.one(name)
    template = "series" if isinstance(found, shown.SeriesPage) else "rulebook"
    table = Table(*shown.paragraphs_table(found))
    return answer(request, form, f"site/{template}.html", found, lambda: table)


def example(request: HttpRequest, form: str, name: str, number: int) -> HttpResponse:
    """A worked example, step by step."""
    found = shown.example(name, number)
    rows = [(d.player, s.game, s.paragraph, s.article, s.text) for d in found.players
            for s in d.steps]  # fmt: skip
    columns = ("player", "game", "paragraph", "article", "step")
    return answer(request, form, "site/example.html", found, lambda: Table(columns, rows))
