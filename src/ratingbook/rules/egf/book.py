"""The EGF rule book: its batches, its findings and its list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from ratingbook.model import MOST_STONES, Findings, Game, GameStatus, Report
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.egf.columns import H9Handicaps, Parameters
from ratingbook.rules.egf.findings import NOTICES, check_entries, tell_class
from ratingbook.rules.egf.grades import NO_GRADE, grade_index
from ratingbook.rules.egf.listing import listing
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.wording import Notes


def _with_stones(batch: Batch, p: Parameters) -> tuple[Game, ...]:
    """The games; with the reading ``grades`` those of HA[h9] have the stones of the grades."""
    reduction = batch.event.handicap_reduction
    if reduction is None or p.h9_handicaps is not H9Handicaps.GRADES:
        return batch.games
    grades = {entry.id: grade_index(entry.grade) for entry in batch.entries}
    found = []
    for game in batch.games:
        white, black = grades.get(game.white), grades.get(game.black or "")
        known = white not in (None, NO_GRADE) and black not in (None, NO_GRADE)
        even = not game.handicap and game.status is not GameStatus.FORFEIT
        if known and even and white is not None and black is not None:
            stones = min(max(white - black - reduction, 0), MOST_STONES)
            found.append(replace(game, handicap=stones))
        else:
            found.append(game)
    return tuple(found)


class EgfRuleBook(RuleBook):
    """An edition of the EGF rating system."""

    def batches(self, report: Report) -> Iterator[Batch]:
        """Each section by itself: all its games are rated at the ratings of its start."""
        for batch in super().batches(report):
            yield replace(batch, games=_with_stones(batch, self.parameters))

    def check(self, batch: Batch) -> Findings:
        """What an officer should know before this event is rated."""
        findings = Notes(NOTICES, batch, self.parameters)
        low, high = self.rating_range
        check_entries(batch, (max(low, self.parameters.floor), high), findings)
        if batch.games or not batch.report.games:
            tell_class(batch.event, self.parameters, findings)
        return findings

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list of a day, without those who have not played for long (paragraph 7)."""
        del office
        return listing(members, day, self.parameters)
