"""The FIDE rule book: which edition rates a report, in which batches, and what is noticed.

How it rates stands in :mod:`.bulk`.  The editions are instances of :class:`FideRuleBook` that
differ in parameters, paragraphs and readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any, Self, TypeVar

from ratingbook.model import Findings, Game, Report
from ratingbook.rules.book import RuleBook, end_of, span_of
from ratingbook.rules.fide.batch import FideBatch, batches_of, is_counted
from ratingbook.rules.fide.bulk import chosen, late
from ratingbook.rules.fide.columns import NO_RATING, OF_LISTS, Pool, pool_named
from ratingbook.rules.fide.events import facts_of, is_official
from ratingbook.rules.fide.findings import (
    NOTICES,
    check_decisions,
    check_games,
    check_k,
    check_standings,
    tell_earlier_lists,
    tell_left_out,
    tell_lists,
    tell_months,
    tell_norms,
    tell_other_lists,
)
from ratingbook.rules.fide.listing import listing
from ratingbook.rules.fide.lists import deciding_day, list_taking
from ratingbook.rules.fide.pool_findings import check_pool
from ratingbook.rules.fide.pools import pools_of
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.timeline import edition_on, in_a_row, stage_of_list, with_reforms
from ratingbook.rules.wording import Notes

_Book = TypeVar("_Book", bound=RuleBook)
_REMEMBERED = 256
"""Of how many lists and days the editions are kept: those of some months of events."""


class FideRuleBook(RuleBook):
    """An edition of the FIDE rating regulations."""

    def day_of(self, report: Report) -> date | None:
        """The day on which the event starts, or what else decides (reading F19)."""
        last = super().day_of(report)
        start = report.event.start
        if start is None:
            start = min((game.start for game in report.games if game.start), default=last)
        if start is None or last is None:
            return None
        p = self._of_pool(report).parameters
        return deciding_day(start, last, is_official(report.event), p)

    def _of_pool(self, report: Report) -> Self:
        """The edition for the list that the report names, unless one was set by hand."""
        if "pool" in self.by_hand and not pool_named(report.event.pool):
            return self
        pool = pools_of(report.event, self.parameters).found
        return self if pool in (None, self.parameters.pool) else _with_pool(self, pool)

    def chosen(self, editions: Sequence[Self], report: Report) -> Self:
        """The edition by the start of the event; what is of a whole period, by its list."""
        of_pool = tuple(each._of_pool(report) for each in editions)
        day, last = self.day_of(report), super().day_of(report)
        taking = None if last is None else list_taking(last, is_official(report.event))
        edition: Self = _edition_for(of_pool, day, taking)
        return edition

    def batches(self, report: Report) -> Iterator[FideBatch]:
        """One batch: the report is (a part of) a rating period.

        The months of a long event are batches of their own, one after the other.
        """
        for batch in batches_of(report, self.parameters):
            facts = {}
            too_late: list[Game] = []
            for event, own in batch.own_games.items():
                first, last = span_of(batch.event, own, event)
                p = self.parameters_for(batch.event, first, last)
                facts[event] = facts_of(batch.event, p)
                end = end_of(batch.event, own, event)
                too_late += (
                    game for game in own if end and game.reported and late(end, game.reported, p)
                )
            yield replace(batch, facts=facts, late=tuple(too_late))

    def monotone(self, standing: Any, before: Sequence[Any], after: Sequence[Any]) -> bool:
        """Not where the better result makes an event count that did not before (6a)."""
        if standing.rating != NO_RATING:
            return True
        was, now = (chosen(sides, standing, standing, self.parameters) for sides in (before, after))
        return was == now

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list in force on a day; tournament offices see no other."""
        del office
        return listing(members, day, self.parameters)

    def check(self, batch: FideBatch) -> Findings:
        """What an officer should know before this report is rated."""
        findings = Notes(NOTICES, batch, self.parameters)
        counting = [game for game in batch.kept if is_counted(game)]
        findings.extend(check_pool(batch, self.parameters, "pool" in self.by_hand))
        check_standings(batch, self.parameters, findings)
        first, last = span_of(batch.event, batch.games, None)
        check_k(batch, first, self.parameters_for(batch.event, first, last), findings)
        check_decisions(batch, self.rating_range, findings)
        check_games(batch, counting, self.parameters, findings)
        tell_lists(batch.event, findings)
        tell_months(batch, self.parameters, findings)
        tell_left_out(batch, findings)
        tell_other_lists(batch, findings)
        tell_earlier_lists(batch, findings)
        tell_norms(batch, counting, self.parameters, findings)
        return findings


@lru_cache(_REMEMBERED)
def _with_pool(edition: _Book, pool: Pool) -> _Book:
    """The edition for a list."""
    return edition.with_own({"pool": pool})


@lru_cache(_REMEMBERED)
def _edition_for(of_pool: tuple[_Book, ...], day: date | None, taking: date | None) -> _Book:
    """The edition of a day; what is of a whole period, as the list has it that takes the event.

    Both are made once for all reports that agree in them.
    """
    stages = in_a_row(of_pool)
    if len(of_pool) > 1:
        # Under one edition alone nothing is reformed, in a history neither.
        stages = with_reforms(stages, of_pool)
    edition = replace(edition_on(of_pool, day).on(day), timeline=stages)
    if day is None or taking is None:
        return edition
    of_list = stage_of_list(stages, taking).parameters
    whole = {name: getattr(of_list, name) for name in OF_LISTS}
    return edition.with_own({n: v for n, v in whole.items() if n not in edition.by_hand})
