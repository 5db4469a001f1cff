"""Which actor of the office somebody is who signs in."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class Account(models.Model):
    """An account names an actor; what the actor may do is said by the ledger alone."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True)
    actor = models.TextField(unique=True)
    language = models.TextField(blank=True, default="")
    """In which pages are told to whoever signs in by it; empty: as the browser asks."""
    objects: ClassVar[models.Manager[Account]] = models.Manager()

    class Meta:
        app_label = "site"


class Draft(models.Model):
    """A report before it is submitted: its sender's own, and nothing in the ledger."""

    id = models.BigAutoField(primary_key=True)
    actor = models.TextField(db_index=True)
    at = models.DateTimeField()
    file_name = models.TextField()
    sha256 = models.TextField()
    """The bytes are kept as those of received files are."""
    media = models.TextField()
    pool = models.TextField(blank=True)
    version_of = models.IntegerField(null=True)
    start = models.DateField(null=True)
    end = models.DateField(null=True)
    """The days of the event as the sender says them, since the file does not."""
    said = models.JSONField(default=dict)
    """Who entries are as the sender says, by their numbers: what each ``is``, a number of a person
    or ``new``, and a mark of what it is ``called`` in every version.  Older ones lack that."""
    report = models.IntegerField(null=True)
    """What it has become."""
    objects: ClassVar[models.Manager[Draft]] = models.Manager()

    class Meta:
        app_label = "site"


class Token(models.Model):
    """By it a program acts for an account, within its scopes; it is known by its hash alone."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    name = models.TextField()
    """What it is for, as its owner says."""
    scopes = models.JSONField()
    sha256 = models.TextField(unique=True)
    made = models.DateTimeField()
    until = models.DateTimeField()
    revoked = models.DateTimeField(null=True)
    used = models.DateField(null=True)
    """The last day."""
    objects: ClassVar[models.Manager[Token]] = models.Manager()

    class Meta:
        app_label = "site"


class Confirmation(models.Model):
    """A player says of an event that the own results are right."""

    id = models.BigAutoField(primary_key=True)
    actor = models.TextField()
    version = models.BigIntegerField()
    """That of the report: another one asks anew."""
    at = models.DateTimeField()
    said = models.TextField(blank=True, default="")
    """How the games stood that were corrected by then: another correction asks anew."""
    objects: ClassVar[models.Manager[Confirmation]] = models.Manager()

    class Meta:
        app_label = "site"
        constraints = (models.UniqueConstraint(fields=["actor", "version"], name="confirmed_once"),)


class Sent(models.Model):
    """A form that was sent: it is not sent twice."""

    mark = models.TextField(primary_key=True)
    at = models.DateTimeField()
    objects: ClassVar[models.Manager[Sent]] = models.Manager()

    class Meta:
        app_label = "site"
