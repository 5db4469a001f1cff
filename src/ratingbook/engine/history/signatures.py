"""Signatures of batches: one number over all that the games and players of a batch say.

A signature is a sum over games, so it depends neither on their order nor on where they
lie, and nothing in it depends on how players are numbered.  Where games are rated one after
the other, the place in its batch is something that a game says.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.plan import Plan
from ratingbook.engine.loops.arrays import Events, Games

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
                games.status,
                games.round,
                games.white_number,
                games.black_number,
            ):
                if len(column):
                    value = value * np.uint64(31) + _as_bits(column[part])
            for column in (games.white_for, games.black_for):
                if len(column):
                    who = column[part]
                    value = value * np.uint64(31) + np.where(who < 0, np.uint64(0), hashes[who])
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
