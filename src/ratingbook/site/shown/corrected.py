"""Which corrections reached the published numbers of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from ratingbook.office.acts.published import table_of
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.site.shown.differences import differences_of
from ratingbook.site.shown.masking import mask, saying

_OF_A_LIST = "list "
"""With which keys begin that are of no batch: there something was added, and nothing changed."""


@dataclass(frozen=True)
class Corrected:
    """A correction that reached numbers of the player."""

    number: int
    says: tuple[str, ...]
    day: date
    revised: int
    """Numbers of the player that it changed; 0: it only added something on a list."""


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
    later = {each.correction: each.accepted for each in differences_of(person)}
    if not wanted and not later:
        return {}, ()
    facts = m.Fact.objects.filter(
        kind="correction published",
        payload__publication__in=sorted({seq for _, seq in wanted}),
    ).order_by("seq")
    reached: dict[tuple[int, str], list[int]] = {}
    days: dict[int, date] = dict(later)
    found: dict[int, Corrected] = {}
    for fact in facts:
        if (fact.payload["pool"], fact.payload["publication"]) in wanted:
            days.setdefault(fact.payload["correction"], fact.at.date())
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
            revised = sum(not key.startswith(_OF_A_LIST) for _, key in mine)
            found[number] = Corrected(number, says, days[number], revised)
    newest = tuple(found[number] for number in sorted(found, reverse=True))
    return {at: tuple(some) for at, some in reached.items()}, newest
