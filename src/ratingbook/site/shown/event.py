"""An event: who met whom, with what came of it; its findings, its source, its corrections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import OuterRef, Q, Subquery
from django.utils.translation import gettext

from ratingbook.desk.birth_dates import is_of_birth_date
from ratingbook.desk.cross_table import (
    NOTATIONS,
    CrossTable,
    Line,
    Meeting,
)
from ratingbook.desk.language import Language
from ratingbook.desk.written import fixed
from ratingbook.model import (
    Finding,
    Place,
    Result,
    Severity,
)
from ratingbook.model.decimals import change_of
from ratingbook.model.making import QuicklyMade
from ratingbook.model.sentences import Sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.entering import document_of
from ratingbook.office.acts.masking import mask_for_public, masked_in
from ratingbook.office.acts.requests import PUBLISHED
from ratingbook.office.acts.taken_back import is_taken_back_by, undoing, with_backs
from ratingbook.office.logic.stored import told_again
from ratingbook.office.logic.versions import public_difference
from ratingbook.office.store import models as m
from ratingbook.site.answers import Table
from ratingbook.site.languages import SPOKEN, SpokenOnce
from ratingbook.site.shown.differences import Added, additions
from ratingbook.site.shown.event_report import OfBatch, Rated, Rows, rows_of, tables_in_force
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import saying_to_all
from ratingbook.site.shown.opposition import Opposition
from ratingbook.site.shown.substitutes import substituted, told

CELLS = 420
"""Of a cross table on one page: a cell is some 200 bytes, a page at most 150 kB."""
_LEAST_LINES = 10
_MOST_FINDINGS = 12
_OF_THE_OFFICE = "office."
"""Codes of what is not for the public."""
GRID, AGA = "grid", "aga"
_WRITE = {each.key: each.write for each in NOTATIONS}


@dataclass(frozen=True, slots=True)
class Cell(metaclass=QuicklyMade):
    """A round of a player; ``text`` in the chosen notation, else rank, colour and result."""

    title: str
    opponent: int | None
    colour: str
    result: str
    is_rated: bool
    text: str
    is_substituted: bool
    """Whether a substitute played it: the line does not have its point."""


@dataclass(frozen=True, slots=True)
class OnList(metaclass=QuicklyMade):
    """What a list made of a player's rating that took games of the event, as others did."""

    day: date
    """Of the list; by rules without lists the day of the games."""
    key: str
    decimals: int
    before: float | None
    after: float | None
    change: float | None
    is_published: bool
    """Else the rules do not publish the rating yet."""


@dataclass(frozen=True, slots=True)
class LineShown(metaclass=QuicklyMade):
    """A player's line."""

    number: int
    person: int | None
    name: str
    title: str
    federation: str
    began: float | None
    """With what the rules let a player begin who had no rating: with that of another pool."""
    before: float | None
    """With what the player went into the first list that took games of the player here."""
    after: float | None
    """With what the player came out of the last one."""
    change: float | None
    """None where these are several: between them other events may have been rated."""
    points: float
    expected: float | None
    """Of the rated games; None where the batch took games beside those of this table, too."""
    average: float | None
    """Of the numbers with which the opponents counted in the rated games of this table."""
    performance: float | None
    is_published: bool
    """Else it is rated, and the rules do not publish the rating yet."""
    key: str
    """Of the batch in which it was rated; empty: it was not, or in several."""
    lists: tuple[OnList, ...]
    """Those that took games of the player; empty where one list took all games of the event."""
    cells: tuple[tuple[Cell, ...], ...]

    @property
    def moved(self) -> float | None:
        """The change from where it began: of a first rating of games alone there is none."""
        return change_of(self.began, self.after) if self.change is None else self.change


@dataclass(frozen=True)
class Source:
    """The version of the report that a section is shown from."""

    version: int
    format: str
    received: date
    sha256: str
    """Of the report as it is kept, without birth dates: by that of its file one could try them."""


