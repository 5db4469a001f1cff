"""A report becomes a TRF file, as TRF16 or as TRF26.

Every field stands in the columns of the standard.  Lines end with a carriage
return and a line feed; the text is UTF-8, for the standard names no encoding and
the pairing programs expect this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from enum import Enum

from ratingbook.formats.fide.federations import FEDERATIONS, WITHOUT
from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.fields import Fields, day_text, is_writable_rating
from ratingbook.formats.fide.trf.national import NATIONAL
from ratingbook.formats.fide.trf.numbers import FIDE
from ratingbook.formats.fide.trf.person import TITLES, YEARS
from ratingbook.formats.fide.trf.table import Half, Table, make_table
from ratingbook.formats.fide.trf.write_teams import Squad, lines_of_16, lines_of_26, make_squads
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.written import Written
from ratingbook.model import Entry, Event, Place, Report, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence
from ratingbook.rules.time_control import seconds_text
from ratingbook.rules.time_words import parsed_time_control

ROUND_DATES = Remark(
    "trf.round-dates",
    Severity.WARNING,
    "Dates of rounds were left out",
    "A round has one date, between the start and the end of the event.",
)

_TRF26_FROM = date(2025, 9, 1)
"""From this day on FIDE takes TRF26."""
_HEADER = 250
"""The longest text of a header record; the standard has no limit, but programs have."""
_NAME = 33
_KINDS = {
    "team": "Team Tournament",
    "swiss": "Individual: Swiss-System",
    "round_robin": "Individual: Round-Robin",
    "knockout": "Individual: Knock-Out",
    "scheveningen": "Individual: Scheveningen",
    "match": "Individual: Match",
}
_POOLS = ("standard", "rapid", "blitz")
"""The lists that the type of the tournament may name."""
_YEARS_OF_ROUNDS = range(1970, 2070)
"""Two digits tell these years apart."""
_FIDE_NUMBER = pattern("[0-9]{1,11}")
_NATIONAL_NUMBER = 11


class _Version(Enum):
    TRF16 = "TRF16"
    TRF26 = "TRF26"


def trf_of_the_day(report: Report) -> str:
    """The version that FIDE took on the day of the event, as ``convert --format`` names it."""
    day = report.event.end or report.event.start
    return "trf16" if day is not None and day < _TRF26_FROM else "trf26"


def write_trf16(report: Report) -> Written:
    """The report as TRF16, the version that every federation takes."""
    return _write(report, _Version.TRF16)


def write_trf26(report: Report) -> Written:
    """The report as TRF26, with national ratings and the number of rounds."""
    return _write(report, _Version.TRF26)


def _write(report: Report, version: _Version) -> Written:
    notes = Notes()
    table = make_table(report, notes)
    if table is None:
        return Written({}, notes.findings())
    squads = make_squads(report.entries, table, notes)
    new = version is _Version.TRF26
    nationals = dict(_nationals(report, table, notes)) if new else {}
    lines = [
        *_header(report, table, squads, version, notes),
        *_national_method(nationals),
        *_players(report, table, notes),
        *nationals,
        *(lines_of_26(squads, table, notes) if new else lines_of_16(squads)),
    ]
    text = "".join(f"{line.rstrip()}\r\n" for line in lines)
    ids = {player: str(rank) for player, rank in table.ranks.items() if player != str(rank)}
    return Written({"": text.encode()}, notes.findings(), ids)


def _header(
    report: Report, table: Table, squads: list[Squad], version: _Version, notes: Notes
) -> Iterator[str]:
    """The header records that have a content."""
    event, fields = report.event, Fields(notes)
    rated = sum(is_writable_rating(_rating(entry)) for entry in report.entries)
    officials = [text for name in event.officials if (text := fields.text(name, _HEADER, "name"))]
    time = fields.text(event.time_control, _HEADER, "time control")
    words, encoded = _time_records(time, version)
    records = [
        ("012", fields.text(event.name, _HEADER, "name of the event")),
        ("022", fields.text(event.place, _HEADER, "place")),
        ("032", _federation(event.federation, fields)),
        ("042", day_text(event.start) if event.start else ""),
        ("052", day_text(event.end) if event.end else ""),
        ("062", str(len(report.entries))),
        ("072", str(rated)),
        ("082", str(len(squads)) if squads else ""),
        ("092", _kind(event, fields)),
        *zip((layout.CHIEF, *[layout.DEPUTY] * len(officials)), officials, strict=False),
        words,
        ("132", _round_dates(event, table, notes)),
        ("142", _rounds(event, fields) if version is _Version.TRF26 else ""),
        encoded,
    ]
    return (f"{tag} {content}" for tag, content in records if content)


def _federation(code: str | None, fields: Fields) -> str:
    """A federation that the standard knows."""
    if code and code.upper() not in FEDERATIONS:
        return fields.left_out(f"federation {fields.text(code, 20, 'federation')}")
    return (code or "").upper()


def _rounds(event: Event, fields: Fields) -> str:
    if event.rounds is None or 1 <= event.rounds <= 999:
        return str(event.rounds or "")
    return fields.left_out(f"{event.rounds} rounds")


def _kind(event: Event, fields: Fields) -> str:
    """The type of the tournament, with its list in brackets: ``… Swiss-System (Rapid)``."""
    kind = _KINDS.get(event.kind or "") or fields.text(event.kind, _HEADER, "kind")
    pool = f"({event.pool.capitalize()})" if event.pool in _POOLS else ""
    return " ".join(filter(None, (kind or ("Individual" if pool else ""), pool)))


def _time_records(time: str, version: _Version) -> list[tuple[str, str]]:
    """The time control in words, and in TRF26 in seconds where these can say it."""
    control = parsed_time_control(time) if version is _Version.TRF26 else None
    encoded = seconds_text(control) if control else None
    return [("122", "" if time == encoded else time), ("222", encoded or "")]


def _round_dates(event: Event, table: Table, notes: Notes) -> str:
    """The content of record 132: a date for each round, in the columns of the round."""
    cells = []
    for number in range(1, table.last_round + 1):
        games = table.games.get(number, [])
        days = {day for game in games for day in (game.start, game.end) if day}
        day = days.pop() if len(days) == 1 else None
        if days or (day and not _is_writable(day, event)):
            notes.add(ROUND_DATES, sentence("round {number}", number=number), Place(round=number))
            day = None
        cells.append(day_text(day)[2:] if day else "")
    row = "".join(f"{cell:{layout.ROUND_WIDTH}}" for cell in cells).rstrip()
    return f"{'':{layout.ROUNDS - 4}}{row}" if row else ""


def _is_writable(day: date, event: Event) -> bool:
    inside = (event.start or day) <= day <= (event.end or day)
    return inside and day.year in _YEARS_OF_ROUNDS


def _rating(entry: Entry) -> float | None:
    return entry.standing.rating if entry.standing else None


def _players(report: Report, table: Table, notes: Notes) -> Iterator[str]:
    """The records 001, by starting rank."""
    points = {rank: table.points(rank) for rank in table.cells}
    above = Counter(points.values())
    # Who has as many points shares the place; what broke the tie is not known.
    standing = {value: 1 + sum(n for p, n in above.items() if p > value) for value in above}
    for entry in sorted(report.entries, key=lambda entry: table.ranks[entry.id]):
        rank = table.ranks[entry.id]
        fields = Fields(notes, Place(player=entry.id))
        total = f"{points[rank]:.1f}"
        if len(total) > 4:
            total = fields.left_out(f"{total} points")
        place = entry.rank or standing[points[rank]]
        yield (
            f"{layout.PLAYER} {rank:>4} {_person(entry, fields)} {total:>4} "
            f"{place:>4}{_cells(table.cells[rank], table.last_round)}"
        )


def _person(entry: Entry, fields: Fields) -> str:
    """The columns 10 to 79 of a player's line."""
    sex = entry.sex if entry.sex in ("m", "w") else ""
    number = entry.ids.get(FIDE, "").strip()
    if number and not (number.isascii() and _FIDE_NUMBER.fullmatch(number)):
        number = fields.left_out(f"FIDE number {fields.text(number, 20, 'FIDE number')}")
    return (
        f"{sex or '':1}{_title(entry, fields):>3} {fields.text(entry.name, _NAME, 'name'):{_NAME}} "
        f"{fields.rating(_rating(entry), 'rating'):>4} {_federation(entry.federation, fields):3} "
        f"{number:>11} {_birth(entry, fields):10}"
    )


