"""What workers have read is laid out by them, piece by piece, by periods and players.

Nothing is shuffled: a piece leaves a file for each bucket of players with a part for each period,
and who rates a bucket takes its part of every piece.
"""

from __future__ import annotations

from collections import defaultdict
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
from ratingbook.engine.history.each_day import looked_up
from ratingbook.engine.history.fields import Fields, Takes
from ratingbook.engine.history.hashes import hashes_of
from ratingbook.engine.history.months import Months, long_events, split_keys
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
    joined_sums,
    marks_of_events,
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
    Completed,
    Named,
    Prepared,
    Shares,
    bounds_of,
    games_of,
    leave,
)
from ratingbook.engine.spark.intake import GAMES, PLAYED, Pieces
from ratingbook.engine.spark.session import Cluster
from ratingbook.engine.spark.shipping import column, read_table
from ratingbook.engine.spark.work import BookName, program_of
from ratingbook.model import Findings
from ratingbook.rules.bulk import LEFT_OUT, NOT_GIVEN

Array = np.ndarray[Any, Any]


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
    marks: Array
    """What each event adds to the signatures of its games, by its number."""
    in_time: Array | None
    """The last day on which a report of each event is in time, by its code."""
    sections: pa.Array
    """The ids of all sections."""
    decided: Array
    """The players of whom something was decided, ascending."""
    shares: Shares

    @classmethod
    def of(cls, timed: _Timed, program: Program, given: HistoryInput, shares: Shares) -> _Table:
        """The timetable of a history."""
        table, months = timed.table, timed.months
        columns = {
            each.name: getattr(table, each.name)
            for each in fields_of(table)
            if each.name != "calendar"
        }
        # Nobody asks there for the facts and the order of all events, which are long.
        events = table.events._replace(facts=table.events.facts[:0])
        columns |= {"events": events, "order": table.order[:0]}
        ids = given.players
        return cls(
            BookName.of(program.book), program.compiled, program.key, columns, ids.type, len(ids),
            months, program.book.substitutes,
            marks_of_events(given, table.events, table.order, months.keys if months else None),
            deadlines(timed.events, program), given.section_ids, _players_decided(given), shares,
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
    """How many of each period,"""
    rows: Array
    """and how many of them each bucket looks at."""
    last: Array
    """The last day on which a game or event of each period ended."""
    sums: Array
    """What they add to the signatures."""
    lag: int
    last_use: Array
    periods: Array
    """Periods with games,"""
    places: Array
    """and how many lists were out when some of these games began."""
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
    said = read_table(folder / GAMES)
    columns = {name: column(said, name) for name in said.column_names}
    del said
    # Where lists take events it is said of these, but each day is one where nothing else is.
    day = columns.pop("day", np.empty(0, np.int32))
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
    by_event = not table.calendar.by_game
    columns["event"] = number.astype(np.int32, copy=False)
    if by_event:
        # What holds for an event is looked at once for each.
        at = firsts_of(number)
        some = number[at]
        taking, ended = lists[at], table.events.end[some]
        out = table.places(table.events.start[some], taking)
    else:
        taking, ended, out = lists, day, table.places(begun, lists)
        columns |= {"start": np.ascontiguousarray(begun, np.int32), "end": day, "place": out}
    count = len(table.keys)
    last = np.full(count, np.iinfo(np.int32).min, np.int32)
    np.maximum.at(last, taking, ended)
    lag, last_use = uses_of(out, taking, count)
    periods, places = _looked_back(out, taking)
    has_substitutes = _take_substitutes(columns, sent.substitutes)
    has_named, has_whole = _take_named(columns)
    if not is_ascending(lists):
        moved = np.argsort(lists, kind="stable")
        columns = {name: values[moved] for name, values in columns.items()}
        lists = lists[moved]
    offsets = np.searchsorted(lists, np.arange(count + 1)).astype(np.int64)
    own = read_table(folder / "player-ids.arrow")["id"].combine_chunks().cast(sent.ids)
    named = {name: values for name, values in columns.items() if name not in ("place", "key")}
    sums = sums_of(hashes_of(own), games_of(offsets, named), table.events, sent.marks)
    # Nobody, who is -1, stays nobody.
    players = np.append(np.int32(-1), _codes(folder, "player"))
    sides = [name for name in PLAYERS if name in columns]
    for side in sides:
        columns[side] = looked_up(players, columns[side], -1)
    takes = Takes.of(table.field, columns["event"], lists, [columns[side] for side in sides])
    last_of = _last_of(sent.decided, [columns[side] for side in sides], lists)
    key = columns.get("key", columns["event"])
    if by_event and not is_ascending(key):
        moved = np.argsort(key, kind="stable")
        columns = {name: values[moved] for name, values in columns.items()}
        key = key[moved]
    rows = leave(columns, offsets, sent.shares, sent.players, folder, key if by_event else None)
    return _Split(
        games=np.diff(offsets), rows=rows, last=last, sums=sums, lag=lag, last_use=last_use,
        periods=periods, places=places,
        has_status="status" in columns, has_named=has_named, has_whole=has_whole,
        has_substitutes=has_substitutes, takes=takes, misplaced=misplaced, last_of=last_of,
        first_key=first, last_key=last_key,
    )  # fmt: skip


def _looked_back(places: Array, lists: Array) -> tuple[Array, Array]:
    """For which games of each list how many lists were out, each pair of them once."""
    changed = (lists[1:] != lists[:-1]) | (places[1:] != places[:-1])
    firsts = np.flatnonzero(np.r_[len(lists) > 0, changed])
    pairs = np.unique(lists[firsts].astype(np.int64) << 32 | places[firsts])
    return pairs >> 32, pairs & 0xFFFFFFFF


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


@dataclass(frozen=True)
class Laid:
    """A history whose games lie in the folders of its pieces, period by period."""

    plan: Plan
    """A plan that knows the number of games of each period, and no game."""
    marks: Array
    prepared: Prepared


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
    buckets: int,
    lists: Array | None = None,
) -> Laid:
    """Let the workers cut what they read by periods and players.

    ``lists`` are also those of other pools.
    """
    findings = Findings()
    timed = _timed(pieces, program, assume, lists, findings)
    table = timed.table
    shares = Shares(bounds_of(_played(pieces), buckets), apart=not table.together.any())
    sent = cluster.context.broadcast(_Table.of(timed, program, pieces.given, shares))
    try:
        splits: list[_Split] = cluster.run(group, _SplitPieces(sent), pieces.folders)
    finally:
        sent.destroy()
    for each in pieces.folders:
        # Nobody asks for them again: what is not yet on disk need not be written there.
        (each / GAMES).unlink()
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
        batches=Batches(last.astype(np.int32), *np.zeros((2, len(table.keys)), np.int32)),
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
    prepared = Prepared(
        folders=pieces.folders,
        filled=np.array([each.games > 0 for each in splits]),
        shares=shares,
        rows=np.sum([each.rows for each in splits], axis=0),
        slots=_slots(splits, kept),
        completed=Completed(kept, named, _slots_of_events(table, kept)),
    )
    return Laid(plan, marks, prepared)


def _played(pieces: Pieces) -> Array:
    """The halves of games of each player."""
    played = np.zeros(len(pieces.given.players), np.int64)
    for each in pieces.folders:
        # Nobody stands in a piece twice.
        played[_codes(each, "player")] += np.load(each / PLAYED)
    return played


def _slots_of_events(table: Timetable, kept: KeptLists) -> Array | None:
    """The row of the numbers in force for the games of each event; None where it is theirs."""
    if table.calendar.by_game:
        return None
    return kept.slot(table.places(table.events.start, table.of_event))


def _slots(splits: Sequence[_Split], kept: KeptLists) -> dict[int, tuple[int, ...]]:
    """For each period the rows of the numbers in force that its games name."""
    if kept.last_use is None:
        return {}
    found: dict[int, set[int]] = defaultdict(set)
    for each in splits:
        for period, slot in zip(
            each.periods.tolist(), kept.slot(each.places).tolist(), strict=True
        ):
            found[period].add(slot)
    return {period: tuple(sorted(slots)) for period, slots in found.items()}
