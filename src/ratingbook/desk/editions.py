"""The installed rule books in words: editions, timelines, paragraphs, worked examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from ratingbook.engine.rate import RatedRow, rate
from ratingbook.formats.document.read import report_from
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.settings import shown
from ratingbook.rules.text import Example, Paragraph


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
        **summary(book),
        "editions": [summary(edition) for edition in book.editions],
        "timeline": [
            {"from": since, "edition": edition, "what": what}
            for since, edition, what in timeline(book)
        ],
    }


def validity(book: BookOrSeries) -> str:
    """The days from which and until which an edition is in force."""
    return f"{book.valid_from or '…'} – {book.valid_until or 'today'}"


def numbering(book: RuleBook) -> Sentence:
    """Whose numbers those of the paragraphs are."""
    if book.text.own_numbers:
        return sentence(
            "The numbers of the paragraphs are ours; beside each stands its place in the "
            "federation's own text, where we know it."
        )
    return sentence("The paragraphs are numbered as in the regulation itself.")


def performed_by(book: RuleBook, paragraph: Paragraph) -> str:
    """The functions of a paragraph, or who else performs it."""
    if paragraph.performed.value == "function":
        return ", ".join(rule.name for rule in book.rules_of(paragraph))
    return f"{paragraph.performed.value}: {paragraph.by}"


def summary(book: BookOrSeries) -> dict[str, object]:
    """What a rule book or a series is, in a few words."""
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
        **summary(book),
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


def rated_example(book: RuleBook, example: Example) -> Sequence[RatedRow]:
    """The rows of the players whom the example is about, explained."""
    report = report_from(example.document, book.standing_fields)
    rating = rate(report, book, explain=tuple(example.expected))
    return [rated for rated in rating.rows if rated.row.id in example.expected]
