"""A batch of a US Chess edition: a section, with what the report says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from ratingbook.model import SectionHead
from ratingbook.rules.book import Batch
from ratingbook.rules.uscf.sections import SystemRun


@dataclass(frozen=True)
class UscfBatch(Batch):
    """A section."""

    head: SectionHead = field(kw_only=True)
    """What the report says of the section itself."""
    run: SystemRun | None = None
    """All sections of the report; only the first batch has it, for what is reported once."""

    @property
    def end(self) -> date | None:
        """The tournament end date, as far as one is known."""
        days = [day for game in self.games if (day := game.end or game.start)]
        return self.event.end or max(days, default=None) or self.event.start
