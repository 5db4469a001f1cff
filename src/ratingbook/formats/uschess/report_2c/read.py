"""The three files of a 2C report become one report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.uschess.games import section_games
from ratingbook.formats.uschess.report_2c import layout
from ratingbook.formats.uschess.report_2c.event import read_event
from ratingbook.formats.uschess.report_2c.players import read_rows
from ratingbook.formats.uschess.report_2c.sections import Section, read_sections
from ratingbook.formats.uschess.report_2c.tables import Record, Table, read_table
from ratingbook.formats.uschess.rows import Dates, Row, entries, with_ids
from ratingbook.model import Event, Findings, Place, Report, SectionHead, Severity
from ratingbook.model.sentences import sentence

EVENT_NUMBER = Remark(
    "uschess.event-number",
    Severity.ERROR,
    "The three files are of different events",
    "Export the three files anew, together.",
)
TOO_FEW_SECTIONS = Remark(
    "uschess.sections",
    Severity.ERROR,
    "Sections are missing: the header declares more (H_TOT_SECT) than TSEXPORT.DBF has",
    "Export the three files anew, together.",
)
MORE_SECTIONS = Remark(
    "uschess.sections",
    Severity.WARNING,
    "There are more sections than the header declares (H_TOT_SECT)",
    "Correct H_TOT_SECT; US Chess refuses the report otherwise.",
)
NO_GAMES = Remark(
    "uschess.no-games",
    Severity.WARNING,
    "The report holds no game",
    "Export the report again after the results were entered.",
)
_TOGETHER = sentence(
    "Put THEXPORT.DBF, TSEXPORT.DBF and TDEXPORT.DBF of the event into one folder."
)


def read_2c(path: Path) -> tuple[Report | None, Findings]:
    """The report in a folder, or beside the file, at ``path``, with everything that was noticed.

    The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    findings = Findings()
    tables = _tables(path if path.is_dir() else path.parent, findings)
    if findings.refused:
        return None, findings
    notes = Notes()
    event = tables[layout.EVENT].records[0]
    sections = read_sections(tables[layout.SECTIONS].records, notes)
    _check_sections(event, len(tables[layout.SECTIONS].records), notes)
    _check_event_numbers(tables, notes)
    report = _report(read_event(event, list(sections.values()), notes), sections, tables, notes)
    findings.extend(notes.findings())
    return report, findings


def _tables(folder: Path, findings: Findings) -> dict[str, Table]:
    """The three files, read; what refuses the report is noted for all of them."""
    tables = {}
    try:
        files = layout.files_in(folder)
    except OSError as error:
        reason = sentence("The folder cannot be read: {why}.", why=error.strerror or error)
        findings.add(
            Severity.FATAL,
            "file.unreadable",
            reason,
            remedy=sentence("Check that you may read it."),
        )
        return {}
    for name in layout.FILES:
        paths = files.get(name, [])
        if len(paths) == 1:
            tables[name] = read_table(paths[0], name)
            findings.extend(tables[name].findings)
            if not tables[name].findings.refused:
                _check_table(tables[name], name, findings)
        elif paths:
            names = " and ".join(path.name for path in paths)
            findings.add(
                Severity.FATAL,
                "uschess.two-files",
                sentence("The folder has {name} more than once: {names}.", name=name, names=names),
                Place(file=str(folder)),
                sentence("Keep the right one."),
            )
        else:
            findings.add(
                Severity.FATAL,
                "uschess.missing-file",
                sentence("{name} is missing; the three files are one report.", name=name),
                Place(file=str(folder)),
                _TOGETHER,
            )
    return tables


def _check_table(table: Table, name: str, findings: Findings) -> None:
    """Refuse a file that lacks columns or records that everything depends on."""
    place = Place(file=table.file)
    missing = [column for column in layout.NEEDED[name] if column not in table.columns]
    if missing:
        findings.add(
            Severity.FATAL,
            "uschess.columns",
            sentence("{name} has no column {missing}.", name=name, missing=", ".join(missing)),
            place,
            sentence("Export the report in the format 2C."),
        )
    elif not table.records:
        findings.add(
            Severity.FATAL,
            "uschess.no-records",
            sentence("{name} holds no record.", name=name),
            place,
            sentence("Export the report again when the results are entered."),
        )
    elif name == layout.EVENT and len(table.records) > 1:
        findings.add(
            Severity.FATAL,
            "uschess.several-events",
            sentence("{name} holds {n} events.", name=name, n=len(table.records)),
            place,
            sentence("Send each event with three files of its own."),
        )


def _check_sections(event: Record, count: int, notes: Notes) -> None:
    declared = event.whole("H_TOT_SECT")
    if declared is not None and declared != count:
        kind = TOO_FEW_SECTIONS if declared > count else MORE_SECTIONS
        notes.add(
            kind,
            sentence("{declared} declared, {count} found", declared=declared, count=count),
            event.place,
        )


def _check_event_numbers(tables: Mapping[str, Table], notes: Notes) -> None:
    """Compare the event's number in all records; before US Chess gives one it is blank."""
    header = tables[layout.EVENT].records[0].text("H_EVENT_ID")
    for name, column in ((layout.SECTIONS, "S_EVENT_ID"), (layout.PLAYERS, "D_EVENT_ID")):
        for record in tables[name].records:
            number = record.text(column)
            if number and header and number != header:
                what = sentence(
                    "{header} in {file}, {number} in {name}",
                    header=header,
                    file=layout.EVENT,
                    number=number,
                    name=name,
                )
                notes.add(EVENT_NUMBER, what, record.place)


def _report(
    event: Event, sections: Mapping[int, Section], tables: Mapping[str, Table], notes: Notes
) -> Report:
    rows = with_ids(read_rows(tables[layout.PLAYERS], sections, notes), notes)
    if event.pool is None:
        systems = {s.name: layout.SYSTEMS.get(s.system) for s in sections.values()}
        rows = [_in_own_pool(row, systems.get(row.section)) for row in rows]
    dates = {section.name: _dates(section, event) for section in sections.values()}
    games = [
        game
        for name in dict.fromkeys(row.section for row in rows)
        for game in section_games(
            [row for row in rows if row.section == name], dates.get(name, Dates()), notes
        )
    ]
    if event.rounds and any((game.round or 0) > event.rounds for game in games):
        # Rounds of two games each, or more rounds than are declared.
        event = replace(event, rounds=None)
    if not any(game.black for game in games):
        notes.add(NO_GAMES, sentence("all results are byes or unplayed"), Place(file=_file(tables)))
    heads = tuple(_head(section) for section in sections.values())
    return Report(event, entries(rows, notes), tuple(games), heads)


def _head(section: Section) -> SectionHead:
    """What the report says of the section itself."""
    return SectionHead(
        name=section.name,
        number=section.number,
        pool=layout.SYSTEMS.get(section.system),
        time_control=section.time_control or None,
        kind=section.kind,
        start=section.start,
        end=section.end,
    )


def _in_own_pool(row: Row, system: str | None) -> Row:
    """Where sections differ in their systems: a quick rating is none of the regular pool."""
    if row.standing is None or system not in layout.POOLS_OF_THEIR_OWN:
        return row
    return replace(row, standing=None, pools={system: row.standing})


def _file(tables: Mapping[str, Table]) -> str:
    return tables[layout.PLAYERS].file


def _dates(section: Section, event: Event) -> Dates:
    """The section's dates, where they are not the event's."""
    if (section.start, section.end) in ((None, None), (event.start, event.end)):
        return Dates()
    return Dates(section.start or event.start, section.end or event.end)
