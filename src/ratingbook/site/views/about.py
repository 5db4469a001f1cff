"""Statistics, downloads, status and privacy."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse

from ratingbook.site.answers import Table, answer
from ratingbook.site.shown import about, statistics


def statistics_of(request: HttpRequest, form: str) -> HttpResponse:
    """Charts and tables of a pool."""
    found = statistics.show(request.GET.get("pool", ""))
    return answer(
        request, form, "site/statistics.html", found,
        lambda: Table(*statistics.table_for(found)),
    )  # fmt: skip


def downloads(request: HttpRequest, form: str) -> HttpResponse:
    """All files, with their checksums."""
    found = about.downloads()
    return answer(
        request, form, "site/downloads.html", found, lambda: Table(*about.downloads_table(found))
    )


def status(request: HttpRequest, form: str) -> HttpResponse:
    """How the office is."""
    found = about.status(datetime.now(UTC))
    rows = [(x.pool, x.run, x.published, x.until, x.last_list, x.next_list) for x in found.pools]
    columns = ("pool", "run", "published", "until", "last_list", "next_list")
    return answer(request, form, "site/status.html", found, lambda: Table(columns, rows))


def privacy(request: HttpRequest, form: str) -> HttpResponse:
    """What is kept of a person, and what is public."""
    return answer(request, form, "site/privacy.html", about.privacy())
