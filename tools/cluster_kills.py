"""Workers and drivers killed at random moments of runs on a cluster: the next run is right.

``python -m tools.cluster_kills [--kills 30] [--book fide-2009] [--seed 1]``

Each run is a process of its own with a cluster of two workers on this machine.  At a random
moment it is killed, or an executor, or a Python process of one.  A run that outlives its
worker has to give the tables of an undisturbed one, bit for bit; after the others the same
command, given at once, on the cluster or in one process by turns.  What a checkpoint had
behind it must not be rated again, and the folder never shows the tables of two runs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from ratingbook.engine.history import HistoryRefused
from ratingbook.engine.store import Damaged, Generation
from tools.small_runs import BOOKS, TABLES, Case, cases, differs, is_of_one_run, tables_of

MASTER = "local-cluster[2,1,1024]"
_SETTINGS = {"spark.executor.memory": "900m"}
KINDS = ("driver", "executor", "python")
"""What is killed: the process that was started, a worker's Java, or its Python."""
_PATIENCE = 300.0
"""Seconds within which a cluster must have come up."""
_MARKS = {"executor": "CoarseGrainedExecutorBackend", "python": "pyspark.daemon"}


def _drive(book: str, number: int, folder: Path, master: str, told: Connection) -> None:
    """A run on the cluster: tells when the workers are there, and what came of it."""
    from ratingbook.engine.spark import rate_on_cluster, session

    # The machine may have other things to do.
    session.SECONDS_FOR_ANSWER = session.SECONDS_FOR_WORKERS = _PATIENCE

    def timed(step: str, seconds: float) -> None:
        if step == "session":
            told.send("ready")

    now = cases(book)[number].now
    try:
        written = rate_on_cluster(
            now.given, now.program.book, folder, master=master, settings=_SETTINGS,
            compiled=False, seconds=0, timed=timed,
        )  # fmt: skip
    except HistoryRefused as error:
        told.send([each.code for each in error.findings])
    else:
        told.send(written.resumed_after)


@dataclass
class Driver:
    """A process that runs on the cluster, and what it says."""

    book: str
    number: int
    folder: Path
    master: str = MASTER

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._told, theirs = context.Pipe(duplex=False)
        self.process = context.Process(
            target=_drive, args=(self.book, self.number, self.folder, self.master, theirs)
        )
        self.process.start()
        theirs.close()

    def said(self) -> object:
        """What it says next; None: it is no more."""
        try:
            return self._told.recv()
        except EOFError:
            return None

    def kill(self, kind: str, chance: random.Random) -> bool:
        """Kill it, or what it has started; False: there was nothing of that kind."""
        if kind == "driver":
            found = [self.process.pid]
        else:
            found = [each for each, line in _started_by(self.process.pid) if _MARKS[kind] in line]
        if not found:
            return False
        with suppress(ProcessLookupError):
            os.kill(chance.choice(found) or 0, signal.SIGKILL)
        return True


