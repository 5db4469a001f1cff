"""``ratingbook rate``: reports in, rated players out."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.text import Text

from ratingbook.cli.derivation import print_explanation
from ratingbook.cli.rate_table import accounts_of, print_rows
from ratingbook.cli.screen import errors, output, print_findings, say, write
from ratingbook.desk.cores import made_of_each
from ratingbook.desk.parts import pool_of
from ratingbook.desk.players import Players
from ratingbook.desk.rated import Rated, rate_file
from ratingbook.desk.rows import COLUMNS, as_dict, person_columns
from ratingbook.desk.written import clean
from ratingbook.formats.tools.spreadsheets import cell
from ratingbook.model import Event, Findings, Severity
from ratingbook.rules.series import BookOrSeries, pools_of

_Each = TypeVar("_Each")


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

    def one(path: Path) -> Rated:
        return rate_file(
            path, book, known, explain, columns, list_day, coefficients=format_ == "table"
        )

    if format_ in ("json", "jsonl"):
        return _print_documents(paths, one, lines=format_ == "jsonl")
    rated = list(map(one, _with_progress(paths, len(paths))))
    refused = any(result.rating.findings.refused for result in rated)
    _check_known([_unknown_in(result) for result in rated])
    if format_ == "csv":
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


def _print_documents(paths: Sequence[Path], one: Callable[[Path], Rated], *, lines: bool) -> bool:
    """The reports as JSON, each on its line as soon as it is rated; True if one was refused."""

    def told(path: Path) -> tuple[Any, Mapping[str, str] | None]:
        result = one(path)
        document = as_dict(result)
        made = json.dumps(document, ensure_ascii=False) if lines else document
        return made, _unknown_in(result)

    documents, unknown = [], []
    made = made_of_each(told, paths)
    is_seen = lines and sys.stdout.isatty()
    for document, missing in made if is_seen else _with_progress(made, len(paths)):
        unknown.append(missing)
        if lines:
            write(document)
        else:
            documents.append(document)
    _check_known(unknown)
    if not lines:
        whole = documents[0] if len(documents) == 1 else documents
        write(json.dumps(whole, ensure_ascii=False, indent=2))
    return None in unknown


def _unknown_in(rated: Rated) -> Mapping[str, str] | None:
    """Who was to be explained and is not in the report, and why; None: the report is refused."""
    return None if rated.rating.findings.refused else rated.unknown


def _check_known(unknown: Sequence[Mapping[str, str] | None]) -> None:
    """Raises :class:`UnknownPlayers` for who is in none of the reports, if none was refused."""
    found = [each for each in unknown if each is not None]
    if not found or len(found) < len(unknown):
        return
    nowhere = set.intersection(*map(set, found))
    if nowhere:
        raise UnknownPlayers("; ".join(found[0][each] for each in sorted(nowhere)))


def _grave(findings: Findings) -> Findings:
    return Findings(each for each in findings if each.severity is not Severity.INFO)


def _for_the_record(findings: Findings) -> Findings:
    return Findings(each for each in findings if each.severity is Severity.INFO)


def _with_progress(each: Iterable[_Each], count: int) -> Iterator[_Each]:
    """The same, with a bar on the terminal where there are many."""
    if count < 2 or not sys.stderr.isatty():
        yield from each
        return
    from rich.progress import Progress

    with Progress(console=errors(), transient=True, redirect_stdout=False) as progress:
        yield from progress.track(each, count, description="rating")


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
    said = (event.name, event.place, when, _pool(rated), name_of(book))
    tables, told = accounts_of(rated)
    print_rows(", ".join(part for part in said if part), tables, told, console)
    for account in told.values():
        if account.rated.explanation:
            print_explanation(account.rated, console, account.text())


def _pool(rated: Rated) -> str | None:
    """The pool that a report says; of one that counts in several also the one that is rated."""
    said, report, book = rated.event.pool, rated.report, rated.rating.book
    pools = pools_of(book)
    if said is None or report is None or pools is None:
        return said
    counts = pools.of_event(Event(pool=said), book.parameters) or ()
    return f"{said} ({pool_of(report, book)} ratings)" if len(counts) > 1 else said


def name_of(book: BookOrSeries) -> str:
    """The edition, with the parameters that were set away from its own."""
    changed = (f"{name}={value}" for name, value in book.non_default_parameters.items())
    return " ".join((book.name, *changed)) if book.non_default_parameters else book.name
