"""``ratingbook rate``: reports in, rated players out."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ratingbook.cli.derivation import print_explanation
from ratingbook.cli.rate_table import accounts_of, print_rows
from ratingbook.cli.screen import errors, output, print_findings, say, write
from ratingbook.desk.players import Players
from ratingbook.desk.rated import Rated, rate_file
from ratingbook.desk.rows import COLUMNS, as_dict, person_columns
from ratingbook.desk.written import clean
from ratingbook.formats.tools.spreadsheets import cell
from ratingbook.model import Findings, Severity
from ratingbook.rules.series import BookOrSeries


class UnknownPlayers(LookupError):
    """Who is to be explained is in none of the reports; the message says who might be meant."""


def run(
    paths: Sequence[Path],
    book: BookOrSeries,
    known: Players,
    format_: str,
    explain: Collection[str] | None,
    columns: Mapping[str, str] | None = None,
    player: str | None = None,
    list_day: date | None = None,
) -> bool:
    """Rate each report and print it; True if one was refused.

    Raises :class:`UnknownPlayers` before anything is printed, but for lines of JSON.
    """
    refused = False
    rated = []
    missing: list[Mapping[str, str]] = []
    for path in _with_progress(paths, silent=format_ == "jsonl" and sys.stdout.isatty()):
        result = rate_file(
            path, book, known, explain, columns, list_day, coefficients=format_ == "table"
        )
        refused = refused or result.rating.findings.refused
        if not result.rating.findings.refused:
            missing.append(result.unknown)
        if format_ == "jsonl":
            write(json.dumps(as_dict(result), ensure_ascii=False))
        else:
            rated.append(result)
    nowhere = set.intersection(*map(set, missing)) if missing else set()
    if nowhere and not refused:
        raise UnknownPlayers("; ".join(missing[0][each] for each in sorted(nowhere)))
    if format_ == "json":
        documents = [as_dict(result) for result in rated]
        whole = documents[0] if len(documents) == 1 else documents
        write(json.dumps(whole, ensure_ascii=False, indent=2))
    elif format_ == "csv":
        _print_csv(rated)
    elif format_ == "html":
        from ratingbook.cli.report_page import page

        write(page(rated, book, player))
    elif format_ == "table":
        for result in rated:
            if len(rated) > 1:
                say(output(), Text(clean(result.path), style="bold"))
            # What was assumed and settles numbers is read before them.
            findings = result.rating.findings.joined()
            print_findings(_grave(findings), errors())
            show(result, output())
            print_findings(_for_the_record(findings), errors())
    return refused


def _grave(findings: Findings) -> Findings:
    return Findings(each for each in findings if each.severity is not Severity.INFO)


def _for_the_record(findings: Findings) -> Findings:
    return Findings(each for each in findings if each.severity is Severity.INFO)


def _with_progress(paths: Sequence[Path], *, silent: bool) -> Iterator[Path]:
    """The paths, with a bar on the terminal where there are many."""
    if silent or len(paths) < 2 or not sys.stderr.isatty():
        yield from paths
        return
    from rich.progress import Progress

    with Progress(console=errors(), transient=True, redirect_stdout=False) as progress:
        yield from progress.track(paths, description="rating")


def _print_csv(rated: Sequence[Rated]) -> None:
    """All rows in one table; findings go to the error output."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    persons = person_columns(rated)
    writer.writerow(("report", *COLUMNS, *persons))
    for result in rated:
        for each in result.rating.rows:
            cells = [getattr(each.row, column) for column in COLUMNS]
            cells += [read(result, each.row.id) for read in persons.values()]
            writer.writerow([cell(result.path), *(cell(value) for value in cells)])
    write(text.getvalue().removesuffix("\n"))
    for result in rated:
        print_findings(result.rating.findings, errors())


def show(rated: Rated, console: Console) -> None:
    """The table and the explanations of a report; nothing of one that was refused."""
    if rated.rating.findings.refused:
        return
    event, book = rated.event, rated.rating.book
    when = " – ".join(str(day) for day in dict.fromkeys((event.start, event.end)) if day)
    said = (event.name, event.place, when, event.pool, name_of(book))
    tables, told = accounts_of(rated)
    print_rows(", ".join(part for part in said if part), tables, told, console)
    for account in told.values():
        if account.rated.explanation:
            print_explanation(account.rated, console, account.text())


def name_of(book: BookOrSeries) -> str:
    """The edition, with the parameters that were set away from its own."""
    changed = (f"{name}={value}" for name, value in book.non_default_parameters.items())
    return " ".join((book.name, *changed)) if book.non_default_parameters else book.name
