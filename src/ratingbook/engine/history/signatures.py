"""Signatures of batches: one number over all that the games and players of a batch say.

A signature is a sum over games, so it depends neither on their order nor on where they
lie, and nothing in it depends on how players are numbered.  Where games are rated one after
the other, the place in its batch is something that a game says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.decided import Decided
from ratingbook.engine.history.plan import Plan
from ratingbook.engine.loops.arrays import Events, Games
from ratingbook.rules.bulk import NOT_GIVEN

Array = np.ndarray[Any, Any]

_BLOCK = 1 << 20


def signatures(players: pa.Array, plan: Plan, *, ordered: bool = False) -> Array:
    """The signature of each batch of a plan; ``ordered`` where the order of games matters."""
    sums = sums_of(hashes_of(players), plan.games, plan.events, ordered=ordered)
    return signed(sums, plan.keys)


def signed(sums: Array, keys: Array) -> Array:
    """The signatures of batches with these sums and days."""
    marks: Array = sums ^ keys.astype(np.int64).astype(np.uint64)
    return marks


def sums_of(hashes: Array, games: Games, events: Events, *, ordered: bool = False) -> Array:
    """What the games of each batch add up to; ``hashes`` are those of the players."""
    facts = _facts_hashes(events)
    mixed = np.empty(len(games.white), np.uint64)
    with np.errstate(over="ignore"):
        for begin in range(0, len(mixed), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            event = games.event[part]
            value = hashes[games.white[part]] * np.uint64(0x9E3779B97F4A7C15)
            value ^= hashes[games.black[part]] + np.uint64(0x632BE59BD9B4E019)
            value *= np.uint64(0xBF58476D1CE4E5B9)
            value += games.score[part].astype(np.uint64) ^ facts[event]
            for column in (
                games.handicap,
                games.rated,
                games.entry_white,
                games.entry_black,
                games.conditions,
                games.round,
            ):
                if len(column):
                    value = value * np.uint64(31) + _as_bits(column[part])
            for said in _of_some(games, part, hashes):
                value += said
            days: tuple[Array, ...] = (
                (games.start[part], games.end[part])
                if len(games.start)
                else (events.start[event], events.end[event])
            )
            if ordered:
                places = np.arange(begin, begin + len(value))
                batch = np.searchsorted(games.offsets, places, side="right") - 1
                days = (*days, places - games.offsets[batch])
            for day in days:
                value = value * np.uint64(1000003) + day.astype(np.int64).astype(np.uint64)
            value ^= value >> np.uint64(29)
            value *= np.uint64(0x94D049BB133111EB)
            mixed[part] = value ^ (value >> np.uint64(32))
        sums = np.zeros(len(games.offsets) - 1, np.uint64)
        filled = np.flatnonzero(np.diff(games.offsets))
        if len(filled):
            sums[filled] = np.add.reduceat(mixed, games.offsets[:-1][filled])
    return sums


_FACTORS = (
    0x9FB21C651E98DF25, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93,
    0xA0761D6478BD642F,
)  # fmt: skip
"""One for each of the columns that mostly say nothing."""


def _of_some(games: Games, part: slice, hashes: Array) -> Iterator[Array]:
    """What columns add that mostly say nothing: where they do not, as if they were not there."""
    columns = (games.status, games.white_number, games.black_number, games.white_for,
               games.black_for)  # fmt: skip
    nothing = (0, NOT_GIVEN, NOT_GIVEN, -1, -1)
    for place, (column, absent, factor) in enumerate(zip(columns, nothing, _FACTORS, strict=True)):
        if not len(column):
            continue
        values = column[part]
        # Ratings may have decimals in one file and none in the other.
        told = hashes[values] if absent == -1 else _as_bits(values.astype(np.float64))
        said = (told + np.uint64(place + 1)) * np.uint64(factor)
        said ^= said >> np.uint64(29)
        yield np.where(values == absent, np.uint64(0), said)


def decided_sums(decided: Decided | None, players: pa.Array, batches: int) -> Array:
    """What decisions add to the signatures of the batches before which they become known."""
    sums = np.zeros(batches, np.uint64)
    if decided is None:
        return sums
    with np.errstate(over="ignore"):
        who = hashes_of(players.take(pa.array(decided.player)))
        said = who * np.uint64(0x8CB92BA72F3D8DD7) + decided.value.view(np.uint64)
        said ^= said >> np.uint64(29)
        said = (said + decided.kind.astype(np.uint64)) * np.uint64(0x94D049BB133111EB)
        np.add.at(sums, decided.batch, said ^ (said >> np.uint64(32)))
    return sums


def _as_bits(values: Array) -> Array:
    """Whole numbers as they are, others with all their decimals."""
    if values.dtype.kind == "f":
        return values.view(np.uint64)
    return values.astype(np.int64).astype(np.uint64)


def _facts_hashes(events: Events) -> Array:
    """What the facts of each event add to the signatures of its games."""
    facts = events.facts
    mixed = np.zeros(len(facts), np.uint64)
    with np.errstate(over="ignore"):
        for name in facts.dtype.names or ():
            column = facts[name].astype(np.float64).view(np.uint64)
            mixed = (mixed ^ column) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(31)
    return mixed


def hashes_of(ids: pa.Array) -> Array:
    """A number for each id that does not depend on the other ids."""
    if pa.types.is_integer(ids.type):
        values: Array = ids.to_numpy(zero_copy_only=False).astype(np.int64).astype(np.uint64)
        with np.errstate(over="ignore"):
            values = (values + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            values ^= values >> np.uint64(31)
        return values
    return np.array([_hash(str(each).encode()) for each in ids.to_pylist()], np.uint64)


def _hash(text: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