def _title(entry: Entry, fields: Fields) -> str:
    title = (entry.title or "").strip().upper()
    if title in TITLES:
        return title
    return fields.left_out(f"title {fields.text(title, 20, 'title')}") if title else ""


def _birth(entry: Entry, fields: Fields) -> str:
    if entry.birth_date:
        return day_text(entry.birth_date)
    if entry.birth_year is None or entry.birth_year in YEARS:
        return f"{entry.birth_year}/00/00" if entry.birth_year else ""
    return fields.left_out("year of birth")


def _cells(halves: Mapping[int, Half], last: int) -> str:
    """The rounds of a player's line; a round in which he was absent is a zero-point bye."""
    absent = Half(0, "-", "Z")
    row = [halves.get(number, absent) for number in range(1, last + 1)]
    return "".join(
        f"  {f'{half.opponent:>4}' if half.opponent else '0000'} {half.colour} {half.code:1}"
        for half in row
    )


def _nationals(report: Report, table: Table, notes: Notes) -> Iterator[tuple[str, str]]:
    """The national records, each with the federation that it names."""
    for entry in sorted(report.entries, key=lambda entry: table.ranks[entry.id]):
        fields = Fields(notes, Place(player=entry.id))
        rating = fields.rating(entry.foreign.get(NATIONAL), "national rating")
        number = entry.ids.get(NATIONAL, "").strip()
        if len(number) > _NATIONAL_NUMBER:
            number = fields.left_out(f"national number {fields.text(number, 40, 'number')}")
        number = fields.text(number, _NATIONAL_NUMBER, "national number")
        if not rating and not number:
            continue
        federation = _national_federation(report.event, entry)
        if federation is None:
            fields.left_out("national rating and number, for no federation is known")
            continue
        rank = table.ranks[entry.id]
        yield (
            f"{federation} {rank:>4} {'':4} {'':{_NAME}} {rating:>4} {'':3} {number:>11}",
            federation,
        )


def _national_federation(event: Event, entry: Entry) -> str | None:
    """Whose rating it is: the event's federation, or else the player's."""
    codes = ((code or "").upper() for code in (event.federation, entry.federation))
    return next((code for code in codes if code in FEDERATIONS - WITHOUT), None)


def _national_method(nationals: Mapping[str, str]) -> list[str]:
    """Record 172, which national records need; how the players were ranked is not known."""
    if not nationals:
        return []
    ((federation, _),) = Counter(nationals.values()).most_common(1)
    return [f"172 {federation} OTHER"]
