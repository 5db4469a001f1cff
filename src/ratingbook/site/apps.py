"""The Django application of the site: templates and static files."""

from __future__ import annotations

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Which actor of the office signs in by which account; accounts are Django's."""

    name = "ratingbook.site"
    label = "site"
