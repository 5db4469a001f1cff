"""Days that an office does not take without a look: still to come, or long before all it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from ratingbook.model import YEARS, Finding, Severity, can_be
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.rules.wording import either

EARLIEST = date(1850, 1, 1)
"""Before it no event can have been, and nothing can have been decided."""
AHEAD = 7
"""Days by which an event may end after its report has come."""
YEARS_BEFORE = 2
"""Years by which an event may end before all that is published of its pool."""
FAR_BACK = timedelta(days=366)
"""From which distance on it is told that a run changes numbers of long ago."""
YEARS_TO_COME = 1
"""Years from now on within which something may begin to hold, a run may end, a list may be made."""


class OddDay(NamedTuple):
    """Why an event waits for an officer."""

    code: str
    reason: Sentence
    """As the ledger keeps it: texts of facts are told in other languages only as they are."""
    why: Sentence
    """The same with the day."""


@dataclass(frozen=True)
class Days:
    """Between which days an event of a pool is nothing odd."""

    today: date
    first: Mapping[int, date] = field(default_factory=dict)
    """By pool the first day of which something is published."""

    def odd(self, ends: Iterable[tuple[date | None, int | None]]) -> dict[int, OddDay]:
        """What is odd about the last days of sections with their pools, by their places."""
        found = (None if end is None else self._odd(end, pool) for end, pool in ends)
        return {at: each for at, each in enumerate(found) if each is not None}

    def _odd(self, end: date, pool: int | None) -> OddDay | None:
        if end > self.today + timedelta(days=AHEAD):
            return OddDay(
                "office.day-to-come",
                sentence("the day on which it ends is still to come"),
                sentence("it ends on {day}, which is still to come", day=end),
            )
        first = None if pool is None else self.first.get(pool)
        if end < EARLIEST or (first is not None and end < _years(first, -YEARS_BEFORE)):
            return OddDay(
                "office.day-long-ago",
                sentence("it ended years before all that the office has of the pool"),
                sentence(
                    "it ended on {day}, more than {years} years before all that the office has "
                    "of the pool",
                    day=end, years=YEARS_BEFORE,
                ),
            )  # fmt: skip
        return None


def findings_of(odd: Iterable[OddDay]) -> list[Finding]:
    """What is told of odd days, of each kind one."""
    return [
        Finding(
            each.code, Severity.WARNING,
            sentence("An officer looks at the report first: {why}.", why=each.why),
            remedy="Send a file with the right day; if the day is right, `ratingbook office "
            "release REPORT --reason …` lets it in.",
        )
        for each in {x.code: x for x in odd}.values()
    ]  # fmt: skip


def impossible(day: date) -> OfficeRefused:
    """The refusal of a day of which nothing can be."""
    return _impossible(sentence("No event that is rated here was on {day}.", day=day))


def _impossible(why: Sentence) -> OfficeRefused:
    first, last = map(str, YEARS)
    return refuse(
        "office.impossible-day", why,
        sentence("Give a day of the years {first} to {last}.", first=first, last=last),
    )  # fmt: skip


def moved_by(day: date, days: int) -> date:
    """The day so many days on; refused where nothing can be of it."""
    try:
        found = day + timedelta(days)
    except OverflowError:
        found = date.min
    if not can_be(found):
        raise _impossible(
            either(
                abs(days),
                "What was on {day} cannot be moved by {count} day.",
                "What was on {day} cannot be moved by {count} days.",
                day=day,
            )
        )
    return found


def day_within(text: str) -> date:
    """The day that a text is, of which something can be; else it is no value."""
    day = date.fromisoformat(text)
    if not can_be(day):
        raise ValueError(text)
    return day


def can_begin(day: date, today: date) -> bool:
    """Whether something can be said to hold from a day on."""
    return EARLIEST <= day <= last_to_come(today)


def last_to_come(today: date) -> date:
    """The last day that an act can name for what is to hold, to be rated or to be listed."""
    return _years(today, YEARS_TO_COME)


def _years(day: date, by: int) -> date:
    """The same day of another year; of 29 February the day after where there is none."""
    try:
        return day.replace(year=day.year + by)
    except ValueError:
        return date(day.year + by, 3, 1)
