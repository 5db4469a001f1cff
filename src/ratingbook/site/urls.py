"""The routes; their names are those that templates link to."""

from __future__ import annotations

from django.urls import path

from ratingbook.site import frame
from ratingbook.site.answers import page
from ratingbook.site.views import events, home, players

handler400 = "ratingbook.site.errors.bad_request"
handler403 = "ratingbook.site.errors.forbidden"
handler404 = "ratingbook.site.errors.not_found"
handler500 = "ratingbook.site.errors.failed"

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
]
