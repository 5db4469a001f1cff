"""What becomes of requests for corrections: the states in which they are, and who asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from ratingbook.office.logic.corrections import Content
from ratingbook.office.store import models as m

OPEN, JOINED, REJECTED, WITHDRAWN = "open", "joined", "rejected", "withdrawn"
ACCEPTED, PUBLISHED = "accepted", "published"
STATES = (OPEN, JOINED, REJECTED, WITHDRAWN, ACCEPTED, PUBLISHED)


def with_states(found: QuerySet[m.Correction]) -> QuerySet[Any]:
    """Corrections that know their ``state``, by the same query."""
    steps = m.CorrectionStep.objects.filter(correction=OuterRef("id")).order_by("-fact", "-id")
    return found.annotate(state=Subquery(steps.values("state")[:1]))


def askers(number: int) -> set[str]:
    """Who has asked for a correction: whoever was the first, and all who joined."""
    joined = m.Fact.objects.filter(kind="correction joined")
    asked: set[int] = set()
    found = {number}
    while found:
        asked |= found
        subjects = [str(each) for each in found]
        into = joined.filter(factsubject__kind="correction", factsubject__subject__in=subjects)
        found = {x["correction"] for x in into.values_list("payload", flat=True)} - asked
    first = m.Correction.objects.filter(id__in=asked).values("made_by")
    return set(m.Fact.objects.filter(seq__in=first).values_list("actor", flat=True))


def disputed_by(actor: str, games: Collection[str]) -> dict[str, int]:
    """Of some games, by their stable keys, those of which an actor has an open request; which."""
    found: dict[str, int] = {}
    for one in with_states(m.Correction.objects.order_by("id")).filter(state=OPEN):
        keys = {each["key"] for each in one.contents if each["kind"] == "game"}
        if (mine := keys.intersection(games)) and actor in askers(one.id):
            found |= dict.fromkeys(mine, one.id)
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
