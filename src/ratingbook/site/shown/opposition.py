"""Whom somebody met: the average of their ratings, and the performance against them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from ratingbook.office.store import models as m
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.site.shown.persons import merged_at
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


def begins_with(one: Published, day: date | None, grade: str | None) -> float | None:
    """With what somebody without a rating goes into an event, by the grade that is declared."""
    grades = one.rules.book().edition(day).grades
    return None if grades is None or not grade else one.rounded(grades.begins(grade), day)


def grades_of(one: Published, entered: Collection[tuple[int, str]]) -> dict[tuple[int, str], str]:
    """The grades that persons declared in events, where the rules begin with them."""
    if not entered or one.rules.book().edition(None).grades is None:
        return {}
    merged, people = merged_at(one.run.upto), {person for person, _ in entered}
    numbers = people | {each for each, who in merged.items() if who in people}
    links = m.Link.objects.filter(
        person__in=numbers, revoked_by__isnull=True, entry__printed__has_key="grade",
        entry__version__section__event__in={event for _, event in entered},
    )  # fmt: skip
    rows = links.values_list("person", "entry__version__section__event", "entry__printed__grade")
    return {(merged.get(person, person), event): str(grade) for person, event, grade in rows}


def _count_as_published(edition: RuleBook) -> bool:
    """Whether opponents count with one published number in all games of an event.

    Else only the explanation knows the numbers: game by game they move on, and a rule book with
    a performance that does not follow from ratings and score counts with others.
    """
    bulk = edition.bulk
    own = bulk.performance is not None and bulk.performance_against is None
    return edition.rated_by is not RatedBy.GAME and not own
