"""Many histories at once: editions compared, parameters swept, events and results drawn.

Every history is one task, which runs the local engine; a worker process reads the
games once for all of its tasks.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.bindings import NoBulk, bulk_of
from ratingbook.engine.history.api import book_of
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.folder import (
    SECONDS_FOR_A_WORKER,
    claim,
    locked,
    sweep_work,
    work_of,
)
from ratingbook.engine.history.intake import read_history
from ratingbook.engine.history.pooled_course import course_of
from ratingbook.engine.history.program import COMPILED_FROM, Needs, Program
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.options import Beside, filled, part_of
from ratingbook.engine.spark.chance import resampled, simulated
from ratingbook.engine.spark.handing import Handed, fitted_to_any, hand_over_all
from ratingbook.engine.spark.jobs import Job
from ratingbook.engine.spark.session import cluster, told
from ratingbook.engine.spark.work import BookName, program_of
from ratingbook.engine.store import INSIDE, Damaged, Generation, Store
from ratingbook.model import Findings, Severity
from ratingbook.model.patterns import pattern
from ratingbook.rules import registry
from ratingbook.rules.settings import ParameterError

Progress = Callable[[int, int], None]

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles of a summary."""

_FORMAT = 2
_NAME = pattern(r"[^\x00-\x1f/\\]{1,120}\Z")
_SUMMARY = "summary"
_TABLES = ("ratings", _SUMMARY)
_CODE = "code"
"""Where the driver lays down what it has compiled, for the time of a sweep."""
_BYTES_OF_A_GAME = 4
"""At least, in any file."""


def rate_many(
    games: str | Path | Sequence[str | Path],
    jobs: Iterable[Job],
    out: str | Path,
    *,
    master: str = "local[*]",
    settings: Mapping[str, str] | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    **beside: Unpack[Beside],
) -> pa.Table:
    """Rate the same games again and again; gives the summary: a row for each job and pool.

    ``beside`` are files of what is known besides the games: ``players``, ``events``,
    ``entries``, ``decisions``.

    Each job writes ``out/<name>/ratings.parquet``, equal to what
    :func:`~ratingbook.engine.history.api.rate_history` gives, or of all pools together what
    ``rate_pools`` does; the summary is
    ``out/summary.parquet``, in the order of the jobs.  Jobs that have been finished, of
    the same description, files and code, are not done again unless it is to be ``fresh``.
    All paths must be the same for all workers.

    Raises :class:`~ratingbook.engine.history.api.HistoryRefused` where the games or a job
    cannot be rated, or where there is no cluster.
    """
    paths = [games] if isinstance(games, str | Path) else list(games)
    files = _Files(
        tuple(Path(path).absolute() for path in paths),
        {
            name: Path(str(path)).absolute()
            for name, path in filled(Beside, beside).items()
            if path is not None
        },
    )
    all_jobs, out = list(jobs), Path(out).absolute()
    tasks = _tasks(all_jobs, files, out)
    out.mkdir(parents=True, exist_ok=True)
    whole = Store(out, (_SUMMARY,))
    for store in (whole, *(task.store for task in tasks)):
        claim(store)
    open_tasks = [task for task in tasks if fresh or task.done() is None]
    done = len(tasks) - len(open_tasks)
    if open_tasks:
        try:
            open_tasks = _with_code(open_tasks, files, work_of(out) / _CODE)
            with cluster(master, settings) as ready, told():
                for _, findings in ready.finished(_rate_all, open_tasks):
                    if findings.refused:
                        raise HistoryRefused(findings)
                    done += 1
                    if progress is not None:
                        progress(done, len(tasks))
        finally:
            sweep_work(out, _CODE)
    rows = [found.table(_SUMMARY) for task in tasks if (found := task.done()) is not None]
    summary = pa.concat_tables(rows) if rows else _summary_schema().empty_table()
    whole.clean()
    made = whole.begin()
    made.write(_SUMMARY, summary)
    whole.publish(made, {"format": _FORMAT})
    return summary


