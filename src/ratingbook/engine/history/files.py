"""A history rated into a folder: ratings, changes, batches, and where to go on from.

``changes`` are written part by part beside the folder's files, and put together at the
end; whoever looks meanwhile sees no half file.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.engine.history import checkpoint
from ratingbook.engine.history.checkpoint import Origin
from ratingbook.engine.history.folder import CHECKPOINT, PREVIEW, WORK
from ratingbook.engine.history.run import Changes, Run
from ratingbook.rules.book import RatedBy

Array = np.ndarray[Any, Any]
Progress = Callable[[int, int], None]
"""Called with the games rated so far, and all."""

SECONDS_BETWEEN = 10.0
"""A checkpoint is written at most this often; so much is lost when a run is killed."""

READY = "finished"
"""The files of a run that has ended, until they have taken their places."""
_NO_CHANGES = "no-changes"
_NAME = b"ratingbook.run"

ROWS_OF_A_GROUP = 1 << 20
_STATED: dict[str, Any] = {
    "compression": "lz4",
    "use_dictionary": ["player", "batch", "games", "score"],
}


@dataclass(frozen=True)
class Written:
    """What a run left in its folder."""

    batches: int
    games: int
    rows: int
    resumed_after: int
    """Batches that a checkpoint had behind it."""
    passed_over: int
    """Halves of games that the edition does not count."""
    unsettled: tuple[int, str]
    """Batches that were not rated since their numbers went on moving; the first's event."""
    refused: str
    """Why a checkpoint that was found could not be used; empty: none was found, or it was."""


