"""What the header records of a TRF file say of the event."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.players import CLUB
from ratingbook.formats.fide.trf.records import Records
from ratingbook.formats.tools.dates import (
    Calendar,
    Order,
    between,
    calendar,
    days_of,
    days_of_round,
    has_no_such_month,
    is_year_first,
    missing_days,
    spanned,
)
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Event, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence
from ratingbook.rules.pool_words import speeds_named
from ratingbook.rules.time_control import (
    Extra,
    TimeControl,
    control_of_seconds,
    in_seconds_form,
    minutes_text,
)
from ratingbook.rules.time_words import parsed_time_control

NO_DATES = Remark(
    "event.no-dates",
    Severity.WARNING,
    "The event's dates are not complete",
    "Add the records 042 (start) and 052 (end) as year/month/day.",
)
UNREADABLE_DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "Dates of the event were not understood",
    "Write the dates in records 042 and 052 as year/month/day.",
)
DOUBTFUL_DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "The dates of the event can be read in several ways",
    "Write the dates in records 042 and 052 as year/month/day.",
)
BACKWARDS = Remark(
    "event.dates",
    Severity.ERROR,
    "The event ends before it starts",
    "Correct the dates in records 042 and 052.",
)
UNDERSTOOD_DATES = Remark(
    "event.dates",
    Severity.INFO,
    "The dates of the event are not written as year/month/day; they were understood",
    "Look whether they are right.",
)
UNUSUAL_DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "The dates of the event are written in no usual order; they were understood",
    "Write the dates in records 042 and 052 as year/month/day.",
    first=True,
)
NO_SUCH_MONTH = Remark(
    "event.dates",
    Severity.ERROR,
    "A date of the event has a month that there is not",
    "Write the dates in records 042 and 052 as year/month/day.",
)
ROUND_DATES = Remark(
    "trf.round-dates",
    Severity.WARNING,
    "Dates of rounds (record 132) were left out",
    "Write them as year/month/day, between the start and the end of the event.",
)
KIND_OF_EVENT = Remark(
    "event.kind",
    Severity.INFO,
    "The type of tournament (record 092) is none that is known",
    "Nothing to do, unless the edition treats some kinds differently.",
)

POOLS = Remark(
    "trf.pools",
    Severity.WARNING,
    "The type of tournament (records 092 and 192) names several lists; none was taken",
    "Name one: standard, rapid or blitz.",
)
TIME_CODE = Remark(
    "trf.time-control",
    Severity.WARNING,
    "Record 222 is in seconds, and this cannot be meant; it was left out",
    "Write 5400+30 for 90 minutes and 30 seconds a move.",
)
TIME_CONTROLS = Remark(
    "trf.time-controls",
    Severity.WARNING,
    "Records 122 and 222 give different time controls; that of record 222 was taken",
    "Correct the wrong one.",
)

_KINDS = (
    ("team", ("team", "mannschaft", "equipe", "équipe", "equipo", "squadre")),
    (
        "round_robin",
        ("robin", "berger", "all-play-all", "rundenturnier", "toutes rondes"),
    ),
    (
        "swiss",
        ("swiss", "schweiz", "suisse", "suizo", "svizzero", "dutch", "dubov", "burstein"),
    ),
    ("knockout", ("knock", "k.o.")),
    ("scheveningen", ("scheveningen", "schev")),
    ("match", ("match",)),
)
"""The kinds of event and the words that tell them; the first that fits is taken."""
_ONE_PLAYER = "individual"
_POOL = pattern(r"\((?:standard|rapid|blitz)\)", re.IGNORECASE)
_ROUNDS = pattern("[0-9]{1,3}")
_STANDARD_DATE = pattern("[0-9]{2}/[0-9]{2}/[0-9]{2}")
"""The form of a date in record 132: year, month, day."""


@dataclass(frozen=True, slots=True)
class Header:
    """The event and the dates of its rounds."""

    event: Event
    rounds: Mapping[int, date]


def read_header(records: Records, notes: Notes) -> Header:
    """The event as the header records describe it."""
    dates = _dates(records, notes)
    event = Event(
        name=records.text("012") or None,
        place=records.text("022") or None,
        federation=_federation(records, notes),
        start=dates.start,
        end=dates.end,
        kind=_kind(records, notes),
        time_control=_time_control(records, notes),
        pool=_pool(records, notes),
        rounds=_number_of_rounds(records),
        officials=tuple(dict.fromkeys(records.texts(layout.CHIEF) + records.texts(layout.DEPUTY))),
    )
    outside = dates.outside
    rounds = {n: day for n, day in (dates.rounds or {}).items() if n not in outside}
    return Header(event, rounds)


def _number_of_rounds(records: Records) -> int | None:
    """The declared number of rounds; what is none is noted with the other header records."""
    match = _ROUNDS.fullmatch(records.text("142", "XXR"))
    return (int(match[0]) or None) if match else None


def _federation(records: Records, notes: Notes) -> str | None:
    code = records.text("032")
    if code.upper() in FEDERATIONS:
        return code.upper()
    if code:
        notes.add(CLUB, code, records.place("032"))
    return None


def _kind(records: Records, notes: Notes) -> str | None:
    """The kind of event in one word.

    Team records make a team event, unless the type says that single players
    play: championships list national teams beside the individual standings.
    """
    said = " ".join(_POOL.sub("", records.text("092")).split())
    if records.teams and _ONE_PLAYER not in said.lower():
        return "team"
    for text in (said, records.text("192")):
        for kind, words in _KINDS:
            if any(word in text.lower() for word in words):
                return kind
    if said and said.lower() != _ONE_PLAYER:
        notes.add(KIND_OF_EVENT, said, records.place("092"))
    return None


def _pool(records: Records, notes: Notes) -> str | None:
    """The list that the type of the tournament names: ``Individual: Swiss-System (Rapid)``."""
    text = f"{records.text('092')} {records.text('192')}".replace("_", " ")
    said = speeds_named(text)
    if len(said) > 1:
        notes.add(POOLS, " and ".join(said), records.place("092"))
    return said[0] if len(said) == 1 else None


def _time_control(records: Records, notes: Notes) -> str | None:
    """Record 222 is in seconds, record 122 in words; in minutes here."""
    encoded, words = records.text("222"), records.text("122")
    if not encoded:
        return words or None
    control = control_of_seconds(encoded)
    if control is None and not in_seconds_form(encoded):
        return encoded
    if control is None:
        notes.add(TIME_CODE, encoded, records.place("222"))
        return words or None
    stated = parsed_time_control(words)
    if stated is not None and stated.seconds_for(60) != control.seconds_for(60):
        notes.add(TIME_CONTROLS, f"122 {words}, 222 {encoded}", records.place("222"))
    if stated is not None and _is_same(stated, control):
        return words
    plain = parsed_time_control(encoded)
    return encoded if plain is not None and _is_same(plain, control) else minutes_text(control)


def _is_same(one: TimeControl, other: TimeControl) -> bool:
    """Whether two controls give the same times; words need not say what comes on top."""
    return one._replace(kind=other.kind) == other and one.kind in (other.kind, Extra.UNSAID)


def _dates(records: Records, notes: Notes) -> Calendar:
    start, end = records.text("042"), records.text("052")
    rounds = _round_texts(records)
    understood = {number: text for number, text in rounds.items() if days_of_round(text)}
    dates = _standard_calendar(start, end, understood) or calendar(start, end, understood)
    _note_event_dates(records, dates, notes)
    odd = sorted({*(rounds.keys() - understood.keys()), *dates.outside})
    if dates.rounds is None:
        odd = sorted(rounds)
    for number in odd:
        place = Place(line=records.place("132").line, round=number)
        notes.add(
            ROUND_DATES,
            sentence("round {number}: {rounds}", number=number, rounds=rounds[number]),
            place,
        )
    return dates


def _standard_calendar(start: str, end: str, rounds: Mapping[int, str]) -> Calendar | None:
    """The dates of a record 132 in the standard's form; None where it cannot mean that."""
    if not all(map(_STANDARD_DATE.fullmatch, rounds.values())):
        return None
    days = {number: days_of(text).get(Order.YMD) for number, text in rounds.items()}
    known = {number: day.isoformat() for number, day in days.items() if day}
    dates = calendar(start, end, known)
    return dates if len(known) == len(rounds) and not dates.outside else None


