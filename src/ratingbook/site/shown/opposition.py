"""Whom somebody met: the average of their ratings, and the performance against them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from ratingbook.model.decimals import mean, total
from ratingbook.office.acts.explain import derived
from ratingbook.office.home import current
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.site.shown.persons import merged_at
from ratingbook.site.shown.pools import Published

_GRADE = 100.0
"""A reset is to a grade that is more than one above: most who declare a higher one have none, and
to ask the run of all of them takes long."""


@dataclass(frozen=True)
class Opposition:
    """Of the opponents in all rated games; of a part of them there is none."""

    average: float | None = None
    """Mean number with which the opponents counted, game by game."""
    performance: float | None = None
    """By the rule book's own definition; None: it has none."""


def opposition(
    one: Published, day: date | None, met: Iterable[tuple[float | None, int | None]]
) -> Opposition:
    """Of the numbers of opponents in all rated games and the own half points, on a day."""
    every = list(met)
    known = [(rating, half) for rating, half in every if rating is not None and half is not None]
    edition = one.rules.book().edition(day)
    assert isinstance(edition, RuleBook)
    if not every or len(known) < len(every) or not count_with_one_number(edition):
        return Opposition()
    sum_, half = total(rating for rating, _ in known), sum(half for _, half in known)
    against = edition.bulk.performance_against
    performance = None if against is None else float(against(round(sum_), half, len(known)))
    return Opposition(mean(rating for rating, _ in known), performance)


def counts_with_own_numbers(one: Published, day: date | None) -> bool:
    """Whether rules limit the ratings of opponents, or put others in their place.

    The run knows with which number an opponent counted.  Numbers that move from round to round are
    told by the steps alone, which are left out where they tell an age.
    """
    bulk = one.rules.book().edition(day).bulk
    return bulk.opponents_number is not None and bulk.moved is None


def reads_others(one: Published) -> bool:
    """Whether the rules may begin with what other pools have published."""
    bulk = one.rules.book().bulk
    return bulk is not None and bulk.pools is not None


def lists_tell(one: Published, day: date | None, met: Iterable[float | None]) -> bool:
    """Whether the numbers are those of lists; ``met`` are the player's own one and the opponents'.

    To come to a batch of the run takes longer than to look into a list.
    """
    if not counts_with_own_numbers(one, day):
        return True
    return one.rules.book().edition(day).bulk.opponents_as_listed and None not in met


def begins_with(
    one: Published, day: date | None, grade: str | None, rating: float | None,
    rated: tuple[int, str] | None,
) -> float | None:  # fmt: skip
    """With what somebody is rated in an event, by the ``rating`` of before and a declared grade.

    Rules begin with the grade where there is no rating; a grade that is higher than the rating may
    be a reset, which the run is asked for: ``rated`` names the person and the batch.
    """
    grades = one.rules.book().edition(day).grades
    begins = None if grades is None or not grade else one.rounded(grades.begins(grade), day)
    if rating is None or begins is None or begins - rating <= _GRADE or not (rated and rated[1]):
        return begins if rating is None else rating
    person, key = rated
    return one.rounded(_reset_to(one, person, key), day) or rating


def _reset_to(one: Published, person: int, key: str) -> float | None:
    """The rating that the rules put in the place of the one before; None: they put none."""
    try:
        rows = derived(current(), one.run, person, key)
    except OfficeRefused:
        # Nothing of the person was rated there.
        return None
    for each in rows[:1]:
        for step in each.explanation:
            if step.role == "begin" and isinstance(step.value, int | float):
                return float(step.value)
    return None


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


def count_with_one_number(edition: RuleBook) -> bool:
    """Whether opponents count with one number in all games of an event.

    It is the published one, or the rules say which. Else only the explanation knows the numbers:
    game by game they move on, and a rule book with a performance that does not follow from ratings
    and score counts with others.
    """
    bulk = edition.bulk
    own = bulk.performance is not None and bulk.performance_against is None
    return edition.rated_by is not RatedBy.GAME and (bulk.opponents_number is not None or not own)
