"""A report becomes the three files of a 2C report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ratingbook.formats.tools.characters import in_letters_of, one_line
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.written import Written
from ratingbook.formats.uschess.report_2c import layout
from ratingbook.formats.uschess.report_2c.dbase import dbase_file
from ratingbook.formats.uschess.report_2c.members import (
    directors,
    federation_country,
    ids_read_back,
    member_numbers,
)
from ratingbook.formats.uschess.report_2c.pairings import PlayerRow, last_round, player_rows
from ratingbook.formats.uschess.rows import UNKNOWN_MEMBER
from ratingbook.model import Entry, Event, Place, Report, Section, SectionHead, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence
from ratingbook.rules.rounding import as_published

CUT = Remark(
    "uschess.cut",
    Severity.WARNING,
    "Texts were cut, because the columns of the format are shorter",
    "Look whether what is left can be understood; shorten the text yourself otherwise.",
)
LETTERS = Remark(
    "uschess.letters",
    Severity.WARNING,
    "Letters that the format does not have were replaced by others",
    "Look whether the names can be understood.",
)
NO_COMMA = Remark(
    "uschess.name",
    Severity.WARNING,
    "Names are not written as LAST, FIRST; they were written as they are",
    "Put a comma behind the family name.",
)
NO_DATES = Remark(
    "event.no-dates",
    Severity.WARNING,
    "The event's dates are not complete",
    "Add the first and the last day to the report; US Chess refuses it otherwise.",
)
SYSTEM = Remark(
    "uschess.system",
    Severity.WARNING,
    "The rating system of sections is not known, or has no letter in the format; R (regular) was "
    "written",
    "Say in the report in which system each section is rated.",
)
KIND = Remark(
    "event.kind",
    Severity.INFO,
    "The type of sections has no letter in the format; S (Swiss) was written",
    "Nothing to do, unless it is a match or a round robin.",
)
RATING = Remark(
    "uschess.rating",
    Severity.WARNING,
    "Ratings that are no whole numbers of up to four digits were rounded, or left out as 0",
    "Rate the report with a players file that has the exact ratings.",
)
NOT_PLACED = Remark(
    "uschess.no-section",
    Severity.INFO,
    "Players without a game belong to none of the sections; they were put into the first",
    "Take them out if they did not enter.",
)
TOO_LARGE = Remark(
    "uschess.too-large",
    Severity.ERROR,
    "The report does not fit into the format",
    f"Divide it: at most {layout.MAX_SECTIONS} sections, {layout.MAX_PAIR} players in each, and "
    f"{layout.MAX_RECORDS[layout.PLAYERS]} in all are possible.",
)

_PROGRAM: Final = "ratingbook"
_NO, _NO_POINTS = "N", "0"
"""What every section says of scholastic level, Grand Prix and FIDE: the office fills it in."""
_SYSTEMS = {pool: letter for letter, pool in layout.SYSTEMS.items()}
_KINDS = {"swiss": "S", "round_robin": "R", "match": "M"}
_STATE = pattern(r"(.*?),\s*([A-Z]{2})")


@dataclass(frozen=True, slots=True)
class _Section:
    """A section on its way into the files."""

    number: int
    name: str
    head: SectionHead
    rows: Sequence[PlayerRow]


class _Texts:
    """Texts in the letters and the width of their columns; what was changed is noted."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def fitted(self, text: str | None, width: int, place: Place) -> str:
        """As much of a text as the column holds."""
        clean = one_line(text or "")
        spelt = in_letters_of(layout.ENCODING, clean)
        if spelt != clean:
            self._notes.add(
                LETTERS, sentence("{clean} as {spelt}", clean=clean[:80], spelt=spelt[:80]), place
            )
        short = spelt[:width].rstrip()
        if short != spelt:
            self._notes.add(
                CUT, sentence("{spelt} to {short}", spelt=spelt[:80], short=short), place
            )
        return short

    def record(self, file: str, values: Mapping[str, str | None], place: Place) -> dict[str, str]:
        """A record of a file; columns that are not named are blank."""
        widths = layout.WIDTHS[file]
        return {name: self.fitted(values.get(name), widths[name], place) for name in widths}


def write_2c(report: Report) -> Written:
    """The three files; where the findings refuse the report there are none.

    A player's id in them is the member number; who has none is called after the
    pairing number.
    """
    notes = Notes()
    texts = _Texts(notes)
    members = member_numbers(report.entries, notes)
    sections = _sections(report, texts, notes)
    rounds = max((last_round(section.rows) for section in sections), default=0)
    rounds = max(rounds, min(report.event.rounds or 1, layout.MAX_ROUNDS), 1)
    _check_size(sections, rounds, notes)
    if notes.findings().refused:
        return Written({}, notes.findings())
    files = _files(report, sections, members, rounds, texts, notes)
    rows = [(row.player, row.pair, section.name) for section in sections for row in section.rows]
    return Written(files, notes.findings(), ids_read_back(rows, members))


