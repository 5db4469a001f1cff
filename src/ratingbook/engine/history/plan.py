"""What is rated when: events, batches, and the numbers in force for each game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import GameColumns, HistoryInput
from ratingbook.engine.history.kernels import Batches, Events, Games
from ratingbook.engine.history.program import Program
from ratingbook.model import Event, Findings, Severity
from ratingbook.rules.book import Unit
from ratingbook.rules.bulk import EPOCH, NOT_GIVEN, Calendar, day_number

Array = np.ndarray[Any, Any]

_NO_BYTES = np.empty(0, np.uint8)
_EVENT_FIELDS = ("kind", "category", "class", "level", "time_control", "pool")


@dataclass(frozen=True)
class Plan:
    """The games in the order in which they are rated, and what their batches are."""

    games: Games
    events: Events
    batches: Batches
    keys: Array
    """Day of the list of each batch, or the last day of its event: ascending."""
    slots: int
    """Lists whose numbers are kept, for games begun under them."""
    event_order: Array
    """Code of each event in the order of their numbers."""
    moved: Array | None = None
    """Row in the file of each game; None: they stand in the order of the file."""
    last_use: Array | None = None
    """For the numbers of before the first batch, and of after each, the last batch with a
    game that uses them; None: the next batch."""
    sections: Array | None = None
    """Code of the section of each batch, where there are sections."""
    findings: Findings = field(default_factory=Findings)

    def __len__(self) -> int:
        return len(self.keys)


def plan_of(given: HistoryInput, program: Program, assume: float | None = None) -> Plan:
    """The plan of a history by the calendar of its edition."""
    findings = Findings()
    columns = given.games
    codes, count = _events_of(columns, len(given.event_ids))
    start, end = _spans(columns, codes, count, given.events, findings)
    kinds = _kinds(given.events, count)
    facts = _facts(kinds, program, assume)
    if assume is None or program.bulk.assumed_facts is None:
        _tell_caveats(kinds, program, findings)
    calendar = program.bulk.calendar
    if program.book.unit is Unit.GAME:
        return _by_day_of_game(columns, codes, count, facts, findings)
    if calendar is None:
        return _by_section(columns, codes, start, end, facts, given, program, findings)
    return _by_period(columns, codes, start, end, facts, kinds, calendar, program, findings)


def _events_of(columns: GameColumns, known: int) -> tuple[Array, int]:
    """The event of each game; without such a column every day is one."""
    if columns.event is not None:
        return columns.event, known
    first = int(columns.day.min()) if len(columns) else 0
    codes = (columns.day - first).astype(np.int32)
    return codes, int(codes.max()) + 1 if len(codes) else 0


def _is_ascending(values: Array) -> bool:
    return bool(np.all(values[:-1] <= values[1:]))


def _spans(
    columns: GameColumns, codes: Array, count: int, said: pa.Table | None, findings: Findings
) -> tuple[Array, Array]:
    """First and last day of each event: as the events file says, else those of its games."""
    begun = columns.day if columns.start is None else columns.start
    start = np.full(count, np.iinfo(np.int32).max, np.int32)
    end = np.full(count, np.iinfo(np.int32).min, np.int32)
    if len(codes) and _is_ascending(codes):
        firsts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
        start[codes[firsts]] = np.minimum.reduceat(begun, firsts)
        end[codes[firsts]] = np.maximum.reduceat(columns.day, firsts)
    elif len(codes):
        np.minimum.at(start, codes, begun)
        np.maximum.at(end, codes, columns.day)
    # An event of the events file may have no games.
    played = end >= start
    start[~played] = end[~played] = 0
    if said is not None:
        events = said["event"].to_numpy()
        for name, days, late in (("start", start, False), ("end", end, True)):
            if name not in said.column_names:
                continue
            given = said[name].combine_chunks().cast(pa.int32())
            known = given.is_valid().to_numpy(zero_copy_only=False)
            where, values = events[known], given.drop_null().to_numpy()
            wrong = days[where] > values if late else days[where] < values
            wrong &= played[where]
            if wrong.any():
                findings.add(
                    Severity.WARNING,
                    "history.outside-event",
                    f"{int(wrong.sum()):,} events have games {'after' if late else 'before'} the "
                    f"{name} that the events file gives; the file is followed.",
                    remedy="Mend the dates of the games, or those of the events.",
                )
            days[where] = values
    return start, end


def _kinds(said: pa.Table | None, count: int) -> list[_Kind]:
    """The distinct descriptions of events, each with the events that it describes."""
    names = [] if said is None else [n for n in _EVENT_FIELDS if n in said.column_names]
    if said is None or not names:
        return [_Kind(Event(), np.arange(count))]
    rows: dict[tuple[Any, ...], list[int]] = {}
    described = np.zeros(count, bool)
    for event, *values in zip(
        said["event"].to_pylist(), *(said[name].to_pylist() for name in names), strict=True
    ):
        rows.setdefault(tuple(values), []).append(event)
        described[event] = True
    kinds = []
    for described_so, events in rows.items():
        told = {
            "class_" if n == "class" else n: v for n, v in zip(names, described_so, strict=True)
        }
        kinds.append(_Kind(Event(**told), np.array(events)))
    rest = np.flatnonzero(~described)
    if len(rest):
        kinds.append(_Kind(Event(), rest))
    return kinds


@dataclass(frozen=True)
class _Kind:
    """Events that are described alike."""

    event: Event
    numbers: Array


def _facts(kinds: Sequence[_Kind], program: Program, assume: float | None) -> Array:
    """What the edition reads of the events."""
    count = sum(len(kind.numbers) for kind in kinds)
    facts = np.zeros(count, program.facts)
    for kind in kinds:
        read = program.bulk.facts_of(kind.event, program.book.parameters)
        if assume is not None and program.bulk.assumed_facts is not None:
            read = program.bulk.assumed_facts(read, assume, program.book.parameters)
        for name, value in read._asdict().items():
            facts[name][kind.numbers] = value
    return facts


def _by_day_of_game(
    columns: GameColumns, codes: Array, count: int, facts: Array, findings: Findings
) -> Plan:
    """Games one after the other, by day, event, section and round; a batch is a day."""
    first_day = int(columns.day.min(initial=0)) if len(columns) else 0
    key = (columns.day - first_day).astype(np.int64) * max(1, count) + codes
    for column in (columns.section, columns.round):
        if column is not None and len(column):
            lowest = int(column.min())
            key *= int(column.max()) - lowest + 1
            key += column - lowest
    moved, _ = _in_order(key, findings)
    del key
    day = _taken(columns.day, moved)
    first = np.flatnonzero(np.r_[True, day[1:] != day[:-1]]) if len(day) else np.empty(0, np.int64)
    games = _games(columns, _taken(codes, moved), moved, first)
    # A game ends on its own day, whatever its event; one row of facts for each event.
    start = columns.day if columns.start is None else columns.start
    games = games._replace(start=_taken(start, moved), end=day)
    keys = day[first].astype(np.int32)
    order = np.arange(count, dtype=np.int32)
    batches = Batches(keys, games.event[first])
    nothing = np.zeros(count, np.int32)
    return Plan(
        games, Events(nothing, nothing, facts), batches, keys, 1, order, moved, findings=findings
    )


def _tell_caveats(kinds: Sequence[_Kind], program: Program, findings: Findings) -> None:
    """What a history does otherwise than a report of the same event."""
    caveat_of = program.bulk.caveat_of
    if caveat_of is None:
        return
    told: dict[str, int] = {}
    for kind in kinds:
        text = caveat_of(kind.event, program.book.parameters)
        if text:
            told[text] = told.get(text, 0) + len(kind.numbers)
    for text, count in told.items():
        findings.add(
            Severity.WARNING,
            "history.not-as-in-reports",
            f"{program.book.name}: {text} ({count:,} events).",
            remedy="Complete the events file, or rate these events from reports.",
        )


def _by_section(
    columns: GameColumns,
    codes: Array,
    start: Array,
    end: Array,
    facts: Array,
    given: HistoryInput,
    program: Program,
    findings: Findings,
) -> Plan:
    """Each section of each event is a batch, in the order of the events' ends."""
    order = np.lexsort((np.arange(len(end)), end)).astype(np.int32)
    rank = _ranks(order)
    number = rank[codes]
    sections = columns.section
    if sections is None:
        key = number
    else:
        key = number.astype(np.int64) * (int(sections.max(initial=0)) + 1) + sections
    moved, first = _in_order(key, findings)
    number = _taken(number, moved)
    events = Events(start[order], end[order], facts[order])
    games = _games(columns, number, moved, first)
    grades = _grades(columns, codes, moved, given.entries, len(given.players), program)
    games = games._replace(grade_white=grades[0], grade_black=grades[1])
    batch_event = number[first]
    batches = Batches(events.end[batch_event], batch_event)
    told = None if sections is None else _taken(sections, moved)[first]
    return Plan(
        games, events, batches, batches.day, 1, order, moved, sections=told, findings=findings
    )


