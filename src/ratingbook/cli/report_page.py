"""``ratingbook rate --format html``: rated reports as one page that can be sent round.

The page asks for nothing from anywhere.  Names are text, never markup, and birth
dates never stand on it, nor numbers from which they could be computed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial
from itertools import groupby
from pathlib import Path

from jinja2 import Template
from markupsafe import Markup, escape

from ratingbook import __version__
from ratingbook.cli.change_picture import Picture, change_picture
from ratingbook.cli.pages import environment, inline
from ratingbook.desk.account import Account, accounts, sum_line
from ratingbook.desk.birth_dates import (
    finding_without_birth_date,
    step_without_birth_year,
    who_betrays_a_birth_date,
)
from ratingbook.desk.cross_table import (
    NOTATIONS,
    CrossTable,
    Line,
    Meeting,
    cross_tables,
    notation_of,
)
from ratingbook.desk.editions import numbering, validity
from ratingbook.desk.explained import NotOne, in_order_of_rounds, player_meant
from ratingbook.desk.rated import Rated
from ratingbook.desk.whole_event import whole_events
from ratingbook.desk.written import clean, fixed, points, rating_number
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Event, Finding, GameStatus, Place, Report, Severity
from ratingbook.model.sentences import Sentence
from ratingbook.rules.book import Row
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.text import Paragraph
from ratingbook.rules.wording import counted

Accounts = Mapping[tuple[str, str | None], Account]
"""By player and section."""
_REGISTERS = {
    "fide": ("FIDE", "https://ratings.fide.com/profile/{}"),
    "egd": ("EGD", "https://www.europeangodatabase.eu/EGD/Player_Card.php?key={}"),
    "uscf": ("US Chess", "https://ratings.uschess.org/player/{}"),
    "iccf": ("ICCF", "https://www.iccf.com/player?id={}"),
    "iecg": ("IECG", ""),
    "aga": ("AGA", ""),
    "local": ("Local", ""),
    "national": ("National", ""),
}
"""Registers of players: what a column is called, and where the player's page is."""
_LOT = 50
"""So many explanations stand together where there are more."""
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
    account: Account
    number: int | None
    """The player's number in the table."""
    groups: tuple[tuple[str | None, tuple[Step, ...]], ...]
    """The steps, those of a game together under its name."""

    @property
    def rated(self) -> RatedRow:
        """The row that is explained."""
        return self.account.rated


@dataclass(frozen=True, slots=True)
class SectionView:
    """What is printed and drawn of a cross table."""

    table: CrossTable
    heading: str
    register: str
    """Whose numbers of the players stand in a column; empty: nobody's."""
    name_of_k: str
    with_ids: bool
    """Whether the file has numbers of its own."""
    with_k: bool
    with_performance: bool
    with_average: bool
    with_grades: bool
    with_federations: bool
    has_unpublished: bool
    has_grades_before: bool
    """Whether somebody begins with the rating of a grade."""
    picture: Picture | None

    @property
    def register_name(self) -> str:
        """What the column of those numbers is called."""
        return _REGISTERS[self.register][0]


@dataclass(frozen=True, slots=True)
class ReportView:
    """One report on the page."""

    anchor: str
    book: BookOrSeries
    title: str
    line: tuple[str, ...]
    """What stands under the title."""
    facts: tuple[tuple[str, str], ...]
    refused: bool
    sections: tuple[SectionView, ...]
    derivations: tuple[Derivation, ...]
    anchors: Mapping[tuple[str, str | None], str]
    """Where each row is explained, by player and section."""
    accounts: Mapping[tuple[str, str | None], Account]
    findings: tuple[tuple[Severity, str, tuple[Finding, ...]], ...]


