"""Which corrections reached the published numbers of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

import pyarrow.compute as pc
from django.db.models import BigIntegerField, OuterRef, Subquery
from django.db.models.functions import Cast

from ratingbook.office.acts.effects import PUBLISHED
from ratingbook.office.acts.published import causes_in, table_of
from ratingbook.office.acts.taken_back import moot_in
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
    came, added = _entered(), differences_of(person)
    changes = _changes(versions, {each.at: each.until for each in came})
    later = {(each.pool, each.correction) for each in added}
    if not changes and not later:
        return {}, {}
    days: dict[int, date] = {each.correction: each.accepted for each in added}
    entered: dict[int, list[tuple[int, int]]] = {}
    for number, at, day, _until in came:
        if at in changes:
            entered.setdefault(number, []).append(at)
            days.setdefault(number, day)
    of = m.Reached.objects.filter(correction__in=list(days)).select_related("correction")
    reaching = list(of.order_by("fact")) if days else []
    say = saying([each.correction.contents for each in reaching], mask_for_public())
    reached: dict[tuple[int, str], list[int]] = {}
    for number, mine in _reaching(person, reaching, entered, changes).items():
        for each in sorted(mine):
            reached.setdefault(each, []).append(number)
    found: dict[tuple[int, int], Corrected] = {}
    for one in reaching:
        number = one.correction_id
        mine = {at for at, some in reached.items() if number in some}
        pools = {pool for pool, _ in mine} | {pool for pool, of in later if of == number}
        says = tuple(say(one.correction.contents)) if pools else ()
        for pool in pools:
            revised = sum(of == pool and not key.startswith(OF_A_LIST) for of, key in mine)
            found[pool, number] = Corrected(number, says, days[number], revised)
    newest: dict[int, tuple[Corrected, ...]] = {}
    for pool, number in sorted(found, reverse=True):
        newest[pool] = (*newest.get(pool, ()), found[pool, number])
    return {at: tuple(some) for at, some in reached.items()}, newest


def _reaching(
    person: int,
    reaching: Sequence[m.Reached],
    entered: Mapping[int, Sequence[tuple[int, int]]],
    changes: Mapping[tuple[int, int], _Then],
) -> Mapping[int, set[tuple[int, str]]]:
    """By correction the person's numbers that it made others, by pool and batch."""
    found: dict[int, set[tuple[int, str]]] = {each.correction_id: set() for each in reaching}
    by_publication: dict[tuple[int, int], dict[int, set[str]]] = {}
    for one in reaching:
        rows = table_of(current(), one.file_id, None, pc.field("person") == person).to_pylist()
        for at in entered.get(one.correction_id, ()):
            keys = {x["key"] for x in rows if x["pool"] == at[0] and _is_by(x, changes[at])}
            by_publication.setdefault(at, {})[one.correction_id] = keys
    for (pool, seq), several in by_publication.items():
        moot = moot_in(several)
        for number, keys in several.items():
            if number not in moot:
                found[number] |= {(pool, key) for key in keys}
        if len(several) < 2:
            continue
        of_run = m.Needed.objects.filter(run__publication__pool=pool, run__publication__seq=seq)
        reached = set().union(*several.values())
        for (key, _person), some in causes_in(current(), of_run, person).items():
            for number in some if key in reached else ():
                found[number].add((pool, key))
    return found


class _Entered(NamedTuple):
    """How a correction came into what is published of a pool."""

    number: int
    at: tuple[int, int]
    """The pool and the publication."""
    day: date
    until: date
    """Up to which day everything was published before."""


@by_facts(PUBLISHED)
def _entered() -> Sequence[_Entered]:
    """Each correction with the publications by which it came."""
    if not is_any(PUBLISHED):
        return ()
    before = m.Publication.objects.filter(pool=OuterRef("pool"), seq=OuterRef("seq") - 1)
    own = m.Publication.objects.filter(run=Cast(OuterRef("subject"), BigIntegerField()))
    until = own.annotate(until=Subquery(before.values("run__until"))).values("until")
    of_runs = m.FactSubject.objects.filter(kind="run", fact__kind=PUBLISHED).order_by("fact")
    facts = of_runs.annotate(until=Subquery(until)).values_list(
        "fact__payload", "fact__at", "until"
    )
    return [
        _Entered(
            said["correction"], (said["pool"], said["publication"]), at.date(), day or date.min
        )
        for said, at, day in facts
    ]


def publications_of(pool: int, corrections: Sequence[int]) -> set[int]:
    """The publications of a pool by which these corrections came."""
    came = ((each.at, each.number) for each in _entered())
    return {seq for (of, seq), number in came if of == pool and number in corrections}


_Then = Mapping[tuple[str, int], Mapping[str, Any] | None]
"""By batch and turn what was published before of what a publication changed; None: nothing."""


def _changes(
    versions: Sequence[Mapping[str, Any]], until: Mapping[tuple[int, int], date]
) -> Mapping[tuple[int, int], _Then]:
    """By pool and publication what it changed of the person's numbers.

    A row that is new is a change if its batch was published before: by ``until``, up to which day
    all was when a publication with corrections came.
    """
    found: dict[tuple[int, int], dict[tuple[str, int], Mapping[str, Any] | None]] = {}
    for before, after in pairwise([None, *versions]):
        assert after is not None
        at, by = (after["key"], after["turn"]), (after["pool"], after["seq"])
        if before and (before["pool"], before["key"], before["turn"]) == (by[0], *at):
            found.setdefault(by, {})[at] = before
        elif after["day"] <= until.get(by, date.min) and after["before"] != after["after"]:
            found.setdefault(by, {})[at] = None
    return found


def _is_by(row: Mapping[str, Any], changed: _Then) -> bool:
    """Whether a correction made another number of it, and not merely again what was published."""
    at = row["key"], row["turn"]
    if at not in changed:
        return False
    then = changed[at]
    if then is None:
        # Without the correction there is no such row: the event is one of other persons.
        return row["was_games"] is None and row["games"] is not None
    if then["gone"] or row["games"] is None:
        return bool(then["gone"]) != (row["games"] is None)
    return any(row[name] != then[name] for name in ("before", "after", "games", "score"))
