"""Sections of a report that are the same in several of its versions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from django.db.models import Exists, OuterRef

from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

FOLLOWS = "follows"
"""The key under which the fact of a version says that moves of earlier ones hold for it.

Versions of which no fact says so are rated on the days that they report, as they were.
"""
Days = tuple[date | None, date | None]
"""The first day and the last."""


class OfVersion(NamedTuple):
    """A section as a version of its report has it."""

    number: int
    report: int
    event: str
    name: str
    pool: int | None
    """Its own, into whichever a correction has brought it."""
    start: date | None
    end: date | None
    follows: bool
    """Whether its fact says that moves of earlier versions hold for it."""

    @property
    def days(self) -> Days:
        """As the version reports them."""
        return self.start, self.end


def later_of(sections: Collection[int], upto: int) -> list[tuple[OfVersion, list[OfVersion]]]:
    """Each of some sections, the oldest first, with the same one of the versions after it.

    Of several that are the same in different versions the newest one has those that follow.
    """
    if not sections:
        return []
    wanted = frozenset(sections)
    return ledger.once(("later versions", wanted, upto), lambda: _later_of(wanted, upto))


def _later_of(sections: Collection[int], upto: int) -> list[tuple[OfVersion, list[OfVersion]]]:
    found: list[tuple[OfVersion, list[OfVersion]]] = []
    last: dict[tuple[int, str, str], list[OfVersion]] = {}
    for each in _of_versions(sections, upto):
        which = each.report, each.event, each.name
        if each.number in sections:
            last[which] = []
            found.append((each, last[which]))
        elif which in last:
            last[which].append(each)
    return found


def _of_versions(sections: Collection[int], upto: int) -> Sequence[OfVersion]:
    """The sections of all versions of the reports that have these, the oldest first."""
    reports = m.Section.objects.filter(id__in=list(sections)).values("version__report")
    said = m.Fact.objects.filter(seq=OuterRef("version__fact"), payload__has_key=FOLLOWS)
    every = m.Section.objects.filter(version__report__in=reports, version__fact__lte=upto)
    rows = every.annotate(follows=Exists(said)).order_by("version__number", "id")
    columns = ("id", "version__report", "event", "name", "pool", "start", "end", "follows")
    return [OfVersion(*row) for row in rows.values_list(*columns)]
