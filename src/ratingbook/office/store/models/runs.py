"""Pools, runs, what they publish, and the lists."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Coalesce

from ratingbook.office.store.models.ledger import Blob
from ratingbook.office.store.models.people import Person


class Pool(models.Model):
    """One independent list of ratings under a rule book; ``head`` is what is published."""

    id = models.IntegerField(primary_key=True)
    name = models.TextField(unique=True)
    rulebook = models.TextField()
    parameters = models.JSONField()
    policies = models.JSONField()
    """As the last fact about them says."""
    head = models.IntegerField(default=0)
    """Number of the newest publication; 0: none."""
    made_by = models.BigIntegerField()

    class Meta:
        app_label = "office"


class Decision(models.Model):
    """What the office itself sets: for now what a person brings into a pool."""

    id = models.BigAutoField(primary_key=True)
    fact = models.BigIntegerField()
    pool = models.ForeignKey(Pool, models.PROTECT)
    person = models.ForeignKey(Person, models.PROTECT)
    kind = models.TextField()
    value = models.JSONField()
    revoked_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"


class Run(models.Model):
    """One execution of the rules over the ready sections, up to a fact and a day."""

    id = models.IntegerField(primary_key=True)
    pool = models.ForeignKey(Pool, models.PROTECT)
    base = models.IntegerField()
    """The publication that it was made on."""
    upto = models.BigIntegerField()
    """The last fact that it saw."""
    until = models.DateField()
    state = models.TextField()
    """draft, checked, published, discarded."""
    rulebook = models.TextField()
    parameters = models.JSONField()
    assume = models.FloatField(null=True)
    rule_source = models.TextField()
    engine = models.TextField()
    digest = models.TextField(default="")
    """Over the exact numbers."""
    snapshot = models.TextField(default="")
    """Digest of what was fed."""
    file = models.ForeignKey(Blob, models.PROTECT, null=True, related_name="+")
    """Every row with its exact numbers."""
    ratings = models.ForeignKey(Blob, models.PROTECT, null=True, related_name="+")
    # Without index and constraint SQLite can drop the column again: triggers hang on the table.
    told = models.ForeignKey(
        Blob, models.PROTECT, null=True, related_name="+", db_index=False, db_constraint=False
    )
    """What the other pools of the federation read of it; none where there are no such."""
    counts = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    """What differs from what is published."""
    attempt = models.IntegerField(default=1)

    class Meta:
        app_label = "office"


class RunSection(models.Model):
    """A section that a run fed."""

    pk = models.CompositePrimaryKey("run_id", "section")
    run = models.ForeignKey(Run, models.CASCADE, db_index=False)
    section = models.BigIntegerField(db_index=True)

    class Meta:
        app_label = "office"


class Needed(models.Model):
    """Of several corrections that a run brings, those without which numbers were others."""

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True)
    file = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    """Kept by hash: a row for each number and correction."""

    class Meta:
        app_label = "office"


class Batch(models.Model):
    """What is rated at once, by a key that a late event does not shift."""

    id = models.BigAutoField(primary_key=True)
    pool = models.ForeignKey(Pool, models.PROTECT)
    key = models.TextField()
    """The day of the list, or event and section."""
    day = models.DateField()
    """With which it was first known: a row that has another one says so, for its run."""

    class Meta:
        app_label = "office"
        constraints = (models.UniqueConstraint(fields=["pool", "key"], name="batch_once"),)


class Change(models.Model):
    """A row of a run whose published numbers differ from those of its base.

    ``turn`` counts the rows of a person in a batch, from 0; ``gone``: no longer rated in it.
    """

    pk = models.CompositePrimaryKey("batch_id", "person", "turn", "run_id")
    batch = models.ForeignKey(Batch, models.PROTECT, db_index=False)
    person = models.IntegerField()
    turn = models.SmallIntegerField()
    run = models.ForeignKey(Run, models.CASCADE)
    before = models.FloatField(null=True)
    after = models.FloatField(null=True)
    games = models.IntegerField()
    score = models.FloatField()
    gone = models.BooleanField()
    day = models.DateField(null=True)
    """The day on which the run has the batch, where it is not the one it was first known with."""

    class Meta:
        app_label = "office"
        indexes = (
            models.Index(fields=["person", "batch"], name="changes_of_person"),
            # Few rows are of an event that came to another day.
            models.Index(
                fields=["day"], name="changes_moved", condition=models.Q(day__isnull=False)
            ),
        )


RATED_ON = Coalesce("day", "batch__day")
"""The day of a row of a run, on which that run has its batch."""


class Approval(models.Model):
    """Somebody approves the digest of a run."""

    fact = models.BigIntegerField(primary_key=True)
    run = models.ForeignKey(Run, models.PROTECT)
    digest = models.TextField()
    actor = models.TextField()

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(fields=["run", "digest", "actor"], name="approved_once"),
        )


class Publication(models.Model):
    """The act by which a run became what is published."""

    fact = models.BigIntegerField(primary_key=True)
    pool = models.ForeignKey(Pool, models.PROTECT)
    seq = models.IntegerField()
    run = models.OneToOneField(Run, models.PROTECT)
    digest = models.TextField()

    class Meta:
        app_label = "office"
        constraints = (models.UniqueConstraint(fields=["pool", "seq"], name="publication_once"),)


class List(models.Model):
    """A published list in one of its revisions; its rows never change."""

    id = models.IntegerField(primary_key=True)
    pool = models.ForeignKey(Pool, models.PROTECT)
    date = models.DateField()
    revision = models.SmallIntegerField()
    run = models.ForeignKey(Run, models.PROTECT)
    fact = models.BigIntegerField()
    head = models.TextField()
    """Hash of the ledger's head when it was made: whoever kept one can prove a later change."""
    title = models.TextField()
    facts = models.JSONField()
    columns = models.JSONField()
    statistics = models.JSONField()
    not_listed = models.JSONField()
    digest = models.TextField()
    """Over all numbers of its lines, not over what tells of persons."""
    salt = models.TextField(null=True)
    """Of the commitment of its fact to what its lines tell of persons.

    None: it is of a program of before, whose digests were over persons, ratings and games.
    """
    rows = models.IntegerField()

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(fields=["pool", "date", "revision"], name="list_revision"),
        )


class ListRow(models.Model):
    """A line of a list as it was printed."""

    pk = models.CompositePrimaryKey("list_id", "place")
    list = models.ForeignKey(List, models.PROTECT, db_index=False)
    place = models.IntegerField()
    person = models.IntegerField()
    rating = models.FloatField(null=True)
    printed = models.JSONField()

    class Meta:
        app_label = "office"
        indexes = (models.Index(fields=["person", "list"], name="list_rows_of_person"),)
