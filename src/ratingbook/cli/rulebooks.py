"""``ratingbook rulebooks``: the editions, and what is in one."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.text import Text

from ratingbook.cli.screen import output, plain_table, write
from ratingbook.desk.editions import (
    edition_as_dict,
    numbering,
    performed_by,
    series_as_dict,
    summary,
    timeline,
    validity,
    within,
)
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import Series
from ratingbook.rules.settings import shown


def show_editions(books: Sequence[RuleBook], *, as_json: bool) -> None:
    """All installed editions."""
    if as_json:
        write(json.dumps([summary(book) for book in books], ensure_ascii=False, indent=2))
        return
    table = plain_table("name", "federation", "title", "valid", "rates by")
    for book in books:
        table.add_row(
            Text(book.name, style="bold"), book.federation, book.title, validity(book),
            book.rated_by,
        )  # fmt: skip
    output().print(table)
    for name, editions in registry.families().items():
        text = f"{name}: the one of its {len(editions)} editions that is in force on the day"
        output().print(Text(text, style="dim"))


def show_series(book: Series, *, as_json: bool) -> None:
    """The editions of a federation, one after the other, and what changed when."""
    if as_json:
        write(json.dumps(series_as_dict(book), ensure_ascii=False, indent=2))
        return
    console = output()
    console.print(Text(f"{book.name}: {book.title}", style="bold"))
    console.print()
    table = plain_table("from", "edition", "what changed")
    for since, edition, what in timeline(book):
        table.add_row(Text(since), Text(edition, "bold"), Text(what))
    console.print(table)


def show_edition(book: RuleBook, *, as_json: bool) -> None:
    """Paragraphs, parameters and readings of one edition."""
    if as_json:
        write(json.dumps(edition_as_dict(book), ensure_ascii=False, indent=2))
        return
    console = output()
    console.print(Text(f"{book.name}: {book.title}", style="bold"))
    console.print(f"in force {validity(book)}; rated by {book.rated_by}")
    console.print(f"source: {book.text.source}")
    if book.text.url:
        console.print(f"regulation: {book.text.url}")
    console.print(f"{numbering(book)}\n")
    known = any(paragraph.article for paragraph in book.text.paragraphs)
    heads = ("§", *(["article"] if known else []), "paragraph", "performed by")
    paragraphs = plain_table(*heads, title="Paragraphs")
    for paragraph in book.text.paragraphs:
        article = [Text(paragraph.article)] if known else []
        paragraphs.add_row(
            Text(paragraph.number, style="cyan"), *article, paragraph.title,
            performed_by(book, paragraph),
        )  # fmt: skip
    parameters = plain_table("parameter", "value", "meaning", title="Parameters")
    for name, value in book.parameters._asdict().items():
        parameters.add_row(Text(name, style="cyan"), str(shown(value)), book.settings.docs[name])
    readings = plain_table("id", "open place", "reading", "parameter", title="Readings")
    for reading in book.text.readings:
        readings.add_row(
            Text(reading.id, style="cyan"), reading.question, reading.taken,
            reading.parameter or "",
        )  # fmt: skip
    for table in (paragraphs, parameters, readings):
        console.print(table)
        console.print()
    if book.settings.amendments or book.reforms:
        changes = plain_table("from", "what changes", title="Within the edition")
        for day, text in within(book):
            changes.add_row(str(day or "…"), text)
        console.print(changes)
