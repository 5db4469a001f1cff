"""The games of each period, cut by players: who has to look at which.

A bucket is a range of players.  Its file of a period holds the games in which one of
them plays, so a game between two buckets stands in both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.engine.loops.arrays import Games, columns_of_players
from ratingbook.engine.spark.shipping import column

Array = np.ndarray[Any, Any]

_PER_BATCH = frozenset({"offsets"})
PLAYERS = ("white", "black", "white_for", "black_for")
"""The columns that name players; those of substitutes are there both or not at all."""
_AT_ONCE = 2
"""Files that are written at the same time; more only wait for each other's memory."""


@dataclass(frozen=True)
class Prepared:
    """The files of the periods from ``first`` on; of those without games there are none."""

    folder: Path
    first: int
    bounds: tuple[int, ...]
    """Bucket k holds the players from ``bounds[k]`` up to ``bounds[k + 1]``."""
    rows: Array
    """Games in the file of each period and bucket."""
    slots: dict[int, tuple[int, ...]]
    """For each period the rows of the numbers in force that its games name."""

    @property
    def buckets(self) -> int:
        """Number of buckets."""
        return len(self.bounds) - 1

    def rows_of(self, period: int) -> tuple[int, ...]:
        """Games in the files of a period."""
        return tuple(int(each) for each in self.rows[period - self.first])

    def slots_of(self, period: int) -> tuple[int, ...]:
        """The rows of the numbers in force that the games of a period name."""
        return self.slots[period]


def halves_of(columns: Sequence[Array], players: int) -> Array:
    """The halves of games of each player; ``columns`` name the players of the games."""
    played: Array = np.zeros(players, np.int64)
    for side in columns:
        played += np.bincount(side[side >= 0], minlength=players)
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
    games: Games,
    players: int,
    buckets: int,
    first: int,
    folder: Path,
    together: Array | None = None,
) -> Prepared:
    """Write the files of all periods from ``first`` on that have games."""
    bounds = bounds_of(halves_of(columns_of_players(games), players), buckets)
    periods = len(games.offsets) - 1
    rows = np.zeros((periods - first, buckets), np.int64)

    slots: dict[int, tuple[int, ...]] = {}

    def write(period: int) -> None:
        part = slice(int(games.offsets[period]), int(games.offsets[period + 1]))
        columns = {
            name: values[part]
            for name, values in games._asdict().items()
            if name not in _PER_BATCH and len(values)
        }
        rows[period - first], slots[period] = write_period(
            columns, players, bounds, period, folder, together
        )

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for _ in threads.map(write, filled_periods(games.offsets, first)):
            pass
    return Prepared(folder, first, bounds, rows, slots)


def filled_periods(offsets: Array, first: int) -> list[int]:
    """The periods from ``first`` on that have games."""
    found: list[int] = (first + np.flatnonzero(np.diff(offsets[first:]))).tolist()
    return found


def write_period(
    columns: Mapping[str, Array],
    players: int,
    bounds: Sequence[int],
    period: int,
    folder: Path,
    together: Array | None = None,
) -> tuple[list[int], tuple[int, ...]]:
    """Write the files of a period; gives the games of each bucket, and the named slots.

    A bucket has the games of its players, and all of the events whose games are looked at
    ``together``.
    """
    place = folder / f"period={period:06d}"
    place.mkdir(parents=True, exist_ok=True)
    sides = [columns[name] for name in PLAYERS if name in columns]
    _write(pa.table({"player": _order(sides, players)}), place / "order.parquet")
    counts = []
    for bucket, (low, high) in enumerate(pairwise(bounds)):
        if low == 0 and high == players:
            taken = dict(columns)
        else:
            mine = np.zeros(len(sides[0]), bool)
            for side in sides:
                mine |= (side >= low) & (side < high)
            if together is not None:
                asked = np.zeros(len(together), bool)
                asked[columns["event"][mine]] = True
                mine |= (asked & together)[columns["event"]]
            which = np.flatnonzero(mine)
            taken = {name: values[which] for name, values in columns.items()}
        _write(pa.table(taken), bucket_file(folder, period, bucket))
        counts.append(len(taken["white"]))
    named = np.bincount(columns["slot"]) if "slot" in columns else np.empty(0, np.int64)
    return counts, tuple(np.flatnonzero(named).tolist())


def _order(sides: Sequence[Array], players: int) -> Array:
    """The players of a period in the order of their first games, as the loops meet them.

    Those whom substitutes replace come after all who sit at a board.
    """
    pairs = [sides[first : first + 2] for first in range(0, len(sides), 2)]
    met = np.concatenate([np.stack(pair, 1).reshape(-1) for pair in pairs]).astype(np.int32)
    met = met[met >= 0]
    first = np.full(players, -1, np.int64)
    # Of several values for one place the last one stays: backwards, the first game.
    first[met[::-1]] = np.arange(len(met) - 1, -1, -1)
    is_first = np.zeros(len(met), bool)
    is_first[first[first >= 0]] = True
    order: Array = met[is_first]
    return order


def _write(table: pa.Table, path: Path) -> None:
    """Plain pages in one group: they are read as they lie there."""
    schema = pa.schema([field.with_nullable(False) for field in table.schema])
    pq.write_table(
        table.cast(schema), path, compression="none", use_dictionary=False,
        write_statistics=False, row_group_size=max(1, len(table)), data_page_size=1 << 24,
    )  # fmt: skip


def bucket_file(folder: Path, period: int, bucket: int) -> Path:
    """Where the games of a bucket stand."""
    return folder / f"period={period:06d}" / f"bucket={bucket:03d}.parquet"


def read_order(folder: Path, period: int) -> Array:
    """The players of a period, in the order of their first games."""
    return column(_read(folder / f"period={period:06d}" / "order.parquet"), "player")


def read_bucket(folder: Path, period: int, bucket: int, rows: int, batches: int) -> Games:
    """The games of a bucket, as the period ``period`` of ``batches`` in which nothing else is."""
    path = bucket_file(folder, period, bucket)
    table = _read(path)
    if len(table) != rows:
        raise ValueError(f"{path} holds {len(table)} games, not {rows}")
    offsets = np.zeros(batches + 1, np.int64)
    offsets[period + 1 :] = rows
    found = {name: column(table, name) for name in table.column_names}
    return games_of(offsets, found)


def games_of(offsets: Array, columns: Mapping[str, Array]) -> Games:
    """Games of these columns; the others say nothing."""
    empty = {name: np.empty(0, kind) for name, kind in _KINDS.items() if name not in columns}
    return Games(offsets=offsets, **columns, **empty)


def _read(path: Path) -> pa.Table:
    with pq.ParquetFile(path) as file:
        return file.read(use_threads=False)


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
