"""What is rated when: events, batches, and the numbers in force for each game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.columns import GameColumns, HistoryInput, conditions_of
from ratingbook.engine.history.decided import Decided, decided_of, tell_unused
from ratingbook.engine.history.each_day import blocks, distinct, looked_up
from ratingbook.engine.history.fields import Fields, Takes
from ratingbook.engine.history.intake.arrays import column_of, from_arrow, mask_of, missing_in
from ratingbook.engine.history.months import Months, MonthSpans, long_events, month_keys, split_keys
from ratingbook.engine.history.named import numbers_of, with_memory
from ratingbook.engine.history.program import NO_NEEDS, Needs, Program
from ratingbook.engine.history.spans import Spans, is_ascending
from ratingbook.engine.history.timetable import (
    Schedule,
    deadlines,
    ranks_of,
    schedule,
    timetable,
)
from ratingbook.engine.history.turns import Turns
from ratingbook.engine.loops.arrays import (
    BLACK_RATED,
    WHITE_RATED,
    Batches,
    Events,
    Games,
    columns_of_players,
)
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import LEFT_OUT, NO_NUMBER, NOT_GIVEN, Calendar
from ratingbook.rules.wording import either

Array = np.ndarray[Any, Any]

_NO_BYTES = np.empty(0, np.uint8)


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
    months: Array | None = None
    """Events and months of the events that follow all others, as :mod:`.months` joins them."""
    together: Array | None = None
    """Whether rules look at all games of an event together, by number; None: of no event."""
    fields: Fields | None = None
    """Who takes part in events whose rules ask for it."""
    needs: Needs = NO_NEEDS
    """What the loops have to look at."""
    decided: Decided | None = None
    """What the office decided."""
    rows: Array | None = None
    """Row in the file of each game of an archive, where they stand as they were moved."""

    def event_code(self, number: int, count: int) -> int:
        """The code of an event, of ``count``; of a month that of the event whose month it is."""
        code = int(self.event_order[number])
        if self.months is None or code < count:
            return code
        return int(split_keys(self.months)[0][code - count])

    def rows_of(self, games: Array) -> Array:
        """The rows of the input from which some games are, counted from 0."""
        rows = self.moved if self.rows is None else self.rows
        found: Array = games if rows is None else rows[games]
        return found

    findings: Findings = field(default_factory=Findings)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def largest(self) -> int:
        """Games of the largest batch."""
        return int(np.diff(self.games.offsets).max(initial=0))


def plan_of(
    given: HistoryInput,
    program: Program,
    assume: float | None = None,
    lists: Array | None = None,
) -> Plan:
    """The plan of a history by the calendar of its edition.

    ``lists`` are days of lists that other pools of the federation have, which so are batches here,
    too, where the edition has lists: of no games, if nothing ended for them.
    """
    plan = with_plain(_plan_of(given, program, assume, lists), program)
    if given.decisions is None:
        return plan
    plan = with_decided(plan, given, program)
    last = np.full(len(given.players), -1, np.int64)
    batch = np.searchsorted(plan.games.offsets, np.arange(len(plan.games.white)), side="right") - 1
    for column in columns_of_players(plan.games):
        np.maximum.at(last, column[column >= 0], batch[column >= 0])
    plan.findings.extend(tell_unused(plan.decided, given, last))
    return plan


def with_decided(plan: Plan, given: HistoryInput, program: Program) -> Plan:
    """The plan with what the office decided."""
    decided = decided_of(given, program.book, plan.keys)
    if decided is None:
        return plan
    return replace(plan, decided=decided, needs=replace(plan.needs, decisions=True))


def with_plain(plan: Plan, program: Program) -> Plan:
    """The plan, which knows whether all events have the very numbers of the edition."""
    plain = plan.fields is None and has_plain(plan.events.facts, program)
    return replace(plan, needs=replace(plan.needs, plain=plain))


def has_plain(facts: Array, program: Program) -> bool:
    """Whether what events say of the edition's parameters is what the edition says."""
    shared = program.shared_with_events
    (stage, *_) = program.book.stages()
    return bool(shared) and all(
        bool((facts[name] == getattr(stage.parameters, name)).all()) for name in shared
    )