def _with_code(tasks: Sequence[_Task], files: _Files, folder: Path) -> list[_Task]:
    """The tasks with what this user has compiled of their rule books, whatever games need."""
    if files.size() < COMPILED_FROM * _BYTES_OF_A_GAME:
        return list(tasks)
    handed: dict[str, Handed] = {}
    for task in tasks:
        if task.job.rulebook not in handed:
            program = Program(task.book.book(), compiled=True)
            plain = bool(program.shared_with_events)
            most = Needs(True, True, True, True, decisions="decisions" in files.beside, plain=plain)
            handed[task.job.rulebook] = hand_over_all(fitted_to_any(program, most), folder)
    return [replace(task, handed=handed[task.job.rulebook]) for task in tasks]


@dataclass(frozen=True)
class _Files:
    """Where the games are."""

    games: tuple[Path, ...]
    beside: Mapping[str, Path]

    def mark(self) -> str:
        """What changes where a file is replaced."""
        marks = []
        for path in (*self.games, *self.beside.values()):
            for each in _members(path):
                told = each.stat()
                marks.append(f"{each} {told.st_size} {told.st_mtime_ns}")
        return hashlib.sha256("\n".join(marks).encode()).hexdigest()

    def size(self) -> int:
        """Bytes of the games."""
        return sum(each.stat().st_size for path in self.games for each in _members(path))

    def read(self) -> tuple[HistoryInput | None, Findings]:
        """Read them."""
        return read_history(list(self.games), **part_of(Beside, self.beside))


def _members(path: Path) -> list[Path]:
    if not path.exists():
        return []
    return sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]


def _tasks(jobs: Sequence[Job], files: _Files, out: Path) -> list[_Task]:
    """The tasks of the jobs; raises for those that nobody could do."""
    findings = Findings()
    names = [job.name for job in jobs]
    mark = files.mark()
    keys: dict[tuple[str, bool], str] = {}
    tasks = []
    for job in jobs:
        if (
            not _NAME.match(job.name)
            or job.name in {".", "..", INSIDE}
            or names.count(job.name) > 1
        ):
            findings.add(
                Severity.FATAL, "history.job-name",
                f"{job.name!r} cannot be the name of a job: it names a folder, and only one job.",
                remedy="Give every job a name of its own, without slashes.",
            )  # fmt: skip
            continue
        try:
            book = book_of(job.rulebook, job.settings)
            bulk_of(book)
        except (registry.UnknownRuleBook, ParameterError, NoBulk) as error:
            findings.add(
                Severity.FATAL, "history.rulebook", f"Job {job.name}: {error}.",
                remedy="See `ratingbook rulebooks`.",
            )  # fmt: skip
            continue
        name = BookName.of(book)
        for compiled in (False, True):
            if (job.rulebook, compiled) not in keys:
                keys[job.rulebook, compiled] = Program(book, compiled).key
        codes = (keys[job.rulebook, False], keys[job.rulebook, True])
        tasks.append(_Task(job, name, codes, files, mark, out / job.name, Handed(out)))
    if findings.refused:
        raise HistoryRefused(findings)
    return tasks


@dataclass(frozen=True)
class _Task:
    """A job with all that a worker needs to know."""

    job: Job
    book: BookName
    codes: tuple[str, str]
    """The driver's keys of the program, in plain Python and compiled."""
    files: _Files
    mark: str
    folder: Path
    handed: Handed
    """What the driver has compiled."""

    def description(self) -> dict[str, Any]:
        """What must be the same for results to be taken as they are."""
        return {
            "format": _FORMAT,
            "job": {**asdict(self.job), "settings": dict(self.job.settings)},
            "code": list(self.codes),
            "files": self.mark,
        }

    @property
    def store(self) -> Store:
        """Where its results are."""
        return Store(self.folder, _TABLES)

    def done(self) -> Generation | None:
        """Its results, if they are there already and are what was written."""
        # As the file has it: through JSON.
        wanted = json.loads(json.dumps(self.description()))
        try:
            found = self.store.current()
            if found is None or found.said != wanted:
                return None
            for table in _TABLES:
                found.check(table)
        except Damaged:
            return None
        return found


_read: dict[str, tuple[HistoryInput | None, Findings]] = {}
"""The games that this worker process has read."""


def _history(task: _Task) -> tuple[HistoryInput | None, Findings]:
    if task.mark not in _read:
        _read.clear()
        _read[task.mark] = task.files.read()
    return _read[task.mark]


