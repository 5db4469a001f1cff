"""Where a history stands between two batches: what everybody has, and room to rate the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.decided import nothing_decided
from ratingbook.engine.history.intake.arrays import column_of, from_arrow, mask_of, to_arrow
from ratingbook.engine.history.keys import with_own_columns
from ratingbook.engine.history.plan import Plan, coded
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.records import zeros
from ratingbook.engine.loops.arrays import People, Room
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN
from ratingbook.rules.event_games import EventGames, of_zeros, room_for
from ratingbook.rules.pooling import fields_about
from ratingbook.rules.series import default_pool

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Snapshot:
    """Where a history stood before a batch."""

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

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return sum(each.nbytes for each in vars(self).values() if isinstance(each, np.ndarray))


class State:
    """Where a history stands: it begins before its first batch.

    ``people`` is what later batches rest on, with the sides that are kept in ``room``, where
    batches are worked on.  ``assume`` is the rating of players whom the edition would leave
    unrated for ever, ``parameters`` those of the first batch.  ``blank``: nobody has a
    standing before one is put there.
    """

    def __init__(
        self,
        given: HistoryInput,
        program: Program,
        plan: Plan,
        assume: float | None,
        parameters: Any,
        *,
        blank: bool = False,
    ) -> None:
        self.players = len(given.players)
        self.next_batch = 0
        self._program = program
        self._asked = len(plan.games.white) if program.needs.predictions else 0
        """Games of which it is asked what was expected before them."""
        self._largest = plan.largest
        """Games of the largest batch for which there is to be room."""
        self.people = self._people(given, plan.slots)
        if not blank:
            program.first_standings(
                known_records(given, program),
                self.people.standings,
                np.nan if assume is None else float(assume),
                self.people.in_force[0],
                parameters,
            )
        self.room = self._room()

    @property
    def passed_over(self) -> int:
        """Halves of games so far that the edition does not count."""
        return int(self.room.passed_over[0])

    @property
    def unsettled(self) -> tuple[int, int]:
        """Batches so far that could not be rated since they did not settle; the first one."""
        count, first = self.room.unsettled[:2].tolist()
        return count, first

    def _people(self, given: HistoryInput, slots: int) -> People:
        count, program = self.players, self._program
        said = given.standings
        return People(
            standings=zeros(count, program.standing),
            work=zeros(self._seats, program.work),
            aside=zeros(self._seats, program.aside),
            values=np.zeros(count, program.value),
            in_force=np.zeros((slots, count), np.int32),
            birth=_days(said, "birth_date", count),
            adult=_flags(said, "adult", count),
            grade=_coded_column(said, "grade", count, program),
            last=np.full(count, NOT_GIVEN, np.int32),
            decided=nothing_decided(count if program.needs.decisions else 0, program.decided),
            head=np.full(count, -1, np.int32),
            tail=np.full(count, -1, np.int32),
        )

    @property
    def _seats(self) -> int:
        """Players of the largest batch, at most, and one place more to write to."""
        return min(self.players, self._program.needs.halves * self._largest) + 1

    def _room(self) -> Room:
        program, most = self._program, self._largest
        halves = program.needs.halves * most
        kept = halves if program.bulk.keeping else 0
        return Room(
            mark=np.zeros(self.players, np.int64),
            members=np.zeros(self._seats, np.int32),
            seat_white=np.zeros(most, np.int32),
            seat_black=np.zeros(most, np.int32),
            solvers=np.zeros(self._seats, np.int32),
            waiting=np.zeros(most, np.int64),
            sides=np.zeros(halves, program.side),
            event_games=self._event_games(),
            kept=np.zeros(kept, program.kept),
            link=np.arange(1, kept + 1, dtype=np.int32),
            free=np.array([0, kept], np.int64),
            passed_over=np.zeros(1, np.int64),
            predicted=np.full(self._asked, NO_NUMBER),
            unsettled=np.zeros(3, np.int64),
        )

    def _event_games(self) -> EventGames:
        """Room for the games of an event that are looked at together."""
        beside = self._largest if self._program.needs.events else 0
        column = partial(np.zeros, dtype=np.int64) if self._program.compiled else of_zeros
        return room_for(beside, self._seats, column)

    def turn_to(self, program: Program) -> None:
        """The next batches are rated by the same loops, compiled or in plain Python."""
        self._program = program
        self.room = self.room._replace(event_games=self._event_games())

    def make_room(self, games: int) -> None:
        """Room for a batch of so many games, for what is kept of it, and for kept sides in it."""
        self._largest = max(self._largest, games)
        room, halves = self.room, self._program.needs.halves * games
        if games > len(room.seat_white) or self._seats > len(room.members):
            room = self._room()._replace(
                kept=room.kept,
                link=room.link,
                free=room.free,
                passed_over=room.passed_over,
                predicted=room.predicted,
                unsettled=room.unsettled,
            )
            self._seat_everybody()
        old, more = len(room.kept), max(len(room.kept), 2 * halves)
        if self._program.bulk.keeping and int(room.free[1]) < halves:
            kept = np.zeros(old + more, self._program.kept)
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
            room = room._replace(sides=np.zeros(needed + needed // 2, self._program.side))
        self.room = room

    def _seat_everybody(self) -> None:
        """Room to work on all players of the largest batch."""
        if self._seats > len(self.people.work):
            program = self._program
            self.people = self.people._replace(
                work=zeros(self._seats, program.work), aside=zeros(self._seats, program.aside)
            )

    def with_kept_room(self, count: int) -> None:
        """Room for so many kept sides besides those of one batch; what is kept is forgotten.

        What is there stays where it is enough: workers ask for it before each batch.
        """
        room, halves = self.room, self._program.needs.halves * self._largest
        room.mark[:] = 0
        room = room._replace(event_games=self._event_games())
        self._seat_everybody()
        if self._program.bulk.keeping:
            total = count + halves
            if len(room.kept) < total:
                room = room._replace(
                    kept=np.zeros(total, self._program.kept), link=np.zeros(total, np.int32)
                )
            if len(room.sides) < total:
                room = room._replace(sides=np.zeros(total, self._program.side))
            room.link[:] = np.arange(1, len(room.link) + 1, dtype=np.int32)
            room.free[:] = 0, len(room.kept)
        self.room = room

    def snapshot(self) -> Snapshot:
        """All that later batches rest on, copied."""
        people, room = self.people, self.room
        return Snapshot(
            next_batch=self.next_batch,
            standings=_copied(people.standings),
            in_force=people.in_force.copy(),
            last=people.last.copy(),
            head=people.head.copy(),
            tail=people.tail.copy(),
            kept=_copied(room.kept),
            link=room.link.copy(),
            free=room.free.copy(),
            decided=_copied(people.decided),
        )

    def back_to(self, snapshot: Snapshot) -> None:
        """Stand where the snapshot was taken; what there was is overwritten."""
        self.next_batch = snapshot.next_batch
        people, room = self.people, self.room
        self.people = people._replace(
            standings=_into(people.standings, snapshot.standings),
            in_force=_into(people.in_force, snapshot.in_force),
            last=_into(people.last, snapshot.last),
            head=_into(people.head, snapshot.head),
            tail=_into(people.tail, snapshot.tail),
            decided=self._decided_at(snapshot),
        )
        self.room = room._replace(
            kept=_into(room.kept, snapshot.kept),
            link=_into(room.link, snapshot.link),
            free=_into(room.free, snapshot.free),
        )
        # What is kept may need more room than there was at first.
        self.make_room(self._largest)
        self.room.mark[:] = 0

    def _decided_at(self, snapshot: Snapshot) -> Array:
        """What was pending then; where only one of two histories knows decisions, nothing was."""
        if self._program.needs.decisions and not len(snapshot.decided):
            return nothing_decided(self.players, self._program.decided)
        return _copied(snapshot.decided)


def _copied(records: Array) -> Array:
    """A copy of records, by their bytes: field by field, as NumPy does it, takes ten times that."""
    return _into(np.empty_like(records), records)


def _into(there: Array, wanted: Array) -> Array:
    """What is wanted, where it fits in the place of what is there: new memory costs more."""
    if there.shape != wanted.shape:
        return _copied(wanted)
    there.view(np.uint8)[...] = wanted.view(np.uint8)
    return there


def known_records(given: HistoryInput, program: Program) -> Array:
    """What the players file says of everybody, in the edition's columns."""
    known = program.bulk.known
    records = np.empty(len(given.players), program.known)
    for name in known._fields:
        records[name] = known._field_defaults[name]
    said = with_own_columns(given.standings, program.bulk)
    if said is None:
        return records
    players = column_of(said, "player")
    for name in known._fields:
        if name not in said.column_names:
            continue
        column = said[name].combine_chunks()
        if name in program.bulk.codes:
            records[name][players] = coded(said[name], program.bulk.codes[name])
            continue
        valid = mask_of(column.is_valid())
        values = column.drop_null()
        if pa.types.is_date(values.type):
            values = values.cast(pa.int32())
        records[name][players[valid]] = from_arrow(values)
    _take_own_pool(records, said, players, program)
    return records


def _take_own_pool(records: Array, said: pa.Table, players: Array, program: Program) -> None:
    """A rating in the pool that is rated, which a column has by the name of the pool.

    It is that of who has none in the column of ratings.
    """
    pools = program.bulk.pools
    names = {} if pools is None else fields_about(default_pool(program.book), pools)
    names = {name: field for name, field in names.items() if name in said.column_names}
    if "rating" not in names.values():
        return
    without = np.ones(len(said), bool)
    if "rating" in said.column_names:
        without = mask_of(said["rating"].combine_chunks().is_null())
    for name, field in names.items():
        column = said[name].combine_chunks()
        told = without & mask_of(column.is_valid())
        records[field][players[told]] = from_arrow(column.filter(to_arrow(told)))


def _column(said: pa.Table | None, name: str) -> pa.ChunkedArray | None:
    return said[name] if said is not None and name in said.column_names else None


def _spread(said: pa.Table, values: pa.Array, count: int, default: Any, kind: Any) -> Array:
    column = np.full(count, default, kind)
    valid = mask_of(values.is_valid())
    column[column_of(said, "player")[valid]] = from_arrow(values.drop_null())
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
    column[column_of(said, "player")] = coded(values, code)
    return column