def _by_period(
    columns: GameColumns,
    codes: Array,
    start: Array,
    end: Array,
    facts: Array,
    kinds: Sequence[_Kind],
    calendar: Calendar,
    program: Program,
    findings: Findings,
) -> Plan:
    """Each list takes what ended in time for it."""
    begun = columns.day if columns.start is None else columns.start
    read = program.bulk.facts_of
    parameters = program.book.parameters
    if calendar.by_game:
        lists = _by_day(columns.day, _taking(calendar, read(Event(), parameters)))
        keys = np.unique(lists)
        batch = np.searchsorted(keys, lists).astype(np.int32)
        del lists
        order = np.arange(len(end), dtype=np.int32)
        number, sort_key = codes, batch
    else:
        lists = np.zeros(len(end), np.int32)
        for kind in kinds:
            taking = _taking(calendar, read(kind.event, parameters))
            lists[kind.numbers] = _by_day(end[kind.numbers], taking)
        keys = np.unique(lists[np.unique(codes)] if len(codes) else lists)
        of_event = np.searchsorted(keys, lists).astype(np.int32)
        order = np.argsort(of_event, kind="stable").astype(np.int32)
        number = sort_key = _ranks(order)[codes]
        batch = of_event
    moved, first = _in_order(sort_key, findings)
    number = _taken(number, moved)
    events = Events(start[order], end[order], facts[order])
    if calendar.by_game:
        of_game = _taken(batch, moved)
        first = np.flatnonzero(np.r_[True, of_game[1:] != of_game[:-1]]) if len(of_game) else first
        begun_when = _taken(begun, moved)
    else:
        of_event = batch[order]
        of_game = of_event[number]
        first = np.flatnonzero(np.r_[True, of_game[1:] != of_game[:-1]]) if len(of_game) else first
        begun_when = events.start
    by_batch = of_game if calendar.by_game else of_event
    slot, slots, last_use = _slots(calendar, keys, begun_when, by_batch)
    if len(slot) and not calendar.by_game:
        slot = slot[number]
    games = _games(columns, number, moved, first)._replace(slot=slot)
    if calendar.by_game:
        games = games._replace(
            start=np.ascontiguousarray(begun_when, np.int32), end=_taken(columns.day, moved)
        )
    ended = games.end if calendar.by_game else events.end[number]
    last = np.maximum.reduceat(ended, first) if len(first) else np.empty(0, np.int32)
    batches = Batches(last.astype(np.int32), number[first])
    return Plan(
        games, events, batches, keys.astype(np.int32), slots, order, moved, last_use,
        findings=findings,
    )  # fmt: skip


