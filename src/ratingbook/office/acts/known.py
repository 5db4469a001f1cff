"""Whom a pool knows: who came into it with something, is rated in it, or has games there."""

from __future__ import annotations

from collections.abc import Collection

from ratingbook.office.acts.decisions import openings_held
from ratingbook.office.acts.published import ratings_now
from ratingbook.office.store import models as m


def known_in(pool: m.Pool, people: Collection[int], but: int | None = None) -> set[int]:
    """Those of some persons, who are not merged into others, whom a pool knows.

    What the report ``but`` has of them does not count.
    """
    opened = {
        person for person, said in openings_held(pool, people).items()
        if said.get("rating") is not None
    }  # fmt: skip
    others = m.Link.objects.filter(
        person__in=people, revoked_by__isnull=True, entry__version__section__pool=pool.id
    ).exclude(entry__version__report=but)  # fmt: skip
    met = set(others.values_list("person", flat=True))
    rated = ratings_now(pool.id)
    return {person for person in people if person in opened or person in rated or person in met}
