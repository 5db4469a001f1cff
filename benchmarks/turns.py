"""The loops of several versions of the package, in turns on the same games.

``python -m benchmarks.turns BOOK GAMES.parquet OLD=FOLDER NEW=FOLDER … [--changes] [--turns 12]``

Each FOLDER is a checkout; its worker holds the history and rates it when it is its turn, so that
whatever else the machine does hits all of them.  Printed are the least and the median of the
seconds of the processor, and the median of the speeds beside the first one's of the same turn.
Where the system lets it, a worker at work is not interrupted.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

_PRIORITY = 50


def main() -> None:
    """Let the versions take turns, or be one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("book")
    parser.add_argument("games", type=Path)
    parser.add_argument("versions", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--changes", action="store_true")
    parser.add_argument("--turns", type=int, default=12)
    asked = parser.parse_args()
    if not asked.versions:
        work(asked.book, asked.games, changes=asked.changes)
        return
    workers = {}
    for version in asked.versions:
        name, _, folder = version.partition("=")
        command = [sys.executable, __file__, asked.book, str(asked.games)]
        workers[name] = subprocess.Popen(
            command + ["--changes"] * asked.changes,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(folder) / "src")},
        )
    for worker in workers.values():
        # The first run loads the compiled code, or compiles it.
        turn(worker)
    seconds: dict[str, list[float]] = {name: [] for name in workers}
    for _ in range(asked.turns):
        for name, worker in workers.items():
            seconds[name].append(turn(worker))
    first = next(iter(seconds.values()))
    for name, took in seconds.items():
        beside = statistics.median(one / own for one, own in zip(first, took, strict=True))
        print(f"{name:10} {min(took):.3f} s, {statistics.median(took):.3f} s, {beside:.2f}")


def turn(worker: subprocess.Popen[str]) -> float:
    """One run of a worker, in seconds."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    return float(worker.stdout.readline())


def work(name: str, games: Path, *, changes: bool) -> None:
    """Rate the history each time that a line comes."""
    from ratingbook.engine.history import History
    from ratingbook.engine.history.program import Program
    from ratingbook.engine.history.run import Run
    from ratingbook.rules import registry

    beside: dict[str, Any] = {
        each: path
        for each in ("players", "events")
        if (path := games.with_name(f"{games.stem}.{each}.parquet")).exists()
    }
    history = History.of(games, **beside)
    program = Program(registry.load(name), compiled=True)
    for _ in sys.stdin:
        run = Run(history.given, program, rows=changes)
        undisturbed(True)
        began = time.process_time()
        for _changes in run.batches():
            pass
        took = time.process_time() - began
        undisturbed(False)
        print(took, flush=True)


def undisturbed(wanted: bool) -> None:
    """Whether nothing else may take this processor meanwhile."""
    with suppress(AttributeError, PermissionError):
        policy = os.SCHED_FIFO if wanted else os.SCHED_OTHER
        os.sched_setscheduler(0, policy, os.sched_param(_PRIORITY if wanted else 0))


if __name__ == "__main__":
    main()
