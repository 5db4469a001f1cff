"""A batch of a US Chess edition: a section, with what its event says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from ratingbook.model import SectionHead
from ratingbook.rules.book import Batch
from ratingbook.rules.uscf.columns import Kind
from ratingbook.rules.uscf.sections import SystemRun
from ratingbook.rules.uscf.systems import REGULAR


@dataclass(frozen=True)
class UscfBatch(Batch):
    """A section, with what the event says of all its games."""

    pool: str = REGULAR
    kind: Kind = Kind.EVENT
    dual: bool = False
    """Whether the event is dual rated, and this is its regular rating."""
    end: date | None = None
    """The tournament end date."""
    youth: bool = False
    """Whether a FIDE event is known as a youth event."""
    named: str | None = None
    """The system, or ``dual``, that the section names, or its event for it."""
    head: SectionHead = field(default_factory=lambda: SectionHead(None))
    """What the report says of the section itself."""
    run: SystemRun | None = None
    """All sections of the report; only the first batch has it, for what is told once."""

    @property
    def time_control(self) -> str | None:
        """The section's time control, else the event's."""
        return self.head.time_control or self.event.time_control
