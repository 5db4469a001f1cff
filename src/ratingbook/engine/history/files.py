"""A history rated into a folder: ratings, changes, batches, and where to go on from.

All of it belongs to one generation of the folder's store.  ``changes`` are written part by
part into generations that still show the tables of before, and put together at the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from ratingbook.engine.history import checkpoint
from ratingbook.engine.history.archive import Archive, is_archived, standings_of
from ratingbook.engine.history.checkpoint import Checkpoint, Pieces
from ratingbook.engine.history.folder import claim, damaged, not_synced, store_of
from ratingbook.engine.history.parts import Parts
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.signatures import rows_of_input
from ratingbook.engine.left import FACTS, PREVIEW, SHOWN
from ratingbook.engine.options import IntoFolder, filled
from ratingbook.engine.store import DISK, Damaged, Disk, Generation, Making, Store
from ratingbook.model import Findings
from ratingbook.rules.book import RatedBy

Array = np.ndarray[Any, Any]
Progress = Callable[[int, int], None]
"""Called with the games rated so far, and all."""

LeftBeside = Mapping[str, pa.Table | str]
"""Tables and texts that a folder shows beside the ratings, or says what they were made of."""


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
    told: Findings = field(default_factory=Findings)
    """What was found of the folder and its disk."""


def rate_into(
    folder: Path,
    run: Run,
    *,
    checkpoints: bool = True,
    progress: Progress | None = None,
    beside: LeftBeside | None = None,
    disk: Disk = DISK,
    **writing: Unpack[IntoFolder],
) -> Written:
    """Rate a run into a folder, from its checkpoint where that fits.

    Without rows of changes only the ratings are written, without ``checkpoints`` nothing to
    go on from; ``beside`` is written with them.  The caller is :func:`.alone_in` the folder if
    anybody else could write into it.  The tables of before stay until all new ones are there,
    and then change together.
    """
    store, options = store_of(folder, disk), filled(IntoFolder, writing)
    told = Findings()
    _make_room(store, told)
    described: dict[str, Any] = {}
    marks = np.empty(0, np.uint64)
    found, refused, before = None, "", None
    if checkpoints:
        described = checkpoint.description(run)
        marks = run.signatures()
    try:
        before = store.current()
        if checkpoints and before is not None and not options["fresh"]:
            found, refused = checkpoint.find(before, described, marks, run)
    except Damaged as error:
        refused = str(error)
        _tell_damaged(store, error, told)
    resumed = 0
    if found is not None:
        checkpoint.restore(run, found)
        resumed = run.state.next_batch
    filling = _Filling(store, run, before, found, described if checkpoints else None, marks, told)
    try:
        filling.rate(options["seconds"], progress)
        filling.finish(beside or {})
    finally:
        filling.parts.abandon()
    total = int(run.plan.games.offsets[-1])
    return Written(
        len(run.plan), total, filling.parts.rows, resumed, run.state.passed_over, run.unsettled,
        refused, told,
    )  # fmt: skip


def _make_room(store: Store, told: Findings) -> None:
    """Take away what killed runs have left, and put aside what is damaged."""
    store.folder.mkdir(parents=True, exist_ok=True)
    for path in claim(store):
        told.extend([damaged(path, "is not what was written", store.put_aside(path))])
    store.clean()
    if not store.outlasts():
        told.extend([not_synced(store.folder)])


def _take_shown(
    store: Store, before: Generation | None, made: Making, told: Findings, *, all_but: str = ""
) -> None:
    """Take what is shown of the tables of before; ``all_but`` one: take all the others."""
    for name in before.names if before is not None else ():
        if before is None or name in made or name == all_but:
            continue
        if not all_but and name not in (*SHOWN, *FACTS):
            continue
        try:
            before.check(name)
        except Damaged as error:
            _tell_damaged(store, error, told)
        else:
            made.take(before, name)


def _tell_damaged(store: Store, error: Damaged, told: Findings) -> None:
    told.extend([damaged(error.path, error.why, store.put_aside(error.path))])


class _Filling:
    """A folder that is filled by a run."""

    def __init__(
        self,
        store: Store,
        run: Run,
        before: Generation | None,
        found: Checkpoint | None,
        described: dict[str, Any] | None,
        marks: Array,
        told: Findings,
    ) -> None:
        self._store = store
        self._run = run
        self._before = before
        self._described = described
        self._marks = marks
        self._told = told
        empty = changes_table(run, run.no_changes()).schema if run.writes_rows else None
        self.parts = Parts(store, empty, found)
        self._last: dict[str, Any] | None = None
        self._archive: Archive | None = None
        if described is not None and is_archived(run):
            self._archive = Archive(run, standings_of(found))

    def rate(self, seconds: float, progress: Progress | None) -> None:
        """Rate all batches, with a checkpoint now and then."""
        run, parts = self._run, self.parts
        offsets, total = run.plan.games.offsets, int(run.plan.games.offsets[-1])
        last = max(0, len(run.plan) - 1)
        looked = time.monotonic()

        def take(some: Changes) -> None:
            parts.write(None if parts.schema is None else changes_table(run, some), len(some))
            if progress is not None:
                progress(int(offsets[run.state.next_batch]), total)

        for some in run.batches(last):
            take(some)
            if self._archive is not None:
                self._archive.look(parts.made)
            is_time = time.monotonic() - looked >= seconds
            if self._described is not None and is_time:
                self._checkpoint()
                looked = time.monotonic()
        # The last list is seldom complete: the games of another month begin before it.
        if self._described is not None:
            self._last = self._standing([("changes", parts.rows)])
        for some in run.batches():
            take(some)

    def _standing(self, pieces: Pieces) -> dict[str, Any]:
        """Write where the run stands into the generation that is being made."""
        assert self._described is not None
        checkpoint.write(self.parts.made, self._run, self._marks)
        wanted = pieces if self.parts.schema is not None else []
        return checkpoint.said(self._run, self._described, wanted)

    def _checkpoint(self) -> None:
        """A generation with the tables of before, and where this run stands."""
        parts, before = self.parts, self._before
        parts.close()
        said: dict[str, Any] = {"checkpoint": self._standing(parts.pieces)}
        parts.keep()
        if self._archive is not None:
            self._archive.take(parts.made, before)
            said["standings"] = self._archive.standings
        _take_shown(self._store, before, parts.made, self._told)
        self._before = parts.publish(said)

    def finish(self, beside: LeftBeside) -> None:
        """The generation with the tables of this run."""
        run, parts = self._run, self.parts
        if parts.schema is not None:
            parts.join("changes")
        made = parts.made
        made.write("batches", batch_table(run))
        made.write("ratings", run.table())
        _write(made, beside)
        said: dict[str, Any] = {} if self._last is None else {"checkpoint": self._last}
        if self._archive is not None:
            self._archive.take(made, self._before)
            said["archive"] = self._archive.write(made)
            said["standings"] = self._archive.standings
        parts.publish(said)


def _write(made: Making, left: LeftBeside) -> None:
    for name, content in left.items():
        if isinstance(content, str):
            made.write_text(name, content)
        else:
            made.write(name, content)


def write_tables(folder: Path, left: LeftBeside) -> Findings:
    """Show these tables, and nothing of before: what was rated without checkpoints."""
    store, told = store_of(folder), Findings()
    _make_room(store, told)
    made = store.begin()
    _write(made, left)
    store.publish(made, {})
    return told


def write_preview(folder: Path, table: pa.Table) -> Findings:
    """Show what corrections would change, beside the tables that are there."""
    store, told = store_of(folder), Findings()
    _make_room(store, told)
    try:
        before = store.current()
    except Damaged as error:
        _tell_damaged(store, error, told)
        before = None
    made = store.begin()
    _take_shown(store, before, made, told, all_but=PREVIEW)
    made.write(PREVIEW, table)
    store.publish(made, before.said if before is not None else {})
    return told


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
    found[at] = 1 + rows_of_input(run.given, rows)
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
