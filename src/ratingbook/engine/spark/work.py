"""What runs on a worker: one bucket of one period.

A task is a function of its files and of the state that it is sent, so it may be run
again anywhere.  What a worker process holds from one task to the next is its program
and room to work in, nothing that a result depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import GameColumns, HistoryInput
from ratingbook.engine.history.correct import joined
from ratingbook.engine.history.decided import is_decided
from ratingbook.engine.history.kept import kept_of, put_kept
from ratingbook.engine.history.plan import Plan
from ratingbook.engine.history.program import Needs, Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.loops.arrays import Batches, Events
from ratingbook.engine.spark.buckets import Prepared, games_of
from ratingbook.engine.spark.exchange import ROWS, Rated, Sent
from ratingbook.engine.spark.handing import Handed
from ratingbook.engine.spark.packing import packed, packed_records, put_records, unpacked
from ratingbook.engine.spark.shipping import (
    column,
    read_table,
    record_table,
    records_of,
    write_table,
)
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries, Series

Array = np.ndarray[Any, Any]


class OtherCode(RuntimeError):
    """A worker has another ratingbook than the driver."""


@dataclass(frozen=True)
class BookName:
    """A rule book as workers find it: installed there, with these parameters."""

    name: str
    own: Any = None
    by_hand: Mapping[str, object] = field(default_factory=dict)
    editions: tuple[BookName, ...] = ()
    """Of a series: its editions, each with its own parameters."""

    @classmethod
    def of(cls, book: BookOrSeries) -> BookName:
        """The name of a rule book, or of a series."""
        if isinstance(book, Series):
            return cls(book.name, editions=tuple(map(cls.of, book.editions)))
        return cls(book.name, book.settings.own, book.settings.by_hand)

    def book(self) -> BookOrSeries:
        """The rule book of that name, or the series."""
        if self.editions:
            return Series(self.name, tuple(edition._edition() for edition in self.editions))
        return self._edition()

    def _edition(self) -> RuleBook:
        book = registry.edition(self.name)
        return replace(book, settings=replace(book.settings, own=self.own, by_hand=self.by_hand))


@dataclass(frozen=True)
class Order:
    """What all tasks of a run have in common."""

    whole: str
    """An id of the history, by which worker processes know what they hold,"""
    number: int
    """and the number of the run among those of its pools."""
    book: BookName
    compiled: bool
    code: str
    """The key of the driver's program: workers must come to the same one."""
    handed: Handed
    """What the driver has compiled."""
    folder: Path
    players: int
    assume: float | None
    rows: bool
    batches: Batches
    keys: Array
    slots: int
    needs: Needs
    prepared: Prepared


def lay_down(run: Run, folder: Path) -> None:
    """Write what workers read once: the events, and what is known of the players."""
    folder.mkdir(parents=True, exist_ok=True)
    events = run.plan.events
    write_table(pa.table({"start": events.start, "end": events.end}), folder / "events.arrow")
    write_table(record_table(events.facts), folder / "facts.arrow")
    if run.given.standings is not None:
        write_table(run.given.standings, folder / "standings.arrow")


def program_of(book: BookName, compiled: bool, code: str) -> Program:
    """The program of a task, equal to the driver's."""
    program = Program(book.book(), compiled)
    if program.key != code:
        raise OtherCode(
            f"a worker has another version of ratingbook or of {book.name} than the driver"
        )
    return program


_held: dict[tuple[str, int], Run] = {}
"""The runs of this worker process: those of one history only, for the sake of memory."""


def _run_of(order: Order) -> Run:
    key = order.whole, order.number
    if key not in _held:
        for other in [each for each in _held if each[0] != order.whole]:
            del _held[other]
        _held[key] = _new_run(order)
    return _held[key]


def _new_run(order: Order) -> Run:
    program = program_of(order.book, order.compiled, order.code).fitted(order.needs)
    order.handed.take_over()
    said = order.folder / "standings.arrow"
    days = read_table(order.folder / "events.arrow")
    facts = records_of(read_table(order.folder / "facts.arrow"), program.facts)
    nothing = np.empty(0, np.int32)
    given = HistoryInput(
        GameColumns(nothing, nothing, nothing, np.empty(0, np.int8)),
        pa.nulls(order.players),
        pa.nulls(0),
        pa.nulls(0),
        read_table(said) if said.exists() else None,
    )
    plan = Plan(
        games=games_of(np.zeros(len(order.keys) + 1, np.int64), {}),
        events=Events(column(days, "start"), column(days, "end"), facts),
        batches=Batches(*(np.array(each) for each in order.batches)),
        keys=order.keys,
        slots=order.slots,
        event_order=nothing,
        needs=order.needs,
    )
    # The driver reforms all standings, when all buckets of a list are in.
    return Run(given, program, assume=order.assume, plan=plan, with_reforms=False, constants=False)


@dataclass(frozen=True)
class RateBucket:
    """A period's task, for some buckets one after the other."""

    order: Any
    """Broadcast :class:`Order`."""
    sent: Any
    """Broadcast :class:`Sent`."""
    rows: tuple[int, ...]
    """Games in the file of each bucket."""

    def __call__(self, buckets: Iterable[int]) -> Iterator[Rated]:
        """Rate buckets."""
        for bucket in buckets:
            yield rate_bucket(self.order.value, self.sent.value, bucket, self.rows[bucket])


def rate_bucket(order: Order, sent: Sent, bucket: int, rows: int) -> Rated:
    """Rate the games of a bucket, as far as its own players are concerned."""
    run, period = _run_of(order), sent.period
    games = order.prepared.games(period, bucket, rows)
    run.plan = replace(run.plan, games=games)
    state = run.state
    state.next_batch = period
    state.make_room(rows)
    people = state.people
    # What stands there of others is old, and nobody looks at it.
    players = order.prepared.order(period)
    put_records(people.standings, players, sent.standings)
    people.last[players] = unpacked(sent.last)
    for slot, numbers in sent.in_force.items():
        people.in_force[slot][players] = unpacked(numbers)
    put_kept(state, sent.kept_player, sent.kept)
    low, high = order.prepared.shares.bounds[bucket : bucket + 2]
    decided = players[:0]
    if sent.decided:
        put_records(people.decided, players, sent.decided)
        mine = players[(players >= low) & (players < high)]
        decided = mine[is_decided(people.decided, mine)]
    run.events.facts[sent.events] = sent.facts
    state.room.passed_over[:] = state.room.unsettled[:] = 0
    parts = list(run.batches(period + 1, low=low, high=high))
    changes = joined(parts) if parts else run.no_changes()
    rated = changes.player
    now = (period + 1) % order.slots
    kept_player, kept = kept_of(state, rated)
    return Rated(
        bucket=bucket,
        player=rated,
        rows=tuple(packed(getattr(changes, name)) for name in ROWS) if order.rows else (),
        standings=packed_records(people.standings.take(rated)),
        last=packed(people.last.take(rated)),
        in_force=packed(people.in_force[now].take(rated)),
        kept_player=kept_player,
        kept=kept,
        decided_player=decided,
        decided=packed_records(people.decided.take(decided)) if len(decided) else (),
        decided_number=people.in_force[period % order.slots].take(decided),
        passed_over=state.passed_over,
        unsettled=bool(state.room.unsettled[0]),
    )