def _started_by(process: int | None) -> Iterator[tuple[int, str]]:
    """The processes that a process has started, and those started by them, with their commands."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state = (path / "stat").read_text().rpartition(")")[2].split()
            line = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            parents[int(path.name)] = (int(state[1]), line)
    waiting = [process]
    while waiting:
        above = waiting.pop()
        for each, (parent, line) in parents.items():
            if parent == above:
                waiting.append(each)
                yield each, line


class Kills:
    """The kills of a case."""

    def __init__(self, book: str, number: int, work: Path) -> None:
        self._book, self._number = book, number
        self._case: Case = cases(book)[number]
        self._work = work
        self._before = work / "before"
        self._before.mkdir()
        if self._case.before is not None:
            self._case.before.run(self._before)
        alone = self._copy("alone")
        self._case.now.run(alone)
        self._right = tables_of(alone, TABLES)
        self._shown = [self._right]
        if self._case.before is not None:
            self._shown.append(tables_of(self._before, TABLES))
        driver = Driver(book, number, self._copy("undisturbed"))
        ready, begun = driver.said(), time.monotonic()
        done = driver.said()
        self.seconds = time.monotonic() - begun
        driver.process.join()
        if ready != "ready" or not isinstance(done, int):
            raise RuntimeError(f"{self._case.name}: an undisturbed run says {ready}, {done}")
        if wrong := differs(driver.folder, self._right):
            raise RuntimeError(f"{self._case.name}: an undisturbed run gives other {wrong}")
        self._resumed = done

    def _copy(self, name: str) -> Path:
        folder = self._work / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._before, folder, symlinks=True)
        return folder

    def kill(self, kind: str, on_cluster: bool, chance: random.Random) -> str:
        """What a kill comes to."""
        driver = Driver(self._book, self._number, self._copy("killed"))
        driver.said()
        time.sleep(chance.random() * self.seconds)
        was_killed = driver.kill(kind, chance)
        said = driver.said() if kind != "driver" or not was_killed else None
        folder = driver.folder
        if kind == "driver":
            driver.process.join()
        behind = self._behind(folder)
        if not is_of_one_run(folder, self._shown):
            return "mixed"
        if isinstance(said, int):
            driver.process.join()
            return ("outlived" if was_killed else "too late") if self._is_right(folder) else "wrong"
        if isinstance(said, list) and said != ["history.cluster"]:
            return "failed"
        resumed = self._again(folder, on_cluster)
        if not isinstance(resumed, int):
            return "failed"
        if not self._is_right(folder):
            return "wrong"
        return "repeated" if resumed < behind else "right"

    def _again(self, folder: Path, on_cluster: bool) -> object:
        if not on_cluster:
            try:
                return self._case.now.run(folder).resumed_after
            except HistoryRefused:
                return None
        driver = Driver(self._book, self._number, folder)
        driver.said()
        said = driver.said()
        driver.process.join()
        return said

    def _behind(self, folder: Path) -> int:
        """The batches that need not be rated again.

        What stood there before the killed run may have been of other rules, or end later than
        what is still right of it: of that only as much as an undisturbed run goes on from.
        """
        is_its_own = _current(folder) != _current(self._before)
        return max(self._resumed, batches_behind(folder) if is_its_own else 0)

    def _is_right(self, folder: Path) -> bool:
        return not differs(folder, self._right)


def _current(folder: Path) -> str:
    """The generation that a folder shows; empty if none."""
    return (folder / ".ratingbook" / "current").resolve().name


def batches_behind(folder: Path) -> int:
    """The batches behind the checkpoint of a folder."""
    try:
        said = Generation.at(folder / ".ratingbook" / "current").said.get("checkpoint")
    except Damaged:
        return 0
    return int(said["next_batch"]) if said else 0


def main() -> int:
    """Kill and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30, help="for each rule book")
    parser.add_argument("--book", choices=BOOKS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    counted: Counter[tuple[str, str, str]] = Counter()
    for book in asked.book or BOOKS:
        chance = random.Random(f"{asked.seed} {book}")
        for number in range(len(cases(book))):
            of_case = range(number, asked.kills, len(cases(book)))
            if not of_case:
                continue
            with TemporaryDirectory() as work:
                kills = Kills(book, number, Path(work))
                for each in of_case:
                    kind = KINDS[(each // len(cases(book)) + number) % len(KINDS)]
                    found = kills.kill(kind, chance.random() < 0.5, chance)
                    counted[book, kind, found] += 1
                    print(f"{book} {number} {kind}: {found}", file=sys.stderr, flush=True)
    verdicts = ("right", "outlived", "too late", "wrong", "mixed", "repeated", "failed")
    print(f"| rule book | killed | {' | '.join(verdicts)} |")
    print("|---" * (len(verdicts) + 2) + "|")
    for book in asked.book or BOOKS:
        for kind in KINDS:
            numbers = " | ".join(str(counted[book, kind, each]) for each in verdicts)
            print(f"| {book} | {kind} | {numbers} |")
    return int(any(found in verdicts[3:] and count for (_, _, found), count in counted.items()))


if __name__ == "__main__":
    sys.exit(main())