def _plan_of(
    given: HistoryInput, program: Program, assume: float | None, lists: Array | None
) -> Plan:
    findings = Findings()
    columns = given.games
    codes, count = _events_of(columns, len(given.event_ids))
    spans = given.spans or Spans.of(columns.begun, columns.day, codes, count)
    is_long = long_events(spans, given.events, program, findings)
    months = parents = None
    if is_long is not None:
        begun = columns.begun
        which = np.flatnonzero(is_long[codes])
        keys = month_keys(codes[which], columns.day[which])
        found = MonthSpans.of(keys, begun[which], columns.day[which])
        months = Months(is_long, found.keys)
        spans, parents = months.spans(spans, found), months.parents
        codes = months.codes(codes, columns.day)
    events = schedule(spans, given.events, program, assume, findings, parents)
    if program.book.rated_by is RatedBy.GAME:
        plan = _by_day_of_game(columns, codes, events.facts, findings)
        games = with_decisions(plan.games, given, findings)
        return replace(plan, games=games)
    if program.bulk.calendar is None:
        return _by_section(columns, codes, events, given, program, findings)
    plan = _by_period(given, codes, events, program, findings, lists)
    return plan if months is None else replace(plan, months=months.keys)


def _events_of(columns: GameColumns, known: int) -> tuple[Array, int]:
    """The event of each game; without such a column every day is one."""
    if columns.event is not None:
        return columns.event, known
    first = int(columns.day.min()) if len(columns) else 0
    codes = (columns.day - first).astype(np.int32)
    return codes, int(codes.max()) + 1 if len(codes) else 0


def _by_day_of_game(columns: GameColumns, codes: Array, facts: Array, findings: Findings) -> Plan:
    """Games one after the other, by day, event, section and round; a batch is a day."""
    count = len(facts)
    first_day = int(columns.day.min(initial=0)) if len(columns) else 0
    key = (columns.day - first_day).astype(np.int64) * max(1, count) + codes
    for column in (columns.section, columns.round):
        if column is not None and len(column):
            lowest = int(column.min())
            key *= int(column.max()) - lowest + 1
            key += column - lowest
    moved = _in_order(key, findings)
    del key
    day = _taken(columns.day, moved)
    first = firsts_of(day)
    games = _games(columns, _taken(codes, moved), moved, first)
    # A game ends on its own day, whatever its event; one row of facts for each event.
    start = day if columns.start is None else _taken(columns.start, moved)
    games = games._replace(start=start, end=day)
    keys = day[first].astype(np.int32)
    order = np.arange(count, dtype=np.int32)
    batches = batches_of(keys, games.event[first], None, order)
    nothing = np.zeros(count, np.int32)
    return Plan(
        games, Events(nothing, nothing, facts), batches, keys, 1, order, moved,
        needs=needs_of(games, np.zeros(0, bool)), findings=findings,
    )  # fmt: skip


def batches_of(day: Array, event: Array, said: pa.Table | None, order: Array) -> Batches:
    """Batches of these days and events, of which ``order`` has the codes."""
    count = int(order.max(initial=-1)) + 1
    return Batches(day, event, _parts(said, count)[0][order][event])


def _parts(said: pa.Table | None, count: int) -> tuple[Array, Array]:
    """Of each event by its code: a number for all parts of the same event, and its turn in it."""
    wholes, turns = np.arange(count, dtype=np.int32), np.zeros(count, np.int32)
    if said is None or "part_of" not in said.column_names:
        return wholes, turns
    events = column_of(said, "event")
    named = pc.dictionary_encode(said["part_of"].combine_chunks()).indices
    has = mask_of(named.is_valid())
    events, of = events[has], from_arrow(named.drop_null())
    first = np.full(int(of.max(initial=-1)) + 1, count, np.int32)
    np.minimum.at(first, of, events)
    wholes[events] = first[of]
    if "turn" in said.column_names:
        turns[events] = from_arrow(pc.fill_null(said["turn"], 0).combine_chunks())[has]
    return wholes, turns


