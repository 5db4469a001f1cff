"""Who a number is: persons that were merged are one, under all their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ratingbook.office.acts import public
from ratingbook.office.acts.people import merges
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.ledger import is_any
from ratingbook.site.shown.kept import by_facts, by_ledger
from ratingbook.site.shown.pools import published


@dataclass(frozen=True)
class Identity:
    """A person, and all the numbers that stand for the person now."""

    person: int
    numbers: tuple[int, ...]
    merged: Mapping[int, int] = field(repr=False)
    """Of everybody who was merged: who that is."""


def identity(number: int, upto: int | None = None) -> Identity:
    """Who a number stands for now, or as known at a fact; whether there is such a person or not.

    What a run has of persons who were merged since then is under the number that each had.
    """
    merged = merged_persons() if upto is None else merged_at(upto)
    person = merged.get(number, number)
    others = (source for source, target in merged.items() if target == person)
    return Identity(person, (person, *others), merged)


def refuse_unless_public(who: Identity, *rated: object) -> None:
    """Refuse a person of whom nothing is public yet; any of ``rated`` says that something is."""
    if not is_public(who, *rated):
        raise nobody(who.person)


def is_public(who: Identity, *rated: object) -> bool:
    """Whether something of a person is public; any of ``rated`` says that it is."""
    return any(rated) or not not_public(frozenset(who.numbers)).issuperset(who.numbers)


@by_ledger
def not_public(numbers: frozenset[int]) -> frozenset[int]:
    """Those of whom nothing is published."""
    return frozenset(public.not_public(numbers, merged_persons()))


@by_ledger
def merged_persons() -> Mapping[int, int]:
    """Everybody who was merged, and who that is, as far as everybody may know it."""
    if not is_any("merge"):
        return {}
    upto = max((each.run.upto for each in published().values()), default=0)
    return merges(without=public.untold_merges(upto))


@by_facts("merge", "undone")
def merged_at(upto: int) -> Mapping[int, int]:
    """The same as known at a fact, such as the last one that a run was fed."""
    return merges(upto)


def nobody(number: int) -> OfficeRefused:
    """There is no such person."""
    return refuse(
        "office.no-person",
        _("There is no player {n}.").format(n=number),
        _("Look for the name instead."),
    )
