"""An event: who met whom, with what came of it; its findings, its source, its corrections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db.models import F

from ratingbook.desk.birth_dates import finding_without_birth_date
from ratingbook.desk.cross_table import (
    NOTATIONS,
    CrossTable,
    Line,
    Meeting,
    cross_tables,
)
from ratingbook.engine.rate import RatedRow
from ratingbook.formats.document.read import report_from
from ratingbook.model import (
    Entry,
    Finding,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
    Standing,
    StandingStatus,
)
from ratingbook.office.acts import states
from ratingbook.office.acts.corrections import PUBLISHED
from ratingbook.office.acts.entering import document_of
from ratingbook.office.acts.people import merges, names_of
from ratingbook.office.engine import standing_fields
from ratingbook.office.logic.corrections import sentences
from ratingbook.office.logic.feeding import fixed
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.rules.book import Row
from ratingbook.site.answers import Table
from ratingbook.site.shown.pools import Published, published

CELLS = 420
"""Of a cross table on one page: a cell is some 200 bytes, a page at most 150 kB."""
_LEAST_LINES = 10
_MOST_FINDINGS = 12
_RESULTS = {0: Result.BLACK_WINS, 1: Result.DRAW, 2: Result.WHITE_WINS, None: Result.NONE}
_HALVES = {result: half for half, result in _RESULTS.items()}
_NOT_RATED = (GameStatus.FORFEIT, GameStatus.CANCELLED, GameStatus.BYE)
GRID, AGA = "grid", "aga"


@dataclass(frozen=True)
class Cell:
    """A round of a player; ``text`` in the chosen notation, else rank, colour and result."""

    title: str
    opponent: int | None
    colour: str
    result: str
    is_rated: bool
    text: str


@dataclass(frozen=True)
class LineShown:
    """A player's line."""

    number: int
    person: int | None
    name: str
    title: str
    federation: str
    before: float | None
    after: float | None
    change: float | None
    points: float
    key: str
    """Of the batch in which it was rated; empty: it was not."""
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class SectionShown:
    """A section of the event, or one event of a report of several."""

    number: int
    name: str
    pool: int | None
    pool_name: str
    decimals: int
    by_lists: bool
    day: date | None
    """Of the batch."""
    rulebook: str
    run: int | None
    in_order_of_report: bool
    rounds: tuple[int | None, ...]
    lines: tuple[LineShown, ...]
    count: int
    """Players, of all pages."""
    rated_games: int
    first: int
    """The place of the first line of the page, from 0."""
    per_page: int
    aga: tuple[str, ...]
    """Games as the American Go Association writes them, where that is asked for."""


@dataclass(frozen=True)
class FindingShown:
    """What a check noticed."""

    severity: str
    message: str
    remedy: str


@dataclass(frozen=True)
class CorrectionOf:
    """A correction of something of the event."""

    number: int
    says: tuple[str, ...]
    day: date


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
    section: SectionShown | None
    notation: str
    notations: tuple[tuple[str, str], ...]
    findings: tuple[FindingShown, ...]
    more_findings: int
    version: int
    format: str
    received: date
    sha256: str
    corrections: tuple[CorrectionOf, ...]
    page: int
    pages: int


@dataclass(frozen=True)
class _Rows:
    """What is read of an event at once."""

    version: m.ReportVersion
    sections: Sequence[m.Section]
    runs: Mapping[int, Published]
    """By section: the pool that has rated it."""