def _by_section(
    columns: GameColumns,
    codes: Array,
    known: Schedule,
    given: HistoryInput,
    program: Program,
    findings: Findings,
) -> Plan:
    """Each section of each event is a batch, in the order of the events' ends.

    Sections that are events by themselves, parts of one, come in their turns.
    """
    wholes, turns_said = _parts(given.events, len(known))
    order = np.lexsort((np.arange(len(known)), turns_said, wholes, known.end)).astype(np.int32)
    number = ranks_of(order)[codes]
    sections = columns.section
    if sections is None:
        key = number
    else:
        key = number.astype(np.int64) * (int(sections.max(initial=0)) + 1) + sections
    turns = _turns(given, known.together)
    moved = _in_order(_with_turns(key, turns, known.together, codes), findings)
    first = firsts_of(_taken(key, moved))
    number = _taken(number, moved)
    events = Events(known.start[order], known.end[order], known.facts[order])
    games = _games(columns, number, moved, first, turns)
    games = with_others(games, columns, moved, events.start, program)
    grades = _grades(columns, codes, moved, given.entries, len(given.players), program)
    games = games._replace(entry_white=grades[0], entry_black=grades[1])
    batch_event = number[first]
    batches = batches_of(events.end[batch_event], batch_event, given.events, order)
    told = None if sections is None else _taken(sections, moved)[first]
    return Plan(
        games, events, batches, batches.day, 1, order, moved, sections=told,
        together=some_of(known.together[order]), needs=needs_of(games, known.together),
        findings=findings,
    )  # fmt: skip


def _by_period(
    given: HistoryInput,
    codes: Array,
    known: Schedule,
    program: Program,
    findings: Findings,
    more: Array | None,
) -> Plan:
    """Each list takes what ended in time for it."""
    columns, turns = given.games, _turns(given, known.together)
    by_game = program.bulk.calendar is not None and program.bulk.calendar.by_game
    taken = columns.day[:0]
    if by_game:
        taken = days_taken(columns.day, columns.reported, program.bulk.calendar)
    table = timetable(known, distinct(taken), program, more)
    begun = columns.begun
    # Of the type that they are looked for in, else all of that is copied.
    lists = np.arange(len(table.keys), dtype=np.int32)
    if by_game:
        of_game = table.lists(codes, taken)
        moved = _in_order(of_game, findings)
        number, of_game = _taken(codes, moved), _taken(of_game, moved)
        begun, ended = _taken(begun, moved), _taken(columns.day, moved)
        of_ended = of_game
        places = table.places(begun, of_game)
        uses = uses_of(places, of_game, len(table.keys))
        first = np.searchsorted(of_game, lists)
    else:
        # Events that stand by their lists already have their codes for numbers.
        number = codes if is_ascending(table.order) else looked_up(table.ranks, codes)
        moved = _in_order(_with_turns(number, turns, known.together, codes), findings)
        number = _taken(number, moved)
        of_game = table.of_event[number] if table.field.any() else taken
        # Of millions of games less is asked than of their events.
        played = np.flatnonzero(known.played[table.order])
        ended, of_ended = table.events.end[played], table.of_event[played]
        places = table.places(table.events.start, table.of_event)
        uses = uses_of(places[played], of_ended, len(table.keys))
        first_events = np.searchsorted(table.of_event, lists)
        first = np.searchsorted(number, first_events.astype(number.dtype))
    sides = [_taken(e, moved) for e in columns_of_players(columns)] if table.field.any() else []
    fields = Fields.of(Takes.of(table.field, number, of_game, sides), given.entries, table)
    kept = KeptLists.of(table.calendar.kept_lists, *with_uses(uses, fields))
    games = _games(columns, number, moved, first, turns)
    games = with_others(games, columns, moved, table.events.start, program)
    in_time = None if columns.reported is None else deadlines(known, program)
    games = games._replace(status=statuses(games, columns.reported, moved, in_time, codes))
    if kept.last_use is not None:
        slot = kept.slot(places)
        games = games._replace(slot=slot if by_game else looked_up(slot, number))
    if by_game:
        games = games._replace(start=np.ascontiguousarray(begun, np.int32), end=ended)
    filled = np.flatnonzero(np.diff(games.offsets))
    last, event = table.keys - 1, np.zeros(len(table.keys), number.dtype)
    if len(filled):
        last[filled] = np.maximum.reduceat(ended, np.searchsorted(of_ended, lists[filled]))
        event[filled] = number[first[filled]]
    batches = batches_of(last.astype(np.int32), event, None, table.order)
    return Plan(
        games, table.events, batches, table.keys, kept.slots, table.order, moved, kept.last_use,
        together=some_of(table.together), fields=fields,
        needs=needs_of(games, table.together), findings=findings,
    )  # fmt: skip


def days_taken(day: Array, reported: Array | None, calendar: Calendar | None) -> Array:
    """The days that say which list takes each game: of the reports, if the edition says so."""
    if reported is None or calendar is None or not calendar.by_report:
        return day
    days: Array = np.maximum(day, reported)
    return days


