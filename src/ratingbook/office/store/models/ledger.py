"""Facts in their chain, what they are about, and the files that prove them."""

from __future__ import annotations

from django.db import models


class Actor(models.Model):
    """Somebody who may act, by a name and what the name may do."""

    name = models.TextField(unique=True)
    roles = models.JSONField(default=list)
    person = models.IntegerField(null=True)
    """Whose games are the actor's own: of a player."""
    made_by = models.BigIntegerField()
    """The fact; so everywhere."""

    class Meta:
        app_label = "office"


class Fact(models.Model):
    """An act: what was done, when, by whom and why; never changed.

    ``seq`` has no gaps and follows the order of commits; ``hash`` covers the fact and ``prev``.
    """

    seq = models.BigIntegerField(primary_key=True)
    kind = models.TextField()
    at = models.DateTimeField()
    """Known at."""
    true_from = models.DateField(null=True)
    true_to = models.DateField(null=True)
    actor = models.TextField()
    origin = models.TextField()
    reason = models.TextField()
    payload = models.JSONField()
    private_commit = models.TextField(null=True)
    """SHA-256 over salt and private part; None: there is none."""
    salt = models.TextField(null=True)
    """With it the hash covers the parts of the fact one by one; facts of before have none."""
    revokes = models.BigIntegerField(null=True, unique=True)
    prev = models.TextField()
    hash = models.TextField(unique=True)

    class Meta:
        app_label = "office"
        indexes = (models.Index(fields=["kind", "seq"], name="fact_kind"),)


class FactSubject(models.Model):
    """What a fact is about: a person, a report, a run."""

    pk = models.CompositePrimaryKey("fact_id", "kind", "subject")
    fact = models.ForeignKey(Fact, models.PROTECT, db_constraint=True, db_index=False)
    kind = models.TextField()
    subject = models.TextField()

    class Meta:
        app_label = "office"
        indexes = (models.Index(fields=["kind", "subject", "fact"], name="subject_of"),)


class LedgerHead(models.Model):
    """The one row that says where the chain ends; its lock orders the facts."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    seq = models.BigIntegerField()
    hash = models.TextField()
    at = models.DateTimeField()
    few = models.JSONField(null=True)
    """By kind the hash of the last fact, of kinds of which there are few; null: as of old."""

    class Meta:
        app_label = "office"


class Blob(models.Model):
    """A file that was received or made, known by the SHA-256 of its bytes."""

    sha256 = models.TextField(primary_key=True)
    size = models.BigIntegerField()
    media = models.TextField()
    suppressed_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"


class Evidence(models.Model):
    """The files that a fact rests on."""

    pk = models.CompositePrimaryKey("fact_id", "blob_id")
    fact = models.ForeignKey(Fact, models.PROTECT, db_index=False)
    blob = models.ForeignKey(Blob, models.PROTECT)

    class Meta:
        app_label = "office"