def _rate_all(tasks: Iterable[_Task]) -> Iterator[Findings]:
    for task in tasks:
        yield _rate(task)


def _rate(task: _Task) -> Findings:
    """Do one job on a worker."""
    given, found = _history(task)
    findings = Findings(found)
    if given is None or findings.refused:
        return findings
    job = task.job
    given = drawn(given, job)
    compiled = len(given.games) >= COMPILED_FROM
    program = program_of(task.book, compiled, task.codes[compiled])
    task.handed.take_over()
    try:
        course, _ = course_of(given, program, assume=job.assume, rows=False)
    except HistoryRefused as refused:
        return refused.findings
    for _ in course.rated(but_one=False):
        pass
    table = course.tables()["ratings"]
    # A worker that was given up for lost may still be writing.
    with locked(task.folder, seconds=SECONDS_FOR_A_WORKER):
        store = task.store
        store.clean()
        made = store.begin()
        made.write("ratings", table)
        made.write(_SUMMARY, summaries_of(job, table, len(given.games), course.batches))
        store.publish(made, task.description())
    return findings


def drawn(given: HistoryInput, job: Job) -> HistoryInput:
    """The history of a job: with other events or results, where it asks for them."""
    if job.bootstrap_seed is not None:
        given = resampled(given, job.bootstrap_seed)
    if job.simulate_seed is not None:
        given = simulated(given, job.simulate_seed, job.assume)
    return given


def _summary_schema() -> pa.Schema:
    return pa.schema(
        [
            ("name", pa.string()),
            ("rulebook", pa.string()),
            ("settings", pa.string()),
            ("bootstrap_seed", pa.int64()),
            ("simulate_seed", pa.int64()),
            ("pool", pa.string()),
            ("games", pa.int64()),
            ("batches", pa.int64()),
            ("players", pa.int64()),
            ("rated", pa.int64()),
            ("mean", pa.float64()),
            ("deviation", pa.float64()),
            ("least", pa.float64()),
            *((f"quantile_{round(100 * share):02d}", pa.float64()) for share in SHARES),
            ("greatest", pa.float64()),
        ]
    )


def summaries_of(job: Job, ratings: pa.Table, games: int, batches: int) -> pa.Table:
    """A row about a job, or about each of its pools: ``rated`` players, how their ratings lie.

    ``games`` and ``batches`` are those of all pools.  ``deviation`` is that of the whole
    population; a quantile is the least rating that so large a share of the players do not exceed.
    """
    rows = [
        _summary(job, pool, own, games, batches)
        for pool, own in (
            _by_pool(ratings) if "pool" in ratings.column_names else [(None, ratings)]
        )
    ]
    return pa.Table.from_pylist(rows, schema=_summary_schema())


def _by_pool(ratings: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    for pool in ratings["pool"].unique().to_pylist():
        yield pool, ratings.filter(pc.equal(ratings["pool"], pool))


def _summary(
    job: Job, pool: str | None, ratings: pa.Table, games: int, batches: int
) -> dict[str, Any]:
    numbers = np.sort(ratings["rating"].drop_null().to_numpy())
    count = len(numbers)
    mean = math.fsum(numbers) / count if count else None
    deviation = None
    if mean is not None:
        deviation = math.sqrt(math.fsum((each - mean) ** 2 for each in numbers) / count)
    row: dict[str, Any] = {
        "name": job.name,
        "rulebook": job.rulebook,
        "settings": " ".join(f"{name}={value}" for name, value in sorted(job.settings.items())),
        "bootstrap_seed": job.bootstrap_seed,
        "simulate_seed": job.simulate_seed,
        "pool": pool,
        "games": games,
        "batches": batches,
        "players": len(ratings),
        "rated": count,
        "mean": mean,
        "deviation": deviation,
        "least": float(numbers[0]) if count else None,
        "greatest": float(numbers[-1]) if count else None,
    }
    for share in SHARES:
        at = max(0, math.ceil(share * count) - 1)
        row[f"quantile_{round(100 * share):02d}"] = float(numbers[at]) if count else None
    return row


__all__ = ["Job", "drawn", "rate_many", "summaries_of"]
