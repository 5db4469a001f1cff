"""The games of each period, cut by players: who has to look at which.

A bucket is a range of players.  Its games of a period are those in which one of them plays,
so a game between two buckets is looked at in both.  They lie in the folders of the pieces
in which the history was read, or in one: for each bucket a file with a part for each period
that has games there, and beside them who plays in each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.each_day import looked_up
from ratingbook.engine.history.named import with_memory
from ratingbook.engine.history.plan import KeptLists
from ratingbook.engine.history.spans import is_ascending
from ratingbook.engine.loops.arrays import Games, columns_of_players
from ratingbook.engine.spark.shipping import column

Array = np.ndarray[Any, Any]

_PER_BATCH = frozenset({"offsets"})
PLAYERS = ("white", "black", "white_for", "black_for")
"""The columns that name players; those of substitutes are there both or not at all."""
_AT_ONCE = 2
"""Files that are written at the same time; more only wait for each other's memory."""
_ORDER = "order.arrow"


@dataclass(frozen=True)
class Shares:
    """How the games of a period are shared among those who rate its players."""

    bounds: tuple[int, ...]
    """Bucket k holds the players from ``bounds[k]`` up to ``bounds[k + 1]``."""
    apart: bool
    """Whether a bucket needs the games of its players only.

    Where rules look at all games of an event together, each bucket gets all there are.
    """

    @property
    def buckets(self) -> int:
        """Number of buckets."""
        return len(self.bounds) - 1

    def file_of(self, bucket: int) -> str:
        """The name of the file in which the games of a bucket lie."""
        return f"part={bucket if self.apart else 0:03d}.arrow"

    def parts(self) -> Iterator[tuple[str, range | None]]:
        """The files of a piece, each with the players whose games lie in it; None: all."""
        if self.buckets == 1 or not self.apart:
            yield self.file_of(0), None
            return
        for bucket, (low, high) in enumerate(pairwise(self.bounds)):
            yield self.file_of(bucket), range(low, high)


@dataclass(frozen=True)
class Named:
    """How the ratings that games name are handed to the loops."""

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
        if self.starts is None or not len(columns["white"]):
            return columns
        offsets = np.array([0, len(columns["white"])], np.int64)
        games = with_memory(games_of(offsets, columns), self.starts)
        more = {name: getattr(games, name) for name in ("white_reached", "black_reached")}
        return columns | more


@dataclass(frozen=True)
class Completed:
    """What is known of games only when all pieces are, and so is added when they are read."""

    kept: KeptLists
    named: Named
    slots: Array | None
    """The row of the numbers in force for each event, by whose order games stand.

    None where games stand as they were read, and each says how many lists were out.
    """

    def put(self, columns: dict[str, Array]) -> dict[str, Array]:
        """The columns of a period as the loops take them."""
        key = columns.pop("key", columns["event"])
        if self.slots is not None and not is_ascending(key):
            moved = np.argsort(key, kind="stable")
            columns = {name: values[moved] for name, values in columns.items()}
        slot = (
            self.kept.slot(columns.pop("place"))
            if self.slots is None
            else looked_up(self.slots, columns["event"])
        )
        if self.kept.last_use is not None:
            columns["slot"] = slot
        return self.named.put(columns)


