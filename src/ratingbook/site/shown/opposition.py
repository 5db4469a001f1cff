"""Whom somebody met: the average of their ratings, and the performance against them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.site.shown.pools import Published


@dataclass(frozen=True)
class Opposition:
    """Of the rated games against opponents who had a rating."""

    average: float | None = None
    """Mean rating of the opponents, game by game."""
    performance: float | None = None
    """By the rule book's own definition; None: it has none."""


def opposition(
    one: Published, day: date | None, met: Iterable[tuple[float | None, int | None]]
) -> Opposition:
    """Of the opponents' ratings and the own half points, by the edition of a day."""
    known = [(rating, half) for rating, half in met if rating is not None and half is not None]
    edition = one.rules.book().edition(day)
    assert isinstance(edition, RuleBook)
    if not known or not _count_as_published(edition):
        return Opposition()
    total, half = sum(rating for rating, _ in known), sum(half for _, half in known)
    against = edition.bulk.performance_against
    performance = None if against is None else float(against(round(total), half, len(known)))
    return Opposition(total / len(known), performance)


def _count_as_published(edition: RuleBook) -> bool:
    """Whether opponents count with one published number in all games of an event.

    Else only the explanation knows the numbers: game by game they move on, and a rule book with
    a performance that does not follow from ratings and score counts with others.
    """
    bulk = edition.bulk
    own = bulk.performance is not None and bulk.performance_against is None
    return edition.rated_by is not RatedBy.GAME and not own
