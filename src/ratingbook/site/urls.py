"""The routes; their names are those that templates link to."""

from __future__ import annotations

from django.urls import path

from ratingbook.site import frame
from ratingbook.site.answers import page
from ratingbook.site.views import home

handler400 = "ratingbook.site.errors.bad_request"
handler403 = "ratingbook.site.errors.forbidden"
handler404 = "ratingbook.site.errors.not_found"
handler500 = "ratingbook.site.errors.failed"

urlpatterns = [
    # Frame, home, players, events.
    *page("", home.home, "home", beside="home"),
    path("looks", frame.looks, name="looks"),
]
