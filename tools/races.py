"""Two and three runs at once in one folder: one of them rates, the others are told to wait.

``python -m tools.races [--races 100] [--seed 1]``
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory

from ratingbook.engine.history import HistoryRefused
from tools.small_runs import BOOKS, Command, cases, differs, tables_of


def _run(command: Command, folder: Path, late: float, begin: Barrier) -> None:
    """Exit status 0: rated; 3: told that another run is writing."""
    begin.wait()
    time.sleep(late)
    try:
        command.run(folder)
    except HistoryRefused as error:
        codes = {each.code for each in error.findings}
        sys.exit(3 if codes == {"history.busy"} else 4)


def race(book: str, work: Path, runs: int, chance: random.Random) -> str:
    """What a race comes to."""
    case = cases(book)[chance.randrange(3)]
    folder, alone = work / "folder", work / "alone"
    for each in (folder, alone):
        if case.before is not None:
            case.before.run(each)
    case.now.run(alone)
    context = multiprocessing.get_context("fork")
    begin = context.Barrier(runs)
    processes = [
        context.Process(target=_run, args=(case.now, folder, chance.random() / 5, begin))
        for _ in range(runs)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    ends = {process.exitcode for process in processes}
    if not ends <= {0, 3} or 0 not in ends:
        return "failed"
    return "wrong" if differs(folder, tables_of(alone)) else "right"


def main() -> int:
    """Race and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    counted: Counter[tuple[int, str]] = Counter()
    for number in range(asked.races):
        chance = random.Random(f"{asked.seed} {number}")
        runs = 2 + number % 2
        with TemporaryDirectory() as work:
            counted[runs, race(BOOKS[number % len(BOOKS)], Path(work), runs, chance)] += 1
    print("| runs at once | right | wrong | failed |\n|---|---|---|---|")
    for runs in (2, 3):
        told = " | ".join(str(counted[runs, kind]) for kind in ("right", "wrong", "failed"))
        print(f"| {runs} | {told} |")
    return int(any(kind != "right" for _, kind in counted))


if __name__ == "__main__":
    sys.exit(main())
