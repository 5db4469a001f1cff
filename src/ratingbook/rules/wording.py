"""Words that the findings of several rule books share."""

from __future__ import annotations

from collections.abc import Iterable

from ratingbook.model import Entry


def players_named(entries: Iterable[Entry]) -> str:
    """The first players of a list, and how many there are."""
    ids = [entry.id for entry in entries]
    if len(ids) == 1:
        return f"Player {ids[0]}"
    return f"{len(ids)} players ({', '.join(ids[:5])}{', …' if len(ids) > 5 else ''})"
