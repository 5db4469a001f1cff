"""Days on which nothing can have been played that is rated: a slip in a year."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from ratingbook.model import Findings, Severity

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
        when = "before anybody was rated" if odd[0] < FIRST else "more than a year from now"
        more = f" (and {len(odd) - 1} more such days)" if len(odd) > 1 else ""
        findings.add(
            Severity.WARNING,
            "event.far-day",
            f"Something is said to be of {odd[0]}{more}: {when}.",
            remedy="Correct the year: it settles the edition, the ratings and the list that count.",
        )
    return findings
