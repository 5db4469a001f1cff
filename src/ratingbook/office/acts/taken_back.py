"""Which corrections of one run take each other back, so that nothing of them is left in it."""

from __future__ import annotations

from collections.abc import Iterable

from ratingbook.office.logic.taken_back import Accepted, Left, left_of
from ratingbook.office.store import models as m


def left_in(numbers: Iterable[int]) -> list[Left]:
    """What is left of each of some accepted corrections, in the order in which they came to hold.

    All of them are rated by for the first time by the same run.
    """
    reached = m.Reached.objects.filter(correction__in=list(numbers)).order_by("fact")
    every = list(reached.select_related("correction"))
    facts = m.Fact.objects.in_bulk([each.fact for each in every])
    return left_of(
        Accepted(x.correction_id, x.correction.contents, facts[x.fact].payload["back"])
        for x in every
    )


def void_in(numbers: Iterable[int]) -> frozenset[int]:
    """Those of which nothing is left: they were taken back, or took back what is not left."""
    return frozenset(each.number for each in _several(numbers) if each.is_nothing)


def moot_in(numbers: Iterable[int]) -> frozenset[int]:
    """Those, and whichever have taken back a part of another one.

    What these reach says nothing: only numbers that need what is left of them are theirs.
    """
    return frozenset(each.number for each in _several(numbers) if not each.is_whole)


def _several(numbers: Iterable[int]) -> list[Left]:
    some = list(numbers)
    return left_in(some) if len(some) > 1 else []
