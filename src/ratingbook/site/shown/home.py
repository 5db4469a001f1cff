"""What the first page shows: what was published last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import OuterRef, Subquery

from ratingbook.office.store import models as m
from ratingbook.site.shown.events import EventRow, rows_of_events
from ratingbook.site.shown.masking import saying_to_all
from ratingbook.site.shown.pools import published

_EVENTS, _CORRECTIONS = 5, 4


@dataclass(frozen=True)
class ListShown:
    """The newest list of a pool."""

    list: int
    pool: str
    rulebook: str
    date: date
    revision: int
    rows: int


@dataclass(frozen=True)
class CorrectionShown:
    """A correction that was published."""

    number: int
    says: tuple[str, ...]
    day: date


@dataclass(frozen=True)
class Front:
    """The first page."""

    lists: tuple[ListShown, ...]
    events: tuple[EventRow, ...]
    corrections: tuple[CorrectionShown, ...]
    rulebooks: tuple[str, ...]


def front() -> Front:
    """The newest of everything."""
    in_force = published()
    newest = m.List.objects.filter(id__in=[each.list for each in in_force.values() if each.list])
    lists = [
        ListShown(one.id, in_force[one.pool_id].pool.name,
                  in_force[one.pool_id].run.rulebook, one.date, one.revision, one.rows)
        for one in newest.order_by("pool").only("id", "pool_id", "date", "revision", "rows")
    ]  # fmt: skip
    at = m.Fact.objects.filter(seq=OuterRef("fact")).values("at")
    steps: Any = (
        m.CorrectionStep.objects.filter(state="published")
        .select_related("correction")
        .annotate(at=Subquery(at))
    )
    last = {x.correction_id: x for x in reversed(steps.order_by("-fact")[:_CORRECTIONS])}
    say = saying_to_all(x.correction for x in last.values())
    corrections = [
        CorrectionShown(x.correction_id, tuple(say(x.correction_id)), x.at.date())
        for x in sorted(last.values(), key=lambda x: -x.fact)
    ]
    return Front(
        tuple(lists), tuple(rows_of_events(in_force, most=_EVENTS)), tuple(corrections),
        tuple(dict.fromkeys(each.run.rulebook for each in in_force.values())),
    )  # fmt: skip