def event(
    report: int, section: int | None = None, notation: str | None = None, page: int = 1
) -> Event:
    """The page of a report; refused where there is none."""
    rows = _rows(report)
    version = rows.version
    document = document_of(version)
    said = document.get("event", {})
    state = states.PUBLISHED if rows.runs else states.least(
        states.states([each.id for each in rows.sections]).values()
    )  # fmt: skip
    tables = _tables(rows, document) if rows.runs else []
    chosen = min(section or 0, len(tables) - 1) if tables else None
    shown, known, pages = None, notation or "", 1
    options = tuple((each.key, each.name.partition(":")[0]) for each in NOTATIONS)
    if chosen is not None and chosen >= 0:
        table, one = tables[chosen]
        known = notation if notation in {GRID, AGA, *(key for key, _ in options)} else GRID
        shown = _section(table, one, chosen, known, max(page, 1))
        pages = max(1, -(-shown.count // shown.per_page))
    findings = _findings(version, _hidden_names(tables))
    steps = {each.correction_id: each for each in _corrections(report)}
    facts = {version.fact, *(each.fact for each in steps.values())}
    days = dict(m.Fact.objects.filter(seq__in=facts).values_list("seq", "at"))
    return Event(
        report=report, name=str(said.get("name") or version.file_name),
        place=str(said.get("place") or ""), federation=str(said.get("federation") or ""),
        start=min((s.start for s in rows.sections if s.start), default=None),
        end=max((s.end for s in rows.sections if s.end), default=None),
        kind=str(said.get("kind") or ""), time_control=str(said.get("time_control") or ""),
        state=state,
        sections=tuple((at, table.section or table.event or "") for at, (table, _) in
                       enumerate(tables)),
        section=shown, notation=known, notations=((GRID, "19 w 1"), *options, (AGA, "AGA")),
        findings=findings[:_MOST_FINDINGS], more_findings=max(0, len(findings) - _MOST_FINDINGS),
        version=version.number, format=version.format,
        received=days[version.fact].date(), sha256=version.blob_id,
        corrections=tuple(
            CorrectionOf(number, tuple(sentences(each.correction.contents)), days[each.fact].date())
            for number, each in sorted(steps.items())
        ),
        page=min(max(page, 1), pages),
        pages=pages,
    )  # fmt: skip


def table(shown: Event) -> Table:
    """The cross table of the section, a column for each round."""
    one = shown.section
    rounds = [f"round {each}" if each else "games" for each in one.rounds] if one else []
    columns = ("rank", "player", "name", "before", "after", "change", "points", *rounds)
    lines = one.lines if one else ()
    return Table(
        columns,
        [
            (line.number, line.person, line.name, line.before, line.after, line.change,
             line.points, *("; ".join(cell.text for cell in cells) for cells in line.cells))
            for line in lines
        ],
    )  # fmt: skip


def _rows(report: int) -> _Rows:
    """The version that is published, else the newest."""
    in_force = {each.run.id: each for each in published().values()}
    fed = dict(
        m.RunSection.objects.filter(
            run__in=list(in_force),
            section__in=m.Section.objects.filter(version__report=report).values("id"),
        ).values_list("section", "run")
    )
    sections = list(
        m.Section.objects.filter(version__report=report)
        .select_related("version")
        .order_by("version__number", "id")
    )
    if not sections:
        raise refuse("office.no-event", f"There is no event {report}.", "Look for its name.")
    rated = [each for each in sections if each.id in fed]
    version = (rated or sections)[-1].version
    own = [each for each in sections if each.version_id == version.id]
    return _Rows(version, own, {n: in_force[run] for n, run in fed.items()})


def _tables(rows: _Rows, document: dict[str, Any]) -> list[tuple[CrossTable, _Rated]]:
    """The cross tables of the report with the numbers that are published."""
    one = next(iter(rows.runs.values()))
    try:
        report = report_from(document, standing_fields(one.rules))
    except ValueError:
        return []
    merged = merges()
    links = {
        number: merged.get(person, person)
        for number, person in m.Link.objects.filter(
            entry__version=rows.version.id, revoked_by__isnull=True
        ).values_list("entry__number", "person")
    }
    names = names_of(links.values())
    report = _as_it_is(report, rows.version, links, names)
    batches = _batches(rows)
    changes = _changes(set(batches.values()), set(links.values()))
    found = []
    by_section = {each.name: each for each in rows.sections if each.id in rows.runs}
    rated_rows = []
    for entry in report.entries:
        for name, section in by_section.items():
            of = rows.runs[section.id]
            row = changes.get((batches[section.id], links.get(entry.id, 0)))
            if row is not None:
                rated_rows.append(_rated_row(report, entry, name or None, row, of))
    book = one.rules.book()
    several = len(by_section) > 1
    if not several:
        rated_rows = [replace(r, row=replace(r.row, section=None)) for r in rated_rows]
    for each in cross_tables(report, book, rated_rows):
        section = by_section.get(each.section or "") or next(iter(by_section.values()))
        of = rows.runs[section.id]
        found.append((each, _Rated(section, of, batches[section.id], links)))
    return found


@dataclass(frozen=True)
class _Rated:
    section: m.Section
    by: Published
    batch: tuple[int, str]
    links: Mapping[str, int]


def _batches(rows: _Rows) -> dict[int, tuple[int, str]]:
    """Pool and key of the batch of each section: a list, a section, or the whole event."""
    own = [(each, rows.runs[each.id]) for each in rows.sections if each.id in rows.runs]
    named = {f"{each.event}#{each.name}" for each, one in own if each.name and not one.by_lists}
    known = set[tuple[int, str]]()
    if named:
        batches = m.Batch.objects.filter(key__in=sorted(named))
        known = set(batches.values_list("pool", "key"))
    found = {}
    for each, one in own:
        pool, key = one.pool.id, f"{each.event}#{each.name}"
        if one.by_lists:
            key = str(one.list_of(each.end)) if each.end else ""
        elif (pool, key) not in known:
            key = each.event
        found[each.id] = (pool, key)
    return found


def _changes(
    batches: Iterable[tuple[int, str]], people: Iterable[int]
) -> dict[tuple[tuple[int, str], int], tuple[float | None, float | None, int, float]]:
    """By batch and person: before, after, games and score, as they are published."""
    wanted = sorted(batches)
    found: dict[tuple[tuple[int, str], int], dict[int, tuple[Any, ...]]] = {}
    rows = (
        m.Change.objects.filter(
            batch__pool__in=sorted({pool for pool, _ in wanted}),
            batch__key__in=sorted({key for _, key in wanted}),
            run__publication__seq__lte=F("batch__pool__head"), person__in=sorted(set(people)),
        )
        .order_by("turn", "run__publication__seq")
        .values_list("batch__pool", "batch__key", "person", "turn", "before", "after", "games",
                     "score", "gone")
    )  # fmt: skip
    for pool, key, person, turn, *numbers in rows:
        found.setdefault(((pool, key), person), {})[turn] = tuple(numbers)
    said = {}
    for at, turns in found.items():
        hold = [numbers for numbers in turns.values() if not numbers[-1]]
        if hold:
            games, score = sum(n[2] for n in hold), sum(n[3] for n in hold)
            said[at] = (hold[0][0], hold[-1][1], games, score)
    return said


def _rated_row(
    report: Report, entry: Entry, section: str | None, row: tuple[Any, ...], one: Published
) -> RatedRow:
    before, after, games, score = row
    counted = tuple(game for game in report.games if _counts(game, entry.id))
    before, after = one.rounded(before), one.rounded(after)
    made = Row(
        entry.id, entry.name, section, before, after, after, games, score, None,
        StandingStatus.ESTABLISHED, True, Standing(after),
    )  # fmt: skip
    return RatedRow(made, counted=counted)


def _counts(game: Game, player: str) -> bool:
    """Whether a game was to be rated for a player."""
    if player not in (game.white, game.black) or game.status in _NOT_RATED or not game.black:
        return False
    return game.white_rated if player == game.white else game.black_rated


def _as_it_is(
    report: Report, version: m.ReportVersion, links: Mapping[str, int], names: Mapping[int, str]
) -> Report:
    """The report with the corrections that hold, and everybody by the name that the office has."""
    entries = tuple(
        replace(entry, name=names.get(links[entry.id], entry.name)) if entry.id in links else entry
        for entry in report.entries
    )
    fixes: dict[str, list[Mapping[str, Any]]] = {}
    for key, said in (
        m.GameFix.objects.filter(
            stable_key__in=m.Game.objects.filter(version=version).values("stable_key"),
            revoked_by__isnull=True,
        ).order_by("fact", "id").values_list("stable_key", "said")
    ):  # fmt: skip
        fixes.setdefault(key, []).append(said)
    if not fixes:
        return replace(report, entries=entries)
    keys = dict(m.Game.objects.filter(version=version).values_list("number", "stable_key"))
    number, games = 0, dict[int, Game]()
    # As the intake counts them: section by section, in each event by event.
    for section in report.sections():
        of_events: dict[str | None, list[Game]] = {}
        for game in section.games:
            of_events.setdefault(game.event, []).append(game)
        for game in (each for some in of_events.values() for each in some):
            if game.black is None:
                continue
            number += 1
            for said in fixes.get(keys.get(number, ""), ()):
                games[id(game)] = _fixed(games.get(id(game), game), said)
    return replace(
        report, entries=entries, games=tuple(games.get(id(game), game) for game in report.games)
    )


def _fixed(game: Game, said: Mapping[str, Any]) -> Game:
    rated = {(True, True): "both", (True, False): "white", (False, True): "black"}
    row = fixed(
        {
            "white": game.white, "black": game.black, "half": _HALVES.get(game.result),
            "status": game.status.value,
            "rated": rated.get((game.white_rated, game.black_rated), "none"),
        },
        said,
    )  # fmt: skip
    return replace(
        game, white=row["white"], black=row["black"], result=_RESULTS[row["half"]],
        status=GameStatus(row["status"]), white_rated=row["rated"] in ("both", "white"),
        black_rated=row["rated"] in ("both", "black"),
    )  # fmt: skip


def _section(shown: CrossTable, of: _Rated, number: int, notation: str, page: int) -> SectionShown:
    per_page = max(_LEAST_LINES, CELLS // max(len(shown.rounds), 1))
    pages = max(1, -(-len(shown.lines) // per_page))
    first = (min(page, pages) - 1) * per_page
    by, (_, key) = of.by, of.batch
    games = {g for line in shown.lines if line.rated for g in line.rated.counted}
    return SectionShown(
        number=number, name=shown.section or shown.event or "", pool=by.pool.id,
        pool_name=by.pool.name, decimals=by.decimals, by_lists=by.by_lists,
        day=date.fromisoformat(key) if by.by_lists and key else of.section.end,
        rulebook=by.run.rulebook, run=by.run.id,
        in_order_of_report=shown.in_order_of_report, rounds=shown.rounds,
        lines=tuple(
            _line(line, of, notation) for line in shown.lines[first : first + per_page]
        ),
        count=len(shown.lines), rated_games=len(games), first=first, per_page=per_page,
        aga=_aga(shown) if notation == AGA else (),
    )  # fmt: skip


def _line(line: Line, of: _Rated, notation: str) -> LineShown:
    row = line.rated.row if line.rated else None
    before, after = (row.before, row.after) if row else (None, None)
    return LineShown(
        number=line.number, person=of.links.get(line.entry.id), name=line.entry.name,
        title=line.entry.title or "", federation=line.entry.federation or "", before=before,
        after=after, change=of.by.change(before, after), points=line.points,
        key=of.batch[1] if row else "",
        cells=tuple(tuple(_cell(each, notation) for each in cell) for cell in line.cells),
    )  # fmt: skip


def _cell(meeting: Meeting, notation: str) -> Cell:
    write = next((each.write for each in NOTATIONS if each.key == notation), None)
    result = meeting.sign("1", "½", "0", "–")
    if meeting.forfeit:
        result = meeting.sign("+", "=", "−", "−")
    plain = f"bye {result}"
    if not meeting.bye:
        plain = f"{meeting.opponent} {meeting.colour.value[0]} {result}"
    return Cell(
        meeting.title, meeting.opponent, meeting.colour.value, result, meeting.rated,
        write(meeting) if write else plain,
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


def _hidden_names(tables: Sequence[tuple[CrossTable, _Rated]]) -> bool:
    """Whether somebody of the event is shown by a token only."""
    return any(
        line.entry.name == f"Player {of.links.get(line.entry.id)}"
        for shown, of in tables
        for line in shown.lines
    )


def _findings(version: m.ReportVersion, hides: bool) -> tuple[FindingShown, ...]:
    """What checks noticed, without birth dates; nothing where a name in it is not to be seen."""
    if hides:
        return ()
    found = []
    for each in version.findings:
        finding = finding_without_birth_date(
            Finding(each["code"], Severity(each["severity"]), each["message"], Place(),
                    each.get("remedy") or "")
        )  # fmt: skip
        found.append(FindingShown(finding.severity.value, finding.message, finding.remedy))
    return tuple(found)


def _corrections(report: int) -> list[m.CorrectionStep]:
    """The published corrections that were asked for of the event: the steps by which they are."""
    asked = m.FactSubject.objects.filter(
        kind="report", subject=str(report), fact__kind="correction asked"
    )
    steps = m.CorrectionStep.objects.filter(
        state=PUBLISHED, correction__made_by__in=asked.values("fact")
    )
    return list(steps.select_related("correction").order_by("fact"))
