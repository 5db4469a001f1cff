"""Reports in their versions, what stands in them, and who the entries are."""

from __future__ import annotations

from django.db import models

from ratingbook.office.store.models.ledger import Blob
from ratingbook.office.store.models.people import Person


class Report(models.Model):
    """What one sender says of one event, in one or more versions."""

    id = models.IntegerField(primary_key=True)
    event_key = models.TextField(unique=True)
    """Names the event in histories, bundles and stable keys; kept in all versions."""
    made_by = models.BigIntegerField()

    class Meta:
        app_label = "office"


class ReportVersion(models.Model):
    """A file that was received for a report, as it was understood."""

    id = models.BigAutoField(primary_key=True)
    report = models.ForeignKey(Report, models.PROTECT)
    number = models.SmallIntegerField()
    fact = models.BigIntegerField(unique=True)
    blob = models.ForeignKey(Blob, models.PROTECT)
    file_name = models.TextField()
    format = models.TextField()
    document = models.BinaryField()
    """The report document without birth dates: canonical JSON, compressed by zlib."""
    document_sha256 = models.TextField()
    findings = models.JSONField()
    difference = models.JSONField()
    """In words, against the version that counted when it came."""

    class Meta:
        app_label = "office"
        constraints = (models.UniqueConstraint(fields=["report", "number"], name="version_number"),)


class Section(models.Model):
    """What is held, refused and rated: a section of an event, or the whole of it."""

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(ReportVersion, models.PROTECT)
    name = models.TextField()
    """Empty: the report has no sections."""
    event = models.TextField()
    """The id of the event in histories."""
    pool = models.IntegerField(null=True)
    """None: nobody has said which."""
    start = models.DateField(null=True)
    end = models.DateField(null=True)
    facts = models.JSONField()
    """Kind, class, level, time control … as the report says them."""

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(fields=["version", "event", "name"], name="section_once"),
        )


class SectionStep(models.Model):
    """A state of a section and the fact that made it so; the newest one holds."""

    id = models.BigAutoField(primary_key=True)
    fact = models.BigIntegerField()
    section = models.ForeignKey(Section, models.PROTECT, db_index=False)
    state = models.TextField()

    class Meta:
        app_label = "office"
        constraints = (models.UniqueConstraint(fields=["section", "fact"], name="one_step"),)


class Entry(models.Model):
    """One player's participation as the report prints it."""

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(ReportVersion, models.PROTECT)
    number = models.TextField()
    """The id that the report uses."""
    name = models.TextField()
    printed = models.JSONField()
    """Federation, club, title, sex, grade, rating and ids, as printed."""

    class Meta:
        app_label = "office"
        constraints = (models.UniqueConstraint(fields=["version", "number"], name="entry_once"),)


class EntryPrivate(models.Model):
    """The birth date as reported; emptied where a person is suppressed."""

    entry = models.OneToOneField(Entry, models.PROTECT, primary_key=True)
    birth_date = models.DateField(null=True)
    birth_year = models.SmallIntegerField(null=True)

    class Meta:
        app_label = "office"


class Link(models.Model):
    """Who an entry is."""

    id = models.BigAutoField(primary_key=True)
    fact = models.BigIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT)
    person = models.ForeignKey(Person, models.PROTECT)
    method = models.TextField()
    """``id``, ``name`` or ``hand``."""
    score = models.FloatField(null=True)
    reasons = models.JSONField()
    revoked_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(
                fields=["entry"], condition=models.Q(revoked_by__isnull=True), name="one_live_link"
            ),
        )


class Game(models.Model):
    """A game of a version; who played it is said by the links of its entries."""

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(ReportVersion, models.PROTECT, db_index=False)
    section = models.ForeignKey(Section, models.PROTECT, db_index=False)
    number = models.IntegerField()
    """Its place in the version, from 1."""
    round = models.SmallIntegerField(null=True)
    white = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    black = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    half_points = models.SmallIntegerField(null=True)
    """White's; None: no result, so not rated."""
    status = models.TextField()
    rated = models.TextField()
    """``both``, ``white``, ``black`` or ``none``."""
    handicap = models.SmallIntegerField()
    start = models.DateField(null=True)
    end = models.DateField()
    reported = models.DateField(null=True)
    stable_key = models.TextField()
    """Games are looked for by it within their reports only."""

    class Meta:
        app_label = "office"
        indexes = (models.Index(fields=["section", "number"], name="game_section"),)

    @classmethod
    def of(cls, version: int) -> models.QuerySet[Game]:
        """The games of a version, by the index of their sections: there are millions."""
        return cls.objects.filter(section__version=version)


class Substitution(models.Model):
    """A side of a game that a substitute played, and in whose place.

    Versions of before this was kept have none: their games are rated for who played them.
    """

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(ReportVersion, models.PROTECT)
    number = models.IntegerField()
    """Of the game in the version."""
    side = models.TextField()
    """``white`` or ``black``."""
    entry = models.ForeignKey(Entry, models.PROTECT)
    """Who was replaced."""

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(fields=["version", "number", "side"], name="replaced_once"),
        )
