"""``ratingbook rulebooks``: the editions, and what is in one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date

from rich.text import Text

from ratingbook.cli.screen import output, plain_table, write
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.settings import shown
from ratingbook.rules.text import Paragraph


def show_editions(books: Sequence[RuleBook], *, as_json: bool) -> None:
    """All installed editions."""
    if as_json:
        write(json.dumps([_summary(book) for book in books], ensure_ascii=False, indent=2))
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


def timeline(book: Series) -> Iterator[tuple[str, str, str]]:
    """The days of a series on which something changed: the day, the edition, and what."""
    for edition in book.editions:
        found = [(edition.valid_from, "", edition.title)]
        found += [(day, "", text) for day, text in within(edition)]
        for number, (day, _, text) in enumerate(found):
            yield str(day or "…"), edition.name if number == 0 else "", text


def within(edition: RuleBook) -> list[tuple[date | None, str]]:
    """What changes within an edition, in the order of the days; once what several lists share."""
    told = {(each.day or edition.valid_from, each.text) for each in edition.settings.amendments}
    told |= {(each.day, f"all ratings changed once: {each.text}") for each in edition.reforms}
    return sorted(told, key=lambda each: (each[0] or date.min, each[1]))


def series_as_dict(book: Series) -> dict[str, object]:
    """A series as ``rulebooks NAME --format json`` prints it."""
    return {
        **_summary(book),
        "editions": [_summary(edition) for edition in book.editions],
        "timeline": [
            {"from": since, "edition": edition, "what": what}
            for since, edition, what in timeline(book)
        ],
    }


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


def validity(book: BookOrSeries) -> str:
    """The days from which and until which an edition is in force."""
    return f"{book.valid_from or '…'} – {book.valid_until or 'today'}"


def numbering(book: RuleBook) -> str:
    """Whose numbers those of the paragraphs are."""
    if book.text.own_numbers:
        return (
            "The numbers of the paragraphs are ours; beside each stands its place in the "
            "federation's own text, where we know it."
        )
    return "The paragraphs are numbered as in the regulation itself."


def performed_by(book: RuleBook, paragraph: Paragraph) -> str:
    """The functions of a paragraph, or who else performs it."""
    if paragraph.performed.value == "function":
        return ", ".join(rule.name for rule in book.rules_of(paragraph))
    return f"{paragraph.performed.value}: {paragraph.by}"


def _summary(book: BookOrSeries) -> dict[str, object]:
    return {
        "name": book.name,
        "title": book.title,
        "federation": book.federation,
        "source": book.edition(None).text.source,
        "valid_from": book.valid_from.isoformat() if book.valid_from else None,
        "valid_until": book.valid_until.isoformat() if book.valid_until else None,
        "unit": book.rated_by.value,
        "url": book.edition(None).text.url or None,
        "own_numbers": book.edition(None).text.own_numbers,
    }


def edition_as_dict(book: RuleBook) -> dict[str, object]:
    """An edition as ``rulebooks NAME --format json`` prints it."""
    return {
        **_summary(book),
        "paragraphs": [
            {
                "number": paragraph.number,
                "article": paragraph.article or None,
                "url": paragraph.url or None,
                "title": paragraph.title,
                "text": paragraph.text,
                "performed": paragraph.performed.value,
                "by": paragraph.by or None,
                "functions": [f"{rule.module}.{rule.name}" for rule in book.rules_of(paragraph)],
            }
            for paragraph in book.text.paragraphs
        ],
        "parameters": [
            {"name": name, "value": shown(value), "meaning": book.settings.docs[name]}
            for name, value in book.parameters._asdict().items()
        ],
        "amendments": [
            {
                "from": each.day.isoformat() if each.day else None,
                "what": each.text,
                "changes": {name: shown(value) for name, value in each.changes.items()},
                "where": {name: shown(value) for name, value in each.where.items()},
            }
            for each in book.settings.amendments
        ],
        "reforms": [{"day": each.day.isoformat(), "what": each.text} for each in book.reforms],
        "readings": [
            {
                "id": reading.id,
                "question": reading.question,
                "reading": reading.taken,
                "why": reading.why,
                "parameter": reading.parameter,
            }
            for reading in book.text.readings
        ],
    }
