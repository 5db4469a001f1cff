"""The installed rule books: what each says, who performs it, and what comes out of examples."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from ratingbook.desk.editions import (
    numbering,
    rated_example,
    timeline,
    within,
)
from ratingbook.desk.explained import in_order_of_rounds
from ratingbook.engine.rate import RatedRow
from ratingbook.office.refused import refuse
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import Series
from ratingbook.rules.settings import shown
from ratingbook.rules.text import Example
from ratingbook.site.languages import SPOKEN


@dataclass(frozen=True)
class Edition:
    """An edition in a line."""

    name: str
    title: str
    federation: str
    game: str
    valid_from: date | None
    valid_until: date | None
    rates_by: str


@dataclass(frozen=True)
class Family:
    """The editions of one rule book; several are a series, which has a name of its own."""

    name: str
    federation: str
    is_series: bool
    editions: tuple[Edition, ...]


@dataclass(frozen=True)
class Index:
    """All that is installed, and what of it cannot be loaded."""

    families: tuple[Family, ...]
    missing: tuple[str, ...]


@cache
def index() -> Index:
    """All installed rule books, by federation."""
    books, missing = registry.editions()
    by_name = {book.name: book for book in books}
    families = registry.families()
    several = {name for names in families.values() for name in names}
    found = [
        Family(name, by_name[names[0]].federation, True,
               tuple(_edition(by_name[each]) for each in reversed(names) if each in by_name))
        for name, names in families.items()
        if names[0] in by_name
    ]  # fmt: skip
    found += [
        Family(book.name, book.federation, False, (_edition(book),))
        for book in books
        if book.name not in several
    ]
    return Index(tuple(sorted(found, key=lambda each: each.federation.casefold())), tuple(missing))


def index_table(shown_: Index) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The editions as a table."""
    columns = ("name", "title", "federation", "game", "valid_from", "valid_until", "rates_by")
    rows = [
        (e.name, e.title, e.federation, e.game, e.valid_from, e.valid_until, e.rates_by)
        for family in shown_.families
        for e in family.editions
    ]
    return columns, rows


def _edition(book: RuleBook) -> Edition:
    return Edition(
        book.name, book.title, book.federation, book.game, book.valid_from, book.valid_until,
        book.rated_by.value,
    )  # fmt: skip


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; ``article`` is its place in the federation's own text."""

    number: str
    anchor: str
    title: str
    text: str
    article: str
    url: str
    performed: str
    """``function``, ``office`` or ``historical``."""
    by: str
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Parameter:
    """A number or reading that can be set."""

    name: str
    value: object
    meaning: str


@dataclass(frozen=True)
class Reading:
    """An open place of the text, and what is taken."""

    id: str
    question: str
    taken: str
    why: str
    parameter: str | None


