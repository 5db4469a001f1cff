"""What everybody knows of persons: of whom something is published, and what that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet

from ratingbook.office.acts import states
from ratingbook.office.acts.decisions import OPENING
from ratingbook.office.acts.people import Register, merges, portions
from ratingbook.office.acts.reports import own_reports
from ratingbook.office.store import models as m


def not_public(people: Iterable[int]) -> set[int]:
    """Those of some persons of whom nothing is published, under none of their numbers.

    Public is who stands on a list or in an event that is published, and who came with a rating
    list of before: that one was public. Who was added or decided about by hand, or came with a
    register without ratings, is not yet.
    """
    merged = merges()
    own: dict[int, set[int]] = {person: {person} for person in people}
    for source, target in merged.items():
        if target in own:
            own[target].add(source)
    every = sorted({number for numbers in own.values() for number in numbers})
    public: set[int] = set()
    for some in portions(every):
        public.update(public_people().filter(id__in=some).values_list("id", flat=True))
    return {person for person, numbers in own.items() if public.isdisjoint(numbers)}


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
