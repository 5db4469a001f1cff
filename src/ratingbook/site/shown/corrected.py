"""Which corrections reached the published numbers of a player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import pyarrow.compute as pc
from django.db.models import BigIntegerField, OuterRef, Subquery
from django.db.models.functions import Cast

from ratingbook.office.acts.effects import PUBLISHED, brought_by
from ratingbook.office.acts.published import causes_in, table_of
from ratingbook.office.acts.reasons import Step
from ratingbook.office.acts.taken_back import moot_in
from ratingbook.office.home import current
from ratingbook.office.logic.effects import OF_A_LIST, Number
from ratingbook.office.logic.taken_back import Accepted, left_of
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import is_any
from ratingbook.site.shown.differences import differences_of
from ratingbook.site.shown.kept import by_facts
from ratingbook.site.shown.masking import saying_to_all
from ratingbook.site.shown.pools import published
from ratingbook.site.shown.revised import put_back_by


@dataclass(frozen=True)
class Corrected:
    """A correction that reached numbers of the player in a pool."""

    number: int
    says: tuple[str, ...]
    day: date
    revised: int
    """Published numbers of the player there that it changed; 0: only rows, or something added."""
    is_nothing: bool
    """Whether nothing of it is left: it was taken back, or takes back another of these."""


def corrections_of(
    person: int, versions: Sequence[Mapping[str, Any]]
) -> tuple[dict[tuple[int, str], tuple[int, ...]], dict[int, tuple[Corrected, ...]]]:
    """Which corrections changed which numbers, by pool and batch; and by pool each of them once.

    No number has one of which nothing is left, nor one from before it was put back as it was first.
    """
    came, added = _entered(), differences_of(person)
    changes = _changes(versions, {each.at: each.until for each in came})
    later = {(each.pool_number, each.correction) for each in added}
    if not changes and not later:
        return {}, {}
    days: dict[int, date] = {each.correction: each.accepted for each in added}
    entered: dict[int, list[tuple[int, int]]] = {}
    for one in came:
        if one.at in changes:
            entered.setdefault(one.number, []).append(one.at)
            days.setdefault(one.number, one.day)
    reaching = _holding(days) if days else []
    void = {each.number for each in left_of(map(_accepted, reaching)) if each.is_nothing}
    say = saying_to_all(each.correction for each in reaching)
    told = {at: _told(*at).get(person, ()) for at in changes if at in {x.at for x in came}}
    reached: dict[tuple[int, str], list[int]] = {}
    for number, mine in _reaching(person, reaching, entered, changes, told).items():
        for each in sorted(mine):
            reached.setdefault(each, []).append(number)
    numbers = [each for some in told.values() for each in some if not each.is_added]
    found: dict[tuple[int, int], Corrected] = {}
    for it in reaching:
        number = it.correction_id
        mine = {at for at, some in reached.items() if number in some}
        changed = [each.pool for each in numbers if number in each.corrections]
        pools = {pool for pool, _ in mine} | {pool for pool, of in later if of == number}
        pools.update(changed)
        says = tuple(say(number)) if pools else ()
        for pool in pools:
            found[pool, number] = Corrected(
                number, says, days[number], changed.count(pool), number in void
            )
    newest: dict[int, tuple[Corrected, ...]] = {}
    for pool, number in sorted(found, reverse=True):
        newest[pool] = (*newest.get(pool, ()), found[pool, number])
    put_back = _put_back(versions)
    late = {(each.at, each.number) for each in came}
    left = {
        (pool, key): tuple(
            number for number in some
            if number not in void
            and any(seq > put_back.get((pool, key), 0) for (of, seq), n in late
                    if (of, n) == (pool, number))
        )
        for (pool, key), some in reached.items()
    }  # fmt: skip
    return {at: some for at, some in left.items() if some}, newest


def _holding(numbers: Iterable[int]) -> list[Any]:
    """What corrections reach, in the order in which they came to hold, with what they ``said``."""
    said = m.Fact.objects.filter(seq=OuterRef("fact")).values("payload")
    every = m.Reached.objects.filter(correction__in=list(numbers)).select_related("correction")
    return list(every.annotate(said=Subquery(said)).order_by("fact"))


def _accepted(one: Any) -> Accepted:
    return Accepted(one.correction_id, one.correction.contents, one.said["back"])


def _put_back(versions: Sequence[Mapping[str, Any]]) -> Mapping[tuple[int, str], int]:
    """By pool and batch the last publication after which it was again what it was first."""
    found: dict[tuple[int, str], int] = {}
    for at, some in groupby(versions, key=lambda each: (each["pool"], each["key"])):
        rows = list(some)
        if len(rows) > 1:
            found[at] = put_back_by(published()[at[0]], rows)
    return found


def _reaching(
    person: int,
    reaching: Sequence[m.Reached],
    entered: Mapping[int, Sequence[tuple[int, int]]],
    changes: Mapping[tuple[int, int], _Then],
    told: Mapping[tuple[int, int], Sequence[Number]],
) -> Mapping[int, set[tuple[int, str]]]:
    """By correction the person's rows that it made others, by pool and batch.

    Where the number that a row left is another one, it is by what is ``told`` of it; else, or if
    the rules do not publish it, by what reaches the row.
    """
    found: dict[int, set[tuple[int, str]]] = {each.correction_id: set() for each in reaching}
    by_publication: dict[tuple[int, int], dict[int, set[str]]] = {}
    for one in reaching:
        rows = table_of(current(), one.file_id, None, pc.field("person") == person).to_pylist()
        for at in entered.get(one.correction_id, ()):
            keys = {x["key"] for x in rows if x["pool"] == at[0] and _is_by(x, changes[at])}
            by_publication.setdefault(at, {})[one.correction_id] = keys
    for (pool, seq), several in by_publication.items():
        by = {each.key: each.corrections for each in told.get((pool, seq), ())}
        if len(several) > 1:
            of_run = m.Needed.objects.filter(run__publication__pool=pool, run__publication__seq=seq)
            needed = causes_in(current(), of_run, person)
            reached = set().union(*several.values())
            by = {key: some for (key, _), some in needed.items() if key in reached} | by
        moot = moot_in(several)
        for number, keys in several.items():
            left = {key for key in keys if key not in by and number not in moot}
            found[number] |= {(pool, key) for key in left}
        for key, numbers in by.items():
            for number in numbers if not key.startswith(OF_A_LIST) else ():
                found[number].add((pool, key))
    return found


@by_facts(PUBLISHED)
def _told(pool: int, seq: int) -> Mapping[int, Sequence[Number]]:
    """By person the numbers that a publication made others by corrections."""
    found: dict[int, list[Number]] = {}
    for each in moved_by(pool, seq):
        found.setdefault(each.person, []).append(each)
    return found


def moved_by(pool: int, seq: int) -> Sequence[Number]:
    """The numbers that a publication made others by corrections, as the register tells them."""
    step = step_of(pool, seq)
    mine = sorted((x.accepted, x.number, x.file) for x in _entered() if x.at == (pool, seq))
    reached = tuple((number, file) for _, number, file in mine if file)
    return brought_by(current(), step, reached) if step else ()


@by_facts(PUBLISHED)
def step_of(pool: int, seq: int) -> Step | None:
    """The run of a publication, and the one published before it; None: it is the first."""
    return next(iter(steps_at(pool, [seq])), None)


def steps_at(pool: int, publications: Iterable[int]) -> list[Step]:
    """The same of several, without the first of all."""
    some = sorted(publications)
    wanted = {each for seq in some for each in (seq - 1, seq)}
    every = m.Publication.objects.filter(pool=pool, seq__in=wanted).select_related("run__pool")
    runs = {each.seq: each.run for each in every} if some else {}
    return [(runs[seq], runs[seq - 1]) for seq in some if {seq, seq - 1} <= runs.keys()]


class _Entered(NamedTuple):
    """How a correction came into what is published of a pool."""

    number: int
    at: tuple[int, int]
    """The pool and the publication."""
    day: date
    until: date
    """Up to which day everything was published before."""
    accepted: int
    """The fact by which it came to hold."""
    file: str
    """Of what it reaches."""


@by_facts(PUBLISHED)
def _entered() -> Sequence[_Entered]:
    """Each correction with the publications by which it came."""
    if not is_any(PUBLISHED):
        return ()
    before = m.Publication.objects.filter(pool=OuterRef("pool"), seq=OuterRef("seq") - 1)
    own = m.Publication.objects.filter(run=Cast(OuterRef("subject"), BigIntegerField()))
    until = own.annotate(until=Subquery(before.values("run__until"))).values("until")
    of_runs = m.FactSubject.objects.filter(kind="run", fact__kind=PUBLISHED).order_by("fact")
    of_fact = m.FactSubject.objects.filter(kind="correction", fact=OuterRef("fact"))
    number = Subquery(of_fact.values("subject"))
    reached = m.Reached.objects.filter(correction=Cast(OuterRef("number"), BigIntegerField()))
    facts = of_runs.annotate(until=Subquery(until), number=number).annotate(
        accepted=Subquery(reached.values("fact")), file=Subquery(reached.values("file"))
    )
    return [
        _Entered(
            said["correction"], (said["pool"], said["publication"]), at.date(), day or date.min,
            accepted or 0, file or "",
        )
        for said, at, day, accepted, file in facts.values_list(
            "fact__payload", "fact__at", "until", "accepted", "file"
        )
    ]  # fmt: skip


def with_corrections(pool: int) -> set[int]:
    """The publications of a pool that brought corrections."""
    return {seq for of, seq in (each.at for each in _entered()) if of == pool}


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
