"""The ICCF rule book: the level of a national tournament, findings, and the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from ratingbook.model import Findings, Report
from ratingbook.rules.book import Batch, RuleBook, Seat
from ratingbook.rules.iccf.columns import NO_RATING
from ratingbook.rules.iccf.findings import (
    NOTICES,
    check_dates,
    check_histories,
    check_levels,
    rating_in,
    tell_defect,
)
from ratingbook.rules.iccf.levels import NATIONAL, national_level, normalised
from ratingbook.rules.iccf.listing import listing
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.wording import Notes


class IccfRuleBook(RuleBook):
    """An edition of the ICCF rating rules."""

    def batches(self, report: Report) -> Iterator[Batch]:
        """One batch: the report is (a part of) a rating period.

        Who takes part in a national tournament is known by the report alone (reading A30), so
        that its level is put into the event.
        """
        event = report.event
        ratings = [rating for entry in report.entries if (rating := rating_in(entry)) != NO_RATING]
        if ratings and event.category and normalised(event.category) == NATIONAL:
            event = replace(event, level=national_level(ratings))
        yield Batch(report, None, report.entries, report.games, described=event)

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list in force on a day; tournament offices see no other."""
        del office
        return listing(members, day, self.parameters)

    def check(self, batch: Batch) -> Findings:
        """What the ratings commissioner should know before this report is rated."""
        findings = Notes(NOTICES, batch, self.parameters)
        check_histories(batch, self.parameters, findings)
        check_levels(batch, self.rating_range, findings)
        check_dates(batch, findings)
        return findings

    def check_rated(self, batch: Batch, seats: Sequence[Seat]) -> Findings:
        """Where item 5 earns less for more."""
        findings = Notes(NOTICES, batch, self.parameters)
        tell_defect(batch, seats, self.parameters, findings)
        return findings
