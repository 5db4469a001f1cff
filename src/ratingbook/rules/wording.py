"""Words that the findings of several rule books share."""

from __future__ import annotations

from collections.abc import Iterable

from ratingbook.model import Entry, Event

KINDS = ("swiss", "round_robin", "team", "knockout", "scheveningen", "match")
"""The kinds of event that files say, in the words of reports."""


def kind_of(event: Event) -> str:
    """The kind of an event, whatever its letters; empty: none is said."""
    return (event.kind or "").strip().casefold()


def counted(count: int, one: str, many: str = "") -> str:
    """So many of something: ``1 game``, ``1,200 games``; ``many`` where it takes more than an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def players_named(entries: Iterable[Entry]) -> str:
    """The first players of a list, and how many there are."""
    ids = [entry.id for entry in entries]
    if len(ids) == 1:
        return f"Player {ids[0]}"
    return f"{len(ids)} players ({', '.join(ids[:5])}{', …' if len(ids) > 5 else ''})"
