"""A quick look at an office, for monitors: seconds, not the hours of the doctor."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import jobs
from ratingbook.office.home import Home
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.rules.wording import either

_LITTLE_ROOM = 512 * 2**20
_OLD_BACKUP_DAYS = 8


@dataclass(frozen=True)
class Health:
    """How an office is."""

    said: dict[str, Any]
    findings: Findings

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong; warnings are told."""
        return not self.findings.refused


def health(home: Home, now: datetime) -> Health:
    """Whether database, disk, jobs and backups are as they should be."""
    findings = Findings()
    begun = time.perf_counter()
    head = ledger.head()
    milliseconds = 1000 * (time.perf_counter() - begun)
    free = shutil.disk_usage(home.folder).free
    if free < _LITTLE_ROOM:
        findings.add(
            Severity.ERROR,
            "health.disk",
            sentence("The disk has {megabytes} MB left.", megabytes=free // 2**20),
            remedy=sentence("Make room before the next file comes."),
        )
    waiting = m.Job.objects.filter(state=jobs.WAITING).count()
    lost = m.Job.objects.filter(
        state=jobs.RUNNING, lease_until__lt=jobs.database_time()
    ).count()  # fmt: skip
    if lost:
        findings.add(
            Severity.WARNING,
            "health.jobs",
            either(
                lost, "{count} job has lost its worker.", "{count} jobs have lost their workers."
            ),
            remedy="`ratingbook office work` takes them up.",
        )
    last = m.Audit.objects.filter(act="backup").order_by("-id").first()
    days = None if last is None else (now - last.at).days
    if days is None or days > _OLD_BACKUP_DAYS:
        findings.add(
            Severity.WARNING, "health.backup",
            sentence("There is no backup.")
            if days is None
            else sentence("The last backup is {days} days old.", days=days),
            remedy="ratingbook office backup OUT, to another disk.",
        )  # fmt: skip
    said = {
        "facts": head.seq, "head": head.hash, "database_ms": round(milliseconds, 2),
        "disk_free": free, "jobs_waiting": waiting, "jobs_lost": lost, "backup_days": days,
        "published": dict(m.Pool.objects.order_by("name").values_list("name", "head")),
    }  # fmt: skip
    return Health(said, findings)
