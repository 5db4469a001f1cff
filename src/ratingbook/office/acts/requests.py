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


def decided_with(number: int) -> int:
    """The request with which one is decided: itself, if it is joined to none."""
    while (into := joined_into([number]).get(number)) is not None:
        number = into
    return number


def decided_together(number: int) -> set[int]:
    """The requests that are joined to one now, and the one to which it is joined."""
    return joined_to([number]) | set(joined_into([number]).values())


def _joinings(numbers: Collection[int]) -> list[dict[str, int]]:
    """What was said of joining some requests, or others to them; the newest last."""
    of = m.FactSubject.objects.filter(
        kind="correction", subject__in=[str(x) for x in numbers], fact__kind="correction joined"
    )
    return list(of.order_by("fact").values_list("fact__payload", flat=True)) if numbers else []


def asked_by(actor: str) -> list[Any]:
    """What somebody asks for: the own requests, the newest first, with their states."""
    facts = m.Fact.objects.filter(kind="correction asked", actor=actor).values("seq")
    return list(with_states(m.Correction.objects.filter(made_by__in=facts)).order_by("-id"))


def disputed_by(own: Sequence[Any], games: Collection[str]) -> dict[str, int]:
    """Of some games, by their stable keys, those of which there is an open request; which.

    ``own`` are somebody's requests; those to which they are joined count as well.
    """
    found = {each.id: each for each in own}
    joined = {each.id for each in own if each.state == JOINED}
    while joined:
        into = set(joined_into(joined).values()) - found.keys()
        more = list(with_states(m.Correction.objects.filter(id__in=into))) if into else []
        found |= {each.id: each for each in more}
        joined = {each.id for each in more if each.state == JOINED}
    return {
        said["key"]: number
        for number, one in sorted(found.items()) if one.state == OPEN
        for said in one.contents if said["kind"] == "game" and said["key"] in games
    }  # fmt: skip


def subjects(number: int, contents: Sequence[Content]) -> list[tuple[str, object]]:
    """What the fact by which a correction is asked for is about."""
    found: list[tuple[str, object]] = [("correction", number)]
    for each in contents:
        found += [(key, each[key]) for key in ("report", "person", "fact", "pool") if key in each]
        found += [("fact", each["again"])] if "again" in each else []
        if each["kind"] == "game" and "report" not in each:
            # What says a game again that was taken back names nothing else.
            found.append(("game", each["key"]))
        found += [("section", one) for one in each.get("sections", ())]
        found += [("person", each[key]) for key in ("source", "target") if key in each]
        found += [("person", one) for one in list(each.get("values", ()))[:500]]
    return found
