"""Long work, and acts that are no facts."""

from __future__ import annotations

from django.db import models


class Job(models.Model):
    """Long work beside its row in the queue: plan, progress, lease, attempt.

    A worker that does not extend its lease has lost the job; what it still writes is refused,
    since ``attempt`` has gone on.
    """

    id = models.BigAutoField(primary_key=True)
    task = models.TextField(default="")
    """Its row in the queue."""
    kind = models.TextField()
    plan = models.JSONField()
    actor = models.TextField()
    state = models.TextField(default="waiting")
    """waiting, running, done, failed, cancelled."""
    done = models.IntegerField(default=0)
    total = models.IntegerField(default=0)
    note = models.TextField(default="")
    attempt = models.IntegerField(default=0)
    lease_until = models.FloatField(default=0.0)
    """Seconds since 1970 by the clock of the database."""
    worker = models.TextField(default="")
    cancel_wanted = models.BooleanField(default=False)
    answer = models.JSONField(default=dict)
    log = models.JSONField(default=list)

    class Meta:
        app_label = "office"


class Audit(models.Model):
    """An act that is no fact: exported, refused, and the like."""

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    actor = models.TextField()
    os_user = models.TextField()
    host = models.TextField()
    act = models.TextField()
    subject = models.TextField()
    outcome = models.TextField()

    class Meta:
        app_label = "office"
