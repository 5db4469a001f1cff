"""Days on which nothing can have been played that is rated: a slip in a year."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence

FIRST = date(1851, 1, 1)
"""The year of the first international tournament; football began to be counted in 1872."""
_AHEAD = timedelta(days=366)
"""An event may be announced for next season; results of after that are nobody's."""


def check_days(days: Iterable[date | None]) -> Findings:
    """A warning of days long before ratings, or more than a year from now."""
    findings = Findings()
    known = sorted({day for day in days if day is not None})
    latest = date.today() + _AHEAD
    odd = [day for day in known if not FIRST <= day <= latest]
    if odd:
        when = sentence("more than a year from now")
        if odd[0] < FIRST:
            when = sentence("before anybody was rated")
        said = sentence("Something is said to be of {day}: {when}.", day=odd[0], when=when)
        if len(odd) > 1:
            said = sentence(
                "Something is said to be of {day} (and {more} more such days): {when}.",
                day=odd[0], more=len(odd) - 1, when=when,
            )  # fmt: skip
        findings.add(
            Severity.WARNING,
            "event.far-day",
            said,
            remedy=sentence(
                "Correct the year: it settles the edition, the ratings and the list that count."
            ),
        )
    return findings
