"""Who takes part in an event, for rules that ask for their ratings when it begins.

Such as the level of a national tournament.  It is looked at before the first batch with a game of
the event, by the numbers of the list that was in force when the event began, and holds for all its
games; a run that goes on in the middle looks at the same list again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.hashes import hashes_of
from ratingbook.engine.history.intake.arrays import column_of, to_arrow
from ratingbook.engine.history.records import accessors
from ratingbook.engine.history.timetable import Timetable
from ratingbook.engine.loops.arrays import Events
from ratingbook.rules.bulk import Bulk

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Takes:
    """Some events with the players who take part, and the lists that take their games.

    One row for each event and player; the columns of events are by their numbers.
    """

    event: Array
    player: Array
    first: Array
    last: Array

    @classmethod
    def of(cls, asked: Array, number: Array, lists: Array, sides: Iterable[Array]) -> Takes:
        """Those of some games, of the events that are ``asked`` for; ``sides`` name players."""
        which = np.flatnonzero(asked[number]) if asked.any() else np.empty(0, np.int64)
        events, taken = number[which].astype(np.int64), lists[which]
        first = np.full(len(asked), np.iinfo(np.int32).max, np.int32)
        last = np.full(len(asked), -1, np.int32)
        np.minimum.at(first, events, taken)
        np.maximum.at(last, events, taken)
        players = np.concatenate([np.empty(0, np.int32), *(each[which] for each in sides)])
        repeated = np.tile(events, len(players) // max(1, len(events)))
        return cls(*_distinct(repeated, players), first, last)

    def plus(self, other: Takes) -> Takes:
        """Both together."""
        pairs = _distinct(
            np.concatenate([self.event, other.event]), np.concatenate([self.player, other.player])
        )
        return Takes(*pairs, np.minimum(self.first, other.first), np.maximum(self.last, other.last))


def _distinct(events: Array, players: Array) -> tuple[Array, Array]:
    known = players >= 0
    pairs = np.unique(events[known] << 32 | players[known].astype(np.int64))
    return pairs >> 32, (pairs & 0xFFFFFFFF).astype(np.int32)


@dataclass(frozen=True)
class Fields:
    """The events whose rules ask who takes part, ascending by their numbers."""

    event: Array
    offsets: Array
    """Where the players of each event begin, and how many there are."""
    player: Array
    place: Array
    """How many lists were out when the event began."""
    first: Array
    last: Array
    """The first and the last batch with a game of the event."""

    @classmethod
    def of(cls, takes: Takes, entries: pa.Table | None, table: Timetable) -> Fields | None:
        """Those of a timetable; who stands among the entries takes part as well."""
        event = np.flatnonzero(takes.last >= 0)
        if not len(event):
            return None
        if entries is not None and len(entries):
            entered = table.ranks[column_of(entries, "event")].astype(np.int64)
            asked = takes.last[entered] >= 0
            players = column_of(entries, "player")[asked]
            more = Takes(entered[asked], players, takes.first, takes.last)
            takes = takes.plus(more)
        first = takes.first[event]
        return cls(
            event,
            np.searchsorted(takes.event, np.append(event, len(takes.last))),
            takes.player,
            table.places(table.events.start[event], first),
            first,
            takes.last[event],
        )

    def at(self, batch: int) -> Array:
        """The places here of the events that are under way in a batch."""
        return np.flatnonzero((self.first <= batch) & (batch <= self.last))

    def settle(self, at: int, events: Events, in_force: Array, bulk: Bulk, p: Any) -> None:
        """Put what the field says into the facts of the event at a place here."""
        assert bulk.field_rules is not None
        load, store = accessors(bulk.facts, int, members=True)
        number = int(self.event[at])
        facts = bulk.field_rules.facts(load(events.facts, number), self.numbers(at, in_force), p)
        store(events.facts, number, facts)

    def numbers(self, at: int, in_force: Array) -> list[int]:
        """The numbers in force of those who take part, when the event at a place here began."""
        row = in_force[int(self.place[at]) % len(in_force)]
        found: list[int] = row[self.player[self.offsets[at] : self.offsets[at + 1]]].tolist()
        return found

    def marks(self, players: pa.Array) -> Array:
        """A number for each event here that says who takes part."""
        hashes = hashes_of(players.take(to_arrow(self.player)))
        with np.errstate(over="ignore"):
            hashes = hashes * np.uint64(0x9E3779B97F4A7C15)
            hashes ^= hashes >> np.uint64(29)
            found: Array = np.add.reduceat(hashes, self.offsets[:-1])
        return found

    def sums(self, players: pa.Array, batches: int) -> Array:
        """What those who take part add to the signatures of batches."""
        found = np.zeros(batches, np.uint64)
        with np.errstate(over="ignore"):
            np.add.at(found, self.first, self.marks(players) * np.uint64(0xBF58476D1CE4E5B9))
        return found