@dataclass(frozen=True)
class Prepared:
    """Where the games of all periods lie."""

    folders: tuple[Path, ...]
    filled: Array
    """Whether each piece has games of each period."""
    shares: Shares
    rows: Array
    """Games of each period that each bucket looks at."""
    slots: Mapping[int, tuple[int, ...]]
    """For each period the rows of the numbers in force that its games name."""
    completed: Completed | None = None
    """What is still added; None: nothing."""

    def rows_of(self, period: int) -> tuple[int, ...]:
        """Games of each bucket in a period."""
        return tuple(int(each) for each in self.rows[period])

    def slots_of(self, period: int) -> tuple[int, ...]:
        """The rows of the numbers in force that the games of a period name."""
        return self.slots.get(period, ())

    def order(self, period: int) -> Array:
        """The players of a period in the order of their first games, as the loops meet them."""
        found = self._read(_ORDER, period)
        players = column(found, "player")
        if len(found.column("player").chunks) <= 1:
            return players
        told = [name for name in ("key", "replaced") if name in found.column_names]
        columns = [column(found, name) for name in told]
        if columns and not all(is_ascending(each) for each in columns):
            # By the last of them first.
            players = players[np.lexsort(columns)]
        return players[first_places(players, int(players.max()) + 1)]

    def games(self, period: int, bucket: int, rows: int) -> Games:
        """The games of a bucket, as the one period of a history in which nothing else is."""
        name = self.shares.file_of(bucket)
        table = self._read(name, period)
        if len(table) != rows:
            raise ValueError(f"{name} of period {period} holds {len(table)} games, not {rows}")
        columns = {name: column(table, name) for name in table.column_names}
        if self.completed is not None:
            columns = self.completed.put(columns)
        offsets = np.zeros(self.filled.shape[1] + 1, np.int64)
        offsets[period + 1 :] = rows
        return games_of(offsets, columns)

    def _read(self, name: str, period: int) -> pa.Table:
        parts = [
            _part(self.folders[piece] / name, int(np.count_nonzero(self.filled[piece, :period])))
            for piece in np.flatnonzero(self.filled[:, period])
        ]
        return pa.Table.from_batches([part for part in parts if len(part)] or parts[:1])


def _part(path: Path, number: int) -> pa.RecordBatch:
    with pa.OSFile(str(path)) as source:
        return pa.ipc.open_file(source).get_batch(number)


def halves_of(columns: Sequence[Array], players: int) -> Array:
    """The halves of games of each player; ``columns`` name the players of the games."""
    played: Array = np.zeros(players, np.int64)
    for side in columns:
        known = side if side.min(initial=0) >= 0 else side[side >= 0]
        played += np.bincount(known, minlength=players)
    return played


def bounds_of(played: Array, buckets: int) -> tuple[int, ...]:
    """Ranges of players with about equally many games, by everybody's halves of games."""
    players = len(played)
    # A player without a game takes a place too.
    sums = np.cumsum(played + 1)
    shares = np.arange(1, buckets) * int(sums[-1] if players else 0) // buckets
    inner = np.searchsorted(sums, shares, side="right")
    return (0, *(int(each) for each in inner), players)


def prepare(
    games: Games, players: int, buckets: int, first: int, folder: Path, *, apart: bool
) -> Prepared:
    """Leave the games of all periods from ``first`` on in one folder."""
    shares = Shares(bounds_of(halves_of(columns_of_players(games), players), buckets), apart)
    begin = int(games.offsets[first])
    columns = {
        name: values[begin:]
        for name, values in games._asdict().items()
        if name not in _PER_BATCH and len(values)
    }
    offsets = (games.offsets - begin).clip(0)
    rows = leave(columns, offsets, shares, players, folder)
    filled = np.diff(offsets) > 0
    slots = {}
    if "slot" in columns:
        for period in np.flatnonzero(filled).tolist():
            named = np.bincount(columns["slot"][offsets[period] : offsets[period + 1]])
            slots[period] = tuple(np.flatnonzero(named).tolist())
    return Prepared((folder,), filled[None], shares, rows, slots)


def leave(
    columns: Mapping[str, Array],
    offsets: Array,
    shares: Shares,
    players: int,
    folder: Path,
    key: Array | None = None,
) -> Array:
    """Leave the games of a piece, period by period; gives how many each bucket looks at.

    ``key`` says how they stand within a period when all pieces are put together.
    """
    folder.mkdir(parents=True, exist_ok=True)
    periods = [
        (period, slice(int(offsets[period]), int(offsets[period + 1])))
        for period in np.flatnonzero(np.diff(offsets)).tolist()
    ]
    rows = np.zeros((len(offsets) - 1, shares.buckets), np.int64)

    def write(part: tuple[int, tuple[str, range | None]]) -> None:
        number, (name, mine) = part
        with _writer(folder / name, columns) as writer:
            for period, games in periods:
                taken = _taken(columns, games, mine)
                writer.write_batch(pa.RecordBatch.from_pydict(taken))
                rows[period, number if shares.apart else slice(None)] = len(taken["white"])

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for _ in threads.map(write, enumerate(shares.parts())):
            pass
    _leave_order(columns, [games for _, games in periods], players, key, folder / _ORDER)
    return rows


