"""The US Chess rule book: which system a report is rated in, and its sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

from ratingbook.model import Entry, Findings, Report, SectionHead
from ratingbook.rules.book import Abroad, RuleBook, event_of, knows_rating
from ratingbook.rules.uscf.bulk import ESTIMATING
from ratingbook.rules.uscf.columns import Pool
from ratingbook.rules.uscf.findings import FIDE, check_batch
from ratingbook.rules.uscf.games import FEDERATION
from ratingbook.rules.uscf.systems import POOLS, UscfBatch, run_of, standing_in


class UscfRuleBook(RuleBook):
    """An edition of the US Chess rating system."""

    @property
    def abroad(self) -> Abroad | None:
        """Section 3: FIDE's lists, which tell of over-the-board games at a slow pace."""
        is_regular = self.parameters.pool == Pool.REGULAR
        return Abroad(FIDE, FEDERATION, FIDE, "3.1") if is_regular else None

    def chosen(self, editions: Sequence[Self], report: Report) -> Self:
        """The edition by the end of the event, for the system that the report is rated in."""
        book = super().chosen(editions, report)
        pool = run_of(report, book.parameters).pool
        return book.with_own({"pool": Pool(POOLS.index(pool))})

    def estimating(self) -> Self:
        """Step 4 is the last: opponents count with the ratings that they brought."""
        return replace(self, bulk=ESTIMATING)

    def as_rated(self, entry: Entry) -> Entry:
        """A player with the standing in the system that is rated, and the ratings in others."""
        pool = POOLS[self.parameters.pool]
        others = {n: known for n, known in entry.pools.items() if n != pool and knows_rating(known)}
        return replace(entry, standing=standing_in(entry, pool), pools=others)

    def batches(self, report: Report) -> Iterator[UscfBatch]:
        """Each section by itself, in the order of their numbers, else of their names.

        Those that do not count in the system that is rated are left out.  A player of several
        sections enters each with the standing after the one before (reading U10).
        """
        run = run_of(report, self.parameters)
        for number, section in enumerate(run.rated):
            yield UscfBatch(
                report,
                section.name,
                section.entries,
                section.games,
                described=event_of(section, report.event),
                head=section.head,
                run=None if number else run,
            )
        if not run.rated:
            yield UscfBatch(report, None, (), (), head=SectionHead(None), run=run)

    def check(self, batch: UscfBatch) -> Findings:
        """What an officer should know before this section is rated."""
        return check_batch(batch, self.parameters, self.rating_range)
