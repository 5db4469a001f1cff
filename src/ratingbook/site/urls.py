"""The routes; their names are those that templates link to."""

from __future__ import annotations

from django.urls import path

from ratingbook.site.views import home

urlpatterns = [
    path("", home.home, name="home"),
]
