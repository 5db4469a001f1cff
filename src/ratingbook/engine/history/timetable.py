"""Which list takes what: the events' days and facts, and the calendar of a period system.

All of it is known from the events and from the days of games, without the games
themselves, which may lie elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.each_day import by_day, distinct, looked_up, table_of
from ratingbook.engine.history.intake.arrays import column_of, from_arrow, mask_of
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.spans import Spans
from ratingbook.engine.history.stages import at_days
from ratingbook.engine.loops.arrays import Events
from ratingbook.model import Event, Findings, Place, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.bulk import EPOCH, Calendar, day_number
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import counted, either

Array = np.ndarray[Any, Any]

EVENT_FIELDS = ("kind", "category", "class", "level", "time_control", "pool", "rounds")
_DAYS = np.iinfo(np.int32)
_DAY_BITS = 32
_LATEST = 4 * 366
"""Days after an event on which a report is too late, wherever one can be."""


@dataclass(frozen=True)
class Kind:
    """Events that are described alike."""

    event: Event
    numbers: Array


class Staged(NamedTuple):
    """Events that are described alike and rated by the same parameters."""

    event: Event
    numbers: Array
    parameters: Any


@dataclass(frozen=True)
class Schedule:
    """What is known of the events of a history, by their codes."""

    start: Array
    end: Array
    played: Array
    kinds: Sequence[Kind]
    staged: Sequence[Staged]
    facts: Array
    together: Array
    """Whether rules look at all games of the event together."""
    field: Array
    """Whether rules ask who takes part."""

    def __len__(self) -> int:
        return len(self.start)


def schedule(
    spans: Spans,
    said: pa.Table | None,
    program: Program,
    assume: float | None,
    findings: Findings,
    parents: Array | None = None,
) -> Schedule:
    """The events as the events file says, and where it does not, as their games do.

    Raises :class:`HistoryRefused` if an event ends before it starts.

    ``parents`` are the events whose months follow the events.
    """
    months = np.empty(0, np.int32) if parents is None else parents
    count = len(spans.start) - len(months)
    start, end = _days(spans, said, findings)
    if findings.refused:
        raise HistoryRefused(findings)
    kinds = _with_months(kinds_of_events(said, count), count, months)
    staged = tuple(by_stage(kinds, start, end, program))
    facts, together, field = _facts(staged, len(end), program, assume)
    if assume is None or program.bulk.assumed_facts is None:
        _tell_caveats(staged, spans.played, program, findings)
    return Schedule(start, end, spans.played, kinds, staged, facts, together, field)


def _days(spans: Spans, said: pa.Table | None, findings: Findings) -> tuple[Array, Array]:
    played = spans.played
    start, end = np.where(played, spans.start, 0), np.where(played, spans.end, 0)
    if said is None:
        return start, end
    events = column_of(said, "event")
    for name, days, late in (("start", start, False), ("end", end, True)):
        if name not in said.column_names:
            continue
        given = said[name].combine_chunks().cast(pa.int32())
        known = mask_of(given.is_valid())
        where, values = events[known], from_arrow(given.drop_null())
        wrong = days[where] > values if late else days[where] < values
        wrong &= played[where]
        if wrong.any():
            findings.add(
                Severity.WARNING,
                "history.outside-event",
                either(
                    int(wrong.sum()),
                    "{count} event has games after the end that the events file gives; the file "
                    "is followed.",
                    "{count} events have games after the end that the events file gives; the file "
                    "is followed.",
                )
                if late
                else either(
                    int(wrong.sum()),
                    "{count} event has games before the start that the events file gives; the "
                    "file is followed.",
                    "{count} events have games before the start that the events file gives; the "
                    "file is followed.",
                ),
                remedy=sentence("Mend the dates of the games, or those of the events."),
            )
        days[where] = values
    backwards = played & (start > end)
    if backwards.any():
        findings.add(
            Severity.ERROR,
            "history.event-dates",
            either(
                int(backwards.sum()),
                "By the dates of the games and of the events file {count} event ends before the "
                "first day.",
                "By the dates of the games and of the events file {count} events end before the "
                "first day.",
            ),
            Place(path="events"),
            sentence("Correct the dates of the events, or those of the games."),
        )
    return start, end


def spans_said(spans: Spans, said: pa.Table | None) -> tuple[Array, Array]:
    """First and last day of each event, as the events file says where it does."""
    return _days(spans, said, Findings())


def _with_months(kinds: list[Kind], count: int, parents: Array) -> list[Kind]:
    """The months of an event are described as the event is."""
    if not len(parents):
        return kinds
    which = np.zeros(count, np.int32)
    for number, kind in enumerate(kinds):
        which[kind.numbers] = number
    return [
        Kind(kind.event, np.r_[kind.numbers, count + np.flatnonzero(which[parents] == number)])
        for number, kind in enumerate(kinds)
    ]


def kinds_of_events(said: pa.Table | None, count: int) -> list[Kind]:
    """The distinct descriptions of events, each with the events that it describes."""
    names = [] if said is None else [n for n in EVENT_FIELDS if n in said.column_names]
    if said is None or not names:
        return [Kind(Event(), np.arange(count))]
    rows: dict[tuple[Any, ...], list[int]] = {}
    described = np.zeros(count, bool)
    for event, *values in zip(
        said["event"].to_pylist(), *(said[name].to_pylist() for name in names), strict=True
    ):
        rows.setdefault(tuple(values), []).append(event)
        described[event] = True
    kinds = []
    for described_so, events in rows.items():
        kinds.append(Kind(event_of(names, described_so), np.array(events)))
    rest = np.flatnonzero(~described)
    if len(rest):
        kinds.append(Kind(Event(), rest))
    return kinds


def event_of(names: Sequence[str], values: Sequence[Any]) -> Event:
    """The event that columns of the events file describe."""
    return Event.of(dict(zip(names, values, strict=True)))


def by_stage(kinds: Sequence[Kind], start: Array, end: Array, program: Program) -> Iterator[Staged]:
    """The descriptions of events, their numbers, and the parameters that hold for them."""
    stages = program.book.stages()
    for kind in kinds:
        numbers = kind.numbers
        if len(stages) == 1:
            yield Staged(kind.event, numbers, stages[0].parameters)
            continue
        days = deciding_days(start[numbers], end[numbers], kind.event, program)
        stage_of = at_days(stages, days)
        for number, stage in enumerate(stages):
            if (stage_of == number).any():
                yield Staged(kind.event, numbers[stage_of == number], stage.parameters)


def deciding_days(start: Array, end: Array, event: Event, program: Program) -> Array:
    """The days that say which edition rates events of that kind with these days."""
    calendar, p = program.bulk.calendar, program.book.parameters
    if calendar is None or calendar.decides is None or not len(start):
        return end
    # One number for both days: rows of two are sorted in ten times the time.
    spans, which = np.unique(
        (start.astype(np.int64) << _DAY_BITS) | (end - start), return_inverse=True
    )
    found = []
    for span in spans.tolist():
        first = EPOCH + timedelta(days=span >> _DAY_BITS)
        last = first + timedelta(days=span & ((1 << _DAY_BITS) - 1))
        found.append(day_number(calendar.decides(first, last, event, p)))
    days: Array = np.array(found, np.int32)[which]
    return days


def described(said: pa.Table | None, code: int) -> Event:
    """What the events file says of an event besides its days."""
    rows = [] if said is None else np.flatnonzero(column_of(said, "event") == code).tolist()
    if said is None or not rows:
        return Event()
    names = [name for name in EVENT_FIELDS if name in said.column_names]
    return event_of(names, [said[name][rows[0]].as_py() for name in names])


def parameters_of(event: Event, start: int, end: int, program: Program) -> Any:
    """The parameters that hold for an event with these days."""
    stages = program.book.stages()
    days = deciding_days(np.array([start]), np.array([end]), event, program)
    return stages[int(at_days(stages, days)[0])].parameters


def _facts(
    staged: Sequence[Staged], count: int, program: Program, assume: float | None
) -> tuple[Array, Array, Array]:
    """What the edition reads of the events, and whether it looks at their games, or their field."""
    facts = np.zeros(count, program.facts)
    together = np.zeros(count, bool)
    field = together.copy()
    rules, of_field = program.bulk.event_rules, program.bulk.field_rules
    for event, numbers, p in staged:
        read = program.bulk.facts_of(event, p)
        if assume is not None and program.bulk.assumed_facts is not None:
            read = program.bulk.assumed_facts(read, assume, p)
        for name, value in read._asdict().items():
            facts[name][numbers] = value
        together[numbers] = rules is not None and rules.wants(read, p)
        field[numbers] = of_field is not None and of_field.wants(read, p)
    return facts, together, field


def deadlines(events: Schedule, program: Program) -> Array | None:
    """The last day on which a report of each event is in time; None: whenever it comes.

    It is looked for by halves among the days of some years after the event.
    """
    late = program.bulk.calendar.late if program.bulk.calendar else None
    if late is None:
        return None
    found = np.full(len(events), _DAYS.max, np.int32)
    for _, numbers, p in events.staged:

        def deadline(end: date, p: Any = p) -> date:
            in_time, too_late = 0, _LATEST
            if not late(end, end + timedelta(too_late), p):
                return date.max
            while too_late - in_time > 1:
                days = (in_time + too_late) // 2
                if late(end, end + timedelta(days), p):
                    too_late = days
                else:
                    in_time = days
            return end + timedelta(in_time)

        found[numbers] = by_day(events.end[numbers], deadline)
    return None if (found == day_number(date.max)).all() else found


def _tell_caveats(
    staged: Sequence[Staged], played: Array, program: Program, findings: Findings
) -> None:
    """What a history does otherwise than a report of the same event."""
    caveat_of = program.bulk.caveat_of
    if caveat_of is None:
        return
    told: dict[str, int] = {}
    for event, numbers, p in staged:
        count = int(played[numbers].sum())
        text = caveat_of(event, p) if count else ""
        if text:
            told[text] = told.get(text, 0) + count
    for text, count in told.items():
        findings.add(
            Severity.WARNING,
            "history.not-as-in-reports",
            sentence(
                "{book}: {what} ({count}).",
                book=program.book.name,
                what=text,
                count=counted(count, "event"),
            ),
            remedy=sentence("Complete the events file, or rate these events from reports."),
        )


@dataclass(frozen=True)
class Timetable:
    """The lists of a period system, and which of them takes which event or day."""

    calendar: Calendar
    keys: Array
    """Day of each list: ascending."""
    order: Array
    """Code of each event in the order of their numbers."""
    ranks: Array
    """Number of each event by its code."""
    events: Events
    together: Array
    """Whether rules look at all games of an event together, by number."""
    field: Array
    """Whether rules ask who takes part, by number."""
    of_event: Array
    """List of each event, by number; of no meaning where games are taken by their days."""
    first_day: int
    of_day: Array
    """List of each day from the first on, where games are taken by their days."""

    def lists(self, number: Array, day: Array) -> Array:
        """The list that takes each game."""
        if self.calendar.by_game:
            return looked_up(self.of_day, day, self.first_day)
        taken: Array = self.of_event[number]
        return taken

    def places(self, begun: Array, lists: Array) -> Array:
        """How many lists were out when something began that these lists take."""
        in_force = self.calendar.in_force
        if in_force is None:
            return lists
        days = distinct(begun)
        place = np.searchsorted(self.keys, by_day(days, in_force), side="right")
        table, first = table_of(days, place.astype(np.int32))
        found = looked_up(table, begun, first)
        return np.minimum(found, lists, out=found)


def timetable(
    events: Schedule, days: Array, program: Program, more: Array | None = None
) -> Timetable:
    """The lists that take the events; ``days`` are the distinct days of games.

    ``more`` are days of lists that come out although nothing may have ended for them.
    """
    calendar = program.bulk.calendar
    if calendar is None:
        raise ValueError(f"{program.book.name} has no lists")
    read, parameters = program.bulk.facts_of, program.book.parameters
    of_day, first = np.zeros(0, np.int32), 0
    if calendar.by_game:
        lists = by_day(days, _taking(calendar, read(Event(), parameters)))
        keys = _with_reforms(np.unique(lists), program.book, calendar)
        of_day, first = table_of(days, np.searchsorted(keys, lists).astype(np.int32))
        order = np.arange(len(events), dtype=np.int32)
        of_event = np.zeros(len(events), np.int32)
    else:
        lists = np.zeros(len(events), np.int32)
        for kind in events.kinds:
            taking = _taking(calendar, read(kind.event, parameters))
            lists[kind.numbers] = by_day(events.end[kind.numbers], taking)
        keys = np.unique(lists[events.played] if events.played.any() else lists)
        if more is not None:
            keys = np.union1d(more, keys if events.played.any() else more)
        keys = _with_reforms(keys, program.book, calendar)
        of_event = np.searchsorted(keys, lists).astype(np.int32)
        order = np.argsort(of_event, kind="stable").astype(np.int32)
        of_event = of_event[order]
    by_number = Events(events.start[order], events.end[order], events.facts[order])
    return Timetable(
        calendar=calendar,
        keys=keys.astype(np.int32),
        order=order,
        ranks=ranks_of(order),
        events=by_number,
        together=events.together[order],
        field=events.field[order],
        of_event=of_event,
        first_day=first,
        of_day=of_day,
    )


def _with_reforms(keys: Array, book: BookOrSeries, calendar: Calendar) -> Array:
    """The lists, with those on whose days there is a reform, though nothing ended for them.

    What began under the list before counts at the numbers of before the reform.
    """
    if calendar.in_force is None or not len(keys):
        return keys
    days = [stage.since for stage in book.stages() if stage.reform and stage.since]
    of_lists = [day_number(day) for day in days if calendar.in_force(day) == day]
    between = [day for day in of_lists if keys[0] < day < keys[-1]]
    found: Array = np.union1d(keys, np.array(between, keys.dtype))
    return found


def _taking(calendar: Calendar, facts: Any) -> Callable[[date], date]:
    """The list that takes what ended on a day, for events with these facts."""

    def taking(day: date) -> date:
        return calendar.taking(day, facts)

    return taking


def ranks_of(order: Array) -> Array:
    """The number of each code, where ``order`` holds the codes by number."""
    ranks = np.empty(len(order), np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks
