"""Who is meant by a name of the command line."""

from __future__ import annotations

from ratingbook.model import Report


class NobodyCalled(ValueError):
    """No report has one player whom a name means; the message says so."""


def players_named(report: Report, asked: str) -> list[str]:
    """The ids of those who have this id; else this name; else a name that begins so."""
    begin = asked.strip().casefold()
    ways = (
        [entry.id for entry in report.entries if entry.id == asked],
        [entry.id for entry in report.entries if entry.name.casefold() == begin],
        [entry.id for entry in report.entries if begin and entry.name.casefold().startswith(begin)],
    )
    return next(filter(None, ways), [])