@dataclass(frozen=True)
class SectionShown:
    """A section of the event, or one event of a report of several."""

    number: int
    name: str
    pool: str
    decimals: int
    by_lists: bool
    day: date | None
    """Of the batch; of several of the last one."""
    days: tuple[date, ...]
    """Of all lists that took its games, by rules without lists of the games: where these are
    several, a line tells them apart."""
    rulebook: str
    edition: str
    """By which it was rated: one of those of the rule book."""
    run: int | None
    """In which the newest of its numbers came."""
    in_order_of_report: bool
    rounds: tuple[int | None, ...]
    lines: tuple[LineShown, ...]
    count: int
    """Players, of all pages."""
    rated_games: int
    first: int
    """The place of the first line of the page, from 0."""
    per_page: int
    with_average: bool
    """Whether opponents had ratings."""
    with_performance: bool
    """Whether the rule book knows one."""
    with_substitutes: bool
    """Whether a substitute played for somebody on the page."""
    aga: tuple[str, ...]
    """Games as the American Go Association writes them, where that is asked for."""
    source: Source
    """What it is shown from: an earlier version, if it stays rated as it was."""


@dataclass(frozen=True)
class FindingShown:
    """What a check noticed."""

    severity: str
    message: str
    remedy: str
    """For programs; pages that everybody sees tell nobody what the sender of the file is to do."""
    is_english: bool
    """Whether the language of the page does not know it."""


@dataclass(frozen=True)
class CorrectionOf:
    """A correction of something of the event."""

    number: int
    says: tuple[str, ...]
    day: date
    added: tuple[Added, ...]
    """What it added on lists; then the event stays as it was rated, else it is rated again."""
    taken_back_by: tuple[int, ...]
    """The published ones that take back what it said, all of it or a part."""


@dataclass(frozen=True)
class Event:
    """The page of an event."""

    report: int
    name: str
    place: str
    federation: str
    start: date | None
    end: date | None
    kind: str
    time_control: str
    state: str
    sections: tuple[tuple[int, str], ...]
    versions: tuple[int, ...]
    """Of each of these sections the version of the report that it is shown from."""
    section: SectionShown | None
    notation: str
    notations: tuple[tuple[str, str], ...]
    findings: tuple[FindingShown, ...]
    more_findings: int
    version: int
    """The newest of which something is shown."""
    before: int | None
    """The version that was published before it; None: none was."""
    otherwise: tuple[str, ...]
    """What is otherwise than in that one, as far as all may know."""
    format: str
    received: date
    sha256: str
    """Of the report as it is kept, without birth dates: by that of its file one could try them."""
    corrections: tuple[CorrectionOf, ...]
    page: int
    pages: int

    @property
    def tabs(self) -> tuple[tuple[int, str, int | None], ...]:
        """The sections, with their versions where these are several."""
        several = len({*self.versions}) > 1
        return tuple(
            (at, name, version if several else None)
            for (at, name), version in zip(self.sections, self.versions, strict=True)
        )


