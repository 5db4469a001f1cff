"""What becomes of requests for corrections: the states in which they are, and who asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KT

from ratingbook.office.logic.corrections import Content
from ratingbook.office.store import models as m

OPEN, JOINED, REJECTED, WITHDRAWN = "open", "joined", "rejected", "withdrawn"
ACCEPTED, PUBLISHED = "accepted", "published"
REOPENED = "reopened"
"""How a request became open that was joined to one which was taken back; no state."""
STATES = (OPEN, JOINED, REJECTED, WITHDRAWN, ACCEPTED, PUBLISHED)


def with_states(found: QuerySet[m.Correction]) -> QuerySet[Any]:
    """Corrections that know their ``state``, by the same query.

    And ``again``, by when those are to be decided that were joined and are open again.
    """
    steps = m.CorrectionStep.objects.filter(correction=OuterRef("id")).order_by("-fact", "-id")
    made_so = m.CorrectionStep.objects.filter(correction=OuterRef(OuterRef("id"))).values("fact")
    again = m.Fact.objects.filter(kind=f"correction {REOPENED}", seq__in=made_so).order_by("-seq")
    return found.annotate(
        state=Subquery(steps.values("state")[:1]),
        again=Subquery(again.annotate(until=KT("payload__until")).values("until")[:1]),
    )


def deadline(one: Any) -> date | None:
    """By when a request is to be decided, that knows whether it is open again."""
    until: date | None = date.fromisoformat(one.again) if one.again else one.until
    return until


def is_overdue(one: Any, today: date) -> bool:
    """Whether such a request is open, and the day has passed by which it was to be decided."""
    day = deadline(one)
    return one.state == OPEN and day is not None and day < today


def askers(number: int) -> set[str]:
    """Who has asked for a correction: whoever was the first, and all who joined."""
    asked: set[int] = set()
    found = {number}
    while found:
        asked |= found
        found = joined_to(found) - asked
    first = m.Correction.objects.filter(id__in=asked).values("made_by")
    return set(m.Fact.objects.filter(seq__in=first).values_list("actor", flat=True))


def joined_to(numbers: Collection[int]) -> set[int]:
    """The requests that are joined to any of these."""
    every = {x["correction"] for x in _joinings(numbers)}
    return {number for number, into in joined_into(every).items() if into in numbers}


def joined_into(numbers: Collection[int]) -> dict[int, int]:
    """With which others those of some requests are decided that are joined now."""
    every = {x["correction"]: x["into"] for x in _joinings(numbers)}
    if not every:
        return {}
    of = with_states(m.Correction.objects.filter(id__in=every.keys() & set(numbers)))
    return {each.id: every[each.id] for each in of.filter(state=JOINED)}


def _joinings(numbers: Collection[int]) -> list[dict[str, int]]:
    """What was said of joining some requests, or others to them; the newest last."""
    of = m.FactSubject.objects.filter(
        kind="correction", subject__in=[str(x) for x in numbers], fact__kind="correction joined"
    )
    return list(of.order_by("fact").values_list("fact__payload", flat=True)) if numbers else []


def disputed_by(actor: str, games: Collection[str]) -> dict[str, int]:
    """Of some games, by their stable keys, those of which an actor has an open request; which."""
    of: dict[int, set[str]] = {}
    for one in with_states(m.Correction.objects.order_by("id")).filter(state=OPEN):
        keys = {each["key"] for each in one.contents if each["kind"] == "game"}
        if mine := keys.intersection(games):
            of[one.id] = mine
    asked = asked_by(actor) if of else set()
    return {key: number for number, keys in of.items() if number in asked for key in keys}


def asked_by(actor: str) -> set[int]:
    """What somebody asks for: the own requests, and those to which these are joined."""
    facts = m.Fact.objects.filter(kind="correction asked", actor=actor)
    found: set[int] = set()
    more = set(
        m.Correction.objects.filter(made_by__in=facts.values("seq")).values_list("id", flat=True)
    )
    while more:
        found |= more
        more = set(joined_into(more).values()) - found
    return found


def subjects(number: int, contents: Sequence[Content]) -> list[tuple[str, object]]:
    """What the fact by which a correction is asked for is about."""
    found: list[tuple[str, object]] = [("correction", number)]
    for each in contents:
        found += [(key, each[key]) for key in ("report", "person", "fact", "pool") if key in each]
        found += [("section", one) for one in each.get("sections", ())]
        found += [("person", each[key]) for key in ("source", "target") if key in each]
        found += [("person", one) for one in list(each.get("values", ()))[:500]]
    return found
