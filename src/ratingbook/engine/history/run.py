"""A history under way: the standings, and the loop over its batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.decided import nothing_decided, put_decided
from ratingbook.engine.history.keys import with_own_columns
from ratingbook.engine.history.plan import Plan, coded, plan_of
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.records import fields_of, zeros
from ratingbook.engine.history.signatures import decided_sums, signatures
from ratingbook.engine.history.stages import Stretch, reforms, stretches, tell_stages
from ratingbook.engine.link import Compiled
from ratingbook.engine.loops.arrays import People, Room, Rows
from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.event_games import of_zeros, room_for

Array = np.ndarray[Any, Any]

CONSTANTS_FROM = 1_000_000
"""Games from which the loops are compiled for the very numbers of an edition."""

ROWS_AT_ONCE = 1 << 18
"""Rows of changes that are handed on together, at least."""

GAMES_AT_ONCE = 1 << 18
"""Games that are rated between two looks at the clock, at most."""

LOOKS = 20
"""Looks at the clock in a run, at least, if it has as many batches."""


@dataclass(frozen=True)
class Snapshot:
    """Where a run stood before a batch."""

    next_batch: int
    standings: Array
    in_force: Array
    last: Array
    head: Array
    tail: Array
    kept: Array
    link: Array
    free: Array
    decided: Array


@dataclass(frozen=True)
class Changes:
    """Some rows of changes, in the order of their batches; ``left`` may be empty."""

    player: Array
    batch: Array
    before: Array
    after: Array
    games: Array
    score: Array
    expected: Array
    left: Array

    def __len__(self) -> int:
        return len(self.player)


class Run:
    """The rating of a history, batch by batch.

    ``assume`` is the rating of players whom the edition would leave unrated for ever.
    Without ``rows`` no changes are written, which is faster; ``keep_left`` keeps the
    standing that every row leaves, for corrections.
    """

    def __init__(
        self,
        given: HistoryInput,
        program: Program,
        *,
        assume: float | None = None,
        rows: bool = True,
        keep_left: bool = False,
        plan: Plan | None = None,
        with_reforms: bool = True,
        constants: bool = True,
    ) -> None:
        self.given = given
        self.assume = assume
        self.plan = plan or plan_of(given, program, assume)
        self.program = program.fitted(self.plan.needs)
        book, keys = program.book, self.plan.keys
        self.stretches = stretches(book, keys)
        self.reforms = reforms(book, keys)
        tell_stages(book, self.stretches, self.reforms, keys, self.plan.findings)
        self._with_reforms = with_reforms
        self._with_constants = constants
        self.next_batch = 0
        self.games_at_once = min(GAMES_AT_ONCE, 1 + len(given.games) // LOOKS)
        self._rows_wanted = rows
        self._keep_left = keep_left
        self.people = self._people(assume)
        self.room = self._room()

    @property
    def passed_over(self) -> int:
        """Halves of games so far that the edition does not count."""
        return int(self.room.passed_over[0])

    @property
    def unsettled(self) -> tuple[int, str]:
        """Batches so far that could not be rated since they did not settle; the first's event."""
        count, first = (int(number) for number in self.room.unsettled[:2])
        if not count or not len(self.given.event_ids):
            return count, ""
        event = int(self.plan.event_order[self.plan.batches.event[first]])
        return count, str(self.given.event_ids[event].as_py())

    def signatures(self) -> Array:
        """The signature of each batch, by which a checkpoint knows its games again."""
        by_game = self.program.book.rated_by is RatedBy.GAME
        marks = signatures(self.given, self.plan, by_game=by_game)
        return marks + decided_sums(self.plan.decided, self.given.players, len(self.plan))

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.given.players)

    def _people(self, assume: float | None) -> People:
        count, program = self.players, self.program
        known = known_records(self.given, program)
        standings = zeros(count, program.standing)
        numbers = np.zeros((self.plan.slots, count), np.int32)
        program.first_standings(
            known,
            standings,
            np.nan if assume is None else float(assume),
            numbers[0],
            self.stretches[0].parameters,
        )
        said = self.given.standings
        return People(
            standings=standings,
            work=zeros(self._seats, program.work),
            values=np.zeros(count, program.value),
            in_force=numbers,
            birth=_days(said, "birth_date", count),
            adult=_flags(said, "adult", count),
            grade=_coded_column(said, "grade", count, program),
            last=np.full(count, NOT_GIVEN, np.int32),
            decided=nothing_decided(
                count if self.program.needs.decisions else 0, self.program.decided
            ),
            head=np.full(count, -1, np.int32),
            tail=np.full(count, -1, np.int32),
        )

    @property
    def _seats(self) -> int:
        """Players of the largest batch, at most, and one place more to write to."""
        most = int(np.diff(self.plan.games.offsets).max(initial=0))
        return min(self.players, self._halves * most) + 1

    @property
    def _halves(self) -> int:
        """The most halves of a game."""
        return self.program.needs.halves

    def _room(self) -> Room:
        program = self.program
        most = int(np.diff(self.plan.games.offsets).max(initial=0))
        halves = self._halves * most
        kept = halves if program.bulk.keeping else 0
        beside = most if program.needs.events else 0
        column = partial(np.zeros, dtype=np.int64) if program.compiled else of_zeros
        return Room(
            mark=np.zeros(self.players, np.int64),
            members=np.zeros(self._seats, np.int32),
            seat_white=np.zeros(most, np.int32),
            seat_black=np.zeros(most, np.int32),
            solvers=np.zeros(self._seats, np.int32),
            waiting=np.zeros(most, np.int64),
            sides=np.zeros(halves, program.side),
            event_games=room_for(beside, self._seats, column),
            kept=np.zeros(kept, program.kept),
            link=np.arange(1, kept + 1, dtype=np.int32),
            free=np.array([0, kept], np.int64),
            passed_over=np.zeros(1, np.int64),
            unsettled=np.zeros(3, np.int64),
        )

    def batches(
        self, until: int | None = None, *, low: int = 0, high: int | None = None
    ) -> Iterator[Changes]:
        """Rate up to batch ``until``; gives the changes of a few batches at a time."""
        last = len(self.plan) if until is None else until
        offsets = self.plan.games.offsets
        most = int(np.diff(offsets).max(initial=0))
        capacity = 0
        if self._rows_wanted:
            capacity = max(ROWS_AT_ONCE, min(self._halves * most, self.players))
        while self.next_batch < last:
            first = self.next_batch
            # As many batches as hold so many games, but at least one.
            enough = offsets[first] + self.games_at_once
            stop = int(np.searchsorted(offsets, enough, side="right")) - 1
            stretch = self.stretch_of(first)
            stop = min(last, max(first + 1, stop), self._end_of(stretch))
            rows = self._rows(capacity)
            self.decide()
            done = self.program.rate_batches(
                *self._arguments(first, stop, stretch, rows, low, high)
            )
            if done == first:
                self._make_room(int(offsets[first + 1] - offsets[first]))
            self.next_batch = done
            if done > first:
                self.reform()
            if int(rows.used[0]) or done > first:
                yield _changes(rows)

    def _arguments(
        self, first: int, stop: int, stretch: Stretch, rows: Rows, low: int, high: int | None
    ) -> tuple[Any, ...]:
        """What :func:`.loops.batches.rate_batches` takes."""
        return (
            first, stop, self.plan.games, self.plan.events, self.plan.batches, self.people,
            self.room, rows, low, self.players if high is None else high,
            self._parameters_of(stretch),
        )  # fmt: skip

    def is_compiled(self) -> bool:
        """Whether the loops need no compiling, here or in earlier runs."""
        loop = self.program.rate_batches
        return not isinstance(loop, Compiled) or loop.is_ready_for(self._nothing_to_rate())

    def compile(self) -> None:
        """Compile the loops, if they have to be; else that is done with the first batch."""
        self.program.rate_batches(*self._nothing_to_rate())

    def _nothing_to_rate(self) -> tuple[Any, ...]:
        return self._arguments(0, 0, self.stretches[0], self._rows(0), 0, 0)

    def _parameters_of(self, stretch: Stretch) -> Any:
        """The parameters as the loops take them: of a long history of one stage as constants.

        To compile for them takes half a minute, so not where somebody tries numbers, and not
        for each stretch of a history that crosses amendments or editions.
        """
        book = self.program.book
        is_long = len(self.given.games) >= CONSTANTS_FROM
        is_usual = not book.by_hand and len(self.stretches) == 1
        if self._with_constants and is_long and is_usual:
            return self.program.constants(stretch.parameters)
        return stretch.parameters

    def stretch_of(self, batch: int) -> Stretch:
        """The stretch that a batch belongs to."""
        return [each for each in self.stretches if each.first <= batch][-1]

    def _end_of(self, stretch: Stretch) -> int:
        """The batch before which other parameters begin, or a reform is done."""
        later = [each.first for each in self.stretches if each.first > stretch.first]
        later += [each.before for each in self.reforms if each.before > self.next_batch]
        if self.plan.decided is not None:
            known = self.plan.decided.batch
            later += known[known > self.next_batch][:1].tolist()
        return min(later, default=len(self.plan))

    def decide(self) -> None:
        """Let the players know what the office decided before the next batch."""
        plan, batch = self.plan, self.next_batch
        if plan.decided is not None:
            bulk, events = self.program.bulk, plan.batches.event
            put_decided(self.people.decided, plan.decided, batch, bulk, events)

    def reform(self) -> None:
        """Do the reforms that come before the next batch; they follow the list just rated."""
        if not self._with_reforms:
            return
        numbers = self.people.in_force[self.next_batch % self.plan.slots]
        for each in self.reforms:
            if each.before == self.next_batch:
                self.program.reform_all(self.people.standings, numbers, each.parameters)

    def reform_newcomers(self, players: Array) -> None:
        """Do the reforms of before for players who stand as they did at the beginning."""
        if not len(players) or not self._with_reforms:
            return
        in_force, done = self.people.in_force, self.next_batch
        standings, numbers = self.people.standings[players], in_force[0][players]
        for each in self.reforms:
            if each.before <= done:
                self.program.reform_all(standings, numbers, each.parameters)
                for number in range(max(each.before, done - len(in_force) + 1), done + 1):
                    in_force[number % len(in_force)][players] = numbers
        self.people.standings[players] = standings

    def no_changes(self) -> Changes:
        """No rows."""
        return _changes(self._rows(0))

    def _rows(self, capacity: int) -> Rows:
        return Rows(
            used=np.zeros(1, np.int64),
            player=np.empty(capacity, np.int32),
            batch=np.empty(capacity, np.int32),
            before=np.empty(capacity, np.float64),
            after=np.empty(capacity, np.float64),
            games=np.empty(capacity, np.int32),
            score=np.empty(capacity, np.float64),
            expected=np.empty(capacity, np.float64),
            left=np.empty(capacity if self._keep_left else 0, self.program.standing),
        )

    def _make_room(self, games: int) -> None:
        """More room: for a larger batch, for kept sides, for the sides of a batch with them."""
        room, halves = self.room, self._halves * games
        if games > len(room.seat_white) or self._seats > len(room.members):
            fresh = self._room()
            room = fresh._replace(
                kept=room.kept,
                link=room.link,
                free=room.free,
                passed_over=room.passed_over,
                unsettled=room.unsettled,
            )
            self._seat_everybody()
        old, more = len(room.kept), max(len(room.kept), 2 * halves)
        if self.program.bulk.keeping and int(room.free[1]) < halves:
            kept = np.zeros(old + more, self.program.kept)
            kept[:old] = room.kept
            link = np.arange(1, old + more + 1, dtype=np.int32)
            link[:old] = room.link
            # The new places follow the last free one.
            link[-1] = room.free[0]
            free = np.array([old, room.free[1] + more], np.int64)
            room = room._replace(kept=kept, link=link, free=free)
        used = len(room.kept) - int(room.free[1])
        needed = halves + used
        if len(room.sides) < needed:
            room = room._replace(sides=np.zeros(needed + needed // 2, self.program.side))
        self.room = room

    def _seat_everybody(self) -> None:
        """Room to work on all players of the largest batch."""
        if self._seats > len(self.people.work):
            self.people = self.people._replace(work=zeros(self._seats, self.program.work))

    def snapshot(self) -> Snapshot:
        """All that later batches rest on, copied."""
        people, room = self.people, self.room
        return Snapshot(
            next_batch=self.next_batch,
            standings=people.standings.copy(),
            in_force=people.in_force.copy(),
            last=people.last.copy(),
            head=people.head.copy(),
            tail=people.tail.copy(),
            kept=room.kept.copy(),
            link=room.link.copy(),
            free=room.free.copy(),
            decided=people.decided.copy(),
        )

    def back_to(self, snapshot: Snapshot) -> None:
        """Stand where the snapshot was taken."""
        self.next_batch = snapshot.next_batch
        self.people = self.people._replace(
            standings=snapshot.standings.copy(),
            in_force=snapshot.in_force.copy(),
            last=snapshot.last.copy(),
            head=snapshot.head.copy(),
            tail=snapshot.tail.copy(),
            decided=self._decided_at(snapshot),
        )
        self.room = self.room._replace(
            kept=snapshot.kept.copy(), link=snapshot.link.copy(), free=snapshot.free.copy()
        )
        # What is kept may need more room than there was at first.
        self._make_room(int(np.diff(self.plan.games.offsets).max(initial=0)))
        self.room.mark[:] = 0

    def _decided_at(self, snapshot: Snapshot) -> Array:
        """What was pending then; where only one of two runs knows decisions, nothing was."""
        if self.program.needs.decisions and not len(snapshot.decided):
            return nothing_decided(self.players, self.program.decided)
        return snapshot.decided.copy()

    def with_kept_room(self, count: int) -> None:
        """Room for so many kept sides besides those of one batch; what is kept is forgotten."""
        counted = {"passed_over": self.room.passed_over, "unsettled": self.room.unsettled}
        room = self._room()._replace(**counted)
        self._seat_everybody()
        if self.program.bulk.keeping:
            total = count + len(room.kept)
            room = room._replace(
                kept=np.zeros(total, self.program.kept),
                link=np.arange(1, total + 1, dtype=np.int32),
                free=np.array([0, total], np.int64),
                sides=np.zeros(len(room.sides) + count, self.program.side),
            )
        self.room = room

    def table(self) -> pa.Table:
        """The ratings after the batches so far, by player."""
        count = self.players
        rating, games = np.empty(count, np.float64), np.empty(count, np.int32)
        status, published = np.empty(count, np.int8), np.empty(count, np.bool_)
        self.program.final_table(
            self.people.standings,
            rating,
            games,
            status,
            published,
            self.stretch_of(max(0, self.next_batch - 1)).parameters,
        )
        return ratings_table(self.given, rating, games, status, published, self.people.last)


def ratings_table(
    given: HistoryInput, rating: Array, games: Array, status: Array, published: Array, last: Array
) -> pa.Table:
    """The ratings as ``ratings.parquet`` has them."""
    from ratingbook.rules.bulk import STATUSES

    words = pa.DictionaryArray.from_arrays(pa.array(status), pa.array(STATUSES))
    return pa.table(
        {
            "player": given.players,
            "rating": pa.array(rating, mask=np.isnan(rating)),
            "games": games,
            "status": words.cast(pa.string()),
            "published": published,
            "last_played": pa.array(last, mask=last == NOT_GIVEN).cast(pa.date32()),
        }
    )


def known_records(given: HistoryInput, program: Program) -> Array:
    """What the players file says of everybody, in the edition's columns."""
    known = program.bulk.known
    records = np.empty(len(given.players), program.known)
    for name in fields_of(known):
        records[name] = known._field_defaults[name]
    said = with_own_columns(given.standings, program.bulk)
    if said is None:
        return records
    players = said["player"].to_numpy()
    for name in fields_of(known):
        if name not in said.column_names:
            continue
        column = said[name].combine_chunks()
        if name in program.bulk.codes:
            records[name][players] = coded(said[name], program.bulk.codes[name])
            continue
        valid = column.is_valid().to_numpy(zero_copy_only=False)
        values = column.drop_null()
        if pa.types.is_date(values.type):
            values = values.cast(pa.int32())
        records[name][players[valid]] = values.to_numpy(zero_copy_only=False)
    return records


def _column(said: pa.Table | None, name: str) -> pa.ChunkedArray | None:
    return said[name] if said is not None and name in said.column_names else None


def _spread(said: pa.Table, values: pa.Array, count: int, default: Any, kind: Any) -> Array:
    column = np.full(count, default, kind)
    valid = values.is_valid().to_numpy(zero_copy_only=False)
    column[said["player"].to_numpy()[valid]] = values.drop_null().to_numpy(zero_copy_only=False)
    return column


def _days(said: pa.Table | None, name: str, count: int) -> Array:
    values = _column(said, name)
    if said is None or values is None:
        return np.full(count, NOT_GIVEN, np.int32)
    days = values.combine_chunks().cast(pa.date32()).cast(pa.int32())
    return _spread(said, days, count, NOT_GIVEN, np.int32)


def _flags(said: pa.Table | None, name: str, count: int) -> Array:
    values = _column(said, name)
    if said is None or values is None:
        return np.zeros(count, np.bool_)
    return _spread(said, values.combine_chunks(), count, False, np.bool_)


def _coded_column(said: pa.Table | None, name: str, count: int, program: Program) -> Array:
    values = _column(said, name)
    code: Callable[[str], int] | None = program.bulk.codes.get(name)
    if said is None or values is None or code is None:
        return np.full(count, NOT_GIVEN, np.int32)
    column = np.full(count, NOT_GIVEN, np.int32)
    column[said["player"].to_numpy()] = coded(values, code)
    return column


def _changes(rows: Rows) -> Changes:
    count = int(rows.used[0])
    left = rows.left[:count] if len(rows.left) else rows.left
    return Changes(
        rows.player[:count], rows.batch[:count], rows.before[:count], rows.after[:count],
        rows.games[:count], rows.score[:count], rows.expected[:count], left,
    )  # fmt: skip
