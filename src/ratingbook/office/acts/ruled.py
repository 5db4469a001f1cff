"""What changes published numbers goes by a correction, in pools where several accept one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db.models import F

from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.setup import policy
from ratingbook.office.logic.corrections import pools_of
from ratingbook.office.refused import refuse
from ratingbook.office.store.models import (
    Change,
    Correction,
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


def refuse_merge(source: int, target: int) -> None:
    """Refuse that one officer moves what is published from one person to another.

    A person of whom nothing is published, nor decided, brings games that come late and no more.
    """
    of_target = published_of([target])
    decided = Decision.objects.filter(person=source, pool__in=of_target, revoked_by__isnull=True)
    came = set(decided.values_list("pool", flat=True))
    _refuse(
        [*published_of([source]), *(each for each in of_target if each.id in came)],
        sentence("To merge person {source} into {target}", source=source, target=target),
        f"ratingbook office correct --merge {source} {target} --reason TEXT",
    )


def refuse_opening(pool: Pool, people: Collection[int], command: str) -> None:
    """Refuse that one officer changes with what somebody came in of whom numbers are published."""
    published = published_of(people, [pool])
    _refuse(published, sentence("Another opening rating"), command)


def refuse_undo(fact: Fact, links: Sequence[Link]) -> None:
    """Refuse that one officer undoes what published numbers rest on, or several have accepted."""
    what = sentence("To undo fact {fact}", fact=fact.seq)
    one = _corrected_by(fact)
    if one is not None:
        wanted = pools_of(one.contents)
        pools = Pool.objects.order_by("id")
        _refuse(
            by_several(pools if wanted is None else pools.filter(id__in=wanted)),
            what,
            f"ratingbook office correct --take-back {one.id} --reason TEXT",
        )
    elif fact.kind == "linked":
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
            [each for each in _resting_on(fact) if _upto(each) >= fact.seq],
            what,
            f"ratingbook office correct --undo {fact.seq} --reason TEXT",
        )


def _corrected_by(fact: Fact) -> Correction | None:
    """The correction that a fact is of, if it is of one."""
    accepted = FactSubject.objects.filter(
        kind="fact", subject=str(fact.seq), fact__kind="correction accepted"
    )
    said = Fact.objects.filter(seq__in=accepted.values("fact")).order_by("seq").first()
    return None if said is None else Correction.objects.get(id=said.payload["correction"])


def _resting_on(fact: Fact) -> list[Pool]:
    """The pools by several whose published numbers may rest on a merge or a decision."""
    if fact.kind == "merge":
        return published_of([fact.payload["source"], fact.payload["target"]])
    if fact.payload.get("kind") == "title":
        return []
    pools = FactSubject.objects.filter(fact=fact, kind="pool").values_list("subject", flat=True)
    return by_several(Pool.objects.filter(id__in=list(map(int, pools))))


def _upto(pool: Pool) -> int:
    """The last fact that what is published of a pool rests on."""
    head = Publication.objects.filter(pool=pool, seq=F("pool__head")).select_related("run").first()
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
