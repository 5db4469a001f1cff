"""One history on a cluster: seconds for each step and period, and the same bits as here.

``python -m benchmarks.spark GAMES.parquet --master 'local[2]' --master 'local-cluster[2,1,2048]'``

GAMES and the players beside it (``GAMES.players.parquet``) are what
``python -m benchmarks.generate GAMES.parquet --games 120000000 --players 400000 --periods 60``
writes.  The local run goes first; each cluster run is compared with it, table by table.
The figure is *seconds a period after start*: from the end of the first period, which
starts the workers, to the end of the last one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from ratingbook.engine.history import History
from ratingbook.engine.history.api import program_for
from ratingbook.engine.history.files import Written, rate_into
from ratingbook.engine.history.run import Run
from ratingbook.engine.spark import rate_files_on_cluster
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries

STEPS = {
    "session": "start Spark",
    "read": "the workers read the games",
    "plan": "they cut them by periods and players",
    "prepare": "lay down what tasks have in common",
    "compile": "compile, or read the cache",
    "broadcast": "broadcast the standings",
    "job": "rate on the workers, collect",
    "wait": "the driver waits for that",
    "merge": "merge the standings",
    "write": "order and write rows, meanwhile",
}
FILES = ("ratings", "changes", "batches")


@dataclass(frozen=True)
class Measured:
    """What a cluster run took."""

    written: Written
    seconds: float
    ends: list[float]
    """When each period was done."""
    steps: dict[str, list[float]]
    same: bool

    @property
    def a_period(self) -> float:
        """Seconds a period after the first one."""
        return (self.ends[-1] - self.ends[0]) / max(1, len(self.ends) - 1)


def measure_here(history: History, book: BookOrSeries, out: Path, changes: bool) -> float:
    """The local run into ``out``; gives its seconds."""
    begun = time.perf_counter()
    run = Run(history.given, program_for(book, len(history), None), rows=changes)
    rate_into(out, run, fresh=True)
    return time.perf_counter() - begun


def measure_there(
    games: Path, book: BookOrSeries, out: Path, master: str, changes: bool, here: Path
) -> Measured:
    """A cluster run into ``out``, from the files on, compared with the local one in ``here``."""
    steps: dict[str, list[float]] = defaultdict(list)
    ends: list[float] = []
    begun = time.perf_counter()
    written, *_ = rate_files_on_cluster(
        games, book, out, players=games.with_suffix(".players.parquet"), master=master,
        changes=changes, fresh=True,
        timed=lambda step, seconds: steps[step].append(seconds),
        progress=lambda done, total: ends.append(time.perf_counter()),
    )  # fmt: skip
    seconds = time.perf_counter() - begun
    names = [name for name in FILES if changes or name != "changes"]
    same = all(
        pq.read_table(here / f"{name}.parquet").equals(pq.read_table(out / f"{name}.parquet"))
        for name in names
    )
    return Measured(written, seconds, ends, steps, same)


def table(master: str, measured: Measured) -> str:
    """The steps of a run as lines of text."""
    lines = [f"{master}: {measured.seconds:.1f} s in all", ""]
    lines.append(f"{'step':38}{'times':>6}{'total':>9}{'first':>9}{'median':>9}{'worst':>9}")
    for step, what in STEPS.items():
        took = measured.steps.get(step, [])
        if not took:
            continue
        median = sorted(took)[len(took) // 2]
        lines.append(
            f"{what:38}{len(took):6}{sum(took):9.2f}{took[0]:9.3f}{median:9.3f}{max(took):9.3f}"
        )
    lines.append("")
    lines.append(
        f"{measured.a_period:.3f} s a period after start; "
        f"{'the same bits as here' if measured.same else 'NOT WHAT THE LOCAL RUN GIVES'}"
    )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if a cluster gave other bits."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("games", type=Path)
    parser.add_argument("--master", action="append", default=None, help="one or several")
    parser.add_argument("--rulebook", default="fide-2009")
    parser.add_argument("--no-changes", action="store_true", help="write the ratings only")
    chosen = parser.parse_args(arguments)
    begun = time.perf_counter()
    history = History.of(chosen.games, players=chosen.games.with_suffix(".players.parquet"))
    print(
        f"{len(history):,} games of {len(history.given.players):,} players, read in "
        f"{time.perf_counter() - begun:.1f} s; {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f} at the beginning"
    )
    book, changes = registry.load(chosen.rulebook), not chosen.no_changes
    same = True
    with tempfile.TemporaryDirectory(dir=chosen.games.parent) as made:
        folder = Path(made)
        seconds = measure_here(history, book, folder / "here", changes)
        print(f"here, one core: {seconds:.1f} s in all")
        for master in chosen.master or ["local[2]"]:
            out = folder / "there"
            measured = measure_there(chosen.games, book, out, master, changes, folder / "here")
            print("", table(master, measured), sep="\n", flush=True)
            shutil.rmtree(out)
            same &= measured.same
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