def _slots(
    calendar: Calendar, keys: Array, begun: Array, batch: Array
) -> tuple[Array, int, Array | None]:
    """Where the numbers in force stand that each event, or game, uses.

    The numbers after batch b stand in row (b + 1) modulo the number of rows, those of
    before the first batch in row 0.  Gives no rows where all use the last list's, and
    the last use of each list.
    """
    none = np.empty(0, np.int16)
    if calendar.in_force is None or not len(begun):
        return none, 1, None
    lists = _by_day(begun, calendar.in_force)
    place = np.searchsorted(keys, lists, side="right").astype(np.int32)
    place = np.minimum(place, batch)
    lag = int((batch - place).max(initial=0))
    slots = max(lag + 1, calendar.kept_lists)
    if lag == 0:
        return none, slots, None
    last_use = np.arange(len(keys) + 1, dtype=np.int32)
    np.maximum.at(last_use, place, batch)
    return (place % slots).astype(np.int16), slots, last_use


def _taking(calendar: Calendar, facts: Any) -> Callable[[date], date]:
    """The list that takes what ended on a day, for events with these facts."""

    def taking(day: date) -> date:
        return calendar.taking(day, facts)

    return taking


def _by_day(days: Array, of: Callable[[date], date]) -> Array:
    """A function of a date over many days, called once for each."""
    if not len(days):
        return np.empty(0, np.int32)
    first = int(days.min())
    table = np.zeros(int(days.max()) - first + 1, np.int32)
    seen = np.zeros(len(table), bool)
    seen[days - first] = True
    for offset in np.flatnonzero(seen):
        day = EPOCH + timedelta(days=first + int(offset))
        table[offset] = day_number(of(day))
    found: Array = table[days - first]
    return found