def _check_size(sections: Sequence[_Section], rounds: int, notes: Notes) -> None:
    rows = sum(len(section.rows) for section in sections)
    columns = len(layout.WIDTHS[layout.PLAYERS]) + rounds
    largest = max((len(section.rows) for section in sections), default=0)
    if not rows:
        notes.add(TOO_LARGE, sentence("it has no players"), Place())
    if len(sections) > layout.MAX_SECTIONS:
        notes.add(TOO_LARGE, sentence("it has {n} sections", n=len(sections)), Place())
    if largest > layout.MAX_PAIR:
        notes.add(
            TOO_LARGE, sentence("a section has {largest:,} players", largest=largest), Place()
        )
    if rows > layout.MAX_RECORDS[layout.PLAYERS] or rows * columns > layout.MAX_VALUES:
        notes.add(
            TOO_LARGE,
            sentence("it has {rows:,} players in {rounds} rounds", rows=rows, rounds=rounds),
            Place(),
        )


# The sections


def _sections(report: Report, texts: _Texts, notes: Notes) -> list[_Section]:
    """The sections in the order of their first games, each with a number and a name of its own."""
    known = _with_everybody(report, notes)
    heads = [_head(section, report) for section in known]
    numbers = _numbers(heads)
    width = layout.WIDTHS[layout.SECTIONS]["S_SEC_NAME"]
    taken: set[str] = set()
    sections = []
    for section, head, number in zip(known, heads, numbers, strict=True):
        name = texts.fitted(head.name, width, Place(section=head.name)) or f"Section {number}"
        if name in taken:
            name = f"{name[: width - 5].rstrip()} ({number})"
        taken.add(name)
        rows = player_rows([entry.id for entry in section.entries], section.games, notes)
        sections.append(_Section(number, name, head, rows))
    return sections


def _with_everybody(report: Report, notes: Notes) -> list[Section]:
    """The sections; players without a game are in the first, where there are several."""
    first = {name: at for at, name in reversed([*enumerate(g.section for g in report.games)])}
    sections = sorted(report.sections(), key=lambda section: first.get(section.name, 0))
    placed = {entry.id for section in sections for entry in section.entries}
    rest = tuple(entry for entry in report.entries if entry.id not in placed)
    for entry in rest:
        notes.add(NOT_PLACED, f"{entry.id} {entry.name}".rstrip(), Place(player=entry.id))
    if rest:
        sections[0] = replace(sections[0], entries=sections[0].entries + rest)
    return sections


def _head(section: Section, report: Report) -> SectionHead:
    """What is known of the section; without any game the only head is the only section's."""
    if not report.games and len(report.section_heads) == 1:
        return report.section_heads[0]
    return section.head


def _numbers(heads: Iterable[SectionHead]) -> list[int]:
    """The sections' own numbers where they can be kept, else the first that is free."""
    wanted = [head.number for head in heads]
    times = Counter(wanted)
    usable = {n for n in wanted if n and 0 < n <= layout.MAX_SECTIONS and times[n] == 1}
    free = (n for n in range(1, len(wanted) + len(usable) + 1) if n not in usable)
    return [n if n is not None and n in usable else next(free) for n in wanted]


# The files


def _files(
    report: Report,
    sections: Sequence[_Section],
    members: Mapping[str, str],
    rounds: int,
    texts: _Texts,
    notes: Notes,
) -> dict[str, bytes]:
    event = report.event
    officials = directors(event.officials, notes)
    places = {head.name: at for at, head in enumerate(report.section_heads)}
    in_order = sorted(sections, key=lambda each: places.get(each.head.name, len(places)))
    declared = [_section_record(each, event, officials, texts, notes) for each in in_order]
    entries = {entry.id: entry for entry in report.entries}
    players = [
        _player_record(row, entries[row.player], section, event, members, rounds, texts, notes)
        for section in sections
        for row in section.rows
    ]
    columns = {
        **layout.WIDTHS[layout.PLAYERS],
        **{_round_column(n): layout.ROUND_WIDTH for n in range(1, rounds + 1)},
    }
    day = event.end or event.start
    header = _event_record(event, len(sections), officials, texts, notes)
    return {
        layout.EVENT: dbase_file(layout.WIDTHS[layout.EVENT], [header], day),
        layout.SECTIONS: dbase_file(layout.WIDTHS[layout.SECTIONS], declared, day),
        layout.PLAYERS: dbase_file(columns, players, day),
    }