def statuses(
    games: Games, reported: Array | None, moved: Array | None, in_time: Array | None, codes: Array
) -> Array:
    """How games came to their results, those left out whose report came too late."""
    if reported is None or in_time is None:
        nothing: Array = games.status
        return nothing
    late = _taken(reported > in_time[codes], moved)
    status: Array = games.status
    if late.any():
        given = status if len(status) else np.zeros(len(late), np.int8)
        status = np.where(late, np.int8(LEFT_OUT), given)
    return status


def needs_of(games: Games, together: Array) -> Needs:
    """What the loops have to look at in these games."""
    return Needs(
        events=bool(together.any()),
        status=len(games.status) > 0,
        named=len(games.white_number) > 0,
        substitutes=len(games.white_for) > 0,
    )


def some_of(flags: Array) -> Array | None:
    """The flags, None where none is set."""
    return flags if flags.any() else None


def firsts_of(values: Array) -> Array:
    """Where each run of equal values begins."""
    return np.flatnonzero(np.r_[len(values) > 0, values[1:] != values[:-1]][: len(values)])


@dataclass(frozen=True)
class KeptLists:
    """How many lists' numbers are kept, for games that began under them.

    The numbers after batch b stand in row (b + 1) modulo the number of rows, those of
    before the first batch in row 0.
    """

    slots: int
    last_use: Array | None
    """The last batch that uses each list's numbers; None: all use those of the last list."""

    @classmethod
    def of(cls, least: int, lag: int, last_use: Array) -> KeptLists:
        """For games that look so many lists back; at ``least`` so many lists are kept."""
        return cls(max(lag + 1, least), last_use if lag else None)

    def slot(self, places: Array) -> Array:
        """The row of the numbers in force, where so many lists were out."""
        rows = (np.arange(int(places.max(initial=0)) + 1) % self.slots).astype(np.int16)
        return looked_up(rows, places)


def uses_of(places: Array, lists: Array, count: int) -> tuple[int, Array]:
    """How far back what began when ``places`` lists were out looks, and each list's last use."""
    last_use, lag = np.arange(count + 1, dtype=np.int32), 0
    for part in blocks(len(lists)):
        lag = max(lag, int((lists[part] - places[part]).max()))
        np.maximum.at(last_use, places[part], lists[part])
    return lag, last_use


def with_uses(uses: tuple[int, Array], fields: Fields | None) -> tuple[int, Array]:
    """The same with the lists that are looked at for whole fields."""
    if fields is None:
        return uses
    lag, last_use = uses
    np.maximum.at(last_use, fields.place, fields.last)
    return max(lag, int((fields.last - fields.place).max())), last_use


def _turns(given: HistoryInput, together: Array) -> Turns | None:
    """Sections and rounds, where rules look at the games of some event together."""
    return Turns.of(given.games, given.section_ids) if together.any() else None


def _with_turns(key: Array, turns: Turns | None, together: Array, codes: Array) -> Array:
    return key if turns is None else turns.after(key, together[codes])


def _in_order(key: Array, findings: Findings) -> Array | None:
    """How the games have to be moved; None: they stand by the key."""
    if is_ascending(key):
        return None
    put_in_order(int(np.count_nonzero(key[1:] < key[:-1])), findings)
    # Kept with the games: half as long where their number allows.
    number = np.int32 if len(key) <= np.iinfo(np.int32).max else np.int64
    return np.argsort(key, kind="stable").astype(number)


def put_in_order(times: int, findings: Findings) -> None:
    """Tell that games stand in the file otherwise than they are rated."""
    findings.add(
        Severity.INFO,
        "history.put-in-order",
        either(
            times,
            "Once a game stands after one that is rated later; the games were put in the order in "
            "which they are rated.",
            "{count} times a game stands after one that is rated later; the games were put in the "
            "order in which they are rated.",
        ),
    )


def _taken(values: Array, moved: Array | None) -> Array:
    return values if moved is None else values[moved]


