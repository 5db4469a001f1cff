"""From a file to rated players, and from a file to what is the matter with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from ratingbook.desk.explained import ids_asked
from ratingbook.desk.players import NOBODY, Players
from ratingbook.desk.windows import of_list
from ratingbook.engine.intake import check_report, check_same_game
from ratingbook.engine.rate import Rating, rate
from ratingbook.formats import Read, read
from ratingbook.formats.document.keys import NO_KEYS
from ratingbook.model import Event, Findings, Report
from ratingbook.rules.series import BookOrSeries

_SAID_BY = {
    "event.no-dates": ("edition.no-date",),
    "event.no-class": ("egf.class", "egf.class-unknown", "egf.not-recognised"),
    "trf.open-games": ("game.unfinished",),
    "go.rounds": ("game.unfinished",),
}
"""What readers notice, and findings of a rule book that say the same and what comes of it."""


class Rated:
    """A report, where it came from, and what became of it."""

    def __init__(
        self,
        path: Path,
        report: Report | None,
        rating: Rating,
        unknown: Mapping[str, str] | None = None,
    ) -> None:
        self.path = path
        self.report = report
        self.event = report.event if report else Event()
        self.persons = {entry.id: entry for entry in report.entries} if report else {}
        self.rating = rating
        self.unknown = dict(unknown or {})
        """Who was to be explained, but is not among the players, and why."""


@dataclass(frozen=True)
class Checked:
    """A file of a report, how it was read, and all that is the matter with it."""

    path: Path
    reading: Read
    findings: Findings
    report: Report | None = field(default=None, compare=False)
    """With what the players files add."""


def reports_in(
    paths: Iterable[Path], book: BookOrSeries, columns: Mapping[str, str] | None = None
) -> Iterator[Report]:
    """The reports of these files, as far as they can be read."""
    for path in paths:
        report = read(path, book.standing_fields, columns).report
        if report is not None:
            yield report


def prepared(
    reading: Read,
    path: Path,
    book: BookOrSeries,
    players: Players = NOBODY,
    list_day: date | None = None,
) -> Checked:
    """A report that was read, with its players' past: what ``rate`` rates.

    ``list_day``: only the games that the list of that day takes.
    """
    findings = Findings(players.findings)
    findings.extend(reading.findings)
    findings.extend(check_same_game(reading.format, reading.game, book))
    report = reading.report
    if report is None or findings.refused:
        return Checked(path, reading, findings.in_file(str(path)), report)
    if list_day is not None:
        report, more = of_list(report, book, list_day)
        findings.extend(more)
        if more.refused:
            return Checked(path, reading, findings.in_file(str(path)), report)
    report, more = players.filled(report, book)
    findings.extend(more)
    return Checked(path, reading, findings.in_file(str(path)), report)


def rate_file(
    path: Path,
    book: BookOrSeries,
    players: Players = NOBODY,
    explain: Collection[str] | None = (),
    columns: Mapping[str, str] | None = None,
    list_day: date | None = None,
    *,
    coefficients: bool = False,
) -> Rated:
    """Read and rate one file; ``explain`` names players, None: all.

    ``coefficients`` as in :func:`.rate`.
    """
    reading = read(path, book.standing_fields, columns)
    return rate_read(reading, path, book, players, explain, list_day, coefficients=coefficients)


def rate_read(
    reading: Read,
    path: Path,
    book: BookOrSeries,
    players: Players = NOBODY,
    explain: Collection[str] | None = (),
    list_day: date | None = None,
    *,
    coefficients: bool = False,
) -> Rated:
    """Rate a report that was read."""
    ready = prepared(reading, path, book, players, list_day)
    report, findings = ready.report, Findings(ready.findings)
    if report is None or findings.refused:
        return Rated(path, report, Rating(book, (), findings))
    asked, unknown = ids_asked(report, explain)
    rating = rate(report, book, explain=asked, coefficients=coefficients)
    findings.extend(rating.findings.in_file(str(path)))
    told = Rating(rating.book, rating.rows, _said_once(findings))
    return Rated(path, report, told, unknown)


def _said_once(findings: Findings) -> Findings:
    """Without what another finding says of the same cause."""
    codes = {each.code for each in findings}
    return Findings(each for each in findings if codes.isdisjoint(_SAID_BY.get(each.code, ())))


def check_file(
    path: Path,
    book: BookOrSeries | None,
    players: Players = NOBODY,
    columns: Mapping[str, str] | None = None,
) -> Checked:
    """Check one file: with a rule book whatever ``rate`` would say, and refuse."""
    reading = read(path, book.standing_fields if book else NO_KEYS, columns)
    if book is not None:
        rated = rate_read(reading, path, book, players)
        return Checked(path, reading, rated.rating.findings, rated.report)
    findings = Findings(reading.findings)
    if reading.report is not None and not findings.refused:
        findings.extend(check_report(reading.report, reading.findings))
    told = _said_once(findings.in_file(str(path)))
    return Checked(path, reading, told, reading.report)
