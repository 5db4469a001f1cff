"""Addresses that are told of events, and what was sent to each."""

from __future__ import annotations

from django.db import models


class Webhook(models.Model):
    """An address that an administrator registered; no fact."""

    id = models.BigAutoField(primary_key=True)
    url = models.TextField()
    secret = models.TextField()
    """By which the secret is made anew with the office's key, and its mark; not the secret."""
    events = models.JSONField()
    actor = models.TextField()
    at = models.DateTimeField()
    seen = models.BigIntegerField()
    """The last fact of which it was told."""

    class Meta:
        app_label = "office"


class Delivery(models.Model):
    """An event on its way to an address, or arrived, or given up."""

    id = models.BigAutoField(primary_key=True)
    webhook = models.ForeignKey(Webhook, models.CASCADE)
    event = models.TextField()
    fact = models.BigIntegerField()
    said = models.JSONField()
    state = models.TextField(default="waiting", db_index=True)
    """waiting, sent, failed."""
    attempts = models.IntegerField(default=0)
    due = models.DateTimeField()
    log = models.JSONField(default=list)
    """For each attempt: when, and how it was answered."""

    class Meta:
        app_label = "office"