def _writer(path: Path, columns: Mapping[str, Array]) -> pa.ipc.RecordBatchFileWriter:
    kinds = {name: pa.from_numpy_dtype(values.dtype) for name, values in columns.items()}
    return pa.ipc.new_file(path, pa.schema(list(kinds.items())))


def _taken(columns: Mapping[str, Array], games: slice, mine: range | None) -> dict[str, Array]:
    """Those of some games in which one of ``mine`` plays."""
    part = {name: values[games] for name, values in columns.items()}
    if mine is None:
        return part
    plays = np.zeros(len(part["white"]), bool)
    for name in PLAYERS:
        if name in part:
            plays |= (part[name] >= mine.start) & (part[name] < mine.stop)
    which = np.flatnonzero(plays)
    return {name: values.take(which) for name, values in part.items()}


def _leave_order(
    columns: Mapping[str, Array],
    periods: Sequence[slice],
    players: int,
    key: Array | None,
    path: Path,
) -> None:
    """Leave the players of each period in the order of their first games.

    Those whom substitutes replace come after all who sit at a board.
    """
    pairs = [PLAYERS[first : first + 2] for first in range(0, 4, 2) if PLAYERS[first] in columns]
    kinds: dict[str, Array] = {"player": np.empty(0, np.int32)}
    if key is not None:
        kinds["key"] = key[:0]
    if len(pairs) > 1:
        kinds["replaced"] = np.empty(0, np.int8)
    with _writer(path, kinds) as writer:
        for games in periods:
            sides = [np.stack([columns[n][games] for n in pair], 1).reshape(-1) for pair in pairs]
            met = np.concatenate(sides) if len(sides) > 1 else sides[0]
            at = first_places(met, players)
            told = {"player": met[at].astype(np.int32)}
            half = at % len(sides[0])
            if key is not None:
                told["key"] = key[games][half // 2]
            if len(pairs) > 1:
                told["replaced"] = (at >= len(sides[0])).astype(np.int8)
            writer.write_batch(pa.RecordBatch.from_pydict(told))


def first_places(met: Array, players: int) -> Array:
    """Where each player is met first, in this order; -1 is nobody."""
    # The last place is nobody's.
    first = np.empty(players + 1, np.int32)
    places = np.arange(len(met), dtype=np.int32)
    # Of several values for one place the last one stays: backwards, the first game.
    first[met[::-1]] = places[::-1]
    found: Array = np.flatnonzero((first[met] == places) & (met >= 0))
    return found


def games_of(offsets: Array, columns: Mapping[str, Array]) -> Games:
    """Games of these columns; the others say nothing."""
    empty = {name: np.empty(0, kind) for name, kind in _KINDS.items() if name not in columns}
    return Games(offsets=offsets, **columns, **empty)


_KINDS: dict[str, type[np.generic]] = {
    "white": np.int32,
    "black": np.int32,
    "score": np.int8,
    "handicap": np.int8,
    "rated": np.uint8,
    "event": np.int32,
    "start": np.int32,
    "end": np.int32,
    "slot": np.int16,
    "entry_white": np.int32,
    "entry_black": np.int32,
    "white_number": np.int64,
    "black_number": np.int64,
    "white_reached": np.int32,
    "black_reached": np.int32,
    "status": np.int8,
    "turn": np.int64,
    "reported": np.int32,
    "white_for": np.int32,
    "black_for": np.int32,
    "conditions": np.int32,
}
"""The types of columns that say nothing, as :mod:`~ratingbook.engine.history.plan` has them."""