def _note_event_dates(records: Records, dates: Calendar, notes: Notes) -> None:
    written = {tag: text for tag in ("042", "052") if (text := records.text(tag))}
    place = records.place(next(iter(written), "012"))
    meant = {text: days_of(text) for text in written.values()}
    unreadable = [text for text in written.values() if not meant[text]]
    for text in unreadable:
        notes.add(NO_SUCH_MONTH if has_no_such_month(text) else UNREADABLE_DATES, text, place)
    if len(written) < 2:
        missing = missing_days("042" in written, "052" in written)
        notes.add(NO_DATES, sentence("{missing} missing", missing=missing), Place())
    if not written or unreadable:
        return
    read_as = spanned((dates.start, dates.end))
    meaning = sentence("{written} as {days}", written=between(written.values()), days=read_as)
    if dates.backwards:
        notes.add(BACKWARDS, meaning if dates.in_doubt else read_as, place)
    elif dates.others:
        others = row_of(spanned(other) for other in dates.others)
        notes.add(
            DOUBTFUL_DATES,
            sentence("{meaning}, but it may be {others}", meaning=meaning, others=others),
            place,
        )
    elif dates.in_no_order:
        notes.add(UNUSUAL_DATES, meaning, place)
    elif not all(is_year_first(text) for text in written.values()):
        notes.add(UNDERSTOOD_DATES, meaning, place)


def _round_texts(records: Records) -> dict[int, str]:
    """The dates in record 132 by round: in their columns, or else one word after the other."""
    if "132" not in records.header:
        return {}
    text = records.header["132"][0].text
    in_columns = {
        number: text[at : at + layout.ROUND_WIDTH].strip()
        for number, at in enumerate(range(layout.ROUNDS, len(text), layout.ROUND_WIDTH), 1)
    }
    in_columns = {number: day for number, day in in_columns.items() if day}
    if all(map(days_of_round, in_columns.values())) and not text[4 : layout.ROUNDS].strip():
        return in_columns
    return dict(enumerate(text[4:].split(), 1))
