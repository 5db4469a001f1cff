"""The ICCF rule book: the level of a national tournament, findings, and the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeVar

from ratingbook.model import Event, EventHead, Findings, Report
from ratingbook.rules.book import Batch, RuleBook, Seat, by_event, players_of
from ratingbook.rules.iccf.columns import NO_RATING
from ratingbook.rules.iccf.findings import (
    NOTICES,
    check_dates,
    check_histories,
    check_levels,
    check_starts,
    in_force_in,
    tell_defect,
)
from ratingbook.rules.iccf.levels import NATIONAL, national_level, normalised
from ratingbook.rules.iccf.listing import listing
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.units import Rating
from ratingbook.rules.wording import Notes

_Described = TypeVar("_Described", Event, EventHead)


def _with_level(event: _Described, ratings: Sequence[Rating]) -> _Described:
    """A national tournament with the level that its players give it."""
    rated = [rating for rating in ratings if rating != NO_RATING]
    if not rated or not _is_national(event):
        return event
    return replace(event, level=national_level(rated))


def _heads_of(report: Report) -> Sequence[EventHead]:
    """What is said of each event that games name.

    Where the report says of all of them that they are national, each is one of its own.
    """
    names = dict.fromkeys(game.event for game in report.games)
    if len(names) < 2 or not _is_national(report.event):
        return report.event_heads
    told = {head.name for head in report.event_heads if _says_kind(head)}
    own = report.event
    return (
        *(head for head in report.event_heads if head.name in told),
        *(EventHead(name, own.category, own.level) for name in names if name and name not in told),
    )


def _says_kind(head: EventHead) -> bool:
    return head.category is not None or head.level is not None


def _is_national(event: _Described) -> bool:
    return event.category is not None and normalised(event.category) == NATIONAL


class IccfRuleBook(RuleBook):
    """An edition of the ICCF rating rules."""

    def batches(self, report: Report) -> Iterator[Batch]:
        """One batch: the report is (a part of) a rating period.

        The level of a national tournament is put into the event: of the report's own all
        players take part, of one that games name those of its games; and who plays there only in
        games of other lists.
        """
        beside = [entry for others in report.beside.values() for entry in others]
        ratings = {entry.id: in_force_in(entry) for entry in (*beside, *report.entries)}
        event = _with_level(report.event, list(ratings.values()))
        own = by_event(report.games)

        def ratings_in(name: str) -> Sequence[Rating]:
            players = players_of(own.get(name, ()))
            players |= {entry.id for entry in report.beside.get(name, ())}
            return [ratings.get(each, NO_RATING) for each in players]

        heads = tuple(_with_level(head, ratings_in(head.name)) for head in _heads_of(report))
        report = replace(report, event_heads=heads)
        yield Batch(report, None, report.entries, report.games, described=event)

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list in force on a day; tournament offices see no other."""
        del office
        return listing(members, day, self.parameters)

    def check(self, batch: Batch) -> Findings:
        """What the ratings commissioner should know before this report is rated."""
        findings = Notes(NOTICES, batch, self.parameters)
        check_histories(batch, self.rating_range, self.parameters, findings)
        check_levels(batch, self.rating_range, findings)
        check_dates(batch, findings)
        check_starts(batch, findings)
        return findings

    def check_rated(self, batch: Batch, seats: Sequence[Seat]) -> Findings:
        """Where item 5 earns less for more."""
        findings = Notes(NOTICES, batch, self.parameters)
        tell_defect(batch, seats, self.parameters, findings)
        return findings
