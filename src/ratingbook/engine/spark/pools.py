"""Pools that read each other on a cluster: each is a run of workers, and all go in step.

The driver tells the pools of each other between two lists.  What workers have read is divided
by them, piece by piece, as :mod:`ratingbook.engine.history.pools` divides a history.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.each_day import distinct
from ratingbook.engine.history.months import MonthSpans, split_keys
from ratingbook.engine.history.plan import plan_of
from ratingbook.engine.history.pools import Divided
from ratingbook.engine.history.program import COMPILED_FROM, Program
from ratingbook.engine.history.together import RunsHere, Together
from ratingbook.engine.spark.buckets import PLAYERS
from ratingbook.engine.spark.intake import GAMES, Pieces, leave_played
from ratingbook.engine.spark.laying import lay, lists_of
from ratingbook.engine.spark.periods import ClusterRun, OfSeveral, buckets_of
from ratingbook.engine.spark.session import Cluster
from ratingbook.engine.spark.settings import OnCluster
from ratingbook.engine.spark.shipping import column, read_table, write_table
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]

_NAMED = ("player", "event", "section")


@dataclass(frozen=True)
class RunsThere:
    """Runs of workers; ``pieces`` are those of each pool, where the workers read the games."""

    parts: Mapping[str, HistoryInput]
    cluster: Cluster
    out: Path
    options: OnCluster
    whole: str
    pieces: Mapping[str, Pieces] | None = None

    def lists(self, pool: str, program: Program) -> Array:
        """As :class:`.Makes` has it."""
        assume = self.options["assume"]
        if self.pieces is None:
            return RunsHere(self.parts, assume, rows=False).lists(pool, program)
        pieces = self.pieces[pool]
        return lists_of(pieces, program, assume) if pieces.games else np.empty(0, np.int32)

    def run(self, pool: str, program: Program, lists: Array | None) -> ClusterRun:
        """As :class:`.Makes` has it."""
        part, assume = self.parts[pool], self.options["assume"]
        laid = plan = None
        if self.pieces is None:
            plan = plan_of(part, program, assume, lists)
        else:
            buckets = buckets_of(self.cluster, self.options, len(part.players))
            pieces = self.pieces[pool]
            laid = lay(self.cluster, self.whole, pieces, program, assume, buckets, lists)
        of = OfSeveral(self.whole, list(self.parts).index(pool))
        return ClusterRun(
            part, program, self.cluster, self.out, self.options, plan=plan, laid=laid, of=of
        )


def together_there(
    ready: Cluster,
    divided: Divided,
    book: BookOrSeries,
    games: int,
    out: Path,
    options: OnCluster,
    pieces: Pieces | None = None,
) -> Together:
    """The runs of the pools of a history of so many games, which workers may have read."""
    compiled, whole = options["compiled"], uuid.uuid4().hex
    makes = RunsThere(
        divided.parts, ready, out, options, whole,
        None if pieces is None else divided_pieces(ready, whole, pieces, divided),
    )  # fmt: skip
    return Together(
        divided.parts, book, compiled=games >= COMPILED_FROM if compiled is None else compiled,
        assume=options["assume"], rows=options["changes"], makes=makes,
    )  # fmt: skip


@dataclass(frozen=True)
class _PieceOfPool:
    """What the driver is told of a piece in one pool."""

    folder: Path
    games: int
    days: Array
    report_days: Array


@dataclass(frozen=True)
class _DividePieces:
    """The task that divides pieces by pools."""

    events: Any
    """Broadcast: for each pool which events count there, or whether all games do."""

    def __call__(self, folders: Iterable[Path]) -> Iterator[list[_PieceOfPool]]:
        for folder in folders:
            games = read_table(folder / GAMES)
            event = column(read_table(folder / "event.arrow"), "code")
            yield [
                _some_of(games, event, counts, folder, folder / f"pool={number:02d}")
                for number, counts in enumerate(self.events.value)
            ]


def _some_of(
    games: pa.Table, event: Array, counts: Array | bool, whole: Path, folder: Path
) -> _PieceOfPool:
    folder.mkdir(exist_ok=True)
    if isinstance(counts, bool):
        mine = games if counts else games.slice(0, 0)
    else:
        mine = games.filter(pa.array(counts[event[column(games, "event")]]))
    write_table(mine, folder / GAMES)
    sides = {name: column(mine, name) for name in PLAYERS if name in mine.column_names}
    leave_played(sides, len(read_table(whole / "player.arrow")), folder)
    for name in _NAMED:
        for path in (whole / f"{name}.arrow", whole / f"{name}-ids.arrow"):
            if path.exists():
                shutil.copyfile(path, folder / path.name)
    days = report_days = column(mine, "day")
    if "reported" in mine.column_names:
        report_days = np.maximum(days, column(mine, "reported"))
    return _PieceOfPool(folder, len(mine), distinct(days), distinct(report_days))


def divided_pieces(
    cluster: Cluster, group: str, pieces: Pieces, divided: Divided
) -> dict[str, Pieces]:
    """Let the workers divide what they read by pools."""
    by_event = len(pieces.given.event_ids) > 0
    told: list[Array | bool] = []
    for pool, counts in divided.events.items():
        told.append(counts if by_event else pool == divided.default)
    sent = cluster.context.broadcast(told)
    try:
        found: list[list[_PieceOfPool]] = cluster.run(group, _DividePieces(sent), pieces.folders)
    finally:
        sent.destroy()
    for each in pieces.folders:
        (each / GAMES).unlink()
    return {
        pool: _joined(pieces, part, told[number], [each[number] for each in found])
        for number, (pool, part) in enumerate(divided.parts.items())
    }


def _joined(
    pieces: Pieces, part: HistoryInput, counts: Array | bool, found: list[_PieceOfPool]
) -> Pieces:
    """The pieces of one pool."""
    nothing = np.empty(0, np.int32)
    months = pieces.months
    which = counts if not isinstance(counts, bool) else np.full(len(pieces.played.games), counts)
    if months is not None:
        mine = which[split_keys(months.keys)[0]]
        months = MonthSpans(months.keys[mine], months.start[mine], months.end[mine])
    return replace(
        pieces,
        folders=tuple(each.folder for each in found),
        games=sum(each.games for each in found),
        days=distinct(np.concatenate([nothing, *(each.days for each in found)])),
        report_days=distinct(np.concatenate([nothing, *(each.report_days for each in found)])),
        played=pieces.played.only(which),
        given=part,
        months=months,
    )
