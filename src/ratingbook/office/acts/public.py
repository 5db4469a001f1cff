"""What everybody knows of persons: of whom something is published, and what that is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db.models import (
    BigIntegerField,
    Exists,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Coalesce

from ratingbook.office.acts import states
from ratingbook.office.acts.decisions import OPENING
from ratingbook.office.acts.people import Register, merges, portions, relations
from ratingbook.office.acts.reports import own_reports
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import is_any, once


def not_public(people: Iterable[int], merged: Mapping[int, int] | None = None) -> set[int]:
    """Those of some persons of whom nothing is published, under none of their numbers.

    Public is who stands on a list or in an event that is published, and who came with a rating
    list of before: that one was public. Who was added or decided about by hand, or came with a
    register without ratings, is not yet; nor by a merge that nobody has published
    (``merged`` are those that count, where they are known).
    """
    merged = merges(without=untold_merges()) if merged is None else merged
    own: dict[int, set[int]] = {person: {person} for person in people}
    for source, target in merged.items():
        if target in own:
            own[target].add(source)
    every = sorted({number for numbers in own.values() for number in numbers})
    public: set[int] = set()
    for some in portions(every):
        public.update(public_people().filter(id__in=some).values_list("id", flat=True))
    return {person for person, numbers in own.items() if public.isdisjoint(numbers)}


def untold_merges(upto: int | None = None) -> frozenset[int]:
    """The facts of merges that no publication has, of somebody of whom nothing is published.

    ``upto`` is the last fact that is public, where it is known.
    For everybody else such a number is still nobody's, and the other one without its names.
    """
    live = [each for each in relations() if each.revoked_by is None]
    if live and upto is None:
        upto = once("last fact that is public", _public_upto)
    waiting = [each for each in live if each.fact > (upto or 0)]
    if not waiting:
        return frozenset()
    merged = merges(without={each.fact for each in waiting})
    ends = {
        each.fact: {merged.get(each.source_id, each.source_id),
                    merged.get(each.target_id, each.target_id)}
        for each in waiting
    }  # fmt: skip
    hidden = not_public({person for both in ends.values() for person in both}, merged)
    return frozenset(fact for fact, both in ends.items() if both & hidden)


def _public_upto() -> int:
    """The last fact that a run was fed which is published."""
    last: int | None = m.Publication.objects.aggregate(last=Max("run__upto"))["last"]
    return last or 0


def never_public(people: Iterable[int]) -> set[int]:
    """Those of some persons of whom nothing is published, nor ever was.

    Who played was told by the publications of those days, and who is whom, too, whatever was
    corrected since.
    """
    merged = merges(without=untold_merges())
    who = {person: merged.get(person, person) for person in people}
    hidden = not_public(who.values(), merged)
    left = {person for person, of in who.items() if of in hidden}
    return left - _were_public(left) if left else left


def _were_public(people: Collection[int]) -> set[int]:
    """Who stood in an event, or was somebody else, while a run was made that was published."""
    some = list(people)
    links: Any = m.Link.objects.filter(person__in=some).annotate(upto=_END)
    sections = m.Section.objects.filter(version=OuterRef(OuterRef("entry__version")))
    played = links.filter(
        Exists(
            states.let_out().filter(
                section__in=sections.values("id"),
                run__upto__gte=OuterRef("fact"), run__upto__lt=OuterRef("upto"),
            )
        )
    )  # fmt: skip
    told: Any = m.PersonRelation.objects.filter(Q(source__in=some) | Q(target__in=some))
    told = told.annotate(upto=_END).filter(
        Exists(
            m.Publication.objects.filter(
                run__upto__gte=OuterRef("fact"), run__upto__lt=OuterRef("upto")
            )
        )
    )
    found = set(played.values_list("person", flat=True))
    for both in told.values_list("source", "target") if is_any("merge") else ():
        found.update(both)
    return found


_END = Coalesce(F("revoked_by"), Value(2**62), output_field=BigIntegerField())
"""By which fact something holds no longer."""


def public_people() -> QuerySet[m.Person]:
    """The persons of whom something is published under their own number."""
    mine: dict[str, Any] = {"person": OuterRef("id")}
    rated = m.Link.objects.filter(
        **mine, revoked_by__isnull=True, entry__version__section__in=states.published()
    )
    of_lists = m.Fact.objects.filter(seq=OuterRef("fact"), payload__has_key="file")
    brought = m.Decision.objects.filter(Exists(of_lists), **mine, kind=OPENING)
    listed = m.ListRow.objects.filter(**mine)
    return m.Person.objects.filter(Exists(listed) | Exists(brought) | Exists(rated))


def reported_by(actor: str) -> Mapping[int, str]:
    """The persons whom the desk has made from reports of an actor, and their names in these."""
    made = m.Link.objects.filter(
        revoked_by__isnull=True, fact=F("person__made_by") + 1,
        entry__version__report__in=own_reports(actor),
    )  # fmt: skip
    merged = merges()
    return {
        merged.get(person, person): name or number
        for person, name, number in made.values_list("person", "entry__name", "entry__number")
    }


class PublicRegister(Register):
    """The persons as everybody knows them: those of whom something is published, without births.

    What comes of it may be told to whoever chooses the entries. Their ``sender`` knows beside these
    whom the desk has made of the own reports, by the names there.
    """

    knows_births = False

    def __init__(self, ratings: Mapping[int, float], sender: str = "") -> None:
        super().__init__(ratings)
        self._merged = merges(without=untold_merges())
        self._sender = sender
        self.only_reported: set[int] = set()
        """Those who were looked at of whom nothing is published."""

    def _describe(self, people: Sequence[int]) -> None:
        hidden = not_public(people)
        reported = self._reported if hidden and self._sender else {}
        super()._describe([each for each in people if each not in hidden - reported.keys()])
        # What else is said of them others may have reported.
        self.names |= {each: reported[each] for each in hidden & reported.keys()}
        self.only_reported |= hidden

    @cached_property
    def _reported(self) -> Mapping[int, str]:
        return reported_by(self._sender)
