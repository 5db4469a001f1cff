"""``ratingbook list``: a rating list as the rules prescribe it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from rich.text import Text

from ratingbook import __version__
from ratingbook.cli.list_files import FORMATS, as_file
from ratingbook.cli.rate import csv_cell
from ratingbook.cli.screen import (
    clean,
    errors,
    number,
    output,
    plain_table,
    print_findings,
    write,
)
from ratingbook.engine.intake import check_for, check_validity
from ratingbook.formats.standings import read_standings
from ratingbook.model import Event, Findings, Report, Severity
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.listing import Column, Listing, Statistics


def run(path: Path, book: RuleBook, day: date, format_: str, *, office: bool) -> bool:
    """Print the list of a day; True if the standings were refused."""
    listing, findings = make_list(path, book, day, office=office)
    if listing is not None:
        if format_ == "json":
            write(json.dumps(as_dict(listing, book), ensure_ascii=False, indent=2, default=str))
        elif format_ == "csv":
            _print_csv(listing.columns, listing)
        elif format_ == "html":
            write(page(listing, book))
        elif format_ in FORMATS:
            text, more = as_file(listing, format_)
            findings.extend(more)
            if text is not None:
                # What is printed has the line ends of the system, and one at the end.
                write(text.replace("\r\n", "\n").removesuffix("\n"))
        else:
            _print_table(listing)
    print_findings(findings, errors())
    return findings.refused


def make_list(
    path: Path, book: RuleBook, day: date, *, office: bool
) -> tuple[Listing | None, Findings]:
    """The list from the standings in a file; None where they are refused."""
    members, rulebook, findings = read_standings(path, book.standing_fields)
    findings = Findings(findings)
    if not findings.refused:
        entries = tuple(member.entry for member in members)
        findings.extend(check_for(Report(Event(), entries, ()), book))
        findings.extend(check_validity(book, day, "list"))
        _check_rulebook(rulebook, book, findings)
    placed = findings.in_file(str(path))
    if placed.refused:
        return None, placed
    return book.listing(members, day, office=office), placed


def _check_rulebook(rulebook: str | None, book: RuleBook, findings: Findings) -> None:
    """A list is made of the standings of its own federation."""
    if rulebook is None or rulebook == book.name:
        return
    try:
        same = registry.load(rulebook).federation == book.federation
    except registry.UnknownRuleBook:
        same = False
    findings.add(
        Severity.WARNING if same else Severity.ERROR,
        "list.other-rulebook",
        f"These standings were rated by {rulebook}, and the list is of {book.name}.",
        remedy=f"Print it with --rulebook {rulebook}.",
    )


def as_dict(listing: Listing, book: RuleBook) -> dict[str, object]:
    """A list as JSON."""
    return {
        "rulebook": book.name,
        "parameters": book.non_default_parameters,
        "title": listing.title,
        "date": listing.day.isoformat(),
        "facts": list(listing.facts),
        "columns": [{"key": c.key, "title": c.title} for c in listing.columns],
        "players": [dict(row) for row in listing.rows],
        "not_listed": [
            {"id": left.id, "name": left.name, "reason": left.reason} for left in listing.not_listed
        ],
        "statistics": [
            {"title": each.title, "rows": [dict(row) for row in each.rows]}
            for each in listing.statistics
        ],
    }


def _print_csv(columns: Sequence[Column], listing: Listing) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.key for column in columns])
    for row in listing.rows:
        writer.writerow([csv_cell(row[column.key]) for column in columns])
    write(text.getvalue().removesuffix("\n"))


def _print_table(listing: Listing) -> None:
    console = output()
    console.print(Text(clean(listing.title), style="bold"))
    for fact in listing.facts:
        console.print(Text(clean(fact), style="dim"))
    console.print()
    tables = (Statistics("", listing.columns, listing.rows), *listing.statistics)
    for each in tables:
        titles = (">" * column.numeric + column.title for column in each.columns)
        table = plain_table(*titles, title=each.title or None)
        for row in each.rows:
            table.add_row(*(Text(cell(row[column.key])) for column in each.columns))
        console.print(table)
        console.print()
    if listing.not_listed:
        console.print(Text(f"Not listed: {len(listing.not_listed)}", style="bold"))
        for left in listing.not_listed:
            console.print(Text(clean(f"  {left.id} {left.name}: {left.reason}")))


def cell(value: object) -> str:
    """A value of a list for people; nothing for what is not known."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    return clean(value)


def page(listing: Listing, book: RuleBook) -> str:
    """The list as one self-contained page; every value is text, never markup."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("ratingbook.cli"), autoescape=True, undefined=StrictUndefined
    )
    shown = tuple(c for c in listing.columns if any(row[c.key] is not None for row in listing.rows))
    template = environment.get_template("list.html")
    return template.render(
        listing=listing,
        columns=shown or listing.columns,
        book=book.name,
        version=__version__,
        cell=cell,
    )
