"""Which corrections take others back, and what is left of those that one run brings together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import IntegerField, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from ratingbook.office.acts.requests import ACCEPTED
from ratingbook.office.logic.corrections import Content, pools_of
from ratingbook.office.logic.taken_back import Accepted, Left, left_of, takes_back
from ratingbook.office.store import models as m

_ACCEPTED = f"correction {ACCEPTED}"


def with_backs(found: QuerySet[m.Correction]) -> QuerySet[Any]:
    """Corrections that know by which fact they were ``accepted``, and what that ``said``."""
    steps = m.CorrectionStep.objects.filter(correction=OuterRef("id"), state=ACCEPTED)
    of = m.CorrectionStep.objects.filter(correction=OuterRef(OuterRef("id")), state=ACCEPTED)
    said = m.Fact.objects.filter(seq__in=of.values("fact"))
    return found.annotate(
        accepted=Subquery(steps.values("fact")[:1]), said=Subquery(said.values("payload")[:1])
    )


def is_taken_back_by(one: Any, other: Any) -> bool:
    """Whether another correction takes back what an accepted one said, or a part of it.

    Both know what :func:`with_backs` tells of them.
    """
    return (
        one.accepted is not None
        and one.accepted < other.made_by
        and takes_back(other.contents, one.said["back"])
    )


def undoing(numbers: Collection[int]) -> Q:
    """Corrections that take back facts of these, or say again what such a fact has undone.

    Of older ones only those that say a game again name so much of it.
    """
    wrote = m.FactSubject.objects.filter(
        kind="correction", subject__in=[str(each) for each in numbers], fact__kind=_ACCEPTED
    )
    facts = m.FactSubject.objects.filter(kind="fact", fact__in=wrote.values("fact"))
    games = m.FactSubject.objects.filter(
        kind="game", fact__in=facts.values(number=Cast("subject", IntegerField()))
    )
    asked = m.FactSubject.objects.filter(
        Q(kind="fact", subject__in=facts.values("subject"))
        | Q(kind="game", subject__in=games.values("subject")),
        fact__kind="correction asked",
    )
    return Q(made_by__in=asked.values("fact"))


def undone_by(contents: Iterable[Content]) -> Q:
    """Corrections that said what these contents take back, or that took it back before."""
    every = list(contents)
    facts = [str(each[key]) for each in every for key in ("fact", "again") if key in each]
    # What says a game again names its key alone; so does the fact by which that was undone.
    keys = [each["key"] for each in every if each["kind"] == "game" and "report" not in each]
    of_games = m.FactSubject.objects.filter(kind="game", subject__in=keys)
    wrote = m.FactSubject.objects.filter(
        Q(subject__in=facts) | Q(subject__in=of_games.values(of=Cast("fact", TextField()))),
        kind="fact", fact__kind=_ACCEPTED,
    )  # fmt: skip
    steps = m.CorrectionStep.objects.filter(state=ACCEPTED, fact__in=wrote.values("fact"))
    return Q(id__in=steps.values("correction"))


def pools_reached(one: m.Correction) -> set[int] | None:
    """The pools that a correction can reach, which are those of what it takes back; None: any."""
    wanted = pools_of(one.contents)
    if wanted is not None:
        return wanted
    (it,) = with_backs(m.Correction.objects.filter(id=one.id))
    found: set[int] = set()
    others = with_backs(m.Correction.objects.filter(undone_by(one.contents)).exclude(id=one.id))
    for each in others:
        if is_taken_back_by(each, it):
            some = pools_reached(each)
            if some is None:
                return None
            found |= some
    return found or None


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