def rate_into(
    folder: Path,
    run: Run,
    *,
    assume: float | None = None,
    changes: bool = True,
    checkpoints: bool = True,
    fresh: bool = False,
    seconds: float = SECONDS_BETWEEN,
    progress: Progress | None = None,
) -> Written:
    """Rate a run into a folder, from its checkpoint where that fits.

    ``fresh`` begins anew.  Without ``changes`` only the ratings are written, without
    ``checkpoints`` nothing to go on from.  The caller is :func:`.alone_in` the folder if
    anybody else could write into it.  The files of before stay until all new ones are
    there; whoever is killed while they are put in place leaves that to the next run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    put_in_place(folder)
    work = folder / WORK
    described: dict[str, Any] = {}
    marks = np.empty(0, np.uint64)
    found, refused, rows = None, "", 0
    if checkpoints:
        described = {**checkpoint.description(run, assume), "changes": changes}
        marks = run.signatures()
        if not fresh:
            found, refused = checkpoint.find(folder / CHECKPOINT, described, marks, run)
    name = _name_of(described, marks)
    parts = _Parts(folder, work, changes, run, name)
    if found is not None and parts.go_on(found.rows, found.origin):
        checkpoint.restore(run, found)
        rows = found.rows
    else:
        if found is not None:
            refused, found = "its changes are missing", None
            parts = _Parts(folder, work, changes, run, name)
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
    resumed = run.next_batch
    offsets, total = run.plan.games.offsets, int(run.plan.games.offsets[-1])
    looked = time.monotonic()
    last = max(0, len(run.plan) - 1)
    for stop in (last, len(run.plan)):
        for some in run.batches(stop):
            rows += len(some)
            parts.write(some)
            if progress is not None:
                progress(int(offsets[run.next_batch]), total)
            is_time = time.monotonic() - looked >= seconds
            if checkpoints and is_time and run.next_batch < last:
                parts.close()
                checkpoint.save(folder / CHECKPOINT, run, described, marks, rows, parts.origin)
                looked = time.monotonic()
        if checkpoints and run.next_batch == last < len(run.plan):
            # The last list is seldom complete: the games of another month begin before it.
            parts.close()
            checkpoint.save(folder / CHECKPOINT, run, described, marks, rows, parts.origin)
    ready = work / READY
    shutil.rmtree(ready, ignore_errors=True)
    ready.mkdir()
    parts.finish(ready)
    write_table(ready / "batches.parquet", batch_table(run))
    write_table(ready / "ratings.parquet", run.table())
    ready.rename(folder / READY)
    put_in_place(folder)
    if not checkpoints:
        shutil.rmtree(folder / CHECKPOINT, ignore_errors=True)
    shutil.rmtree(work, ignore_errors=True)
    return Written(len(run.plan), total, rows, resumed, run.passed_over, run.unsettled, refused)


def put_in_place(folder: Path) -> None:
    """The files that a run has made ready take the places of those of before."""
    ready = folder / READY
    if not ready.is_dir():
        return
    if (ready / _NO_CHANGES).exists():
        (folder / "changes.parquet").unlink(missing_ok=True)
    # A preview was one of what stood here before.
    (folder / PREVIEW).unlink(missing_ok=True)
    for path in sorted(ready.glob("*.parquet")):
        path.replace(folder / path.name)
    shutil.rmtree(ready)


def _name_of(described: dict[str, Any], marks: Array) -> str:
    """What the rows of a run are known by: the same for the same facts, edition and code."""
    text = json.dumps(described, sort_keys=True, default=str).encode()
    return hashlib.blake2b(text + marks.tobytes(), digest_size=16).hexdigest()


class _Parts:
    """The parts of ``changes.parquet`` while a run is under way."""

    def __init__(self, folder: Path, work: Path, wanted: bool, run: Run, name: str) -> None:
        self._final = folder / "changes.parquet"
        self._work = work
        self._wanted = wanted
        self._run = run
        self._rows = 0
        self.origin = Origin(name, "", 0)
        self._done: list[Path] = []
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []
        self._waits = 0

    def go_on(self, rows: int, origin: Origin) -> bool:
        """Take up the parts that hold the first rows; False where they are not there."""
        self._work.mkdir(exist_ok=True)
        if not self._wanted:
            return True
        try:
            final = _named(self._final)
            base = rows if final == origin.run else origin.base
            if base and final not in (origin.run, origin.final):
                return False
            self.origin = replace(self.origin, final=final if base else "", base=base)
            if base:
                self._done.append(self._beginning(base))
                self._rows = pq.read_metadata(self._done[0]).num_rows
            for path in sorted(self._work.glob("changes-*.parquet")):
                if self._rows == rows:
                    # Written after the checkpoint: they will be written again.
                    path.unlink()
                    continue
                self._done.append(path)
                self._rows += pq.read_metadata(path).num_rows
        except (OSError, pa.ArrowException):
            return False
        return self._rows == rows

    def _beginning(self, rows: int) -> Path:
        """The file of an earlier run, as far as its rows are from before the checkpoint."""
        file = pq.ParquetFile(self._final)
        if file.metadata.num_rows <= rows:
            return self._final
        path = self._work / "beginning.parquet"
        left = rows
        with pq.ParquetWriter(path, file.schema_arrow, **_STATED) as writer:
            for group in file.iter_batches(ROWS_OF_A_GROUP):
                writer.write_batch(group.slice(0, left), row_group_size=ROWS_OF_A_GROUP)
                left -= min(left, len(group))
                if not left:
                    break
        return path

    def write(self, some: Changes) -> None:
        """Add rows; they are written a group at a time."""
        if not self._wanted or not len(some):
            return
        self._waiting.append(changes_table(self._run, some))
        self._waits += len(some)
        if self._waits >= ROWS_OF_A_GROUP:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        if self._writer is None:
            path = self._work / f"changes-{self._rows:015d}.parquet"
            schema = self._with_name(self._waiting[0].schema)
            self._writer = pq.ParquetWriter(path, schema, **_STATED)
            self._done.append(path)
        table = pa.concat_tables(self._waiting)
        self._writer.write_table(table, row_group_size=ROWS_OF_A_GROUP)
        self._rows += len(table)
        self._waiting, self._waits = [], 0

    def close(self) -> None:
        """Complete the part, so that it survives what may come."""
        self._flush()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def finish(self, ready: Path) -> None:
        """Make the one file of all parts."""
        self.close()
        if not self._wanted:
            (ready / _NO_CHANGES).touch()
            return
        if self._done == [self._final]:
            return
        whole = ready / self._final.name
        if len(self._done) == 1:
            self._done[0].rename(whole)
            return
        empty = changes_table(self._run, self._run.no_changes())
        with pq.ParquetWriter(whole, self._with_name(empty.schema), **_STATED) as writer:
            for path in self._done:
                for group in pq.ParquetFile(path).iter_batches(ROWS_OF_A_GROUP):
                    writer.write_batch(group, row_group_size=ROWS_OF_A_GROUP)

    def _with_name(self, schema: pa.Schema) -> pa.Schema:
        return schema.with_metadata({_NAME: self.origin.run})


def _named(path: Path) -> str:
    """The name of the run that left a file of changes; empty: there is none."""
    if not path.exists():
        return ""
    return str((pq.read_schema(path).metadata or {}).get(_NAME, b"").decode())


def changes_table(run: Run, some: Changes) -> pa.Table:
    """Rows of changes with the players' ids; a number that does not exist is null.

    Rows of a batch stand together.  ``batch`` is its number in this run, ``date`` what it
    is known by in every run: the day of the list, or the last one of the event.
    """
    columns = {
        "player": run.given.players.take(pa.array(some.player)),
        "batch": some.batch,
        "before": _or_null(some.before),
        "after": _or_null(some.after),
        "games": some.games,
        "score": some.score,
        "expected": _or_null(some.expected),
        "date": _days(run, some),
    }
    if run.program.book.rated_by is RatedBy.GAME:
        games = games_of_rows(run, some)
        columns["game"] = pa.array(games, mask=games == 0)
    return pa.table(columns)


def _days(run: Run, some: Changes) -> pa.Array:
    return pa.array(run.plan.keys[some.batch].astype(np.int32, copy=False)).cast(pa.date32())


def named(run: Run, some: Changes) -> pa.Table:
    """What rows are about, whatever run they are of: day, event and section, and player."""
    columns = {"date": _days(run, some)}
    columns |= _events(run, some.batch)
    columns["player"] = run.given.players.take(pa.array(some.player))
    return pa.table(columns)


def games_of_rows(run: Run, some: Changes) -> Array:
    """The game of each row, where each is rated by itself: its row in the input, from 1.

    The rows must be all those of their batches.  0: not known, as the edition passed over
    some of the games of the player's day.
    """
    plan = run.plan
    found = np.zeros(len(some), np.int64)
    if not len(some):
        return found
    first = int(plan.games.offsets[some.batch[0]])
    part = slice(first, int(plan.games.offsets[some.batch[-1] + 1]))
    games = plan.games
    sides = np.stack([games.white[part], games.black[part]], 1).reshape(-1)
    numbers = np.repeat(np.arange(part.start, part.stop), 2)
    if len(games.rated):
        is_rated = np.stack([games.rated[part] & bit != 0 for bit in (1, 2)], 1).reshape(-1)
        sides, numbers = sides[is_rated], numbers[is_rated]
    if len(sides) != len(some) or (sides != some.player).any():
        days = np.searchsorted(plan.games.offsets, numbers, side="right") - 1
        numbers, at = _without_doubt(sides, days, numbers, some)
    else:
        at = np.arange(len(some))
    rows = numbers if plan.moved is None else plan.moved[numbers]
    left_out = run.given.left_out
    found[at] = 1 + rows + np.searchsorted(left_out - np.arange(len(left_out)), rows, side="right")
    return found


def _without_doubt(sides: Array, days: Array, numbers: Array, some: Changes) -> tuple[Array, Array]:
    """The games of the rows of players who have a row for each game of their day."""
    width = 1 + int(max(sides.max(initial=0), some.player.max(initial=0)))
    keys, row_keys = days * width + sides, some.batch.astype(np.int64) * width + some.player
    order, row_order = np.argsort(keys, kind="stable"), np.argsort(row_keys, kind="stable")
    known, counts = np.unique(keys, return_counts=True)
    row_known, row_counts = np.unique(row_keys, return_counts=True)
    complete = row_known[counts[np.searchsorted(known, row_known)] == row_counts]
    order = order[np.isin(keys[order], complete)]
    row_order = row_order[np.isin(row_keys[row_order], complete)]
    return numbers[order], row_order


def _or_null(numbers: Array) -> pa.Array:
    missing = np.isnan(numbers)
    return pa.array(numbers, mask=missing if missing.any() else None)


def batch_table(run: Run) -> pa.Table:
    """What the numbers of the batches stand for."""
    plan = run.plan
    numbers = np.arange(len(plan), dtype=np.int32)
    columns: dict[str, Any] = {
        "batch": numbers,
        "day": pa.array(plan.keys.astype(np.int32)).cast(pa.date32()),
        "games": np.diff(plan.games.offsets),
    }
    return pa.table(columns | _events(run, numbers))


def _events(run: Run, batches: Array) -> dict[str, Any]:
    """The event and section of each of these batches, where one is rated by itself."""
    plan, columns = run.plan, dict[str, Any]()
    if run.program.bulk.calendar is not None or run.program.book.rated_by is RatedBy.GAME:
        return columns
    if len(run.given.event_ids):
        events = plan.event_order[plan.batches.event[batches]]
        columns["event"] = run.given.event_ids.take(pa.array(events))
    if plan.sections is not None:
        columns["section"] = run.given.section_ids.take(pa.array(plan.sections[batches]))
    return columns


def write_table(path: Path, table: pa.Table) -> None:
    """Write a table so that nobody sees half of it."""
    beside = path.with_name(path.name + ".new")
    pq.write_table(table, beside, compression="lz4")
    beside.rename(path)