def _ranks(order: Array) -> Array:
    """The number of each code, where ``order`` holds the codes by number."""
    ranks = np.empty(len(order), np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks


def _in_order(key: Array, findings: Findings) -> tuple[Array | None, Array]:
    """How the games have to be moved, and where each key begins."""
    moved: Array | None = None
    if not _is_ascending(key):
        moved = np.argsort(key, kind="stable")
        findings.add(
            Severity.INFO,
            "history.put-in-order",
            f"{int(np.count_nonzero(key[1:] < key[:-1])):,} times a game stands after one that is "
            "rated later; the games were put in the order in which they are rated.",
        )
        key = key[moved]
    first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if len(key) else np.empty(0, np.int64)
    return moved, first


def _taken(values: Array, moved: Array | None) -> Array:
    return values if moved is None else values[moved]


def _games(columns: GameColumns, number: Array, moved: Array | None, first: Array) -> Games:
    """The columns in order, those that say nothing left empty."""
    empty = np.empty(0, np.int32)
    handicap, rated = columns.handicap, columns.rated
    return Games(
        offsets=np.r_[first, len(columns)].astype(np.int64),
        white=_taken(columns.white, moved),
        black=_taken(columns.black, moved),
        score=_taken(columns.score, moved),
        handicap=_taken(handicap, moved) if handicap is not None else np.empty(0, np.int8),
        rated=_taken(rated, moved) if rated is not None else _NO_BYTES,
        event=number.astype(np.int32, copy=False),
        start=empty,
        end=empty,
        slot=np.empty(0, np.int16),
        grade_white=empty,
        grade_black=empty,
    )


def _grades(
    columns: GameColumns,
    codes: Array,
    moved: Array | None,
    entries: pa.Table | None,
    players: int,
    program: Program,
) -> tuple[Array, Array]:
    """The grades with which White and Black entered the event of each game."""
    empty = np.empty(0, np.int32)
    if entries is None or "grade" not in program.bulk.codes:
        return empty, empty
    if "grade" not in entries.column_names or not len(entries):
        return empty, empty
    keys = entries["event"].to_numpy().astype(np.int64) * players + entries["player"].to_numpy()
    grades = coded(entries["grade"], program.bulk.codes["grade"])
    order = np.argsort(keys, kind="stable")
    keys, grades = keys[order], grades[order]
    found = []
    for side in (columns.white, columns.black):
        wanted = codes.astype(np.int64) * players + side
        place = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        hit = keys[place] == wanted if len(keys) else np.zeros(len(wanted), bool)
        values = np.where(hit, grades[place] if len(keys) else NOT_GIVEN, NOT_GIVEN)
        found.append(_taken(values.astype(np.int32), moved))
    return found[0], found[1]


def coded(texts: pa.ChunkedArray, code: Callable[[str], int]) -> Array:
    """Texts as the numbers of an edition, each distinct text looked at once."""
    words = texts.combine_chunks().cast(pa.string()).dictionary_encode()
    table = np.array([code(word.as_py()) for word in words.dictionary] or [NOT_GIVEN], np.int32)
    indices = words.indices.fill_null(-1).to_numpy()
    return np.where(indices < 0, NOT_GIVEN, table[indices])
