"""Who a number is: persons that were merged are one, under all their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.db.models import IntegerField
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from ratingbook.office.acts.people import merges
from ratingbook.office.acts.registry import SUPPRESSED, token
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import models as m


@dataclass(frozen=True)
class Identity:
    """A person, and all the numbers that stand for the person now."""

    person: int
    numbers: tuple[int, ...]
    merged: Mapping[int, int] = field(repr=False)
    """Of everybody who was merged: who that is."""


def identity(number: int) -> Identity:
    """Who a number stands for; whether there is such a person is not asked."""
    merged = merges()
    person = merged.get(number, number)
    others = (source for source, target in merged.items() if target == person)
    return Identity(person, (person, *others), merged)


def masking() -> Callable[[str], str]:
    """What puts tokens in the place of suppressed names: sentences and findings quote them."""
    gone = m.Fact.objects.filter(kind=SUPPRESSED).values("seq")
    names = m.PersonName.objects.filter(revoked_by__in=gone).values_list("person", "text")
    people = m.FactSubject.objects.filter(fact__in=gone, kind="person")
    printed = m.Entry.objects.filter(
        link__person__in=people.annotate(n=Cast("subject", IntegerField())).values("n")
    )
    every = names.union(printed.values_list("link__person", "name"))
    found = sorted({(text, person) for person, text in every if text}, key=lambda x: -len(x[0]))

    def masked(text: str) -> str:
        for name, person in found:
            text = text.replace(name, token(person))
        return text

    return masked


def nobody(number: int) -> OfficeRefused:
    """There is no such person."""
    return refuse(
        "office.no-person",
        _("There is no player {n}.").format(n=number),
        _("Look for the name instead."),
    )
