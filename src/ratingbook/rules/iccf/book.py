"""The ICCF rule book: the level of a national tournament, findings, and the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeVar

from ratingbook.model import Event, EventHead, Findings, Game, Report
from ratingbook.rules.book import Batch, RuleBook, Seat, by_event
from ratingbook.rules.iccf.columns import NO_RATING
from ratingbook.rules.iccf.findings import (
    NOTICES,
    check_dates,
    check_histories,
    check_levels,
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
    if not rated or not event.category or normalised(event.category) != NATIONAL:
        return event
    return replace(event, level=national_level(rated))


def _players_of(games: Iterable[Game]) -> set[str]:
    """Everybody who plays in some games, or was replaced there."""
    named = ((game.white, game.black, game.white_for, game.black_for) for game in games)
    return {player for players in named for player in players if player}


class IccfRuleBook(RuleBook):
    """An edition of the ICCF rating rules."""

    def batches(self, report: Report) -> Iterator[Batch]:
        """One batch: the report is (a part of) a rating period.

        The level of a national tournament is put into the event: of the report's own all
        players take part, of one that games name those of its games.
        """
        ratings = {entry.id: in_force_in(entry) for entry in report.entries}
        event = _with_level(report.event, list(ratings.values()))
        own = by_event(report.games)
        heads = tuple(
            _with_level(
                head, [ratings.get(each, NO_RATING) for each in _players_of(own.get(head.name, ()))]
            )
            for head in report.event_heads
        )
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
        return findings

    def check_rated(self, batch: Batch, seats: Sequence[Seat]) -> Findings:
        """Where item 5 earns less for more."""
        findings = Notes(NOTICES, batch, self.parameters)
        tell_defect(batch, seats, self.parameters, findings)
        return findings
