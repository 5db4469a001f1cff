"""With what number a player is in the games that begin now, as the edition has it."""

from __future__ import annotations

from typing import Any

from ratingbook.engine.report.known import known_of_entry
from ratingbook.model import Entry, StandingStatus
from ratingbook.rules.bulk import Bulk

_NOT_IN_FORCE = (StandingStatus.UNRATED, StandingStatus.STARTING, StandingStatus.UNLISTED)


def number_in_force(entry: Entry, bulk: Bulk, p: Any) -> float | None:
    """The rating that is in force by a standing; None: there is none, or it is not published."""
    known = entry.standing
    number = None if known is None or known.status in _NOT_IN_FORCE else known.rating
    if bulk.in_force is None or (number is None and not entry.pools):
        return number
    return bulk.in_force(bulk.standing_of(known_of_entry(entry, bulk), p), p) or None