def event(
    report: int, section: int | None = None, notation: str | None = None, page: int = 1,
    lines: tuple[int, int] | None = None,
) -> Event:  # fmt: skip
    """The page of a report; refused where there is none.

    ``lines``: from which place on, and how many, where the lines of a page are not asked for.
    """
    versions = [(each, document_of(each.version)) for each in rows_of(report)]
    rows, document = versions[-1]
    source = _source(rows)
    said = document.get("event", {})
    state = states.PUBLISHED if rows.runs else states.least(
        states.states([each.id for each in rows.sections]).values()
    )  # fmt: skip
    tables = tables_in_force(versions) if rows.runs else []
    chosen = min(section or 0, len(tables) - 1) if tables else None
    shown, known, pages = None, notation or "", 1
    options = tuple((each.key, each.name.partition(":")[0]) for each in NOTATIONS)
    if chosen is not None and chosen >= 0:
        table, one = tables[chosen]
        # What was noticed is told of the version that is shown.
        rows, document = next(x for x in versions if x[0].version.id == one.section.version_id)
        known = notation if notation in {GRID, AGA, *(key for key, _ in options)} else GRID
        shown = _section(
            table, one, chosen, known, lines or _lines_of(table, max(page, 1)), _source(rows)
        )
        pages = 1 if lines else max(1, -(-shown.count // shown.per_page))
    every = [each for one, _ in versions for each in one.sections]
    masked = mask_for_public()
    # What was noticed in a report names people: it is public with what is rated of it.
    findings = _findings(rows.version, masked) if _is_rated(rows) else ()
    if replaced := substituted(rows, document):
        findings = (FindingShown("warning", told(len(replaced)), "", is_english=False), *findings)
    added = [each for each in additions() if report in each.reports]
    steps = _corrections(report, {each.correction for each in added})
    say = saying_to_all(each.correction for each in steps.values())
    takers = _takers(tuple(steps)) if steps else {}
    return Event(
        report=report, name=str(said.get("name") or states.name_of(rows.version, rows.sections)),
        place=str(said.get("place") or ""), federation=str(said.get("federation") or ""),
        start=min((s.start for s in every if s.start), default=None),
        end=max((s.end for s in every if s.end), default=None),
        kind=str(said.get("kind") or ""), time_control=str(said.get("time_control") or ""),
        state=state,
        sections=tuple((at, table.section or table.event or "") for at, (table, _) in
                       enumerate(tables)),
        versions=tuple(rated.section.version.number for _, rated in tables),
        section=shown, notation=known,
        notations=((GRID, gettext("rank, colour, result")), *options, (AGA, "AGA")),
        findings=findings[:_MOST_FINDINGS], more_findings=max(0, len(findings) - _MOST_FINDINGS),
        version=source.version, format=source.format, received=source.received,
        sha256=source.sha256,
        before=rows.before.number if rows.before else None,
        otherwise=_otherwise(rows.before, document, masked),
        corrections=tuple(
            CorrectionOf(
                number, tuple(say(number)),
                each.at.date(),
                tuple(x for x in added if x.correction == number),
                tuple(takers[number]),
            )
            for number, each in sorted(steps.items())
        ),
        page=min(max(page, 1), pages),
        pages=pages,
    )  # fmt: skip


def _source(rows: Rows) -> Source:
    version = rows.version
    return Source(
        version.number, version.format, rows.received.date(), version.document_sha256
    )  # fmt: skip


def _otherwise(
    before: m.ReportVersion | None, document: Mapping[str, Any], masked: Callable[[str], str]
) -> tuple[str, ...]:
    """What a report says otherwise than in the version that was published before it."""
    if before is None:
        return ()
    every = public_difference(document_of(before), document)
    return tuple(SPOKEN.told(masked_in(each, masked)) for each in every)


def _is_rated(rows: Rows) -> bool:
    """Whether a published run has rated something of it."""
    return bool(rows.runs)


def table(shown: Event) -> Table:
    """The cross table of the section, a column for each round."""
    one = shown.section
    rounds = [f"round {each}" if each else "games" for each in one.rounds] if one else []
    several = one is not None and len(one.days) > 1
    columns = (
        "rank",
        "player",
        "name",
        "before",
        "after",
        "change",
        "points",
        "expected",
        "average",
        "performance",
        *(["lists"] if several else []),
        *rounds,
    )
    lines = one.lines if one else ()
    return Table(
        columns,
        [
            (line.number, line.person, line.name, line.before, line.after, line.change,
             line.points, line.expected, line.average, line.performance,
             *([_in_a_row(line.lists)] if several else []),
             *("; ".join(cell.text for cell in cells) for cells in line.cells))
            for line in lines
        ],
    )  # fmt: skip


def _in_a_row(lists: Sequence[OnList]) -> str:
    """The day of each list with the ratings before and after; nothing in place of none."""
    return "; ".join(
        " ".join(
            [str(each.day), *("" if x is None else fixed(x, each.decimals)
                              for x in (each.before, each.after))]
        )
        for each in lists
    )  # fmt: skip


def _lines_of(shown: CrossTable, page: int) -> tuple[int, int]:
    """The first line of a page, and how many it has."""
    per_page = max(_LEAST_LINES, CELLS // max(len(shown.rounds), 1))
    pages = max(1, -(-len(shown.lines) // per_page))
    return (min(page, pages) - 1) * per_page, per_page


def _section(
    shown: CrossTable, of: Rated, number: int, notation: str, lines: tuple[int, int],
    source: Source,
) -> SectionShown:  # fmt: skip
    first, per_page = lines
    by, (_, key) = of.by, of.batches[-1]
    games = {g for line in shown.lines if line.rated for g in line.rated.counted}
    language = SpokenOnce()
    day = date.fromisoformat(key) if by.by_lists and key else of.section.end
    on_page = shown.lines[first : first + per_page]
    days = tuple(date.fromisoformat(each) for _, each in of.batches) if len(of.batches) > 1 else ()
    begun = of.begun(on_page)
    lines_shown = tuple(
        _line(line, of, against, begun, notation, language)
        for line, against in zip(on_page, of.oppositions(on_page), strict=True)
    )
    return SectionShown(
        number=number, name=shown.section or shown.event or "", pool=by.pool.name,
        decimals=by.decimals_on(day) if day else by.decimals,
        by_lists=by.by_lists, day=day, days=days or ((day,) if day else ()),
        rulebook=by.run.rulebook, edition=by.rules.book().edition(day).name, run=of.run,
        in_order_of_report=shown.in_order_of_report, rounds=shown.rounds,
        lines=lines_shown,
        count=len(shown.lines), rated_games=len(games), first=first, per_page=per_page,
        with_average=any(each.average is not None for each in lines_shown),
        with_performance=any(each.performance is not None for each in lines_shown),
        with_substitutes=any(
            each.is_substituted for line in lines_shown for cell in line.cells for each in cell
        ),
        aga=_aga(shown) if notation == AGA else (), source=source,
    )  # fmt: skip


def _line(
    line: Line, of: Rated, against: Opposition, begun: Mapping[str, float], notation: str,
    language: Language,
) -> LineShown:  # fmt: skip
    row = line.rated.row if line.rated else None
    # Whoever was not rated here went in with a rating, too, if there is one.
    before, after = (row.before, row.after) if row else (of.rating_of(line.entry.id), None)
    here = sum(each.rated for cell in line.cells for each in cell)
    made = of.made.get(line.entry.id, ()) if row else ()
    one = made[0] if len(made) == 1 else None
    return LineShown(
        number=line.number, person=of.links.get(line.entry.id), name=line.entry.name,
        title=line.entry.title or "", federation=line.entry.federation or "",
        began=begun.get(line.entry.id), before=before, after=after,
        change=None if len(made) > 1 else change_of(before, after), points=line.points,
        expected=row.expected if row and row.games == here else None,
        average=against.average, performance=against.performance,
        is_published=row is None or row.published,
        key=one.key if one else "",
        lists=tuple(_on_list(each, of) for each in made) if len(of.batches) > 1 else (),
        cells=tuple(tuple(_cell(each, notation, language) for each in cell) for cell in line.cells),
    )  # fmt: skip


def _on_list(made: OfBatch, of: Rated) -> OnList:
    day = date.fromisoformat(made.key)
    return OnList(
        day, made.key, of.by.decimals_on(day), made.before, made.after,
        change_of(made.before, made.after), made.is_published,
    )  # fmt: skip


def _cell(meeting: Meeting, notation: str, language: Language) -> Cell:
    write = _WRITE.get(notation)
    result = meeting.sign("1", "½", "0", "–")
    if meeting.forfeit:
        result = meeting.sign("+", "=", "−", "−")
    if write is not None:
        text = write(meeting)
    elif meeting.bye:
        text = language.gettext("bye {result}").format(result=result)
    else:
        text = f"{meeting.opponent} {meeting.colour.value[0]} {result}"
    return Cell(
        meeting.told(language), meeting.opponent, meeting.colour.value, result, meeting.rated,
        f"{text}{meeting.mark}", meeting.substituted,
    )  # fmt: skip


def _aga(shown: CrossTable) -> tuple[str, ...]:
    """``white black result handicap komi`` by the numbers of the table; no report has the komi."""
    numbers, seen, lines = shown.numbers, set[int](), []
    for line in shown.lines:
        for meeting in (each for cell in line.cells for each in cell):
            game = meeting.game
            if game is None or id(game) in seen or not game.black or meeting.half_points is None:
                continue
            seen.add(id(game))
            won = {Result.WHITE_WINS: "w", Result.BLACK_WINS: "b"}.get(game.result)
            if won and game.white in numbers and game.black in numbers:
                lines.append(f"{numbers[game.white]} {numbers[game.black]} {won} {game.handicap} 0")
    return tuple(lines)


def _findings(version: m.ReportVersion, mask: Callable[[str], str]) -> tuple[FindingShown, ...]:
    """What checks noticed, without suppressed names.

    What the office asks itself, such as who somebody is, is told at its desk only, and so is what
    is said of a birth date.
    """
    found = []
    for each in map(told_again, version.findings):
        if each["code"].startswith(_OF_THE_OFFICE):
            continue
        finding = Finding(
            each["code"], Severity(each["severity"]), each["message"], Place(),
            each.get("remedy") or "",
        )  # fmt: skip
        if is_of_birth_date(finding):
            continue
        shown = [_masked(text, mask) for text in (finding.message, finding.remedy)]
        message, remedy = map(SPOKEN.told, shown)
        found.append(FindingShown(finding.severity.value, message, remedy, message == shown[0]))
    return tuple(found)


def _masked(text: str, mask: Callable[[str], str]) -> str:
    return text.changed(mask) if isinstance(text, Sentence) else mask(text)


def _corrections(report: int, besides: Collection[int]) -> dict[int, Any]:
    """The published corrections that were asked for of the event, and some others, by number.

    The steps by which they are published, which know when that was (``at``).
    """
    facts = _asked().get(str(report), ())
    if not facts and not besides:
        return {}
    wanted = Q(correction__made_by__in=facts) | Q(correction__in=besides)
    steps: Any = (
        m.CorrectionStep.objects.filter(wanted, state=PUBLISHED)
        .select_related("correction")
        .annotate(at=Subquery(m.Fact.objects.filter(seq=OuterRef("fact")).values("at")))
    )
    return {each.correction_id: each for each in steps.order_by("fact")}


@by_ledger
def _takers(numbers: tuple[int, ...]) -> Mapping[int, Sequence[int]]:
    """Of some published corrections those that take back what they said, published as well."""
    steps = m.CorrectionStep.objects.filter(state=PUBLISHED)
    some = m.Correction.objects.filter(undoing(numbers) | Q(id__in=numbers))
    every = with_backs(some.filter(id__in=steps.values("correction"))).order_by("id")
    known = {each.id: each for each in every}
    return {
        one: [x.id for x in known.values() if is_taken_back_by(known[one], x)] for one in numbers
    }


@by_ledger
def _asked() -> Mapping[str, Sequence[int]]:
    """By report the facts by which corrections were asked for that are published.

    What is asked of a whole event names its sections, not its report.
    """
    steps = m.CorrectionStep.objects.filter(state=PUBLISHED)
    subjects = m.FactSubject.objects.filter(
        kind__in=("report", "section"), fact__in=steps.values("correction__made_by"),
        fact__kind="correction asked",
    )  # fmt: skip
    rows = list(subjects.values_list("kind", "subject", "fact"))
    sections = [int(subject) for kind, subject, _ in rows if kind == "section"]
    reports = dict(
        m.Section.objects.filter(id__in=sections).values_list("id", "version__report")
        if sections else ()
    )  # fmt: skip
    found: dict[str, list[int]] = {}
    for kind, subject, fact in rows:
        report = subject if kind == "report" else str(reports.get(int(subject), ""))
        if fact not in found.setdefault(report, []):
            found[report].append(fact)
    return found
