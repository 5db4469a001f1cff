"""What an event of US Chess says of itself: its kind, and for whom it was."""

from __future__ import annotations

from ratingbook.model import Event
from ratingbook.rules.uscf.columns import Kind
from ratingbook.rules.wording import KINDS as KINDS_OF_REPORTS

YOUTH = "youth"
"""The category of a FIDE event that these rules know."""
KINDS = (*KINDS_OF_REPORTS, "fide")
"""The words for a kind of event that these rules know; ``match`` and ``fide`` change something."""
_KINDS = {"match": Kind.MATCH, "fide": Kind.FIDE}


def kind_of(kind: str | None) -> Kind:
    """How an event of a kind is rated; all other words are events of the common kind."""
    return _KINDS.get((kind or "").casefold(), Kind.EVENT)


def is_youth(event: Event) -> bool:
    """Whether an event is known as one for the youth, which matters in FIDE events."""
    return (event.category or "").casefold() == YOUTH
