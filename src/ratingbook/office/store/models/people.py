"""Persons: a person is a number; all that is said of one is facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    _Text = models.TextField[str, str]
else:
    _Text = models.TextField


class Person(models.Model):
    """A number that is never used again."""

    id = models.IntegerField(primary_key=True)
    made_by = models.BigIntegerField()

    class Meta:
        app_label = "office"


class PersonName(models.Model):
    """A name of a person: ``main``, or a ``variant`` that a report had."""

    id = models.BigAutoField(primary_key=True)
    person = models.ForeignKey(Person, models.PROTECT)
    text = models.TextField()
    kind = models.TextField()
    fact = models.BigIntegerField()
    revoked_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"


class ExternalId(models.Model):
    """The number of a person in a register: ``fide``, ``egd`` or another."""

    id = models.BigAutoField(primary_key=True)
    scheme = models.TextField()
    value = models.TextField()
    person = models.ForeignKey(Person, models.PROTECT)
    fact = models.BigIntegerField()
    revoked_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"
        constraints = (
            models.UniqueConstraint(
                fields=["scheme", "value"],
                condition=models.Q(revoked_by__isnull=True),
                name="one_live_external_id",
            ),
        )


class PersonAttribute(models.Model):
    """Federation, club, title or sex of a person from a day on; the latest fact counts."""

    id = models.BigAutoField(primary_key=True)
    person = models.ForeignKey(Person, models.PROTECT)
    key = models.TextField()
    value = models.TextField()
    true_from = models.DateField(null=True)
    fact = models.BigIntegerField()
    revoked_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"


class PersonPrivate(models.Model):
    """What never becomes public: the birth date. Not in any fact but as a commitment."""

    person = models.OneToOneField(Person, models.PROTECT, primary_key=True)
    birth_date = models.DateField(null=True)
    birth_year = models.SmallIntegerField(null=True)
    salt = models.TextField()
    fact = models.BigIntegerField()

    class Meta:
        app_label = "office"


class FormerBirth(models.Model):
    """What was known of a birth before it was said otherwise: runs of then were fed it.

    Where nothing was known ``fact`` is 0; of who is suppressed since it is the fact of that, and
    the birth what stands in for it.
    """

    id = models.BigAutoField(primary_key=True)
    person = models.ForeignKey(Person, models.PROTECT)
    birth_date = models.DateField(null=True)
    birth_year = models.SmallIntegerField(null=True)
    salt = models.TextField()
    fact = models.BigIntegerField()
    until = models.BigIntegerField()
    """The fact that said otherwise."""

    class Meta:
        app_label = "office"


class PersonRelation(models.Model):
    """``source`` is the same person as ``target``, until revoked."""

    fact = models.BigIntegerField(primary_key=True)
    source = models.ForeignKey(Person, models.PROTECT, related_name="merged_into")
    target = models.ForeignKey(Person, models.PROTECT, related_name="merged_from")
    revoked_by = models.BigIntegerField(null=True)

    class Meta:
        app_label = "office"


class ByLetters(_Text):
    """Texts that lie by their letters' numbers, whatever the language of a database is.

    Beginnings are looked for as a range, which a language's order would tear apart.
    """

    def db_parameters(self, connection: Any) -> dict[str, Any]:
        """Those of a text; SQLite orders all so."""
        order = "C" if connection.vendor == "postgresql" else None
        return {**super().db_parameters(connection), "collation": order}


class NameKey(models.Model):
    """Under what a person is looked up; a cache, made anew from the names.

    Several for each person: to look for the person of each would take PostgreSQL longer than to
    write them.
    """

    id = models.BigAutoField(primary_key=True)
    key = ByLetters()
    person = models.ForeignKey(Person, models.CASCADE, db_constraint=False)

    class Meta:
        app_label = "office"
        indexes = (models.Index(fields=["key", "person"], name="key_of_name"),)
