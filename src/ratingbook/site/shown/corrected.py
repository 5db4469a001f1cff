"""Which corrections reached the published numbers of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.db.models import Q

from ratingbook.office.acts.published import table_of
from ratingbook.office.home import current
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.store import models as m
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import mask, saying


@dataclass(frozen=True)
class Corrected:
    """A correction that reached numbers of the player."""

    number: int
    says: tuple[str, ...]
    day: date
    revised: int
    """Numbers of the player that it changed; 0: it added something on a list."""


def corrections_of(
    person: int, versions: Sequence[Mapping[str, Any]]
) -> tuple[dict[tuple[int, str], tuple[int, ...]], tuple[Corrected, ...]]:
    """Which corrections reached which numbers, by pool and batch; and each of them once."""
    again = {
        (int(rows[-1]["pool"]), str(rows[-1]["key"])): {
            (each["pool"], each["seq"]) for each in rows
        }
        for _, some in groupby(versions, key=lambda v: (v["pool"], v["key"], v["turn"]))
        if len(rows := list(some)) > 1
    }
    wanted = {each for some in again.values() for each in some}
    added = _added().get(person, ())
    if not wanted and not added:
        return {}, ()
    facts = m.Fact.objects.filter(
        Q(
            kind="correction published",
            payload__publication__in=sorted({seq for _, seq in wanted}),
        )
        | Q(seq__in=added)
    ).order_by("seq")
    reached: dict[tuple[int, str], list[int]] = {}
    days: dict[int, date] = {}
    found: dict[int, Corrected] = {}
    later: list[int] = []
    for fact in facts:
        number = fact.payload["correction"]
        if fact.kind == DIFFERENCE:
            later.append(number)
        elif (fact.payload["pool"], fact.payload["publication"]) not in wanted:
            continue
        days.setdefault(number, fact.at.date())
    of = m.Reached.objects.filter(correction__in=list(days)).select_related("correction")
    reaching = list(of.order_by("fact")) if days else []
    say = saying([each.correction.contents for each in reaching], mask() if days else str)
    for one in reaching:
        number = one.correction_id
        says = tuple(say(one.correction.contents))
        rows = table_of(current(), one.file_id).select(["pool", "person", "key"])
        mine = {
            (pool, key)
            for pool, who, key in zip(*(c.to_pylist() for c in rows.columns), strict=True)
            if who == person
        }
        for at in mine & again.keys():
            reached.setdefault(at, []).append(number)
        if mine or number in later:
            found[number] = Corrected(number, says, days[number], len(mine))
    newest = tuple(found[number] for number in sorted(found, reverse=True))
    return {at: tuple(some) for at, some in reached.items()}, newest


@by_ledger
def _added() -> Mapping[int, Sequence[int]]:
    """By person the facts by which corrections added something on a list; few had that."""
    found: dict[int, list[int]] = {}
    held = m.Decision.objects.filter(kind=DIFFERENCE, revoked_by__isnull=True)
    for person, fact in held.values_list("person", "fact"):
        found.setdefault(person, []).append(fact)
    return found
