"""One history on a cluster.

An edition that rates by periods is spread over all workers: in each period the driver
broadcasts the standings, and every task rates the players of one bucket by that
bucket's games.  Nothing is shuffled between workers, and no period knows of the one
before but through the driver, so the lineage of a job is one step long.

An edition that rates by sections is one task: of a history of many small sections each
waits for the one before, and sending standings around for each would take longer than
rating it.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.api import program_for
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.files import SECONDS_BETWEEN, Written, rate_into
from ratingbook.engine.history.fit import check_history
from ratingbook.engine.history.folder import (
    SECONDS_FOR_A_WORKER,
    alone_in,
    locked,
    shipped_of,
    sweep_work,
    work_of,
)
from ratingbook.engine.history.intake import Input, read_history
from ratingbook.engine.history.kept import kept_of, put_kept
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.spark.buckets import Prepared, prepare, read_order
from ratingbook.engine.spark.handing import hand_over
from ratingbook.engine.spark.intake import read_on_cluster
from ratingbook.engine.spark.laying import Laid, lay
from ratingbook.engine.spark.packing import packed, packed_records, put_records, unpacked
from ratingbook.engine.spark.session import Cluster, cluster, refused, told
from ratingbook.engine.spark.shipping import ship, unship
from ratingbook.engine.spark.state import (
    Rated,
    State,
    replaced,
    rows_of,
)
from ratingbook.engine.spark.work import BookName, Order, RateBucket, lay_down, program_of
from ratingbook.model import Findings
from ratingbook.rules.bulk import Bulk
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]
Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
Progress = Callable[[int, int], None]
Timed = Callable[[str, float], None]
"""Called with the name of a step and the seconds that it took."""

_INTAKE = "intake"
_RATED = "rated"
_PROGRESS = "progress"
_LOOKS = 0.2
"""Seconds between two looks at how far the one task of a history by sections is."""


def is_divided(bulk: Bulk) -> bool:
    """Whether the players of a batch are rated apart: by period, in one round.

    In later rounds everybody needs what the opponents came to in the one before.
    """
    return bulk.calendar is not None and bulk.kernel_at is None and bulk.round_at is None


def rate_on_cluster(
    given: HistoryInput,
    book: BookOrSeries,
    out: Path,
    *,
    master: str = "local[*]",
    assume: float | None = None,
    changes: bool = True,
    fresh: bool = False,
    compiled: bool | None = None,
    buckets: int | None = None,
    settings: Mapping[str, str] | None = None,
    seconds: float = SECONDS_BETWEEN,
    progress: Progress | None = None,
    findings: Findings | None = None,
    timed: Timed | None = None,
) -> Written:
    """Rate a history into the folder ``out``: the same files, bit for bit, as a local run.

    ``out`` must be a folder that the driver and all workers see under this path.  The
    run goes on from a checkpoint there, also from one of a local run, unless it is to
    be ``fresh``.  ``buckets`` is the number of tasks in a period (None: as many as run
    at once), ``settings`` are added to Spark's configuration, ``seconds`` lie between
    two checkpoints.  What the plan of the history has to say is added to ``findings``.

    Raises :class:`~ratingbook.engine.history.HistoryRefused` where there is no cluster
    (``history.no-spark``, ``history.no-java``, ``history.no-master``) or it fails
    (``history.cluster``).
    """
    out = out.absolute()
    begun = time.monotonic()
    with alone_in(out), cluster(master, settings) as ready, told():
        if timed is not None:
            timed("session", time.monotonic() - begun)
        if not is_divided(bulk_of(book)):
            return _rate_in_one_task(
                ready, given, book, out, assume=assume, changes=changes, fresh=fresh,
                compiled=compiled, progress=progress, findings=findings, seconds=seconds,
            )  # fmt: skip
        begun = time.monotonic()
        run = ClusterRun(
            given, program_for(book, len(given.games), compiled), ready, out,
            assume=assume, rows=changes, buckets=buckets, timed=timed,
        )  # fmt: skip
        if timed is not None:
            timed("plan", time.monotonic() - begun)
        if findings is not None:
            findings.extend(run.plan.findings)
        return _rated_into(
            out, run, assume=assume, changes=changes, fresh=fresh, seconds=seconds,
            progress=progress,
        )  # fmt: skip


def rate_files_on_cluster(
    games: Paths,
    book: BookOrSeries,
    out: Path,
    *,
    players: Input | None = None,
    events: Input | None = None,
    entries: Input | None = None,
    decisions: Input | None = None,
    master: str = "local[*]",
    assume: float | None = None,
    changes: bool = True,
    fresh: bool = False,
    compiled: bool | None = None,
    buckets: int | None = None,
    settings: Mapping[str, str] | None = None,
    seconds: float = SECONDS_BETWEEN,
    progress: Progress | None = None,
    findings: Findings | None = None,
    timed: Timed | None = None,
) -> tuple[Written, int, int]:
    """Rate games that no machine has to hold; gives also the numbers of players and of rows.

    As :func:`rate_on_cluster`, but the workers read the files too, which they must see
    under the same paths.  The driver holds the players, their standings and the events.
    An edition that rates by sections, or in several rounds, reads on the driver.  What
    the files and the plan have to say is added to ``findings`` as soon as it is known;
    input that is refused raises :class:`~ratingbook.engine.history.HistoryRefused`.
    """
    out = out.absolute()
    noticed = Findings() if findings is None else findings
    common: dict[str, Any] = {
        "assume": assume, "changes": changes, "fresh": fresh, "seconds": seconds,
        "progress": progress,
    }  # fmt: skip
    if not is_divided(bulk_of(book)):
        given, found = read_history(
            list(_paths(games)), players=players, events=events, entries=entries,
            decisions=decisions,
        )  # fmt: skip
        if given is not None:
            found.extend(check_history(given, book))
        _go_on_if_sound(found, noticed)
        assert given is not None
        written = rate_on_cluster(
            given, book, out, master=master, compiled=compiled, buckets=buckets,
            settings=settings, findings=noticed, timed=timed, **common,
        )  # fmt: skip
        return written, len(given.players), len(given.games) + len(given.left_out)
    took = timed or _not_timed
    begun = time.monotonic()
    with alone_in(out), cluster(master, settings) as ready, told():
        took("session", time.monotonic() - begun)
        folder = _work_anew(out) / _INTAKE
        group = uuid.uuid4().hex
        try:
            begun = time.monotonic()
            beside = {
                "players": players, "events": events, "entries": entries, "decisions": decisions,
            }  # fmt: skip
            calendar = bulk_of(book).calendar
            pieces, found = read_on_cluster(
                ready, group, list(_paths(games)), folder, beside,
                by_month=calendar is not None and calendar.splits is not None,
            )  # fmt: skip
            took("read", time.monotonic() - begun)
            if pieces is not None:
                span = pieces.days[[0, -1]] if len(pieces.days) else pieces.days
                found.extend(check_history(pieces.given, book, span))
            _go_on_if_sound(found, noticed)
            assert pieces is not None
            begun = time.monotonic()
            program = program_for(book, pieces.games, compiled)
            laid = lay(ready, group, pieces, program, assume)
            run = ClusterRun(
                pieces.given, program, ready, out, assume=assume, rows=changes, buckets=buckets,
                timed=timed, laid=laid,
            )  # fmt: skip
            noticed.extend(run.plan.findings)
            took("plan", time.monotonic() - begun)
            return _rated_into(out, run, **common), len(pieces.given.players), pieces.rows
        finally:
            sweep_work(out)


def _work_anew(out: Path) -> Path:
    """The folder in which workers exchange files, without what a killed run has left there."""
    work = work_of(out)
    sweep_work(out)
    work.mkdir(parents=True, exist_ok=True)
    return work


def _paths(games: Paths) -> Sequence[Path]:
    return [Path(each) for each in ([games] if isinstance(games, str | PathLike) else games)]


def _go_on_if_sound(found: Findings, noticed: Findings) -> None:
    """Hand findings on, unless they refuse the input."""
    if found.refused:
        raise HistoryRefused(found)
    noticed.extend(found)


def _rated_into(out: Path, run: ClusterRun, **options: Any) -> Written:
    try:
        return rate_into(out, run, **options)
    finally:
        run.close()
        sweep_work(out, _RATED)


class ClusterRun(Run):
    """A run whose periods are rated by workers.

    The driver holds the standings.  While the rows of a period are written, the next
    one is already rated.
    """

    def __init__(
        self,
        given: HistoryInput,
        program: Program,
        ready: Cluster,
        out: Path,
        *,
        assume: float | None,
        rows: bool,
        buckets: int | None,
        timed: Timed | None = None,
        laid: Laid | None = None,
    ) -> None:
        super().__init__(
            given, program, assume=assume, rows=rows, plan=laid.plan if laid else None,
            # Workers compile for any parameters, and take what is compiled here.
            constants=False,
        )  # fmt: skip
        self._laid = laid
        self._cluster = ready
        self._work = work_of(out) / _RATED
        self._assume = assume
        self._rows_asked = rows
        self._buckets = max(1, min(buckets or ready.cores, self.players))
        self._timed: Timed = timed or _not_timed
        self._group = uuid.uuid4().hex
        self._under_way: Generator[Changes, None, None] | None = None

    def signatures(self) -> Array:
        """The signature of each batch, which workers have added up if they read the games."""
        return super().signatures() if self._laid is None else self._laid.marks

    def close(self) -> None:
        """End what the workers still do for this run."""
        if self._under_way is not None:
            self._under_way.close()

    def batches(
        self, until: int | None = None, *, low: int = 0, high: int | None = None
    ) -> Iterator[Changes]:
        """Rate up to period ``until``; gives the changes of a period at a time."""
        if low or high not in {None, self.players}:
            raise ValueError("a cluster rates all players")
        self.close()
        self._under_way = self._rated(len(self.plan) if until is None else until)
        return self._under_way

    def _rated(self, last: int) -> Generator[Changes, None, None]:
        if self.next_batch >= last:
            return
        prepared, order = self._prepare()
        common = self._cluster.context.broadcast(order)
        kept = kept_of(self) if self.program.bulk.keeping else None
        with ThreadPoolExecutor(1) as thread:
            job: Future[list[Rated]] | None = None

            def begin() -> Future[list[Rated]]:
                # The state is sent from here: two threads would only wait for each other.
                return thread.submit(self._job, prepared, common, self._sent(prepared, kept))

            try:
                job = begin()
                while job is not None:
                    period = self.next_batch
                    parts = self._waited(job, prepared)
                    kept = self._merged(parts, kept)
                    self.next_batch += 1
                    self.reform()
                    job = begin() if self.next_batch < last else None
                    # From here on the workers have something to do.
                    begun = time.monotonic()
                    if kept is not None:
                        # For a checkpoint, which may be written now.
                        put_kept(self, *kept)
                    changes = self.no_changes()
                    if self._rows_asked:
                        players = read_order(prepared.folder, period)
                        changes = rows_of(parts, period, players, changes)
                    yield changes
                    self._timed("write", time.monotonic() - begun)
            finally:
                if job is not None:
                    self._cluster.cancel(self._group)
                    job.exception()
                common.destroy()

    def _prepare(self) -> tuple[Prepared, Order]:
        """The files of the periods to come, and what all tasks have in common."""
        begun = time.monotonic()
        first, folder = self.next_batch, self._work / "games"
        if self._laid is None:
            prepared = prepare(
                self.plan.games, self.players, self._buckets, first, folder, self.plan.together
            )
        else:
            prepared = self._laid.prepare(self._cluster, self._group, self._buckets, first, folder)
        lay_down(self, self._work)
        self._timed("prepare", time.monotonic() - begun)
        begun = time.monotonic()
        self.compile()
        self._timed("compile", time.monotonic() - begun)
        plan, program = self.plan, self.program
        order = Order(
            run=self._group,
            book=BookName.of(program.book),
            compiled=program.compiled,
            code=program.key,
            handed=hand_over(program.code_folder, self._work) if program.compiled else "",
            folder=self._work,
            players=self.players,
            assume=self._assume,
            rows=self._rows_asked,
            batches=plan.batches,
            keys=plan.keys,
            slots=plan.slots,
            needs=plan.needs,
            bounds=prepared.bounds,
        )
        return prepared, order

    def _sent(self, prepared: Prepared, kept: tuple[Array, Array] | None) -> Any:
        """The standings before the next period, broadcast."""
        begun = time.monotonic()
        self.decide()
        period, people = self.next_batch, self.people
        players = read_order(prepared.folder, period)
        owners, records = kept or (np.empty(0, np.int32), self.room.kept[:0])
        if len(owners):
            playing = np.zeros(self.players, bool)
            playing[players] = True
            which = playing[owners]
            owners, records = owners[which], records[which]
        slots = {period % self.plan.slots, *prepared.slots_of(period)}
        state = self._cluster.context.broadcast(
            State(
                period,
                packed_records(people.standings.take(players)),
                packed(people.last.take(players)),
                {slot: packed(people.in_force[slot].take(players)) for slot in slots},
                owners,
                records,
                packed_records(people.decided.take(players)) if len(people.decided) else (),
            )
        )
        self._timed("broadcast", time.monotonic() - begun)
        return state

    def _job(self, prepared: Prepared, common: Any, state: Any) -> list[Rated]:
        """One period on the workers."""
        begun = time.monotonic()
        try:
            task = RateBucket(common, state, prepared.rows_of(self.next_batch))
            buckets = range(prepared.buckets)
            parts: list[Rated] = self._cluster.run(self._group, task, buckets)
        finally:
            # With its copies on the workers: nobody asks for this period again.
            state.destroy()
        self._timed("job", time.monotonic() - begun)
        return sorted(parts, key=lambda part: part.bucket)

    def _waited(self, job: Future[list[Rated]], prepared: Prepared) -> list[Rated]:
        begun = time.monotonic()
        parts = job.result()
        self._timed("wait", time.monotonic() - begun)
        if [part.bucket for part in parts] != list(range(prepared.buckets)):
            raise refused(
                "history.cluster", f"Period {self.next_batch + 1} came back incomplete.",
                "Run the same command again: it goes on from the last checkpoint.",
            )  # fmt: skip
        for part, (low, high) in zip(parts, pairwise(prepared.bounds), strict=True):
            players = part.player
            if len(players) and not (low <= players.min() and players.max() < high):
                raise refused(
                    "history.cluster",
                    f"A worker rated players of another bucket in period {self.next_batch + 1}.",
                    "Please report this: it is a fault of the program.",
                )
        return parts

    def _merged(
        self, parts: list[Rated], kept: tuple[Array, Array] | None
    ) -> tuple[Array, Array] | None:
        """Put what the workers found into the standings; gives the sides that are kept now."""
        begun = time.monotonic()
        people, slots, period = self.people, self.plan.slots, self.next_batch
        now = (period + 1) % slots
        for part in parts:
            if len(part.decided_player):
                put_records(people.decided, part.decided_player, part.decided)
                people.in_force[period % slots][part.decided_player] = part.decided_number
        if self.program.bulk.in_force is not None and slots > 1:
            people.in_force[now] = people.in_force[period % slots]
        for part in parts:
            players = part.player
            put_records(people.standings, players, part.standings)
            people.last[players] = unpacked(part.last)
            people.in_force[now][players] = unpacked(part.in_force)
            self.room.passed_over[0] += part.passed_over
        if any(part.unsettled for part in parts):
            self.room.unsettled[1] = self.room.unsettled[1] if self.room.unsettled[0] else period
            self.room.unsettled[0] += 1
        if kept is not None:
            kept = replaced(kept, self.players, parts)
        self._timed("merge", time.monotonic() - begun)
        return kept


def _not_timed(step: str, seconds: float) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class RateWhole:
    """The task that rates all of a history by sections, in the folder ``out``."""

    book: BookName
    compiled: bool
    code: str
    out: Path
    assume: float | None
    options: Mapping[str, Any]

    def __call__(self, ones: Iterator[int]) -> Iterator[tuple[Written, Findings]]:
        """Rate it."""
        for _ in ones:
            yield self._rated()

    def _rated(self) -> tuple[Written, Findings]:
        program = program_of(self.book, self.compiled, self.code)
        # A worker that was given up for lost may still be writing.
        with locked(shipped_of(self.out), seconds=SECONDS_FOR_A_WORKER):
            return self._rated_alone(program)

    def _rated_alone(self, program: Program) -> tuple[Written, Findings]:
        shipped = shipped_of(self.out)
        run = Run(
            unship(shipped), program, assume=self.assume, rows=bool(self.options["changes"]),
            constants=False,
        )  # fmt: skip
        told_at = 0.0

        def tell(done: int, total: int) -> None:
            nonlocal told_at
            if time.monotonic() - told_at > _LOOKS:
                told_at = time.monotonic()
                beside = shipped / "progress.new"
                beside.write_text(f"{done} {total}", encoding="ascii")
                beside.rename(shipped / _PROGRESS)

        written = rate_into(self.out, run, assume=self.assume, progress=tell, **self.options)
        return written, run.plan.findings


def _rate_in_one_task(
    ready: Cluster,
    given: HistoryInput,
    book: BookOrSeries,
    out: Path,
    *,
    assume: float | None,
    compiled: bool | None,
    progress: Progress | None,
    findings: Findings | None,
    **options: Any,
) -> Written:
    """Rate a history by sections: the local engine, on one worker."""
    program = program_for(book, len(given.games), compiled)
    _work_anew(out)
    shipped = shipped_of(out)
    ship(given, shipped)
    group = uuid.uuid4().hex
    task = RateWhole(BookName.of(book), program.compiled, program.key, out, assume, options)
    try:
        with ThreadPoolExecutor(1) as thread:
            job = thread.submit(ready.run, group, task, [0])
            try:
                while not job.done():
                    time.sleep(_LOOKS / 10)
                    if progress is not None:
                        _tell_progress(shipped / _PROGRESS, progress)
            finally:
                if not job.done():
                    ready.cancel(group)
            ((written, noticed),) = job.result()
    finally:
        sweep_work(out)
    if findings is not None:
        findings.extend(noticed)
    done: Written = written
    return done


def _tell_progress(path: Path, progress: Progress) -> None:
    try:
        done, total = path.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return
    progress(int(done), int(total))
