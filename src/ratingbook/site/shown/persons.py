"""Who a number is: persons that were merged are one, under all their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ratingbook.office.acts.people import merges
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.site.shown.kept import by_ledger


@dataclass(frozen=True)
class Identity:
    """A person, and all the numbers that stand for the person now."""

    person: int
    numbers: tuple[int, ...]
    merged: Mapping[int, int] = field(repr=False)
    """Of everybody who was merged: who that is."""


def identity(number: int) -> Identity:
    """Who a number stands for; whether there is such a person is not asked."""
    merged = merged_persons()
    person = merged.get(number, number)
    others = (source for source, target in merged.items() if target == person)
    return Identity(person, (person, *others), merged)


@by_ledger
def merged_persons() -> Mapping[int, int]:
    """Everybody who was merged, and who that is."""
    return merges()


def nobody(number: int) -> OfficeRefused:
    """There is no such person."""
    return refuse(
        "office.no-person",
        _("There is no player {n}.").format(n=number),
        _("Look for the name instead."),
    )
