"""The IECG rule book: findings, the list, and where more points can be worth less."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ratingbook.model import Findings
from ratingbook.rules.book import Batch, RuleBook, Seat
from ratingbook.rules.iecg.columns import Standing, Status
from ratingbook.rules.iecg.findings import (
    NOTICES,
    check_entries,
    check_games,
    check_numbers,
    tell_lists,
)
from ratingbook.rules.iecg.listing import listing
from ratingbook.rules.iecg.provisional import passes_full_score
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.usual import Side
from ratingbook.rules.wording import Notes


class IecgRuleBook(RuleBook):
    """An edition of the IECG rating rules."""

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list that is in force on a day."""
        return listing(members, day, self.parameters, office=office)

    def monotone(self, standing: Standing, before: Sequence[Side], after: Sequence[Side]) -> bool:
        """Not at the ends of IV.1 in a big batch, where 400 is less than the step before (B14)."""
        if standing.status == Status.ESTABLISHED:
            return True
        games = len(after)
        low, high = sum(side.score for side in before), sum(side.score for side in after)
        at_an_end = low == 0 or high == 2 * games
        return not (at_an_end and passes_full_score(high, games))

    def check(self, batch: Batch) -> Findings:
        """Numbers with which nobody can be rated."""
        findings = Notes(NOTICES, batch, self.parameters)
        check_numbers(batch, self.rating_range, findings)
        return findings

    def check_rated(self, batch: Batch, seats: Sequence[Seat]) -> Findings:
        """What an officer should know of this report."""
        findings = Notes(NOTICES, batch, self.parameters)
        check_entries(batch, seats, self.parameters, findings)
        check_games(batch, seats, self.parameters, findings)
        tell_lists(batch, findings)
        return findings
