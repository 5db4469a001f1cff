"""The sections of an event, one record each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from ratingbook.formats.tools.dates import only_day
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.uschess.report_2c import layout
from ratingbook.formats.uschess.report_2c.tables import Record
from ratingbook.model import Place, Severity
from ratingbook.model.sentences import sentence

SECTION_NUMBER = Remark(
    "uschess.section-number",
    Severity.ERROR,
    "Sections have no number, or that of another section",
    "Number the sections; the players' records refer to it.",
    each=True,
)
SAME_NAME = Remark(
    "uschess.section-name",
    Severity.INFO,
    "Sections have no name, or that of another section; their numbers were added",
    "Nothing to do.",
)
SECTION_DATES = Remark(
    "uschess.section-dates",
    Severity.WARNING,
    "Dates of sections were not understood and left out",
    "Write S_BEG_DATE and S_END_DATE as YYYYMMDD, or leave them blank.",
)
UNKNOWN_KIND = Remark(
    "event.kind",
    Severity.INFO,
    "The type of a section (S_TRN_TYPE) is none that is known",
    "Write S for a Swiss, R for a round robin, 2 for a double Swiss, M for a match.",
)


@dataclass(frozen=True, slots=True)
class Section:
    """What the record of a section says."""

    number: int
    name: str
    system: str
    """The letter of the rating system."""
    kind: str | None
    time_control: str
    rounds: int | None
    last_pair: int | None
    """The highest pairing number."""
    start: date | None
    end: date | None
    place: Place


def read_sections(records: Iterable[Record], notes: Notes) -> dict[int, Section]:
    """The sections by number."""
    sections: dict[int, Section] = {}
    for record in records:
        number = record.whole("S_SEC_NUM")
        if number is None or number in sections:
            what = sentence(
                "{name}, number {number}",
                name=record.text("S_SEC_NAME") or sentence("without a name"),
                number=record.text("S_SEC_NUM") or sentence("blank"),
            )
            notes.add(SECTION_NUMBER, what, record.place)
            continue
        sections[number] = _section(number, record, notes)
    return _with_names(sections, notes)


def _section(number: int, record: Record, notes: Notes) -> Section:
    name = record.text("S_SEC_NAME")
    place = replace(record.place, section=name or str(number))
    kind = record.text("S_TRN_TYPE").upper()
    if kind not in layout.KINDS:
        notes.add(UNKNOWN_KIND, f"{name}: {kind or 'blank'}", place)
    return Section(
        number=number,
        name=name,
        system=record.text("S_R_SYSTEM").upper(),
        kind=layout.KINDS.get(kind),
        time_control=record.text(*layout.TIME_CONTROL),
        rounds=record.whole("S_TOT_RNDS"),
        last_pair=record.whole("S_LST_PAIR"),
        start=_date(record, "S_BEG_DATE", place, notes),
        end=_date(record, "S_END_DATE", place, notes),
        place=place,
    )


def _date(record: Record, column: str, place: Place, notes: Notes) -> date | None:
    text = record.text(column)
    day = only_day(text)
    if text and day is None:
        notes.add(SECTION_DATES, f"{record.text('S_SEC_NAME')}: {text}", place)
    return day


def _with_names(sections: dict[int, Section], notes: Notes) -> dict[int, Section]:
    """The sections, each with a name of its own."""
    names = Counter(section.name for section in sections.values())
    for number, section in sections.items():
        if section.name and names[section.name] == 1:
            continue
        name = f"{section.name} ({number})" if section.name else f"Section {number}"
        notes.add(SAME_NAME, name, section.place)
        place = replace(section.place, section=name)
        sections[number] = replace(section, name=name, place=place)
    return sections
