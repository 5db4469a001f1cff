"""What the header record and the sections say of the event."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from datetime import date
from typing import TypeVar

from ratingbook.formats.tools.dates import only_day
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.uschess.report_2c import layout
from ratingbook.formats.uschess.report_2c.sections import Section
from ratingbook.formats.uschess.report_2c.tables import Record
from ratingbook.formats.uschess.rows import FEDERATION
from ratingbook.model import Event, Severity
from ratingbook.model.sentences import sentence

_Value = TypeVar("_Value")

FORMAT = Remark(
    "uschess.format",
    Severity.WARNING,
    "The format (H_FORMAT) is not 2C; the files were read as if it were",
    "Export the report in the format 2C.",
)
DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "Dates of the event were not understood",
    "Write H_BEG_DATE and H_END_DATE as YYYYMMDD.",
)
NO_DATES = Remark(
    "event.no-dates",
    Severity.WARNING,
    "The event's dates are not complete",
    "Fill in H_BEG_DATE and H_END_DATE as YYYYMMDD.",
)
TIME_CONTROLS = Remark(
    "uschess.time-controls",
    Severity.INFO,
    "The sections have different time controls; each is rated with its own",
    "Nothing to do.",
)
KINDS = Remark(
    "uschess.kinds",
    Severity.INFO,
    "The sections are of different types; each is rated by the rules of its own",
    "Nothing to do.",
)
UNKNOWN_SYSTEM = Remark(
    "uschess.system",
    Severity.WARNING,
    "The rating system (S_R_SYSTEM) is none of R, Q, D and B",
    "Correct it: R regular, Q quick, D both.",
)
DUAL = Remark(
    "uschess.dual",
    Severity.INFO,
    "Sections count in the regular and in the quick system",
    "Rate the report in each of the two systems, with that system's ratings.",
)
MIXED_SYSTEMS = Remark(
    "uschess.mixed-systems",
    Severity.WARNING,
    "The sections are rated in different systems; only those that count in the regular one are "
    "rated together",
    "Rate the sections of each other system by themselves, with that system's ratings: send them "
    "as separate reports.",
)


def read_event(record: Record, sections: Sequence[Section], notes: Notes) -> Event:
    """The event; what the sections do not agree on is left open."""
    if record.text("H_FORMAT") != layout.FORMAT:
        notes.add(FORMAT, record.text("H_FORMAT") or "blank", record.place)
    place = ", ".join(filter(None, (record.text("H_CITY"), record.text("H_STATE"))))
    kinds = {section.kind for section in sections if section.kind}
    if len(kinds) > 1:
        notes.add(KINDS, _named(sections, "kind"), record.place)
    controls = {section.time_control for section in sections if section.time_control}
    if len(controls) > 1:
        notes.add(TIME_CONTROLS, _named(sections, "time_control"), record.place)
    return Event(
        name=record.text("H_NAME") or None,
        place=place or None,
        federation=FEDERATION,
        start=_date(record, "H_BEG_DATE", notes),
        end=_date(record, "H_END_DATE", notes),
        kind=_only(kinds),
        time_control=_only(controls),
        pool=_pool(sections, notes),
        rounds=_only({section.rounds for section in sections}),
        officials=_directors(record),
    )


def _directors(record: Record) -> tuple[str, ...]:
    """The member numbers of the directors, the chief first."""
    others = re.split(r"[\s,;/]+", record.text("H_OTHER_TD"))
    numbers = (record.text("H_CTD_ID"), record.text("H_ATD_ID"), *others)
    return tuple(dict.fromkeys(filter(None, numbers)))


def _date(record: Record, column: str, notes: Notes) -> date | None:
    text = record.text(column)
    day = only_day(text)
    if not text:
        notes.add(NO_DATES, sentence("{column} is blank", column=column), record.place)
    elif day is None:
        notes.add(DATES, f"{column}: {text}", record.place)
    return day


def _only(values: Set[_Value]) -> _Value | None:
    """The value if there is just one."""
    return next(iter(values)) if len(values) == 1 else None


def _pool(sections: Sequence[Section], notes: Notes) -> str | None:
    """The pool that all sections count in; regular where all count in both."""
    for section in sections:
        if section.system not in layout.SYSTEMS:
            notes.add(UNKNOWN_SYSTEM, f"{section.name}: {section.system or 'blank'}", section.place)
        elif section.system == "D":
            notes.add(DUAL, section.name, section.place)
    single = {section.system for section in sections} - {"D"}
    if len(single) > 1:
        notes.add(MIXED_SYSTEMS, _named(sections, "system"), sections[0].place)
    system = _only(single or {"R"})
    return layout.SYSTEMS.get(system) if system else None


def _named(sections: Sequence[Section], attribute: str) -> str:
    return ", ".join(f"{s.name} {getattr(s, attribute) or 'blank'}" for s in sections)
