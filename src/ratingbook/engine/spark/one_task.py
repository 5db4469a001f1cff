"""A history that one worker rates as a whole: the local engine, elsewhere.

So are histories by sections: of many small ones each waits for the one before, and sending
standings around for each would take longer than rating it.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ratingbook.engine.history.api import program_for
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.files import LeftBeside, Written, rate_into
from ratingbook.engine.history.folder import SECONDS_FOR_A_WORKER, locked, shipped_of, sweep_work
from ratingbook.engine.history.pooled_course import course_of
from ratingbook.engine.history.pools import divided, has_pools
from ratingbook.engine.history.program import Needs, Program
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.options import IntoFolder, RunOptions, part_of
from ratingbook.engine.spark.handing import Handed, fitted_to_any, hand_over_all
from ratingbook.engine.spark.session import Cluster
from ratingbook.engine.spark.settings import OnCluster
from ratingbook.engine.spark.shipping import ship, unship
from ratingbook.engine.spark.work import BookName, program_of
from ratingbook.model import Findings
from ratingbook.rules.series import BookOrSeries

_PROGRESS = "progress"
_LOOKS = 0.2
"""Seconds between two looks at how far the task is."""


@dataclass(frozen=True)
class RateWhole:
    """The task that rates all of a history, in all its pools, in the folder ``out``."""

    book: BookName
    compiled: bool
    code: str
    handed: Handed
    out: Path
    options: RunOptions
    left: LeftBeside | None
    """Left with the ratings: what they were made of."""

    def __call__(self, ones: Iterator[int]) -> Iterator[tuple[Written, Findings]]:
        """Rate it."""
        for _ in ones:
            yield self._rated()

    def _rated(self) -> tuple[Written, Findings]:
        program = program_of(self.book, self.compiled, self.code)
        self.handed.take_over()
        # A worker that was given up for lost may still be writing.
        with locked(shipped_of(self.out), seconds=SECONDS_FOR_A_WORKER):
            return self._rated_alone(program)

    def _rated_alone(self, program: Program) -> tuple[Written, Findings]:
        shipped = shipped_of(self.out)
        assume, rows = self.options["assume"], self.options["changes"]
        course, noticed = course_of(unship(shipped), program, assume=assume, rows=rows)
        told_at = 0.0

        def tell(done: int, total: int) -> None:
            nonlocal told_at
            if time.monotonic() - told_at > _LOOKS:
                told_at = time.monotonic()
                beside = shipped / "progress.new"
                beside.write_text(f"{done} {total}", encoding="ascii")
                beside.rename(shipped / _PROGRESS)

        how = part_of(IntoFolder, self.options)
        return rate_into(self.out, course, progress=tell, beside=self.left, **how), noticed


def rate_in_one_task(
    ready: Cluster, given: HistoryInput, book: BookOrSeries, out: Path, options: OnCluster
) -> Written:
    """Rate a history on one worker, where no other run works in its folder."""
    if has_pools(given, book) and (found := divided(given, book).findings).refused:
        raise HistoryRefused(found)
    program = program_for(book, len(given.games), options["compiled"])
    shipped = shipped_of(out)
    ship(given, shipped)
    group = uuid.uuid4().hex
    how = part_of(RunOptions, options)
    handed = hand_over_all(fitted_to_any(program, _most_needs(given, program)), shipped)
    task = RateWhole(
        BookName.of(book), program.compiled, program.key, handed, out, how, options["left"]
    )
    try:
        with ThreadPoolExecutor(1) as thread:
            job = thread.submit(ready.run, group, task, [0])
            try:
                while not job.done():
                    time.sleep(_LOOKS / 10)
                    if options["progress"] is not None:
                        _tell_progress(shipped / _PROGRESS, options["progress"])
            finally:
                if not job.done():
                    ready.cancel(group)
            ((written, noticed),) = job.result()
    finally:
        sweep_work(out)
    if options["findings"] is not None:
        options["findings"].extend(noticed)
    done: Written = written
    return done


def _most_needs(given: HistoryInput, program: Program) -> Needs:
    """The most that a history may need by the columns that it has; the worker looks closer."""
    games = given.games
    return Needs(
        events=True,
        # A late report gives games a status, too.
        status=games.status is not None or games.reported is not None,
        named=games.white_rating is not None or games.black_rating is not None,
        substitutes=games.white_for is not None or games.black_for is not None,
        decisions=given.decisions is not None,
        plain=bool(program.shared_with_events),
    )


def _tell_progress(path: Path, progress: Callable[[int, int], None]) -> None:
    try:
        done, total = path.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return
    progress(int(done), int(total))
