"""What changes published numbers goes by a correction, in pools where several accept one.

And what was written by a correction is undone by another one, in every pool: else the register
would go on to tell what holds no longer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from datetime import date
from shlex import quote
from typing import Any

from django.db.models import CharField, F, QuerySet
from django.db.models.functions import Cast

from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.setup import policy, rules_of
from ratingbook.office.engine.rules import asks_for_births
from ratingbook.office.refused import refuse
from ratingbook.office.store.models import (
    RATED_ON,
    Change,
    Decision,
    Fact,
    FactSubject,
    Link,
    Pool,
    Publication,
    Section,
)

_FEW = 500
"""Persons of whom a query can name each."""


def by_several(pools: Iterable[Pool]) -> list[Pool]:
    """The pools in which one alone corrects nothing."""
    return [each for each in pools if policy(each, "correction_approvals") > 1]


def published_of(people: Collection[int], pools: Iterable[Pool] | None = None) -> list[Pool]:
    """The pools by several in which something is published of one of these persons."""
    several = by_several(Pool.objects.order_by("id") if pools is None else pools)
    if not several:
        return []
    rows = Change.objects.filter(run__publication__isnull=False, run__pool__in=several)
    if len(people) < _FEW:
        rows = rows.filter(person__in=people)
    wanted = set(people)
    pairs = rows.values_list("run__pool", "person").distinct()
    found = {pool for pool, person in pairs.iterator() if person in wanted}
    return [each for each in several if each.id in found]


def refuse_merge(source: int, target: int, one: Collection[int], other: Collection[int]) -> None:
    """Refuse that one officer moves what is published from one person to another.

    A person of whom nothing is published, nor decided, brings games that come late and no more.
    Whom a correction holds apart nobody makes one person, in any pool. ``one`` are the numbers of
    the person that ``source`` is, ``other`` those of the person that ``target`` is.
    """
    command = f"ratingbook office correct --merge {source} {target} --reason TEXT"
    _refuse_held_apart(set(one), set(other), command)
    of_target = published_of(other)
    decided = Decision.objects.filter(person__in=one, pool__in=of_target, revoked_by__isnull=True)
    came = set(decided.values_list("pool", flat=True))
    _refuse(
        [*published_of(one), *(each for each in of_target if each.id in came)],
        sentence("To merge person {source} into {target}", source=source, target=target),
        command,
    )


def _refuse_held_apart(one: Set[int], other: Set[int], command: str) -> None:
    """Refuse to merge two of whom a correction says that an entry is one and not the other."""
    subjects = FactSubject.objects.filter(kind="person", subject__in=list(map(str, one | other)))
    undone = Fact.objects.filter(kind="undone", seq__in=subjects.values("fact"))
    linked = Link.objects.filter(
        fact__in=subjects.filter(fact__kind="linked").values("fact"), revoked_by__isnull=True
    )
    apart = {
        *undone.filter(payload__kind="merge").values_list("seq", flat=True),
        *linked.values_list("fact", flat=True),
    }
    about: dict[int, set[int]] = {}
    told = FactSubject.objects.filter(fact__in=apart, kind="person")
    for fact, person in told.values_list("fact", "subject"):
        about.setdefault(fact, set()).add(int(person))
    for fact, number in sorted(corrections_of(apart).items()):
        mine, others = (some & about[fact] for some in (one, other))
        if mine and others:
            raise refuse(
                "office.by-correction",
                sentence(
                    "Correction {number} says that {one} and {other} are two: only another one "
                    "says otherwise.",
                    number=number, one=min(mine), other=min(others),
                ),
                sentence(
                    "Ask for another correction. Its command is `{command}`.", command=command
                ),
            )  # fmt: skip


def resting_on_births(people: Collection[int]) -> list[Pool]:
    """The pools by several in which published numbers may rest on when somebody is born.

    ``people`` are the numbers of one person.
    """
    rated = Change.objects.filter(run__publication__isnull=False, person__in=people)
    return [
        pool for pool in published_of(people)
        if any(
            asks_for_births(rules_of(pool), day)
            for day in rated.filter(run__pool=pool).values_list(RATED_ON, flat=True).distinct()
        )
    ]  # fmt: skip


def refuse_opening(pool: Pool, people: Collection[int], command: str) -> None:
    """Refuse that one officer changes with what somebody came in of whom numbers are published.

    And what a correction says of it, in every pool.
    """
    published = published_of(people, [pool])
    _refuse(published, sentence("Another opening rating"), command)
    _refuse_corrected_opening(pool, people, command)


def _refuse_corrected_opening(pool: Pool, people: Collection[int], command: str) -> None:
    said = Decision.objects.filter(pool=pool, kind="opening", revoked_by__isnull=True)
    if len(people) < _FEW:
        said = said.filter(person__in=people)
    wanted = set(people)
    last = dict(said.order_by("fact", "id").values_list("person", "fact"))
    by = corrections_of({fact for person, fact in last.items() if person in wanted})
    for person, fact in sorted(last.items()):
        if person in wanted and fact in by:
            raise refuse(
                "office.by-correction",
                sentence(
                    "With what person {person} comes in, correction {number} says: only another "
                    "one says otherwise.",
                    person=person, number=by[fact],
                ),
                sentence(
                    "Ask for another correction. Its command is `{command}`.", command=command
                ),
            )  # fmt: skip


def refuse_dated(pool: Pool, since: Mapping[int, date], command: str) -> None:
    """Refuse that one officer decides for a day that is published, of whom it has numbers.

    ``since``: from when on something is decided of persons. Later days are in runs to come.
    """
    head = _head(pool) if by_several([pool]) else None
    then = [] if head is None else [p for p, day in since.items() if day <= head.run.until]
    if then:
        _refuse(
            published_of(then, [pool]),
            sentence("What holds from {day} on", day=min(since[each] for each in then)),
            command,
        )


def refuse_undo(fact: Fact, links: Sequence[Link], people: Collection[int]) -> None:
    """Refuse to undo what a correction says, and alone what several have to look at.

    Of a fact that linked entries, ``links`` are those that would be undone; of a merge ``people``
    are all numbers of the person.
    """
    linked = fact.kind == "linked"
    held = set_by_corrections(links).values() if linked else corrections_of([fact.seq]).values()
    for number in held:
        raise refuse(
            "office.by-correction",
            sentence(
                "Fact {fact} is what correction {number} says: only another correction undoes it.",
                fact=fact.seq, number=number,
            ),
            sentence(
                "Ask for a correction that takes it back. Its command is `{command}`.",
                command=f"ratingbook office correct --take-back {number} --reason TEXT",
            ),
        )  # fmt: skip
    what = sentence("To undo fact {fact}", fact=fact.seq)
    if linked:
        sections = Section.objects.filter(version__in={each.entry.version_id for each in links})
        rated = states.published().filter(section__in=sections.values("id"))
        report = links[0].entry.version.report_id if links else 0
        _refuse(
            by_several(Pool.objects.filter(id__in=rated.values("run__pool"))),
            what,
            f"ratingbook office correct --report {report} --entry ENTRY --player PERSON "
            "--reason TEXT",
        )
    else:
        _refuse(
            [each for each in _resting_on(fact, people) if _upto(each) >= fact.seq],
            what,
            f"ratingbook office correct --undo {fact.seq} --reason TEXT",
        )


def refuse_link(before: Link) -> None:
    """Refuse that the desk says of an entry something else than a correction does."""
    for number in set_by_corrections([before]).values():
        entry = before.entry
        command = (
            f"ratingbook office correct --report {entry.version.report_id} "
            f"--entry {quote(entry.number)} --player PERSON --reason TEXT"
        )
        raise refuse(
            "office.by-correction",
            sentence(
                "Who entry {entry} is, correction {number} says: only another one says otherwise.",
                entry=entry.number, number=number,
            ),
            sentence(
                "Ask for another correction. Its command is `{command}`.", command=command
            ),
        )  # fmt: skip


def corrections_of(facts: Iterable[int]) -> dict[int, int]:
    """By fact the correction that it is of, of those that are of one."""
    return _corrections_of([str(each) for each in facts])


def _corrections_of(facts: Collection[str] | QuerySet[Any, Any]) -> dict[int, int]:
    accepted = FactSubject.objects.filter(
        kind="fact", subject__in=facts, fact__kind="correction accepted"
    )
    rows = accepted.values_list("subject", "fact__payload")
    return {int(fact): said["correction"] for fact, said in rows}


def set_by_corrections(links: Sequence[Link]) -> dict[int, int]:
    """By entry the correction that says who it is, of links that hold.

    A newer version of a report has the persons of the one before: what was corrected of these
    is in its links, too.
    """
    reports = {str(each.entry.version.report_id) for each in links}
    linked = FactSubject.objects.filter(kind="report", subject__in=reports, fact__kind="linked")
    by = _corrections_of(linked.values_list(Cast("fact", CharField()))) if reports else {}
    if not by:
        return {}
    corrected = Link.objects.filter(fact__in=list(by), revoked_by__isnull=True)
    said = {_said(each): by[each.fact] for each in corrected.select_related("entry__version")}
    return {each.entry_id: said[_said(each)] for each in links if _said(each) in said}


def _said(link: Link) -> tuple[int, str, str, int]:
    """Who an entry of a report is, in whatever version."""
    entry = link.entry
    return entry.version.report_id, entry.number, entry.name, link.person_id


def _resting_on(fact: Fact, people: Collection[int]) -> list[Pool]:
    """The pools by several whose published numbers may rest on a merge or a decision."""
    if fact.kind == "merge":
        return published_of(people)
    if fact.payload.get("kind") == "title":
        return []
    pools = FactSubject.objects.filter(fact=fact, kind="pool").values_list("subject", flat=True)
    return by_several(Pool.objects.filter(id__in=list(map(int, pools))))


def _head(pool: Pool) -> Publication | None:
    """What is published of a pool, with its run."""
    heads = Publication.objects.filter(pool=pool, seq=F("pool__head"))
    return heads.select_related("run").first()


def _upto(pool: Pool) -> int:
    """The last fact that what is published of a pool rests on."""
    head = _head(pool)
    return 0 if head is None else int(head.run.upto)


def _refuse(pools: Sequence[Pool], what: Sentence, command: str) -> None:
    if pools:
        raise refuse(
            "office.published-number",
            sentence(
                "{what} may change published numbers of the pool {pool}, where {count} people have "
                "to accept a correction.",
                what=what, pool=pools[0].name, count=policy(pools[0], "correction_approvals"),
            ),
            sentence("Ask for it: `{command}`.", command=command),
        )  # fmt: skip
