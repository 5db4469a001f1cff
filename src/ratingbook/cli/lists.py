"""``ratingbook list``: a rating list as the rules prescribe it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.text import Text

from ratingbook import __version__
from ratingbook.cli.screen import (
    errors,
    output,
    plain_table,
    print_findings,
    print_refusal,
    write,
)
from ratingbook.desk.list_files import FORMATS, as_csv, as_dict, as_file
from ratingbook.desk.lists import MadeList, check_ids
from ratingbook.desk.written import clean, number
from ratingbook.model import Findings
from ratingbook.rules.book import RuleBook
from ratingbook.rules.listing import Column, Listing, Statistics
from ratingbook.rules.wording import label


def run(made: MadeList, format_: str) -> bool:
    """Print a list; True if the standings were refused."""
    listing, book, findings = made.listing, made.book, Findings(made.findings)
    if listing is not None and book is not None:
        findings.extend(check_ids(made, format_))
        if findings.refused:
            pass
        elif format_ == "json":
            document = {**as_dict(made), **findings.as_dict()}
            write(json.dumps(document, ensure_ascii=False, indent=2, default=str))
        elif format_ == "csv":
            write(as_csv(listing).removesuffix("\n"))
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
    if findings.refused:
        return print_refusal(findings, as_json=format_ == "json")
    print_findings(findings, errors())
    return False


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
            console.print(Text(clean(f"  {label(left.id, left.name)}: {left.reason}")))


def cell(value: object) -> str:
    """A value of a list for people; nothing for what is not known."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    return clean(value)


def _for_a_page(columns: Sequence[Column]) -> Sequence[Column]:
    """The rating stands right behind the name, where a phone shows it too."""
    rating = [column for column in columns if column.key == "rating"]
    name = next((n for n, column in enumerate(columns) if column.key == "name"), None)
    if not rating or name is None:
        return columns
    rest = [column for column in columns[name + 1 :] if column.key != "rating"]
    before = [column for column in columns[: name + 1] if column.key != "rating"]
    return [*before, *rating, *rest]


def page(listing: Listing, book: RuleBook) -> str:
    """The list as one self-contained page; every value is text, never markup."""
    from ratingbook.cli.pages import environment, inline

    style, style_hash = inline("style.css")
    script, script_hash = inline("tables.js", "list.js")
    shown = tuple(c for c in listing.columns if any(row[c.key] is not None for row in listing.rows))
    return (
        environment()
        .get_template("list.html")
        .render(
            listing=listing,
            columns=_for_a_page(shown or listing.columns),
            book=book.name,
            version=__version__,
            cell=cell,
            style=style,
            style_hash=style_hash,
            script=script,
            script_hash=script_hash,
        )
    )