def page(rated: Sequence[Rated], book: BookOrSeries, player: str | None = None) -> str:
    """All reports on one page, in the order in which they were given; or one player's part of it.

    Raises :class:`~ratingbook.desk.explained.NotOne`.
    """
    style, style_hash = inline("style.css", "report.css")
    script, script_hash = inline("tables.js", "report.js")
    only = None if player is None else _called(rated, player)
    views = [
        _view(each, index, None if only is None else only[each.path])
        for index, each in enumerate(rated, 1)
        if only is None or each.path in only
    ]
    title = views[0].title if len(views) == 1 else f"{len(views)} reports"
    if only is not None:
        title = _title_of_person(views)
    paragraphs = _paragraphs_used(views)
    return _template().render(
        title=title,
        views=views,
        only=only is not None,
        with_tables=only is None and any(view.sections for view in views),
        lot=_LOT,
        notations=NOTATIONS,
        chosen=notation_of(book),
        paragraphs=paragraphs,
        places=_places_of(paragraphs, views),
        numberings={view.book.name: numbering(view.book.edition(None)) for view in views},
        few=_FEW_FINDINGS,
        wide=any(len(s.table.rounds) > _WIDE for view in views for s in view.sections),
        version=__version__,
        book=book.name,
        style=style,
        script=script,
        style_hash=style_hash,
        script_hash=script_hash,
        account_of=_account_of,
        card=_card,
        sum_line=sum_line,
    )


@cache
def _template() -> Template:
    """The template, with what it writes by: a filter is called in a third of a function's time."""
    own = environment().overlay()
    own.filters = {
        **own.filters,
        "after": _after,
        "change": _change,
        "clean": clean,
        "coefficient": _coefficient,
        "fixed": _fixed,
        "items": _items,
        "points": points,
        "rating": rating_number,
        "result": lambda meeting: meeting.sign("1", "½", "0", "–"),
        "rounds": _rounds,
        "whole": lambda value: "–" if value is None else fixed(value, 0),
    }
    return own.get_template("report.html")


def _called(rated: Sequence[Rated], player: str) -> dict[Path, frozenset[str]]:
    """Of each report that has the player, whom it means."""
    found, missing = dict[Path, frozenset[str]](), list[NotOne]()
    for each in rated:
        try:
            found[each.path] = frozenset({player_meant([*each.persons.values()], player).id})
        except NotOne as error:
            missing.append(error)
    if not found and missing:
        raise missing[0]
    return found


def _title_of_person(views: Sequence[ReportView]) -> str:
    """Who it is, and the event, or the number of events."""
    row = views[0].derivations[0].rated.row if views[0].derivations else None
    who = clean(row.name or f"player {row.id}") if row else ""
    where = views[0].title if len(views) == 1 else f"{len(views)} reports"
    return ": ".join(filter(None, (who, where)))


