"""One history on a cluster.

An edition that rates by periods is spread over all workers (:mod:`.periods`); pools that read
each other go in step (:mod:`.pools`).  An edition that rates by sections is one task
(:mod:`.one_task`), with all its pools.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Unpack

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.api import program_for
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.files import Written, rate_into
from ratingbook.engine.history.fit import check_history
from ratingbook.engine.history.folder import alone_in, sweep_work, work_of
from ratingbook.engine.history.intake import read_history
from ratingbook.engine.history.pooled_course import AllPools
from ratingbook.engine.history.pools import divided, has_pools
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.options import Beside, IntoFolder, filled, part_of
from ratingbook.engine.spark.intake import Pieces, Wanted, read_on_cluster
from ratingbook.engine.spark.laying import lay
from ratingbook.engine.spark.one_task import rate_in_one_task
from ratingbook.engine.spark.periods import RATED, ClusterRun, buckets_of
from ratingbook.engine.spark.pools import together_there
from ratingbook.engine.spark.session import Cluster, cluster, told
from ratingbook.engine.spark.settings import FilesOnCluster, OnCluster, timed_by
from ratingbook.model import Findings
from ratingbook.rules.bulk import Bulk
from ratingbook.rules.series import BookOrSeries, pools_of

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

_INTAKE = "intake"


def is_divided(bulk: Bulk) -> bool:
    """Whether the players of a batch are rated apart: by period, in one round.

    In later rounds everybody needs what the opponents came to in the one before.
    """
    return bulk.calendar is not None and bulk.kernel_at is None and bulk.round_at is None


def rate_on_cluster(
    given: HistoryInput, book: BookOrSeries, out: Path, **said: Unpack[OnCluster]
) -> Written:
    """Rate a history into the folder ``out``: the same files, bit for bit, as a local run.

    ``out`` must be a folder that the driver and all workers see under this path.  The
    run goes on from a checkpoint there, also from one of a local run, unless it is to
    be ``fresh``.

    Raises :class:`~ratingbook.engine.history.HistoryRefused` where there is no cluster
    (``history.no-spark``, ``history.no-java``, ``history.no-master``) or it fails
    (``history.cluster``).
    """
    options, out = filled(OnCluster, said), out.absolute()
    timed, begun = timed_by(options), time.monotonic()
    with alone_in(out), cluster(options["master"], options["settings"]) as ready, told():
        timed("session", time.monotonic() - begun)
        if not is_divided(bulk_of(book)):
            _work_anew(out)
            return rate_in_one_task(ready, given, book, out, options)
        return _rate_in_periods(ready, given, book, len(given.games), out, options)


def rate_files_on_cluster(
    games: Paths, book: BookOrSeries, out: Path, **said: Unpack[FilesOnCluster]
) -> tuple[Written, int, int, int]:
    """Rate games that no machine has to hold.

    Gives also the numbers of players, of rows, and of halves that rows say are not rated.

    As :func:`rate_on_cluster`, but the workers read the files too, which they must see
    under the same paths.  The driver holds the players, their standings and the events.
    An edition that rates by sections, or in several rounds, reads on the driver.  Input that
    is refused raises :class:`~ratingbook.engine.history.HistoryRefused`.
    """
    whole, out = filled(FilesOnCluster, said), out.absolute()
    options, beside = part_of(OnCluster, whole), part_of(Beside, whole)
    noticed = Findings() if options["findings"] is None else options["findings"]
    options["findings"] = noticed
    has_own_pools = pools_of(book) is not None
    if not is_divided(bulk_of(book)):
        given, found = read_history(list(_paths(games)), has_pools=has_own_pools, **beside)
        if given is not None:
            found.extend(check_history(given, book))
        _go_on_if_sound(found, noticed)
        assert given is not None
        written = rate_on_cluster(given, book, out, **options)
        rows = len(given.games) + len(given.left_out)
        return written, len(given.players), rows, given.games.halves_left_out
    timed, begun = timed_by(options), time.monotonic()
    with alone_in(out), cluster(options["master"], options["settings"]) as ready, told():
        timed("session", time.monotonic() - begun)
        folder = _work_anew(out) / _INTAKE
        try:
            begun = time.monotonic()
            wanted = _wanted(bulk_of(book), with_pools=has_own_pools)
            pieces, found = read_on_cluster(
                ready, uuid.uuid4().hex, list(_paths(games)), folder, beside, wanted
            )
            timed("read", time.monotonic() - begun)
            if pieces is not None:
                span = pieces.days[[0, -1]] if len(pieces.days) else pieces.days
                found.extend(check_history(pieces.given, book, span))
            _go_on_if_sound(found, noticed)
            assert pieces is not None
            written = _rate_in_periods(
                ready, pieces.given, book, pieces.games, out, options, pieces
            )
            return written, len(pieces.given.players), pieces.rows, pieces.halves_left_out
        finally:
            sweep_work(out)


def _wanted(bulk: Bulk, *, with_pools: bool) -> Wanted:
    calendar = bulk.calendar
    return Wanted(
        months=calendar is not None and calendar.splits is not None,
        turns=bulk.event_rules is not None,
        starts=calendar is not None and calendar.by_game,
        pools=with_pools,
    )


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


def _rate_in_periods(
    ready: Cluster,
    given: HistoryInput,
    book: BookOrSeries,
    games: int,
    out: Path,
    options: OnCluster,
    pieces: Pieces | None = None,
) -> Written:
    """Spread the players over the workers; ``pieces`` hold the games where workers read them."""
    begun = time.monotonic()
    noticed = Findings() if options["findings"] is None else options["findings"]
    runs: list[ClusterRun] = []
    if has_pools(given, book, None if pieces is None else pieces.played.spans):
        parts = divided(given, book, None if pieces is None else pieces.played)
        if parts.findings.refused:
            raise HistoryRefused(parts.findings)
        together = together_there(ready, parts, book, games, out, options, pieces)
        runs = [run for run in together.runs.values() if isinstance(run, ClusterRun)]
        together.tell_plans(parts.findings)
        noticed.extend(parts.findings)
        course: AllPools | ClusterRun = AllPools(together, rows=options["changes"])
    else:
        program = program_for(book, games, options["compiled"])
        laid = None
        if pieces is not None:
            buckets = buckets_of(ready, options, len(given.players))
            laid = lay(ready, uuid.uuid4().hex, pieces, program, options["assume"], buckets)
        course = ClusterRun(given, program, ready, out, options, laid=laid)
        runs = [course]
        noticed.extend(course.plan.findings)
    timed_by(options)("plan", time.monotonic() - begun)
    try:
        return rate_into(
            out, course, progress=options["progress"], beside=options["left"],
            **part_of(IntoFolder, options),
        )  # fmt: skip
    finally:
        for run in runs:
            run.close()
        sweep_work(out, RATED)