def _round_column(number: int) -> str:
    return f"{layout.ROUND}{number:02}"


def _event_record(
    event: Event, sections: int, officials: Sequence[str], texts: _Texts, notes: Notes
) -> dict[str, str]:
    if event.start is None or event.end is None:
        missing = [name for name in ("start", "end") if getattr(event, name) is None]
        notes.add(NO_DATES, sentence("{what} missing", what=" and ".join(missing)), Place())
    place = _STATE.fullmatch(event.place or "")
    values = {
        "H_FORMAT": layout.FORMAT,
        "H_PROGRAM": _PROGRAM,
        "H_NAME": event.name,
        "H_TOT_SECT": str(sections),
        "H_BEG_DATE": _date(event.start),
        "H_END_DATE": _date(event.end),
        "H_CITY": place[1] if place else event.place,
        "H_STATE": place[2] if place else "",
        "H_COUNTRY": federation_country(event.federation),
        "H_SENDCROS": _NO,
        "H_CTD_ID": officials[0],
        "H_ATD_ID": officials[1],
        "H_OTHER_TD": ",".join(officials[2:]),
    }
    return texts.record(layout.EVENT, values, Place())


def _section_record(
    section: _Section, event: Event, officials: Sequence[str], texts: _Texts, notes: Notes
) -> dict[str, str]:
    head = section.head
    place = Place(section=section.name)
    pool, kind = head.pool or event.pool, head.kind or event.kind
    if pool not in _SYSTEMS:
        notes.add(SYSTEM, f"{section.name}: {pool or 'not said'}", place)
    if kind not in _KINDS:
        notes.add(KIND, f"{section.name}: {kind or 'not said'}", place)
    rounds = max(last_round(section.rows), event.rounds or 0)
    values = {
        "S_SEC_NUM": str(section.number),
        "S_SEC_NAME": section.name,
        "S_R_SYSTEM": _SYSTEMS.get(pool or "", "R"),
        "S_TIMECTL": head.time_control or event.time_control,
        "S_CTD_ID": officials[0],
        "S_ATD_ID": officials[1],
        "S_TRN_TYPE": _KINDS.get(kind or "", "S"),
        "S_TOT_RNDS": str(min(rounds, layout.MAX_ROUNDS)),
        "S_LST_PAIR": str(len(section.rows)),
        "S_BEG_DATE": _date(head.start),
        "S_END_DATE": _date(head.end),
        "S_SCH_LVL": _NO,
        "S_GR_PRIX": _NO,
        "S_GP_PTS": _NO_POINTS,
        "S_FIDE": _NO,
    }
    return texts.record(layout.SECTIONS, values, place)


def _player_record(
    row: PlayerRow,
    entry: Entry,
    section: _Section,
    event: Event,
    members: Mapping[str, str],
    rounds: int,
    texts: _Texts,
    notes: Notes,
) -> dict[str, str]:
    place = Place(section=section.name, player=entry.id)
    name = one_line(entry.name)
    if name and "," not in name:
        notes.add(NO_COMMA, name, place)
    values = {
        "D_SEC_NUM": str(section.number),
        "D_PAIR_NUM": str(row.pair),
        "D_MEM_ID": members.get(entry.id, UNKNOWN_MEMBER),
        "D_NAME": name,
        "D_RATING": _rating(entry, section, event, place, notes),
    }
    cells = {_round_column(n): row.text(n) for n in range(1, rounds + 1)}
    return {**texts.record(layout.PLAYERS, values, place), **cells}


def _rating(entry: Entry, section: _Section, event: Event, place: Place, notes: Notes) -> str:
    """The rating in the section's system; ``0`` for an unrated player."""
    standing = entry.standing
    pool = section.head.pool
    if event.pool is None and pool in layout.POOLS_OF_THEIR_OWN:
        standing = entry.pools.get(pool)
    rating = standing.rating if standing else None
    if rating is None:
        return "0"
    whole = int(as_published(float(rating), 0)) if 0 <= rating <= layout.MAX_RATING else 0
    if whole != rating:
        notes.add(
            RATING,
            sentence(
                "{name}: {rating:g} as {whole}",
                name=entry.name or entry.id,
                rating=rating,
                whole=whole,
            ),
            place,
        )
    return str(whole)


def _date(day: date | None) -> str:
    return day.isoformat().replace("-", "") if day else ""
