"""Which actor of the office somebody is who signs in."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class Account(models.Model):
    """An account names an actor; what the actor may do is said by the ledger alone."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True)
    actor = models.TextField(unique=True)
    objects: ClassVar[models.Manager[Account]] = models.Manager()

    class Meta:
        app_label = "site"
