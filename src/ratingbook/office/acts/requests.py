"""What becomes of requests for corrections: the states in which they are."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from ratingbook.office.store import models as m

OPEN, JOINED, REJECTED, WITHDRAWN = "open", "joined", "rejected", "withdrawn"
ACCEPTED, PUBLISHED = "accepted", "published"
STATES = (OPEN, JOINED, REJECTED, WITHDRAWN, ACCEPTED, PUBLISHED)


def with_states(found: QuerySet[m.Correction]) -> QuerySet[Any]:
    """Corrections that know their ``state``, by the same query."""
    steps = m.CorrectionStep.objects.filter(correction=OuterRef("id")).order_by("-fact", "-id")
    return found.annotate(state=Subquery(steps.values("state")[:1]))
