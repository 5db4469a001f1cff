"""What corrections added on a list beside all games, where nothing was rated again.

A federation that rates with the published list puts a correction on the next one: the game stays
as it was rated, and by what comes out otherwise the ratings differ from that list on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ratingbook.office.acts.next_list import sections_of_contents
from ratingbook.office.acts.people import names_of
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.store import models as m
from ratingbook.site.answers import DRAWN
from ratingbook.site.shown.as_rated import put_on_lists
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import saying_to_all
from ratingbook.site.shown.persons import merged_persons
from ratingbook.site.shown.pools import Published, published


@dataclass(frozen=True)
class Difference:
    """What a correction added to the rating of a person."""

    correction: int
    pool: str
    pool_number: int = field(metadata=DRAWN)
    person: int
    name: str
    value: float
    accepted: date
    day: date
    """From which on ratings differ."""
    list_day: date | None
    """Of the first list that has it; None: no list has been published since."""
    decimals: int
    """Of a published number of the pool."""


@dataclass(frozen=True)
class Added:
    """A correction that went on the next list of a pool, with all that it added."""

    correction: int
    says: tuple[str, ...]
    pool: str
    day: date
    list_day: date | None
    reports: tuple[int, ...]
    """Whose games it says otherwise of; they stay as they were rated."""
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class _Listed:
    """Which facts and days a list holds."""

    day: date
    upto: int
    until: date

    def has(self, fact: int, day: date) -> bool:
        """Whether it has what a fact adds from a day on."""
        # A list of a later day than its run has nothing that was added after the run's.
        return fact <= self.upto and day <= min(self.day, self.until)


def additions() -> Sequence[Added]:
    """The corrections that went on a next list, by what is published; the oldest first."""
    return [added for _, added in _every()]


def differences_of(person: int) -> Sequence[Difference]:
    """What corrections added to the ratings of a person; the oldest first."""
    return _by_person().get(person, ())


@dataclass(frozen=True)
class Otherwise:
    """A correction that says otherwise of an event than it was rated, and what it added to whom."""

    correction: int
    says: tuple[str, ...]
    value: float | None
    """What it added to the rating of a person; None: nothing to anybody."""
    day: date
    list_day: date | None


def otherwise(person: int, pool: str, reports: Iterable[int]) -> tuple[Otherwise, ...]:
    """The corrections of some events that concern a person, while the events stay as they were."""
    wanted = set(reports)
    found = []
    for each in additions():
        own = [x.value for x in each.differences if x.person == person]
        if each.pool == pool and wanted & set(each.reports) and (own or not each.differences):
            value = own[0] if own else None
            found.append(Otherwise(each.correction, each.says, value, each.day, each.list_day))
    return tuple(found)


def new_on(one: int, before: int | None) -> tuple[Difference, ...]:
    """What a list has and the list before has not."""
    every = _every()
    if not every:
        return ()
    lists = m.List.objects.filter(id__in=[each for each in (one, before) if each])
    found = {
        number: (pool, _Listed(day, upto, until))
        for number, pool, day, upto, until in lists.values_list(
            "id", "pool__name", "date", "run__upto", "run__until"
        )
    }
    pool, mine = found[one]
    then = found[before][1] if before in found else None
    return tuple(
        each
        for fact, added in every
        if added.pool == pool and mine.has(fact, added.day)
        and not (then and then.has(fact, added.day))
        for each in added.differences
    )  # fmt: skip


@by_ledger
def _by_person() -> Mapping[int, Sequence[Difference]]:
    found: dict[int, list[Difference]] = {}
    for each in (each for added in additions() for each in added.differences):
        found.setdefault(each.person, []).append(each)
    return found


def additions_to(person: int, reports: Iterable[int]) -> Sequence[tuple[Difference, int, bool]]:
    """What corrections of some events add to the ratings of a person, each with its event.

    Also what is accepted and in no published number yet: the last is whether it still waits.
    """
    wanted = set(reports)
    return [
        (mine, report, is_waiting)
        for every, is_waiting in ((_every(), False), (_waiting(), True))
        for _, each in every
        for mine in each.differences
        for report in sorted(wanted.intersection(each.reports))
        if mine.person == person
    ]


@by_ledger
def _every() -> Sequence[tuple[int, Added]]:
    """With the fact by which each went on the list; few offices have any."""
    in_force = published() if put_on_lists() else {}
    return _made([each for each in put_on_lists() if _is_published(each, in_force)], in_force)


@by_ledger
def _waiting() -> Sequence[tuple[int, Added]]:
    """The same of what is accepted, and that no published run has added yet."""
    in_force = published() if put_on_lists() else {}
    return _made([each for each in put_on_lists() if not _is_published(each, in_force)], in_force)


def _made(
    shown: Sequence[m.Fact], in_force: Mapping[int, Published]
) -> Sequence[tuple[int, Added]]:
    if not shown:
        return ()
    numbers = {each.payload["correction"] for each in shown}
    every = m.Correction.objects.in_bulk(numbers)
    reports = {n: _reports(sections_of_contents(each.contents)) for n, each in every.items()}
    say = saying_to_all(every.values())
    lists = _lists({each.payload["pool"] for each in shown})
    values = _values(shown)
    names = names_of({person for of in values.values() for person in of})
    found = []
    for fact in shown:
        one, number = in_force[fact.payload["pool"]], fact.payload["correction"]
        day = date.fromisoformat(fact.payload["from"])
        pool, decimals = one.pool, one.decimals
        first = next((x.day for x in lists.get(pool.id, ()) if x.has(fact.seq, day)), None)
        of = tuple(
            Difference(
                correction=number, pool=pool.name, pool_number=pool.id, person=who,
                name=names.get(who, ""), value=round(value, decimals), accepted=fact.at.date(),
                day=day, list_day=first, decimals=decimals,
            )
            for who, value in sorted(values.get(fact.seq, {}).items())
        )  # fmt: skip
        says = tuple(say(number))
        found.append((fact.seq, Added(number, says, pool.name, day, first, reports[number], of)))
    return found


def _is_published(fact: m.Fact, in_force: Mapping[int, Published]) -> bool:
    one = in_force.get(fact.payload["pool"])
    day = date.fromisoformat(fact.payload["from"])
    return one is not None and fact.seq <= one.run.upto and day <= one.run.until


def _values(facts: Iterable[m.Fact]) -> dict[int, dict[int, float]]:
    """By fact what it adds to each person; two who were merged are one."""
    merged = merged_persons()
    rows = m.Decision.objects.filter(
        fact__in=[each.seq for each in facts], kind=DIFFERENCE, revoked_by__isnull=True
    )
    found: dict[int, dict[int, float]] = {}
    for fact, person, said in rows.values_list("fact", "person", "value"):
        who, of = merged.get(person, person), found.setdefault(fact, {})
        of[who] = of.get(who, 0.0) + said["value"]
    return found


def _lists(pools: Iterable[int]) -> Mapping[int, Sequence[_Listed]]:
    """By pool its lists, the oldest first."""
    rows = m.List.objects.filter(pool__in=list(pools)).order_by("date", "revision")
    found: dict[int, list[_Listed]] = {}
    for pool, day, upto, until in rows.values_list("pool", "date", "run__upto", "run__until"):
        found.setdefault(pool, []).append(_Listed(day, upto, until))
    return found


def _reports(sections: Iterable[int]) -> tuple[int, ...]:
    rows = m.Section.objects.filter(id__in=list(sections)).order_by()
    return tuple(sorted(rows.values_list("version__report", flat=True).distinct()))
