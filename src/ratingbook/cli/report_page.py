"""``ratingbook rate --format html``: rated reports as one page that can be sent round.

The page asks for nothing from anywhere.  Names are text, never markup, and birth
dates never stand on it, nor numbers from which they could be computed.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from ratingbook import __version__
from ratingbook.cli.birth_dates import (
    finding_without_birth_date,
    step_without_birth_year,
    who_betrays_a_birth_date,
)
from ratingbook.cli.change_picture import Picture, change_picture
from ratingbook.cli.cross_table import (
    NOTATIONS,
    CrossTable,
    Line,
    Meeting,
    cross_tables,
    notation_of,
)
from ratingbook.cli.rulebooks import numbering, validity
from ratingbook.cli.screen import clean, number, rating_number
from ratingbook.desk.explained import in_order_of_rounds
from ratingbook.desk.rated import Rated
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Finding, GameStatus, Report, Severity
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.text import Paragraph

_FEW_FINDINGS = 12
"""So many of a severity are unfolded."""
_WIDE = 7
"""With a table of more rounds the page is printed across the sheet."""
_SEVERITIES = {
    Severity.FATAL: "Fatal: the file cannot be read",
    Severity.ERROR: "Errors: the report is refused",
    Severity.WARNING: "Warnings: a person should look at this",
    Severity.INFO: "For the record: what was assumed or left out",
}


@dataclass(frozen=True, slots=True)
class Derivation:
    """A player's explanation on the page; without groups it is withheld."""

    anchor: str
    rated: RatedRow
    groups: tuple[tuple[str | None, tuple[Step, ...]], ...]
    """The steps, those of a game together under its name."""


@dataclass(frozen=True, slots=True)
class SectionView:
    """What is printed and drawn of a cross table."""

    table: CrossTable
    heading: str
    with_ids: bool
    with_grades: bool
    with_federations: bool
    has_unpublished: bool
    picture: Picture | None


@dataclass(frozen=True, slots=True)
class ReportView:
    """One report on the page."""

    anchor: str
    book: BookOrSeries
    title: str
    facts: tuple[tuple[str, str], ...]
    refused: bool
    sections: tuple[SectionView, ...]
    derivations: tuple[Derivation, ...]
    anchors: Mapping[tuple[str, str | None], str]
    """Where each row is explained, by player and section."""
    findings: tuple[tuple[Severity, str, tuple[Finding, ...]], ...]


