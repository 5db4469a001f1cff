"""How long the first history of an edition waits for its rules to be compiled.

``python -m benchmarks.first_run BOOK … [--constants] [--games 25000]``

For each edition, in a process of its own that begins with an empty cache: seconds of the
processor for importing, for linking and compiling all loops that a history needs, and a sum
over the bits of the ratings of a generated history.  The same sum from two versions of the
code says that they rate alike.  ``--constants`` compiles for the very numbers of the edition,
as is done from a million games on.

Then, in another process with another empty cache, what somebody waits for: seconds by the clock
from the first import until the first games are rated, and until all are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.history import ROOT, data

PLAYERS = 1000


def main() -> None:
    """Measure the editions that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="+")
    parser.add_argument("--constants", action="store_true")
    parser.add_argument("--games", type=int, default=25_000)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--wait", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here is not None:
        book, games = asked.books[0], asked.here
        made = wait(book, games) if asked.wait else first_run(book, games, asked.constants)
        print(json.dumps(made))
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    print(
        f"{'edition':14} {'import':>7} {'compile':>8} {'rate':>6}  {'bits':16}"
        f" {'first games':>12} {'all games':>10}"
    )
    for book in asked.books:
        shape = "sections" if book.startswith("uscf") else "events"
        games = data(asked.folder, asked.games, shape, PLAYERS)
        options = ["--here", str(games), *(["--constants"] if asked.constants else [])]
        made, waited = (
            _in_its_own_process(book, options),
            _in_its_own_process(book, [*options, "--wait"]),
        )
        print(
            f"{book:14} {made['import']:7.2f} {made['compile']:8.2f} {made['rate']:6.2f}  "
            f"{made['bits']} {waited['first']:12.2f} {waited['all']:10.2f}",
            flush=True,
        )


def _in_its_own_process(book: str, options: list[str]) -> Any:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        told = subprocess.run(
            [sys.executable, "-m", "benchmarks.first_run", book, *options],
            cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE,
            env={**os.environ, "RATINGBOOK_CACHE": cache},
        )  # fmt: skip
    return json.loads(told.stdout.splitlines()[-1])


def first_run(name: str, games: Path, constants: bool) -> dict[str, float | str]:
    """Compile, rate, and add up the bits, in this process."""
    from benchmarks.measure import inputs
    from ratingbook.engine.history import History
    from ratingbook.engine.history.program import Program
    from ratingbook.engine.history.run import Run
    from ratingbook.rules import registry

    book = registry.load(name)
    history = History.of(games, **inputs(games))
    imported = time.process_time()
    run = Run(history.given, Program(book, compiled=True), constants=constants)
    run.compile()
    run.table()
    compiled = time.process_time()
    bits = hashlib.sha256()
    for some in run.batches():
        for column in (some.player, some.batch, some.before, some.after, some.expected):
            bits.update(column.tobytes())
    table = run.table()
    for heading in ("rating", "games"):
        bits.update(table[heading].to_numpy().tobytes())
    return {
        "import": imported,
        "compile": compiled - imported,
        "rate": time.process_time() - compiled,
        "bits": bits.hexdigest()[:16],
    }


def wait(name: str, games: Path) -> dict[str, float]:
    """Rate as any program does; when the first games were rated, and when all were."""
    begun = time.perf_counter()
    from benchmarks.measure import inputs
    from ratingbook.engine.history import History, rate_history

    first = 0.0

    def progress(done: int, of: int) -> None:
        nonlocal first
        first = first or time.perf_counter() - begun

    rate_history(History.of(games, **inputs(games)), name, progress=progress)
    return {"first": first, "all": time.perf_counter() - begun}


if __name__ == "__main__":
    main()
