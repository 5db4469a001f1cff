"""The EGF rule book: its batches, its findings and its list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from ratingbook.model import Findings, Report
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.egf.findings import NOTICES, check_entries, tell_class
from ratingbook.rules.egf.listing import listing
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.wording import Notes


class EgfRuleBook(RuleBook):
    """An edition of the EGF rating system."""

    def batches(self, report: Report) -> Iterable[Batch]:
        """One batch: all games of an event are rated at the ratings of its start."""
        return (Batch(report, None, report.entries, report.games),)

    def check(self, batch: Batch) -> Findings:
        """What an officer should know before this event is rated."""
        findings = Notes(NOTICES, batch, self.parameters)
        low, high = self.rating_range
        check_entries(batch, (max(low, self.parameters.floor), high), findings)
        tell_class(batch.event, self.parameters, findings)
        return findings

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list of a day, without those who have not played for long (paragraph 7)."""
        del office
        return listing(members, day, self.parameters)
