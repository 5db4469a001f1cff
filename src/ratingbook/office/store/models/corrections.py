"""What was asked to be corrected, what was decided of it, and what holds of it."""

from __future__ import annotations

from django.db import models

from ratingbook.office.store.models.intake import Section
from ratingbook.office.store.models.ledger import Blob
from ratingbook.office.store.models.runs import Pool, Publication


class Correction(models.Model):
    """A request that something published, or received, be mended."""

    id = models.IntegerField(primary_key=True)
    made_by = models.BigIntegerField()
    contents = models.JSONField()
    """What it asks for, in the terms of ``logic.corrections``."""
    mark = models.TextField(db_index=True)
    """SHA-256 of the contents: who asks for the same joins."""
    until = models.DateField(null=True)
    """By when it is to be decided."""

    class Meta:
        app_label = "office"


class CorrectionStep(models.Model):
    """A state of a correction and the fact that made it so; the newest one holds."""

    id = models.BigAutoField(primary_key=True)
    fact = models.BigIntegerField()
    correction = models.ForeignKey(Correction, models.PROTECT, db_index=False)
    state = models.TextField()
    """open, joined, rejected, withdrawn, accepted, published."""

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(fields=["correction", "fact"], name="one_correction_step"),
        )


class CorrectionApproval(models.Model):
    """Somebody approves what the preview of a correction showed."""

    fact = models.BigIntegerField(primary_key=True)
    correction = models.ForeignKey(Correction, models.PROTECT)
    digest = models.TextField()
    actor = models.TextField()

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(
                fields=["correction", "digest", "actor"], name="correction_approved_once"
            ),
        )


class Reached(models.Model):
    """The published numbers that an accepted correction reaches by itself: kept by hash."""

    fact = models.BigIntegerField(primary_key=True)
    correction = models.OneToOneField(Correction, models.PROTECT)
    file = models.ForeignKey(Blob, models.PROTECT, related_name="+")

    class Meta:
        app_label = "office"


class GameFix(models.Model):
    """What holds of a game besides what its report says, in all versions of the report."""

    id = models.BigAutoField(primary_key=True)
    fact = models.BigIntegerField()
    stable_key = models.TextField(db_index=True)
    said = models.JSONField()
    """What ``logic.fixes`` reads."""
    revoked_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"


class SectionFix(models.Model):
    """What holds of a section besides what its report says: other days, another pool."""

    id = models.BigAutoField(primary_key=True)
    fact = models.BigIntegerField()
    section = models.ForeignKey(Section, models.PROTECT)
    said = models.JSONField()
    """By how many days it is ``moved`` from its report (older ones: by how many ``days`` more), or
    its ``pool``, or ``as_of`` which fact it stays as it was known."""
    revoked_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"


class Contact(models.Model):
    """Where to write to a person or an actor, and how often; private, never in a fact."""

    whose = models.TextField(primary_key=True)
    """``person:17`` or ``actor:tina``."""
    address = models.TextField()
    wants = models.TextField()
    """each, digest or none."""
    token = models.TextField(unique=True)
    """With it whoever gets the mail can end it."""

    class Meta:
        app_label = "office"


class Notice(models.Model):
    """What somebody is told of a correction; sent once."""

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    whose = models.TextField(db_index=True)
    correction = models.ForeignKey(Correction, models.PROTECT)
    publication = models.ForeignKey(Publication, models.PROTECT, null=True)
    kind = models.TextField()
    """received, joined, rejected, withdrawn, accepted, published, changed."""
    said = models.JSONField()
    state = models.TextField()
    """waiting, sent, failed, unwanted."""

    class Meta:
        app_label = "office"


class Sending(models.Model):
    """What goes to another federation, or comes from one, by when, and how far that is."""

    id = models.BigAutoField(primary_key=True)
    pool = models.ForeignKey(Pool, models.PROTECT, null=True)
    direction = models.TextField()
    """out or in."""
    partner = models.TextField()
    form = models.TextField()
    """The format of the file."""
    subject = models.TextField()
    """``report:7``, ``list:3``: what it is about."""
    due = models.DateField(null=True)
    made_by = models.BigIntegerField()

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(
                fields=["direction", "partner", "form", "subject"], name="sent_once"
            ),
        )


class SendingStep(models.Model):
    """A state of what goes out or comes in; the newest one holds."""

    id = models.BigAutoField(primary_key=True)
    fact = models.BigIntegerField()
    sending = models.ForeignKey(Sending, models.PROTECT)
    state = models.TextField()
    """sent, answered, refused, received, settled."""

    class Meta:
        app_label = "office"