def _view(rated: Rated, index: int, only: frozenset[str] | None) -> ReportView:
    book = rated.rating.book
    rows = whole_events(rated.rating.rows, book)
    refused = rated.rating.findings.refused
    prefix = "" if index == 1 else f"report-{index}-"
    anchors = _anchors(rows, prefix)
    tables: tuple[CrossTable, ...] = ()
    if rated.report and not refused:
        tables = tuple(cross_tables(rated.report, rows))
    withheld = who_betrays_a_birth_date(rows, rated.persons)
    told = accounts(rows, tables, book, withheld)
    sections = tuple(_sections(tables, told))
    return ReportView(
        anchor=f"report-{index}",
        book=book,
        title=clean(rated.event.name or rated.path.name),
        line=tuple(_line(rated, book)),
        facts=tuple(_facts(rated, book)),
        refused=refused,
        sections=sections,
        derivations=tuple(
            each
            for each in _derivations(rows, tables, anchors, told, withheld)
            if only is None or each.rated.row.id in only
        ),
        anchors=anchors,
        accounts=told,
        findings=tuple(
            (severity, _SEVERITIES[severity], tuple(map(_to_send, found)))
            for severity, found in groupby(
                rated.rating.findings.joined(), lambda each: each.severity
            )
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


def _places_of(
    paragraphs: Mapping[str, Iterable[str]], views: Sequence[ReportView]
) -> dict[str, dict[str, str]]:
    """Of each edition the places of its paragraphs; their names are short: every step has one."""
    several = len({view.book.name for view in views}) > 1
    return {
        book: {
            number: f"p-{f'{_slug(book)}-' if several else ''}{_slug(number)}" for number in numbers
        }
        for book, numbers in paragraphs.items()
    }


def _line(rated: Rated, book: BookOrSeries) -> Iterator[str]:
    """What everybody wants to know first, in one line."""
    event, report = rated.event, rated.report
    place = " ".join(filter(None, (event.place, event.federation and f"({event.federation})")))
    if place:
        yield clean(place)
    if days := _days(event):
        yield days
    if report is not None and not rated.rating.findings.refused:
        games = {game for each in rated.rating.rows for game in each.counted}
        yield f"{counted(len(report.entries), 'player')}, {counted(len(games), 'rated game')}"
    yield f"rated by {book.name}"


def _days(event: Event) -> str:
    return " – ".join(str(day) for day in dict.fromkeys((event.start, event.end)) if day)


def _facts(rated: Rated, book: BookOrSeries) -> Iterator[tuple[str, str]]:
    """The head of a report: what was rated, and by what."""
    event, report = rated.event, rated.report
    days = _days(event)
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
    yield "Made on", date.today().isoformat()


def _counts(report: Report, rows: Sequence[RatedRow]) -> Iterator[tuple[str, str]]:
    names = [section.name for section in report.sections()]
    if len(names) > 1:
        yield "Sections", ", ".join(clean(name or "without a name") for name in names)
    yield "Players", str(len(report.entries))
    games = [game for game in report.games if game.black and game.status is not GameStatus.BYE]
    rated = {game for each in rows for game in each.counted}
    yield "Games", f"{len(games)}, of them {len(rated)} rated"


def _sections(tables: Iterable[CrossTable], told: Accounts) -> Iterator[SectionView]:
    drawn: set[str | None] = set()
    for table in tables:
        entries = [line.entry for line in table.lines]
        names = [clean(name) for name in (table.section, table.event) if name]
        rows = [line.rated.row for line in table.lines if line.rated]
        own = [told[row.id, row.section] for row in rows]
        register = next((r for r in _REGISTERS if any(entry.ids.get(r) for entry in entries)), "")
        yield SectionView(
            table=table,
            heading=", ".join(names) or "Cross table",
            register=register,
            name_of_k=own[0].name_of_k if own else "K",
            with_ids=any(
                line.entry.id not in (str(line.number), line.entry.ids.get(register))
                for line in table.lines
            ),
            with_k=any(each.coefficients for each in own),
            with_performance=any(row.performance is not None for row in rows),
            with_average=any(each.average is not None for each in own),
            with_grades=any(entry.grade for entry in entries),
            with_federations=any(entry.federation for entry in entries),
            has_unpublished=any(row.after is not None and not row.published for row in rows),
            has_grades_before=any(each.begins is not None and not each.begun for each in own),
            # The events of one section have one change in common; it is drawn with the first.
            picture=None
            if table.section in drawn
            else change_picture([replace(each.rated.row, before=each.before) for each in own]),
        )
        drawn.add(table.section)


def _derivations(
    rows: Sequence[RatedRow],
    tables: Sequence[CrossTable],
    anchors: Mapping[tuple[str, str | None], str],
    told: Accounts,
    withheld: frozenset[str],
) -> Iterator[Derivation]:
    """Each rated row once, in the order of the tables; then whoever stands in none."""
    lines = [line for table in tables for line in table.lines if line.rated]
    numbers = {(line.rated.row.id, line.rated.row.section): line.number for line in lines
               if line.rated}  # fmt: skip
    in_tables = [line.rated for line in lines if line.rated]
    ordered = {(each.row.id, each.row.section): each for each in (*in_tables, *rows)}
    for key, each in ordered.items():
        shown = () if each.row.id in withheld else each.explanation
        steps = in_order_of_rounds([step_without_birth_year(step) for step in shown])
        groups = tuple(_by_game(steps, told[key]))
        yield Derivation(anchors[key], told[key], numbers.get(key), groups)


def _by_game(
    steps: Iterable[Step], account: Account
) -> Iterator[tuple[str | None, tuple[Step, ...]]]:
    """The steps of each game under its name, by the numbers of the page where these tell it."""
    met = {game.meeting.game: game.meeting for game in account.games}
    for title, own in groupby(steps, lambda step: step.game):
        every = tuple(own)
        yield _numbered(title, met.get(every[0].about)), every


def _numbered(title: str | None, meeting: Meeting | None) -> str | None:
    """What a game is called, with the opponent's number on the page in place of the id."""
    if meeting is None or meeting.bye or not isinstance(title, Sentence):
        return title
    opponent = f"{meeting.opponent} {meeting.name}".rstrip()
    return Sentence.of(title.pattern, {**title.words, "opponent": opponent})


def _to_send(finding: Finding) -> Finding:
    """A finding without the folders of this machine, and without a birth date."""
    sent = replace(
        finding, where=_without_folder(finding.where), parts=tuple(map(_to_send, finding.parts)),
        places=tuple(map(_without_folder, finding.places)),
    )  # fmt: skip
    return finding_without_birth_date(sent)


def _without_folder(place: Place) -> Place:
    return replace(place, file=Path(place.file).name if place.file else None)


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


def _items(steps: Sequence[Step], links: Mapping[str, str]) -> Markup:
    """Steps as the items of a list; their texts are made harmless all at once.

    There are tens of thousands, and a template takes as long for each place in one.  A clean text
    has one line.
    """
    texts = str(escape("\n".join([clean(step.told) for step in steps]))).split("\n")
    frames = [_frame(step.paragraph, links.get(step.paragraph), step.article) for step in steps]
    items = [f"{each[0]}{text}{each[1]}" for each, text in zip(frames, texts, strict=True)]
    return Markup("".join(items))


@cache
def _frame(paragraph: str, link: str | None, article: str) -> tuple[str, str]:
    """What stands before the text of a step, and behind it."""
    name = escape(paragraph)
    place = f"<span>{name}</span>" if link is None else f'<a href="#{escape(link)}">{name}</a>'
    return f"<li>{place} ", f" <small>[{escape(article)}]</small></li>\n" if article else "</li>\n"


def _rounds(line: Line, chosen: int) -> Markup:
    """The rounds of a line as cells, of which there are thousands, too."""
    return Markup("".join(map(partial(_cell, chosen=chosen), line.cells)))


def _cell(meetings: Sequence[Meeting], chosen: int) -> str:
    """A round told in words and written in each notation; one sees the chosen one."""
    if not meetings:
        return '<td role="cell" class="round"></td>'
    written = [", ".join([f"{each.write(x)}{x.mark}" for x in meetings]) for each in NOTATIONS]
    texts = "; ".join([each.title for each in meetings]), "|".join(written), written[chosen]
    words, every, one = str(escape("\n".join(texts))).split("\n")
    return (
        f'<td role="cell" class="round {_kind_of_cell(meetings)}" title="{words}">'
        f'<span data-n="{every}">{one}</span></td>'
    )


def _kind_of_cell(meetings: Sequence[Meeting]) -> str:
    """How a cell looks: with the colour of what was rated, or not rated at all."""
    if not any(meeting.rated for meeting in meetings):
        return "unrated"
    return meetings[0].colour.value


def _account_of(view: ReportView, line: Line) -> Account | None:
    """The account of a line, if it was rated."""
    return view.accounts[line.rated.row.id, line.rated.row.section] if line.rated else None


def _change(account: Account | None) -> tuple[str, str]:
    """How a change looks, and the change: a first rating is new."""
    if account is None or account.rated.row.after is None:
        return "", "–"
    if account.change is None:
        return "first", "new"
    kind = "gain" if account.change > 0 else "loss" if account.change < 0 else ""
    return kind, rating_number(account.change, signed=True)


def _after(row: Row) -> str:
    """The new rating, in parentheses while it is not published."""
    after = rating_number(row.after)
    return after if row.published or row.after is None else f"({after})"


def _coefficient(account: Account | None) -> str:
    """K; of several each."""
    if account is None or not account.coefficients:
        return "–"
    return ", ".join(map(rating_number, account.coefficients))


def _fixed(value: float | None, *, signed: bool = False) -> str:
    """A number of a column, with two decimals."""
    if value is None:
        return "–"
    text = fixed(abs(value), 2)
    if float(text) == 0 or not signed:
        return text if value >= 0 or float(text) == 0 else f"−{text}"
    return ("+" if value > 0 else "−") + text


def _card(register: str, number: str) -> str:
    """The address of a player's page at the federation; empty where it has none."""
    address = _REGISTERS[register][1]
    return address.format(number) if address and number.isascii() and number.isdigit() else ""