def _games(
    columns: GameColumns,
    number: Array,
    moved: Array | None,
    first: Array,
    turns: Turns | None = None,
) -> Games:
    """The columns in order, those that say nothing left empty."""
    empty = np.empty(0, np.int32)
    handicap, rated, status = columns.handicap, columns.rated, columns.status
    conditions = conditions_of(columns)
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
        entry_white=empty,
        entry_black=empty,
        white_number=empty,
        black_number=empty,
        white_reached=empty,
        black_reached=empty,
        status=_taken(status, moved) if status is not None and status.any() else empty,
        turn=empty if turns is None else _taken(turns.told(), moved),
        reported=empty,
        white_for=empty,
        black_for=empty,
        conditions=_taken(conditions, moved) if conditions is not None else empty,
    )


def with_others(
    games: Games, columns: GameColumns, moved: Array | None, starts: Array, program: Program
) -> Games:
    """The games with the numbers that they name, and with those whom substitutes replace.

    Columns that say nothing, or of which the edition has no rule, stay empty.
    """
    named = columns.white_rating, columns.black_rating
    if any((each != NOT_GIVEN).any() for each in named if each is not None):
        games = games._replace(
            white_number=numbers_of(named[0], moved, len(columns)),
            black_number=numbers_of(named[1], moved, len(columns)),
        )
        if program.bulk.remembers is not None:
            games = with_memory(games, starts)
    replaced = columns.white_for, columns.black_for
    if program.book.substitutes and any((e >= 0).any() for e in replaced if e is not None):
        white, black = (
            np.full(len(columns), -1, np.int32) if each is None else _taken(each, moved)
            for each in replaced
        )
        games = games._replace(white_for=white, black_for=black)
    return games


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
    keys = column_of(entries, "event").astype(np.int64) * players + column_of(entries, "player")
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


def with_decisions(games: Games, given: HistoryInput, findings: Findings) -> Games:
    """The games with the ratings that the office set for events, where each is rated by itself.

    A rating is told at all games of the player in the event up to the first that is rated
    for the player.
    """
    entries = given.entries
    if entries is None or "rating" not in entries.column_names:
        nothing = np.empty(0, np.float64)
        return games._replace(entry_white=nothing, entry_black=nothing)
    entries = entries.filter(entries["rating"].is_valid())
    decided = _keys(column_of(entries, "event"), column_of(entries, "player"), given)
    ratings = column_of(entries, "rating")
    keys = np.r_[_keys(games.event, games.white, given), _keys(games.event, games.black, given)]
    halves = np.flatnonzero(np.isin(keys, decided))
    count = len(games.white)
    order = np.lexsort((halves % count if count else halves, keys[halves]))
    halves = halves[order]
    keys = keys[halves]
    is_rated = np.ones(len(halves), np.int64)
    if len(games.rated):
        bit = np.where(halves < count, WHITE_RATED, BLACK_RATED)
        is_rated = (games.rated[halves % count] & bit != 0).astype(np.int64)
    # How many games were rated for the player before, in the same event.
    before = np.cumsum(is_rated) - is_rated
    first = firsts_of(keys)
    before -= np.repeat(before[first], np.diff(np.r_[first, len(keys)]))
    sorter = np.argsort(decided)
    values = ratings[sorter][np.searchsorted(decided, keys, sorter=sorter)]
    told = np.full(2 * count, NO_NUMBER)
    told[halves[before == 0]] = values[before == 0]
    idle = int(np.count_nonzero(~np.isin(decided, keys[is_rated > 0])))
    if idle:
        findings.add(
            Severity.WARNING,
            "history.decision-unused",
            either(
                idle,
                "{count} rating of the entries is not used: its player has no rated game in the "
                "event.",
                "{count} ratings of the entries are not used: their players have no rated game in "
                "the event.",
            ),
            remedy=sentence(
                "Name the event in which the player plays the first game with that rating."
            ),
        )
    return games._replace(entry_white=told[:count], entry_black=told[count:])


def _keys(events: Array, players: Array, given: HistoryInput) -> Array:
    """One number for an event and a player."""
    keys: Array = events.astype(np.int64) * len(given.players) + players
    return keys


def coded(texts: pa.ChunkedArray, code: Callable[[str], int]) -> Array:
    """Texts as the numbers of an edition, each distinct text looked at once."""
    words = texts.combine_chunks().cast(pa.string()).dictionary_encode()
    table = np.array([code(word.as_py()) for word in words.dictionary] or [NOT_GIVEN], np.int32)
    codes, missing = table[from_arrow(words.indices)], missing_in(words.indices)
    return codes if missing is None else np.where(missing, NOT_GIVEN, codes)
