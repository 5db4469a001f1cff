"""What workers have read is laid out by them, piece by piece and then period by period.

Nothing is shuffled: a piece leaves one file with a part for each period, and who lays a
period takes its part of every piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.decided import tell_unused
from ratingbook.engine.history.fields import Fields, Takes
from ratingbook.engine.history.hashes import hashes_of
from ratingbook.engine.history.months import Months, long_events, split_keys
from ratingbook.engine.history.named import with_memory
from ratingbook.engine.history.plan import (
    KeptLists,
    Plan,
    days_taken,
    firsts_of,
    put_in_order,
    some_of,
    uses_of,
    with_decided,
    with_plain,
    with_uses,
)
from ratingbook.engine.history.program import Needs, Program
from ratingbook.engine.history.signatures import (
    events_hashes,
    joined_sums,
    signed,
    sums_beside,
    sums_of,
)
from ratingbook.engine.history.spans import is_ascending
from ratingbook.engine.history.timetable import (
    Schedule,
    Timetable,
    deadlines,
    schedule,
    timetable,
)
from ratingbook.engine.history.turns import Turns
from ratingbook.engine.loops.arrays import Batches
from ratingbook.engine.spark.buckets import (
    PLAYERS,
    Prepared,
    bounds_of,
    filled_periods,
    games_of,
    halves_of,
    write_period,
)
from ratingbook.engine.spark.intake import Pieces
from ratingbook.engine.spark.session import Cluster
from ratingbook.engine.spark.shipping import column, read_table
from ratingbook.engine.spark.work import BookName, program_of
from ratingbook.model import Findings
from ratingbook.rules.bulk import LEFT_OUT, NOT_GIVEN

Array = np.ndarray[Any, Any]

_BY_PERIOD = "by-period.arrow"


@dataclass(frozen=True)
class _Table:
    """A timetable as it is sent: a worker takes the calendar from its own rule book."""

    book: BookName
    compiled: bool
    code: str
    columns: Mapping[str, Any]
    ids: pa.DataType
    players: int
    months: Months | None
    substitutes: bool
    """Whether the edition knows substitutes."""
    event_hashes: Array
    """What each event is known by in signatures, by its number."""
    in_time: Array | None
    """The last day on which a report of each event is in time, by its code."""
    sections: pa.Array
    """The ids of all sections."""
    decided: Array
    """The players of whom something was decided, ascending."""

    @classmethod
    def of(
        cls,
        table: Timetable,
        program: Program,
        given: HistoryInput,
        months: Months | None,
        in_time: Array | None,
    ) -> _Table:
        """The timetable of a history."""
        columns = {
            each.name: getattr(table, each.name)
            for each in fields_of(table)
            if each.name != "calendar"
        }
        ids = given.players
        return cls(
            BookName.of(program.book), program.compiled, program.key, columns, ids.type, len(ids),
            months, program.book.substitutes,
            events_hashes(given, table.order, months.keys if months else None), in_time,
            given.section_ids, _players_decided(given),
        )  # fmt: skip

    def timetable(self) -> Timetable:
        """What it was made of."""
        calendar = program_of(self.book, self.compiled, self.code).bulk.calendar
        if calendar is None:
            raise ValueError(f"{self.book.name} has no lists")
        return Timetable(calendar=calendar, **self.columns)


def _players_decided(given: HistoryInput) -> Array:
    if given.decisions is None:
        return np.empty(0, np.int32)
    return np.unique(given.decisions["player"].to_numpy())


@dataclass(frozen=True)
class _Split:
    """What the driver is told of a piece by periods."""

    games: Array
    """How many of each period."""
    last: Array
    """The last day on which a game or event of each period ended."""
    sums: Array
    """What they add to the signatures."""
    lag: int
    last_use: Array
    has_status: bool
    """Whether games say how they came to their results."""
    has_named: bool
    """Whether games name ratings in force."""
    has_whole: bool
    """Whether all of these are whole numbers."""
    has_substitutes: bool
    takes: Takes
    """Who takes part in events whose rules ask for it."""
    last_of: Array
    """The last period of each player of whom something was decided."""
    misplaced: int
    """Games after one that is rated later."""
    first_key: int
    last_key: int


@dataclass(frozen=True)
class _SplitPieces:
    """The task that cuts pieces by periods."""

    table: Any
    """Broadcast :class:`_Table`."""

    def __call__(self, folders: Iterable[Path]) -> Iterator[_Split]:
        for folder in folders:
            yield _split(self.table.value, folder)


def _split(sent: _Table, folder: Path) -> _Split:
    table = sent.timetable()
    said = read_table(folder / "games.arrow")
    columns = {name: column(said, name) for name in said.column_names}
    del said
    day = columns.pop("day")
    begun = columns.pop("start", day)
    events = columns.pop("event", None)
    if events is None:
        # Every day is an event, counted from the piece's first.
        events = day - int(day.min()) if len(day) else day
    codes = _codes(folder, "event")[events]
    if sent.months is not None:
        codes = sent.months.codes(codes, day)
    sections, rounds = columns.pop("section", None), columns.pop("round", None)
    reported = columns.pop("reported", None)
    if reported is not None and sent.in_time is not None:
        late = reported > sent.in_time[codes]
        given = columns.get("status", np.zeros(len(late), np.int8))
        columns["status"] = np.where(late, np.int8(LEFT_OUT), given)
    number = codes if table.calendar.by_game else table.ranks[codes]
    lists = table.lists(number, days_taken(day, reported, table.calendar))
    turns = None
    if table.together.any() and not (sections is None and rounds is None):
        sections = None if sections is None else _codes(folder, "section")[sections]
        turns = Turns(sections, rounds, hashes_of(sent.sections))
        columns["turn"] = turns.told()
    key = lists
    if not table.calendar.by_game:
        key = number
        if turns is not None:
            columns["key"] = key = turns.after(number, table.together[number])
    misplaced = int(np.count_nonzero(key[1:] < key[:-1]))
    first, last_key = (int(key[0]), int(key[-1])) if len(key) else (0, 0)
    if table.calendar.by_game:
        columns |= {"start": np.ascontiguousarray(begun, np.int32), "end": day}
        places, ended = table.places(begun, lists), day
    else:
        places = table.places(table.events.start[number], lists)
        ended = table.events.end[number]
    columns |= {"event": number.astype(np.int32, copy=False), "place": places}
    has_substitutes = _take_substitutes(columns, sent.substitutes)
    has_named, has_whole = _take_named(columns)
    if not is_ascending(lists):
        moved = np.argsort(lists, kind="stable")
        columns = {name: values[moved] for name, values in columns.items()}
        lists, ended = lists[moved], ended[moved]
    count = len(table.keys)
    offsets = np.searchsorted(lists, np.arange(count + 1)).astype(np.int64)
    last = np.full(count, np.iinfo(np.int32).min, np.int32)
    firsts = firsts_of(lists)
    if len(firsts):
        last[lists[firsts]] = np.maximum.reduceat(ended, firsts)
    lag, last_use = uses_of(columns["place"], lists, count)
    own = read_table(folder / "player-ids.arrow")["id"].combine_chunks().cast(sent.ids)
    named = {name: values for name, values in columns.items() if name not in ("place", "key")}
    sums = sums_of(hashes_of(own), games_of(offsets, named), table.events, sent.event_hashes)
    players = _codes(folder, "player")
    # Nobody stays nobody.
    players = np.append(players, np.int32(-1))
    sides = [name for name in PLAYERS if name in columns]
    for side in sides:
        columns[side] = players[columns[side]]
    takes = Takes.of(table.field, columns["event"], lists, [columns[side] for side in sides])
    played = halves_of([columns[side] for side in sides], sent.players)
    np.save(folder / "played.npy", played)
    _write_parts(columns, offsets, folder / _BY_PERIOD)
    return _Split(
        games=np.diff(offsets), last=last, sums=sums, lag=lag, last_use=last_use,
        has_status="status" in columns, has_named=has_named, has_whole=has_whole,
        has_substitutes=has_substitutes, takes=takes, misplaced=misplaced,
        last_of=_last_of(sent.decided, [columns[side] for side in sides], lists),
        first_key=first, last_key=last_key,
    )  # fmt: skip


def _last_of(players: Array, sides: Sequence[Array], lists: Array) -> Array:
    """The last list of some players, who ascend; -1 of those without a game."""
    last = np.full(len(players), -1, np.int64)
    for side in sides if len(players) else ():
        at = np.minimum(np.searchsorted(players, side), len(players) - 1)
        found = players[at] == side
        np.maximum.at(last, at[found], lists[found])
    return last


def _take_substitutes(columns: dict[str, Array], known: bool) -> bool:
    """Both columns of substitutes or, where the edition does not know them, none.

    Gives whether somebody is replaced.
    """
    found = {name: columns.pop(name) for name in PLAYERS[2:] if name in columns}
    if not found or not known:
        return False
    nobody = np.full(len(columns["white"]), -1, np.int32)
    columns |= {name: found.get(name, nobody) for name in PLAYERS[2:]}
    return any(bool((each >= 0).any()) for each in found.values())


def _take_named(columns: dict[str, Array]) -> tuple[bool, bool]:
    """The ratings that games name under the names of the loops.

    Gives whether there are some, and whether all are whole numbers.
    """
    found = {name: columns.pop(f"{name}_rating", None) for name in ("white", "black")}
    if found["white"] is None and found["black"] is None:
        return False, True
    nothing = np.full(len(columns["white"]), float(NOT_GIVEN))
    named = {f"{name}_number": nothing if v is None else v for name, v in found.items()}
    columns |= named
    has_named = any(bool((each != NOT_GIVEN).any()) for each in named.values())
    return has_named, all(bool((each == np.rint(each)).all()) for each in named.values())


def _codes(folder: Path, name: str) -> Array:
    return column(read_table(folder / f"{name}.arrow"), "code")


def _write_parts(columns: dict[str, Array], offsets: Array, path: Path) -> None:
    """One record batch for each period."""
    table = pa.table(columns)
    with pa.ipc.new_file(path, table.schema) as writer:
        for begin, end in pairwise(offsets):
            part = table.slice(int(begin), int(end - begin)).combine_chunks()
            batches = part.to_batches() or [pa.RecordBatch.from_pylist([], schema=table.schema)]
            writer.write_batch(batches[0])


@dataclass(frozen=True)
class Named:
    """How the ratings that games name are laid down."""

    some: bool
    """Whether a game of the history names one."""
    whole: bool
    starts: Array | None
    """First days of the events, where the rules remember what is named."""

    def put(self, columns: dict[str, Array]) -> dict[str, Array]:
        """The columns of a period as the loops take them."""
        names = [name for name in ("white_number", "black_number") if name in columns]
        if not self.some:
            return {name: values for name, values in columns.items() if name not in names}
        if self.whole:
            columns |= {name: columns[name].astype(np.int64) for name in names}
        if self.starts is None:
            return columns
        offsets = np.array([0, len(columns["white"])], np.int64)
        games = with_memory(games_of(offsets, columns), self.starts)
        more = {name: getattr(games, name) for name in ("white_reached", "black_reached")}
        return columns | more


@dataclass(frozen=True)
class _LayPeriods:
    """The task that lays periods out by players."""

    folders: tuple[Path, ...]
    by_event: bool
    kept: KeptLists
    players: int
    bounds: tuple[int, ...]
    out: Path
    together: Array | None
    named: Named

    def __call__(self, periods: Iterable[int]) -> Iterator[tuple[int, list[int], tuple[int, ...]]]:
        for period in periods:
            rows, slots = self._lay(period)
            yield period, rows, slots

    def _lay(self, period: int) -> tuple[list[int], tuple[int, ...]]:
        parts = [_part(folder / _BY_PERIOD, period) for folder in self.folders]
        table = pa.Table.from_batches([part for part in parts if len(part)] or parts[:1])
        columns = {name: column(table, name) for name in table.column_names}
        key = columns.pop("key", columns["event"])
        if self.by_event and not is_ascending(key):
            moved = np.argsort(key, kind="stable")
            columns = {name: values[moved] for name, values in columns.items()}
        places = columns.pop("place")
        if self.kept.last_use is not None:
            columns["slot"] = self.kept.slot(places)
        columns = self.named.put(columns)
        return write_period(columns, self.players, self.bounds, period, self.out, self.together)


def _part(path: Path, period: int) -> pa.RecordBatch:
    with pa.OSFile(str(path)) as source:
        return pa.ipc.open_file(source).get_batch(period)


@dataclass(frozen=True)
class Laid:
    """A history whose games lie in the folders of its pieces, period by period."""

    pieces: Pieces
    plan: Plan
    """A plan that knows the number of games of each period, and no game."""
    marks: Array
    kept: KeptLists
    by_event: bool
    named: Named

    def prepare(
        self, cluster: Cluster, group: str, buckets: int, first: int, folder: Path
    ) -> Prepared:
        """Write the files of all periods from ``first`` on that have games."""
        players = len(self.pieces.given.players)
        played = np.zeros(players, np.int64)
        for each in self.pieces.folders:
            played += np.load(each / "played.npy")
        bounds = bounds_of(played, buckets)
        task = _LayPeriods(
            self.pieces.folders, self.by_event, self.kept, players, bounds, folder,
            self.plan.together, self.named,
        )  # fmt: skip
        periods = filled_periods(self.plan.games.offsets, first)
        rows = np.zeros((len(self.plan) - first, buckets), np.int64)
        slots: dict[int, tuple[int, ...]] = {}
        for period, counts, named in cluster.run(group, task, periods):
            rows[period - first] = counts
            slots[period] = named
        return Prepared(folder, first, bounds, rows, slots)


def lists_of(pieces: Pieces, program: Program, assume: float | None) -> Array:
    """Days of the lists that take what the workers read."""
    return _timed(pieces, program, assume, None, Findings()).table.keys


class _Timed(NamedTuple):
    """When what is rated that lies in pieces, as the driver finds it."""

    table: Timetable
    events: Schedule
    months: Months | None


def _timed(
    pieces: Pieces,
    program: Program,
    assume: float | None,
    lists: Array | None,
    findings: Findings,
) -> _Timed:
    spans, said = pieces.played.spans, pieces.given.events
    is_long = long_events(spans, said, program, findings)
    months = None
    if is_long is not None and pieces.months is not None:
        found = pieces.months
        months = Months(is_long, found.keys[is_long[split_keys(found.keys)[0]]])
        spans = months.spans(spans, found)
    events = schedule(spans, said, program, assume, findings, months.parents if months else None)
    by_report = program.bulk.calendar is not None and program.bulk.calendar.by_report
    days = pieces.report_days if by_report else pieces.days
    return _Timed(timetable(events, days, program, lists), events, months)


def lay(
    cluster: Cluster,
    group: str,
    pieces: Pieces,
    program: Program,
    assume: float | None,
    lists: Array | None = None,
) -> Laid:
    """Let the workers cut what they read by periods; ``lists`` are also those of other pools."""
    findings = Findings()
    table, events, months = _timed(pieces, program, assume, lists, findings)
    sent = cluster.context.broadcast(
        _Table.of(table, program, pieces.given, months, deadlines(events, program))
    )
    try:
        splits: list[_Split] = cluster.run(group, _SplitPieces(sent), pieces.folders)
    finally:
        sent.destroy()
    misplaced = sum(each.misplaced for each in splits)
    filled = [each for each in splits if each.games.any()]
    misplaced += sum(b.first_key < a.last_key for a, b in pairwise(filled))
    if misplaced:
        put_in_order(misplaced, findings)
    takes = reduce(Takes.plus, (each.takes for each in splits))
    fields = Fields.of(takes, pieces.given.entries, table)
    uses = max(each.lag for each in splits), np.max([each.last_use for each in splits], axis=0)
    kept = KeptLists.of(table.calendar.kept_lists, *with_uses(uses, fields))
    counts = np.sum([each.games for each in splits], axis=0)
    last = np.where(counts, np.max([each.last for each in splits], axis=0), table.keys - 1)
    offsets = np.r_[0, np.cumsum(counts)].astype(np.int64)
    plan = Plan(
        games=games_of(offsets, {}),
        events=table.events,
        batches=Batches(last.astype(np.int32), np.zeros(len(table.keys), np.int32)),
        keys=table.keys,
        slots=kept.slots,
        event_order=table.order,
        last_use=kept.last_use,
        together=some_of(table.together),
        fields=fields,
        needs=Needs(
            events=bool(table.together.any()),
            status=any(each.has_status for each in splits),
            named=any(each.has_named for each in splits),
            substitutes=any(each.has_substitutes for each in splits),
        ),
        findings=findings,
    )
    plan = with_plain(plan, program)
    sums = joined_sums((each.sums, each.games) for each in splits)
    named = Named(
        plan.needs.named,
        all(each.has_whole for each in splits),
        table.events.start if plan.needs.named and program.bulk.remembers is not None else None,
    )
    if pieces.given.decisions is not None:
        plan = with_decided(plan, pieces.given, program)
        latest = np.full(len(pieces.given.players), -1, np.int64)
        players = _players_decided(pieces.given)
        latest[players] = np.max([each.last_of for each in splits], axis=0)
        findings.extend(tell_unused(plan.decided, pieces.given, latest))
    marks = signed(sums, table.keys)
    marks += sums_beside(plan, pieces.given.players)
    return Laid(pieces, plan, marks, kept, not table.calendar.by_game, named)
