"""Entries of a report that are the same in several of its versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, TypeVar

from ratingbook.office.acts.people import canonical
from ratingbook.office.logic.printed import Named, call_of
from ratingbook.office.store import models as m

OfEntry = TypeVar("OfEntry", bound=Named)


def by_call(entries: Iterable[OfEntry]) -> dict[str, list[OfEntry]]:
    """The entries of a version by what all versions call them."""
    found: dict[str, list[OfEntry]] = {}
    for each in entries:
        found.setdefault(call_of(each), []).append(each)
    return found


def are_same(one: Named, other: Named) -> bool:
    """Whether entries of two versions that are one person are the same one."""
    return one.number == other.number or call_of(one) == call_of(other)


def entries_of(content: Mapping[str, Any]) -> list[m.Entry]:
    """The entry of whom a correction says who played, and the same one of later versions.

    Of these only who is the same person still: somebody may have said otherwise of one.
    """
    entry = m.Entry.objects.select_related("version").get(id=content["entry_id"])
    later = m.Entry.objects.select_related("version").filter(
        version__report=entry.version.report_id, version__number__gt=entry.version.number
    )
    found = [entry]
    for _, some in groupby(
        later.order_by("version__number", "id"), key=lambda each: each.version_id
    ):
        same = by_call(some).get(call_of(entry), [])
        if len(same) > 1:
            same = [each for each in same if each.number == entry.number]
        found += same
    links = m.Link.objects.filter(entry__in=found, revoked_by__isnull=True)
    people = {number: canonical(who) for number, who in links.values_list("entry", "person")}
    who = people.get(entry.id)
    return [entry, *(each for each in found[1:] if who is not None and people.get(each.id) == who)]
