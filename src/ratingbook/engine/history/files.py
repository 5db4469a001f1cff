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

import pyarrow as pa

from ratingbook.engine.history.archive import Archive, is_archived, standings_of
from ratingbook.engine.history.course import Course, Found, OneRun, Pieces, Step
from ratingbook.engine.history.folder import claim, damaged, not_synced, store_of
from ratingbook.engine.history.parts import Parts
from ratingbook.engine.history.run import Run
from ratingbook.engine.left import FACTS, PREVIEW, SHOWN
from ratingbook.engine.options import IntoFolder, filled
from ratingbook.engine.store import DISK, Damaged, Disk, Generation, Making, Store
from ratingbook.model import Findings

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
    run: Run | Course,
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
    course = OneRun(run) if isinstance(run, Run) else run
    found, refused, before = None, "", None
    try:
        before = store.current()
        if checkpoints and before is not None and not options["fresh"]:
            found, refused = _found(course, before)
    except Damaged as error:
        refused = str(error)
        _tell_damaged(store, error, told)
    resumed = 0
    if found is not None:
        course.restore(found.checkpoints)
        resumed = course.batches_rated
    filling = _Filling(store, course, before, found, told, checkpoints=checkpoints)
    try:
        filling.rate(options["seconds"], progress)
        filling.finish(beside or {})
    finally:
        filling.parts.abandon()
    return Written(
        course.batches, course.games, filling.parts.rows, resumed, course.passed_over,
        course.unsettled, refused, told,
    )  # fmt: skip


def _found(course: Course, generation: Generation) -> tuple[Found | None, str]:
    """What a generation has to go on from; else why that does not fit.

    Raises :class:`~ratingbook.engine.store.Damaged`.
    """
    checkpoints, why = course.find(generation)
    if checkpoints is None:
        return None, why
    pieces = [(str(table), int(rows)) for table, rows in generation.said["checkpoint"]["pieces"]]
    for table, _ in pieces:
        generation.check(table)
    return Found(generation, pieces, checkpoints), ""


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
        course: Course,
        before: Generation | None,
        found: Found | None,
        told: Findings,
        *,
        checkpoints: bool,
    ) -> None:
        self._store = store
        self._course = course
        self._before = before
        self._checkpoints = checkpoints
        self._told = told
        self.parts = Parts(store, course.schema, found)
        self._last: dict[str, Any] | None = None
        self._archive: Archive | None = None
        if checkpoints and isinstance(course, OneRun) and is_archived(course.run):
            behind = found.checkpoints[0] if found else None
            self._archive = Archive(
                course.run, standings_of(behind, lambda error: _tell_damaged(store, error, told))
            )

    def rate(self, seconds: float, progress: Progress | None) -> None:
        """Rate all batches, with a checkpoint now and then."""
        course, parts = self._course, self.parts
        looked = time.monotonic()
        if self._checkpoints:
            course.foresee()

        def take(step: Step) -> None:
            parts.write(*step)
            if progress is not None:
                progress(course.games_rated, course.games)

        for step in course.rated(but_one=True):
            take(step)
            if self._archive is not None and self._archive.is_due:
                self._archive.write_standing(parts.made)
            is_time = time.monotonic() - looked >= seconds and course.is_at_rest
            if self._checkpoints and is_time:
                parts.write(*course.waiting())
                self._checkpoint()
                looked = time.monotonic()
        parts.write(*course.waiting())
        if self._checkpoints:
            self._last = self._standing([("changes", parts.rows)])
        for step in course.rated(but_one=False):
            take(step)
        parts.write(*course.waiting())

    def _standing(self, pieces: Pieces) -> dict[str, Any]:
        """Write where the run stands into the generation that is being made."""
        wanted = pieces if self.parts.schema is not None else []
        return {**self._course.write(self.parts.made), "pieces": list(wanted)}

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
        parts = self.parts
        if parts.schema is not None:
            parts.join("changes")
        made = parts.made
        said: dict[str, Any] = {} if self._last is None else {"checkpoint": self._last}
        if self._archive is not None:
            self._archive.take(made, self._before)
            said["archive"] = self._archive.write(made)
            said["standings"] = self._archive.standings
        _write(made, {**self._course.tables(), **beside})
        parts.publish(said)


def _write(made: Making, left: LeftBeside) -> None:
    for name, content in left.items():
        if isinstance(content, str):
            made.write_text(name, content)
        else:
            made.write(name, content)


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
