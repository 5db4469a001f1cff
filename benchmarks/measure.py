"""One measurement of the engine, in a process of its own; a line of JSON.

``python -m benchmarks.measure kernel|file|correct|explain BOOK GAMES.parquet [--changes]``

``kernel``: the rating of columns in memory, best of three, without rows of changes.
``file``: from the file to ``ratings.parquet``, with the peak memory of the process; beside it
how long PyArrow alone takes to read the file.
``correct``: one changed result in the middle, against a full replay.
``explain``: one change in the middle, from a history in memory and by the command from a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

# As the command has it, before NumPy is imported.
os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ratingbook.engine.history import History, rate_history
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries

REPEATS = 3
_LIBRARIES = "import numba, pyarrow.parquet, typer"
PLACES = 9
"""Games that are corrected, one at a time, around the middle."""


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("kernel", "file", "correct", "explain"))
    parser.add_argument("book")
    parser.add_argument("games", type=Path)
    parser.add_argument("--changes", action="store_true")
    parser.add_argument("--assume", type=float)
    asked = parser.parse_args()
    book = registry.load(asked.book)
    if asked.what == "kernel":
        made = kernel(book, asked.games, asked.assume)
    elif asked.what == "file":
        made = file(book, asked.games, asked.assume, changes=asked.changes)
    elif asked.what == "correct":
        made = correct(book, asked.games)
    else:
        made = explain(book, asked.games)
    print(json.dumps({"book": asked.book, "what": asked.what, **made}))


def inputs(games: Path) -> dict[str, Any]:
    """The players file that the generator leaves beside the games, and events where there are."""
    found: dict[str, Any] = {}
    for name in ("players", "events"):
        beside = games.with_name(f"{games.stem}.{name}.parquet")
        if beside.exists():
            found[name] = beside
    return found


def kernel(book: BookOrSeries, games: Path, assume: float | None) -> dict[str, Any]:
    """Games a second of the loops alone."""
    history = History.of(games, **inputs(games))
    program = Program(book, compiled=True)
    seconds = []
    for _ in range(REPEATS + 1):
        run = Run(history.given, program, rows=False, assume=assume)
        began = time.perf_counter()
        for _ in run.batches():
            pass
        seconds.append(time.perf_counter() - began)
    count = len(history)
    # The first run loads the compiled code.
    return {"games": count, "seconds": min(seconds[1:]), "rate": count / min(seconds[1:])}


def file(book: BookOrSeries, games: Path, assume: float | None, *, changes: bool) -> dict[str, Any]:
    """Games a second from the file to the ratings, and the peak of memory."""
    Program(book, compiled=True)
    table = pq.ParquetFile(games)
    columns = sum(
        table.metadata.num_rows * field.type.bit_width // 8
        for field in table.schema_arrow
        if hasattr(field.type, "bit_width")
    )
    del table
    seconds = []
    for _ in range(2):
        folder = Path(tempfile.mkdtemp())
        began = time.perf_counter()
        history = History.of(games, **inputs(games))
        run = Run(history.given, Program(book, compiled=True), rows=changes, assume=assume)
        rate_into(folder, run, checkpoints=False)
        seconds.append(time.perf_counter() - began)
        count = len(history)
        del run, history
        shutil.rmtree(folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    read = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        pq.read_table(games)
        read.append(time.perf_counter() - began)
    return {
        "games": count,
        "seconds": min(seconds),
        "read": min(read),
        "rate": count / min(seconds),
        "first": seconds[0],
        "columns": columns,
        "peak": peak,
        "ratio": peak / columns,
    }


def correct(book: BookOrSeries, games: Path) -> dict[str, Any]:
    """Seconds of a correction in the middle, and of a full replay of the corrected history."""
    history = History.of(games, **inputs(games))
    rated = rate_history(history, book, compiled=True, corrections=True)
    corrections, replays, reached = [], [], []
    count = len(history)
    for place in range(PLACES):
        row = count // 2 + place * (count // 100)
        old = int(history.given.games.score[row])
        new = 0.5 if old != 1 else 1.0
        began = time.perf_counter()
        corrected = rated.correct({row: new})
        corrections.append(time.perf_counter() - began)
        reached.append(corrected.correction.next_batch - corrected.correction.first_batch)
        scores = history.given.games.score.copy()
        scores[row] = int(2 * new)
        other = replace(history.given, games=replace(history.given.games, score=scores))
        began = time.perf_counter()
        again = rate_history(History(other), book, compiled=True)
        replays.append(time.perf_counter() - began)
        assert corrected.ratings.equals(again.ratings)
    return {
        "games": count,
        "batches": rated.batches,
        "correction": statistics.median(corrections),
        "worst": max(corrections),
        "replay": statistics.median(replays),
        "reached": [int(each) for each in np.sort(reached)],
    }


def explain(book: BookOrSeries, games: Path) -> dict[str, Any]:
    """Seconds of an explanation in the middle: in this process, and of the whole command."""
    history = History.of(games, **inputs(games))
    rated = rate_history(history, book, compiled=True)
    rows = rated.changes.filter(pc.field("batch") == rated.batches // 2)
    (row,) = rows.slice(len(rows) // 2, 1).to_pylist()
    inside = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        told = rated.explain(row["player"], row["batch"])
        inside.append(time.perf_counter() - began)
        assert told[0].explanation[-1].value == row["after"]
    count, batches = len(history), rated.batches
    del rated, history
    with tempfile.TemporaryDirectory() as folder:
        beside = [f"--{name}={path}" for name, path in inputs(games).items()]
        command("history", str(games), *beside, "--rulebook", book.name, "--out", folder)
        asked = f"{row['player']}@{row['batch']}"
        commands, starts = [], []
        for _ in range(REPEATS):
            began = time.perf_counter()
            said = json.loads(command("history", folder, "--explain", asked))
            commands.append(time.perf_counter() - began)
            assert said["players"][0]["explanation"][-1]["value"] == row["after"]
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", _LIBRARIES], check=True)
            starts.append(time.perf_counter() - began)
    return {
        "games": count,
        "batches": batches,
        "inside": min(inside),
        "command": min(commands),
        "starts": min(starts),
    }


def command(*arguments: str) -> str:
    """The output of a command in a process of its own."""
    ratingbook = str(Path(sys.executable).with_name("ratingbook"))
    # What is installed has its byte code, and is not compiled anew at each start.
    has_code = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [ratingbook, *arguments], check=True, capture_output=True, encoding="utf-8", env=has_code
    )
    return done.stdout


if __name__ == "__main__":
    main()
