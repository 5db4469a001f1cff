"""The Django application of the office's tables."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class OfficeConfig(AppConfig):
    """Tables ``office_…``; after each migration the triggers are made anew."""

    name = "ratingbook.office.store"
    label = "office"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Watch for migrations."""
        post_migrate.connect(_make_triggers, sender=self)


def _make_triggers(using: str, **_: Any) -> None:
    from django.db import connections

    from ratingbook.office.store.triggers import make

    make(connections[using])
