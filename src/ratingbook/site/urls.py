"""The routes; their names are those that templates link to."""

from __future__ import annotations

from django.urls import path, re_path

from ratingbook.site import (
    frame,
    paths,  # noqa: F401  Days and numbers in addresses become known.
)
from ratingbook.site.answers import page
from ratingbook.site.views import about, corrections, events, home, lists, players, rules, whatif

handler400 = "ratingbook.site.errors.bad_request"
handler403 = "ratingbook.site.errors.forbidden"
handler404 = "ratingbook.site.errors.not_found"
handler500 = "ratingbook.site.errors.failed"

_LIST = "lists/<path:pool>/<day:day>"
_REVISION = f"{_LIST}/r<number:revision>"

urlpatterns = [
    # Frame, home, players, events.
    *page("", home.home, "home", beside="home"),
    *page("search", home.search, "search"),
    *page("players", home.players, "players"),
    *page("events", events.events, "events"),
    *page("events/<int:report>", events.event, "event"),
    *page("players/<int:person>", players.player, "player"),
    *page("players/<int:person>/changes/<int:pool>/<path:key>", players.explanation, "explanation"),
    path("looks", frame.looks, name="looks"),
    # Lists, corrections, rule books, what-if, statistics, downloads, status, privacy.
    *page("lists", lists.index, "lists"),
    path("lists/<number:number>", lists.by_number, name="list"),
    *page(f"{_REVISION}/changes", lists.changes, "list_revision_changes"),
    *page(f"{_REVISION}/files", lists.downloads, "list_files"),
    path(f"{_REVISION}/files/<str:kind>", lists.file, name="list_file"),
    *page(_REVISION, lists.one, "list_revision"),
    *page(f"{_LIST}/changes", lists.changes, "list_changes"),
    *page(_LIST, lists.one, "list"),
    re_path(r"^corrections\.(?P<kind>atom|feed\.json)$", corrections.feed, name="corrections_feed"),
    *page("corrections", corrections.index, "corrections"),
    *page("corrections/<number:number>", corrections.one, "correction"),
    *page("rules", rules.index, "rules"),
    *page("rules/<slug:name>", rules.one, "rulebook"),
    *page("rules/<slug:name>/examples/<number:number>", rules.example, "example"),
    *page("whatif", whatif.whatif, "whatif"),
    *page("statistics", about.statistics_of, "statistics"),
    *page("downloads", about.downloads, "downloads"),
    *page("status", about.status, "status"),
    *page("privacy", about.privacy, "privacy"),
]
