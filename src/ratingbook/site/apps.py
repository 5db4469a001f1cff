"""The Django application of the site: templates and static files."""

from __future__ import annotations

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """No tables yet but those of accounts, which are Django's."""

    name = "ratingbook.site"
    label = "site"