def page(rated: Sequence[Rated], book: BookOrSeries) -> str:
    """All reports on one page, in the order in which they were given."""
    environment = Environment(
        loader=PackageLoader("ratingbook.cli"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = _source(environment, "style.css") + _source(environment, "report.css")
    script = _source(environment, "report.js")
    views = [_view(each, index) for index, each in enumerate(rated, 1)]
    return environment.get_template("report.html").render(
        title=views[0].title if len(views) == 1 else f"{len(views)} reports",
        views=views,
        notations=NOTATIONS,
        chosen=notation_of(book),
        paragraphs=_paragraphs_used(views),
        paragraph_anchor=_paragraph_anchor,
        numberings={view.book.name: numbering(view.book.edition(None)) for view in views},
        few=_FEW_FINDINGS,
        wide=any(len(s.table.rounds) > _WIDE for view in views for s in view.sections),
        version=__version__,
        book=book.name,
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
        clean=clean,
        number=number,
        rating=rating_number,
        written=_written,
        kind=_kind_of_cell,
        words=_words,
        points=_points,
        change=_change,
    )


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _hash(text: str) -> str:
    """What the content security policy calls an inline style or script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _view(rated: Rated, index: int) -> ReportView:
    book = rated.rating.book
    rows = rated.rating.rows
    refused = rated.rating.findings.refused
    prefix = "" if index == 1 else f"report-{index}-"
    anchors = _anchors(rows, prefix)
    tables = () if refused or not rated.report else cross_tables(rated.report, book, rows)
    sections = tuple(_sections(tables))
    return ReportView(
        anchor=f"report-{index}",
        book=book,
        title=clean(rated.event.name or rated.path.name),
        facts=tuple(_facts(rated, book)),
        refused=refused,
        sections=sections,
        derivations=tuple(_derivations(rated, sections, anchors)),
        anchors=anchors,
        findings=tuple(
            (severity, _SEVERITIES[severity], tuple(map(_to_send, found)))
            for severity, found in groupby(rated.rating.findings, lambda each: each.severity)
        ),
    )


def _anchors(rows: Iterable[RatedRow], prefix: str) -> dict[tuple[str, str | None], str]:
    """``player-12``; with the count behind it for a player of several sections."""
    seen: Counter[str] = Counter()
    anchors = {}
    for each in rows:
        name = f"{prefix}player-{_slug(each.row.id)}"
        seen[name] += 1
        anchors[each.row.id, each.row.section] = (
            name if seen[name] == 1 else f"{name}--{seen[name]}"
        )
    return anchors


def _slug(text: str) -> str:
    """A text that can stand in an address; different texts stay different."""
    return re.sub(r"[^A-Za-z0-9.-]", lambda found: f"_{ord(found[0]):x}_", text)


def _paragraph_anchor(book: str, paragraph: str) -> str:
    return f"paragraph-{_slug(book)}-{_slug(paragraph)}"


def _facts(rated: Rated, book: BookOrSeries) -> Iterator[tuple[str, str]]:
    """The head of a report: what was rated, and by what."""
    event, report = rated.event, rated.report
    days = " – ".join(str(day) for day in dict.fromkeys((event.start, event.end)) if day)
    place = " ".join(filter(None, (event.place, event.federation and f"({event.federation})")))
    said = {
        "Place": place,
        "Dates": days,
        "Time control": event.time_control,
        "Class": event.class_,
        "Officials": ", ".join(event.officials),
    }
    yield from ((label, clean(value)) for label, value in said.items() if value)
    yield "Rule book", f"{book.name}: {book.title}"
    yield "In force", validity(book)
    for name, value in book.non_default_parameters.items():
        yield "Parameter set", f"{name} = {value}"
    if report is not None and not rated.rating.findings.refused:
        yield from _counts(report, rated.rating.rows)
    yield "File", clean(rated.path.name)
    yield "Rated with", f"ratingbook {__version__}"


def _counts(report: Report, rows: Sequence[RatedRow]) -> Iterator[tuple[str, str]]:
    names = [section.name for section in report.sections()]
    if len(names) > 1:
        yield "Sections", ", ".join(clean(name or "without a name") for name in names)
    yield "Players", str(len(report.entries))
    games = [game for game in report.games if game.black and game.status is not GameStatus.BYE]
    counted = {game for each in rows for game in each.counted}
    yield "Games", f"{len(games)}, of them {len(counted)} rated"


def _sections(tables: Iterable[CrossTable]) -> Iterator[SectionView]:
    drawn: set[str | None] = set()
    for table in tables:
        entries = [line.entry for line in table.lines]
        names = [clean(name) for name in (table.section, table.event) if name]
        rows = [line.rated.row for line in table.lines if line.rated]
        yield SectionView(
            table=table,
            heading=", ".join(names) or "Cross table",
            with_ids=any(line.entry.id != str(line.number) for line in table.lines),
            with_grades=any(entry.grade for entry in entries),
            with_federations=any(entry.federation for entry in entries),
            has_unpublished=any(row.after is not None and not row.published for row in rows),
            # The events of one section have one change in common; it is drawn with the first.
            picture=None if table.section in drawn else change_picture(rows),
        )
        drawn.add(table.section)


def _derivations(
    rated: Rated, sections: Sequence[SectionView], anchors: Mapping[tuple[str, str | None], str]
) -> Iterator[Derivation]:
    """Each rated row once, in the order of the tables; then whoever stands in none."""
    lines = [line for section in sections for line in section.table.lines]
    in_tables = [line.rated for line in lines if line.rated]
    ordered = {(each.row.id, each.row.section): each for each in (*in_tables, *rated.rating.rows)}
    withheld = who_betrays_a_birth_date(rated.rating.rows, rated.persons)
    for key, each in ordered.items():
        shown = () if each.row.id in withheld else each.explanation
        steps = in_order_of_rounds([step_without_birth_year(step) for step in shown])
        groups = tuple((game, tuple(own)) for game, own in groupby(steps, lambda step: step.game))
        yield Derivation(anchors[key], each, groups)


def _to_send(finding: Finding) -> Finding:
    """A finding without the folders of this machine, and without a birth date."""
    file = finding.where.file
    where = replace(finding.where, file=Path(file).name if file else None)
    return finding_without_birth_date(replace(finding, where=where))


def _paragraphs_used(views: Iterable[ReportView]) -> dict[str, dict[str, Paragraph]]:
    """Of each edition the paragraphs that the explanations name, in its own order."""
    used: dict[str, set[str]] = {}
    books = {}
    for view in views:
        if isinstance(view.book, Series):
            # Nothing was rated, and so no edition chosen.
            continue
        books[view.book.name] = view.book
        used.setdefault(view.book.name, set()).update(
            step.paragraph
            for derivation in view.derivations
            for _, steps in derivation.groups
            for step in steps
        )
    return {
        name: named
        for name, book in books.items()
        if (
            named := {
                each.number: each for each in book.text.paragraphs if each.number in used[name]
            }
        )
    }


def _written(meetings: Sequence[Meeting]) -> list[str]:
    """A cell of a cross table in each notation."""
    return [", ".join(map(notation.write, meetings)) for notation in NOTATIONS]


def _kind_of_cell(meetings: Sequence[Meeting]) -> str:
    """How a cell looks: with the colour of what was rated, or not rated at all."""
    if not any(meeting.rated for meeting in meetings):
        return "unrated"
    return meetings[0].colour.value


def _words(meetings: Sequence[Meeting]) -> str:
    return "; ".join(meeting.title for meeting in meetings)


def _points(value: float) -> str:
    """Points as score tables print them: 3½."""
    whole, half = divmod(round(2 * value), 2)
    return ("½" if half and not whole else f"{whole}½") if half else str(whole)


def _change(line: Line) -> tuple[str, str]:
    """How a change looks, and the change: a first rating is new."""
    row = line.rated.row if line.rated else None
    if row is None or row.after is None:
        return "", "–"
    if row.change is None:
        return "first", "new"
    kind = "gain" if row.change > 0 else "loss" if row.change < 0 else ""
    return kind, rating_number(row.change, signed=True)
