"""Which corrections reached the published numbers of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

import pyarrow.compute as pc

from ratingbook.office.acts.effects import PUBLISHED
from ratingbook.office.acts.published import table_of
from ratingbook.office.home import current
from ratingbook.office.logic.effects import OF_A_LIST
from ratingbook.office.store import models as m
from ratingbook.site.shown.differences import differences_of
from ratingbook.site.shown.kept import by_facts, is_any
from ratingbook.site.shown.masking import mask_for_public, saying


@dataclass(frozen=True)
class Corrected:
    """A correction that reached numbers of the player in a pool."""

    number: int
    says: tuple[str, ...]
    day: date
    revised: int
    """Numbers of the player there that it changed; 0: it only added something on a list."""


def corrections_of(
    person: int, versions: Sequence[Mapping[str, Any]]
) -> tuple[dict[tuple[int, str], tuple[int, ...]], dict[int, tuple[Corrected, ...]]]:
    """Which corrections changed which numbers, by pool and batch; and by pool each of them once."""
    changes, added = _changes(versions), differences_of(person)
    later = {(each.pool, each.correction) for each in added}
    if not changes and not later:
        return {}, {}
    days: dict[int, date] = {each.correction: each.accepted for each in added}
    entered: dict[int, list[tuple[int, int]]] = {}
    for number, at, day in _entered():
        if at in changes:
            entered.setdefault(number, []).append(at)
            days.setdefault(number, day)
    of = m.Reached.objects.filter(correction__in=list(days)).select_related("correction")
    reaching = list(of.order_by("fact")) if days else []
    say = saying([each.correction.contents for each in reaching], mask_for_public())
    reached: dict[tuple[int, str], list[int]] = {}
    found: dict[tuple[int, int], Corrected] = {}
    for one in reaching:
        number = one.correction_id
        rows = table_of(current(), one.file_id, None, pc.field("person") == person).to_pylist()
        mine = {
            (row["pool"], row["key"])
            for row in rows
            for at in entered.get(number, ())
            if row["pool"] == at[0] and _is_by(row, changes[at])
        }
        for each in mine:
            reached.setdefault(each, []).append(number)
        pools = {pool for pool, _ in mine} | {pool for pool, of in later if of == number}
        says = tuple(say(one.correction.contents)) if pools else ()
        for pool in pools:
            revised = sum(of == pool and not key.startswith(OF_A_LIST) for of, key in mine)
            found[pool, number] = Corrected(number, says, days[number], revised)
    newest: dict[int, tuple[Corrected, ...]] = {}
    for pool, number in sorted(found, reverse=True):
        newest[pool] = (*newest.get(pool, ()), found[pool, number])
    return {at: tuple(some) for at, some in reached.items()}, newest


@by_facts(PUBLISHED)
def _entered() -> Sequence[tuple[int, tuple[int, int], date]]:
    """Each correction with the pool and the publication by which it came, and the day of that."""
    if not is_any(PUBLISHED):
        return ()
    facts = m.Fact.objects.filter(kind=PUBLISHED).order_by("seq").values_list("payload", "at")
    return [
        (said["correction"], (said["pool"], said["publication"]), at.date()) for said, at in facts
    ]


def publications_of(pool: int, corrections: Sequence[int]) -> set[int]:
    """The publications of a pool by which these corrections came."""
    return {seq for number, (of, seq), _ in _entered() if of == pool and number in corrections}


_Then = Mapping[tuple[str, int], Mapping[str, Any]]
"""By batch and turn what was published before of what a publication changed."""


def _changes(versions: Sequence[Mapping[str, Any]]) -> Mapping[tuple[int, int], _Then]:
    """By pool and publication what it changed of the person's numbers that were there."""
    found: dict[tuple[int, int], dict[tuple[str, int], Mapping[str, Any]]] = {}
    for before, after in pairwise(versions):
        at = after["pool"], after["key"], after["turn"]
        if (before["pool"], before["key"], before["turn"]) == at:
            found.setdefault((at[0], after["seq"]), {})[at[1:]] = before
    return found


def _is_by(row: Mapping[str, Any], changed: _Then) -> bool:
    """Whether a correction made another number of it, and not merely again what was published."""
    then = changed.get((row["key"], row["turn"]))
    if then is None:
        return False
    if then["gone"] or row["games"] is None:
        return bool(then["gone"]) != (row["games"] is None)
    return any(row[name] != then[name] for name in ("before", "after", "games", "score"))