@dataclass(frozen=True)
class Table:
    """A table of the regulation."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class ExampleLine:
    """A worked example in a line."""

    number: int
    title: str
    source: str
    results: tuple[tuple[str, object], ...]
    """Players and their new ratings, as the source says them."""


@dataclass(frozen=True)
class EditionPage:
    """An edition, whole."""

    edition: Edition
    series: str | None
    before: str | None
    after: str | None
    source: str
    url: str
    numbering: str
    paragraphs: tuple[Paragraph, ...]
    counts: tuple[tuple[str, int], ...]
    """How many paragraphs a function computes, the office performs, are historical."""
    parameters: tuple[Parameter, ...]
    amendments: tuple[tuple[date | None, str], ...]
    readings: tuple[Reading, ...]
    tables: tuple[Table, ...]
    examples: tuple[ExampleLine, ...]


@dataclass(frozen=True)
class SeriesPage:
    """The editions of a series over time."""

    name: str
    title: str
    federation: str
    timeline: tuple[tuple[str, str, str], ...]
    """From which day, in which edition, and what changed."""


def _book(name: str) -> RuleBook | Series:
    try:
        return registry.load(name)
    except registry.UnknownRuleBook as error:
        said = SPOKEN.told(error.args[0])
        raise refuse(
            "office.no-rulebook",
            capfirst(said if said.endswith("?") else f"{said}."),
            _("The index has all that are installed."),
        ) from None


def anchor(number: str) -> str:
    """Where on the page of an edition a paragraph stands."""
    return "p" + "".join(c if c.isalnum() or c in ".-" else "_" for c in number)


@cache
def one(name: str) -> EditionPage | SeriesPage:
    """An edition or a series; refused where it is not installed."""
    book = _book(name)
    if isinstance(book, Series):
        return SeriesPage(name, book.title, book.federation, tuple(timeline(book)))
    of = next((f for f in index().families if f.is_series and _is_in(book.name, f)), None)
    row = [each.name for each in reversed(of.editions)] if of else [book.name]
    at = row.index(book.name)
    paragraphs = tuple(
        Paragraph(
            number=p.number,
            anchor=anchor(p.number),
            title=p.title,
            text=p.text,
            article=p.article,
            url=p.url,
            performed=p.performed.value,
            by=p.by,
            functions=tuple(f"{rule.module}.{rule.name}" for rule in book.rules_of(p)),
        )
        for p in book.text.paragraphs
    )
    kinds = [each.performed for each in paragraphs]
    return EditionPage(
        edition=_edition(book), series=of.name if of else None,
        before=row[at - 1] if at else None, after=row[at + 1] if at + 1 < len(row) else None,
        source=book.text.source, url=book.text.url, numbering=numbering(book),
        paragraphs=paragraphs,
        counts=tuple((kind, kinds.count(kind)) for kind in dict.fromkeys(kinds)),
        parameters=tuple(
            Parameter(key, shown(value), book.settings.docs[key])
            for key, value in book.parameters._asdict().items()
        ),
        amendments=tuple(within(book)),
        readings=tuple(
            Reading(r.id, r.question, r.taken, r.why, r.parameter) for r in book.text.readings
        ),
        tables=tuple(Table(t.title, t.columns, t.rows) for t in book.text.tables),
        examples=tuple(_line(n, x) for n, x in enumerate(book.text.examples, 1)),
    )  # fmt: skip


def _is_in(name: str, family: Family) -> bool:
    return any(each.name == name for each in family.editions)


def _line(number: int, example: Example) -> ExampleLine:
    return ExampleLine(number, example.title, example.source, tuple(example.expected.items()))


def paragraphs_table(
    page: EditionPage | SeriesPage,
) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The paragraphs of an edition, or the timeline of a series, as a table."""
    if isinstance(page, SeriesPage):
        return ("from", "edition", "what"), page.timeline
    columns = ("number", "article", "title", "text", "performed", "by", "functions")
    rows = [
        (p.number, p.article, p.title, p.text, p.performed, p.by, " ".join(p.functions))
        for p in page.paragraphs
    ]
    return columns, rows


@dataclass(frozen=True)
class Step:
    """A step of a derivation."""

    game: str
    """Of which game it is; empty where it is the same as above, or none."""
    paragraph: str
    anchor: str
    article: str
    text: str


def steps_of(rated: RatedRow) -> tuple[Step, ...]:
    """A derivation as one reads it."""
    found, game = [], None
    for step in in_order_of_rounds(rated.explanation):
        about = step.game if step.game and step.game != game else ""
        game = step.game
        place = anchor(step.paragraph)
        found.append(Step(about or "", step.paragraph, place, step.article, step.told))
    return tuple(found)


@dataclass(frozen=True)
class Derived:
    """What comes out for a player, step by step."""

    player: str
    before: float | None
    after: float | None
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class ExamplePage:
    """A worked example, rated here."""

    edition: str
    number: int
    count: int
    title: str
    source: str
    players: tuple[Derived, ...]
    report: str


@cache
def example(name: str, number: int) -> ExamplePage:
    """An example of an edition, rated by the functions that rate everything."""
    book = _book(name)
    examples = () if isinstance(book, Series) else book.text.examples
    if isinstance(book, Series) or not 1 <= number <= len(examples):
        raise refuse(
            "office.no-example", _("{name} has no worked example {n}.").format(name=name, n=number),
            _("Its page has them all.") if examples else _("Its editions may have some."),
        )  # fmt: skip
    chosen = examples[number - 1]
    players = []
    for rated in rated_example(book, chosen):
        row = rated.row
        players.append(Derived(row.name or row.id, row.before, row.after, steps_of(rated)))
    return ExamplePage(
        name, number, len(examples), chosen.title, chosen.source, tuple(players),
        json.dumps(chosen.document, ensure_ascii=False, indent=1),
    )  # fmt: skip
