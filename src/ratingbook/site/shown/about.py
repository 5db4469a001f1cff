"""The office about itself: its downloads, how it is, and what it keeps of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection
from django.db.models import Count

from ratingbook.office.acts import states
from ratingbook.office.acts.health import health
from ratingbook.office.acts.setup import policy, rules_of
from ratingbook.office.engine.lists import next_list
from ratingbook.office.home import current
from ratingbook.office.logic.masked import token
from ratingbook.office.logic.newcomers import ATTRIBUTES
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.signing import public_key
from ratingbook.office.store import models as m
from ratingbook.site import files
from ratingbook.site.shown.printed import hidden_since


@dataclass(frozen=True)
class NewestFiles:
    """The files of the newest list of a pool."""

    pool: str
    day: date
    revision: int
    title: str
    files: tuple[files.File, ...]


@dataclass(frozen=True)
class Downloads:
    """What can be had as files."""

    pools: tuple[NewestFiles, ...]
    public_key: str | None
    """By which bundles are signed; None: they are not."""


def downloads() -> Downloads:
    """The files of the newest list of each pool; older ones stand with their lists."""
    newest: dict[int, int] = {}
    for pool, number in m.List.objects.order_by("date", "revision").values_list("pool", "id"):
        newest[pool] = number
    lists = m.List.objects.filter(id__in=newest.values()).defer("not_listed").order_by("pool")
    hidden = hidden_since()
    return Downloads(
        tuple(
            NewestFiles(x.pool.name, x.date, x.revision, x.title, files.files_of(x, hidden))
            for x in lists.select_related("pool")
        ),
        _public_key(),
    )


def _public_key() -> str | None:
    """The key by which bundles are signed; None where there is none that can be read."""
    try:
        return public_key(current().folder)
    except OfficeRefused:
        return None


def downloads_table(shown: Downloads) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The same as a table."""
    rows = [
        (x.pool, x.day, x.revision, f.form, f.name, f.size, f.sha256)
        for x in shown.pools
        for f in x.files
    ]
    return ("pool", "date", "revision", "form", "name", "size", "sha256"), rows


@dataclass(frozen=True)
class PoolStatus:
    """Where a pool stands."""

    pool: str
    run: int | None
    published: datetime | None
    until: date | None
    last_list: date | None
    next_list: date | None
    """None: its rules rate events as they come."""


@dataclass(frozen=True)
class Status:
    """How the office is, without what is nobody's business."""

    is_well: bool
    pools: tuple[PoolStatus, ...]
    received: tuple[tuple[str, int], ...]
    """Sections of events by their state; ``ready`` are those that rate now or next time."""
    jobs: tuple[tuple[str, int], ...]
    """Long work by its state."""
    corrections: tuple[tuple[str, int], ...]
    facts: int
    head: str
    """Hash of the last fact: whoever keeps it can prove a later change."""
    public_key: str | None
    """By which bundles are signed; None: they are not."""


_NEWEST_STATES = """
SELECT '{what}', t.state, COUNT(*) FROM office_{what}step t
JOIN (SELECT MAX(id) AS last FROM office_{what}step GROUP BY {what}_id) n ON n.last = t.id
GROUP BY t.state
"""


def status(now: datetime) -> Status:
    """What waits, what ran last, and whether all is well."""
    found = health(current(), now)
    publications = {
        each.pool_id: each for each in m.Publication.objects.order_by("seq").select_related("run")
    }
    at = dict(
        m.Fact.objects.filter(seq__in=[x.fact for x in publications.values()]).values_list(
            "seq", "at"
        )
    )
    listed = dict(m.List.objects.order_by("date").values_list("pool", "date"))
    pools = []
    for pool in m.Pool.objects.order_by("id"):
        last = publications.get(pool.id)
        pools.append(
            PoolStatus(
                pool.name, last.run_id if last else None, at.get(last.fact) if last else None,
                last.run.until if last else None, listed.get(pool.id),
                next_list(rules_of(pool), now.date(), listed.get(pool.id)),
            )
        )  # fmt: skip
    jobs = m.Job.objects.order_by("state").values_list("state").annotate(Count("id"))
    said, counts = found.said, _states("section", "correction")
    return Status(
        found.is_well and not said["jobs_lost"], tuple(pools),
        counts["section"],
        tuple((state, count) for state, count in jobs),
        counts["correction"], said["facts"], said["head"],
        _public_key(),
    )  # fmt: skip


def _states(*kinds: str) -> dict[str, tuple[tuple[str, int], ...]]:
    """How many sections and corrections are in which state."""
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(_NEWEST_STATES.format(what=kind) for kind in kinds))
        rows = sorted(cursor.fetchall())
    return {
        kind: tuple(
            (state, count) for of, state, count in rows
            if of == kind and state != states.SUPERSEDED
        )
        for kind in kinds
    }  # fmt: skip


@dataclass(frozen=True)
class Privacy:
    """What is said of a person, and to whom."""

    public: tuple[str, ...]
    token: str
    """What stands in the place of the name of somebody who is suppressed."""
    answer_days: int
    """Within so many days a request is decided."""


def privacy() -> Privacy:
    """What the office keeps, by what its program does."""
    days = [policy(pool, "answer_days") for pool in m.Pool.objects.all()]
    return Privacy(tuple(ATTRIBUTES), token(17), max(days, default=30))
