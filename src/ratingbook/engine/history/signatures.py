"""Signatures of batches: one number over all that the games and players of a batch say.

All columns that the loops get join in, those of later versions too, and so does the order
in which the games stand in the input.  Nothing depends on how players or events are numbered.
The signature of a batch whose games lie in several pieces is put together from theirs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook import __version__
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.decided import Decided
from ratingbook.engine.history.hashes import hashes_of
from ratingbook.engine.history.intake.arrays import to_arrow
from ratingbook.engine.history.months import split_keys
from ratingbook.engine.history.plan import Plan
from ratingbook.engine.loops.arrays import Events, Games
from ratingbook.rules.bulk import NOT_GIVEN

Array = np.ndarray[Any, Any]

_BLOCK = 1 << 16
"""Games at a time: what is reckoned of them stays in the cache of the processor."""
_ROWS = 1 << 40
"""More than there are games."""
_STEP = 0x9E3779B97F4A7C15
"""What a place further on multiplies by."""
_BY_ITSELF = frozenset(
    {"offsets", "white", "black", "event", "start", "end"}
    | {"slot", "white_reached", "black_reached"}
)
"""Columns that are looked at in their own way, or follow from others."""

_PLAYERS = frozenset({"white_for", "black_for"})
_NUMBERS = frozenset({"white_number", "black_number"})


def signatures(given: HistoryInput, plan: Plan, *, by_game: bool = False) -> Array:
    """The signature of each batch of a plan; ``by_game`` where each game has a row of its own.

    Such a row says in which row of the input the game stands, so that joins in as well.
    """
    marks = marks_of_events(given, plan.events, plan.event_order, plan.months)
    told = None
    if by_game:
        rows = np.arange(len(plan.games.white)) if plan.moved is None else plan.moved
        told = rows_of_input(given, rows)
    places = _places(plan.games.offsets, plan.moved)
    sums = sums_of(hashes_of(given.players), plan.games, plan.events, marks, places, told)
    return signed(sums, plan.keys)


def rows_of_input(given: HistoryInput, rows: Array) -> Array:
    """The rows of games, counted from 0, among those of the input, some of which are left out."""
    left_out = given.left_out
    if not len(left_out):
        return rows
    shift = np.searchsorted(left_out - np.arange(len(left_out)), rows, side="right")
    found: Array = rows + shift
    return found


def signed(sums: Array, keys: Array) -> Array:
    """The signatures of batches with these sums and days."""
    marks: Array = sums ^ keys.astype(np.int64).astype(np.uint64)
    return marks


def joined_sums(pieces: Iterator[tuple[Array, Array]]) -> Array:
    """The sums of batches from those of pieces, and how many games each has of each batch."""
    total, before = next(pieces)
    total, before = total.copy(), before.copy()
    with np.errstate(over="ignore"):
        for sums, counts in pieces:
            shift = [pow(_STEP, int(each), 1 << 64) for each in before]
            total += sums * np.array(shift, np.uint64)
            before += counts
    return total


def marks_of_events(
    given: HistoryInput, events: Events, order: Array, months: Array | None = None
) -> Array:
    """What each event adds to the signatures of its games: which it is, and its facts."""
    named = _events_hashes(given, order, months) * np.uint64(0xD6E8FEB86659FD93)
    found: Array = _facts_hashes(events) ^ named
    return found


def _events_hashes(given: HistoryInput, order: Array, months: Array | None) -> Array:
    """A number for each event in the order of their numbers; 0 where each day is an event."""
    known = len(given.event_ids)
    if not known:
        return np.zeros(len(order), np.uint64)
    ids = hashes_of(given.event_ids)
    if months is not None:
        parents, numbers = split_keys(months)
        with np.errstate(over="ignore"):
            later = ids[parents] * np.uint64(31) + numbers.astype(np.int64).astype(np.uint64)
        ids = np.concatenate([ids, later])
    return ids[order]


def _places(offsets: Array, moved: Array | None) -> Array | None:
    """The place of each game among those of its batch as the input has them; None: in order.

    Which event a game belongs to is known, so the order in which they are rated follows.
    """
    if moved is None:
        return None
    places = np.empty(len(moved), np.int32)
    first = 0
    # What is as long as all games is in memory once only.
    while first < len(offsets) - 1:
        enough = np.searchsorted(offsets, offsets[first] + _BLOCK, side="right") - 1
        stop = max(first + 1, int(enough))
        games = slice(int(offsets[first]), int(offsets[stop]))
        sizes = np.diff(offsets[first : stop + 1])
        order = np.argsort(np.repeat(np.arange(len(sizes)), sizes) * _ROWS + moved[games])
        ranks = np.empty(len(order), np.int32)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        places[games] = ranks - np.repeat(offsets[first:stop] - offsets[first], sizes)
        first = stop
    return places


def sums_of(
    hashes: Array,
    games: Games,
    events: Events,
    marks: Array,
    places: Array | None = None,
    rows: Array | None = None,
) -> Array:
    """What the games of each batch add up to; ``hashes`` are those of the players."""
    offsets = games.offsets
    count = len(games.white)
    with np.errstate(over="ignore"):
        powers = _powers(int(np.diff(offsets).max(initial=0)))
        sums = np.zeros(len(offsets) - 1, np.uint64)
        for begin in range(0, count, _BLOCK):
            part = slice(begin, begin + _BLOCK)
            value = _mixed(hashes, games, events, marks, part)
            if rows is not None:
                value += rows[part].astype(np.uint64)
            _stir(value)
            at = np.arange(begin, begin + len(value))
            batch = _batches_of(offsets, begin, begin + len(value))
            at -= offsets[batch]
            if rows is not None:
                # Games that are rated one after the other, in this order.
                value += at.astype(np.uint64)
                _stir(value)
            place = at if places is None else places[part]
            value *= powers[place]
            begins = np.flatnonzero(np.r_[True, batch[1:] != batch[:-1]])
            sums[batch[begins]] += np.add.reduceat(value, begins)
    return sums


def _batches_of(offsets: Array, begin: int, end: int) -> Array:
    """The batch of each of the games from ``begin`` up to ``end``."""
    first, last = np.searchsorted(offsets, [begin, end - 1], side="right") - 1
    bounds = offsets[first : last + 2].clip(begin, end)
    found: Array = np.repeat(np.arange(first, last + 1), np.diff(bounds))
    return found


def _mixed(hashes: Array, games: Games, events: Events, marks: Array, part: slice) -> Array:
    """All that some games say by themselves."""
    event = games.event[part]
    value: Array = hashes[games.white[part]] * np.uint64(0x9E3779B97F4A7C15)
    value ^= hashes[games.black[part]] + np.uint64(0x632BE59BD9B4E019)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    value += marks[event]
    for number, (name, column) in enumerate(games._asdict().items(), 1):
        if name in _BY_ITSELF or not len(column):
            continue
        bits = _bits_of(name, column[part], hashes) * np.uint64(2 * number + 1)
        bits ^= bits >> np.uint64(29)
        value += bits * np.uint64(0x94D049BB133111EB)
    days = (
        (games.start[part], games.end[part])
        if len(games.start)
        else (events.start[event], events.end[event])
    )
    for day in days:
        value *= np.uint64(1000003)
        value += _as_bits(day)
    return value


def _bits_of(name: str, values: Array, hashes: Array) -> Array:
    """What a column says of some games as numbers; 0 where it says nothing."""
    if name in _PLAYERS:
        return np.where(values < 0, np.uint64(0), hashes[values])
    if name in _NUMBERS:
        # They may have decimals in one file and none in the other.
        told = _as_bits(values.astype(np.float64))
        return np.where(values == NOT_GIVEN, np.uint64(0), told)
    return _as_bits(values)


def _stir(value: Array) -> None:
    value ^= value >> np.uint64(29)
    value *= np.uint64(0x94D049BB133111EB)
    value ^= value >> np.uint64(32)


def _powers(count: int) -> Array:
    """The first powers of the step."""
    powers = np.full(max(1, count), _STEP, np.uint64)
    powers[0] = 1
    found: Array = np.cumprod(powers, dtype=np.uint64)
    return found


def sums_beside(plan: Plan, players: pa.Array) -> Array:
    """What is added to the signatures of batches besides what their games say."""
    sums = _decided_sums(plan.decided, players, len(plan))
    return sums if plan.fields is None else sums + plan.fields.sums(players, len(plan))


def _decided_sums(decided: Decided | None, players: pa.Array, batches: int) -> Array:
    """What decisions add to the signatures of the batches before which they become known."""
    sums = np.zeros(batches, np.uint64)
    if decided is None:
        return sums
    with np.errstate(over="ignore"):
        who = hashes_of(players.take(to_arrow(decided.player)))
        said = who * np.uint64(0x8CB92BA72F3D8DD7) + decided.value.view(np.uint64)
        said ^= said >> np.uint64(29)
        said = (said + decided.kind.astype(np.uint64)) * np.uint64(0x94D049BB133111EB)
        np.add.at(sums, decided.batch, said ^ (said >> np.uint64(32)))
    return sums


def _as_bits(values: Array) -> Array:
    """Whole numbers as they are, others with all their decimals."""
    if values.dtype.kind == "f":
        return values.view(np.uint64)
    return values.astype(np.int64).view(np.uint64)


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


@cache
def engine_key() -> str:
    """A hash over the version and the source of the engine itself."""
    digest = hashlib.sha256(__version__.encode())
    here = Path(__file__).parents[1]
    for path in sorted(here.rglob("*.py")):
        digest.update(f"{path.relative_to(here).as_posix()} ".encode() + path.read_bytes())
    return digest.hexdigest()
