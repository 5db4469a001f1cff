"""Rating one event is done before one has looked up."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

STARTS = 4
"""What a ``ratingbook rate`` of an event of some thirty players may take, in starts of Python
with the libraries of the command line (it takes 2.4 to 3.0)."""
RUNS = 20
"""Pairs that are measured, at most: the lowest of each count, and a machine with other work to
do shows its lowest seldom."""


def test_rating_one_event(reference: Path):
    """Time of the processor, each beside a start: the machine may have other work to do."""
    report = reference / "samples" / "trf" / "bunratty_masters_2011.tab"
    ratingbook = Path(sys.executable).with_name("ratingbook")
    rate = [str(ratingbook), "rate", str(report), "--rulebook", "fide-2009"]
    start = [sys.executable, "-c", "import rich.table, typer"]
    taken = []
    for _ in range(RUNS):
        taken.append((_seconds(rate, lines=30), _seconds(start)))
        rated, started = (min(column) for column in zip(*taken, strict=True))
        if rated <= STARTS * started:
            return
    pytest.fail(f"seconds of rating, and of a start: {taken}")


def test_rating_one_event_loads_no_more_than_it_needs(reference: Path, tmp_path: Path):
    """With players in a file of their own, which is asked whether it is a federation's list."""
    report = reference / "samples" / "trf" / "bunratty_masters_2011.tab"
    players = tmp_path / "players.csv"
    players.write_text("id,games\n1,30\n", encoding="utf-8")
    program = (
        "import atexit, sys; sys.argv[0] = 'ratingbook'; "
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
        "from ratingbook.cli import main; main()"
    )
    asked = ["rate", str(report), "--rulebook", "fide-2009", "--players", str(players)]
    done = subprocess.run(
        [sys.executable, "-c", program, *asked], capture_output=True, encoding="utf-8", check=True
    )
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "ratingbook.engine.rate" in loaded
    assert not loaded & {"numpy", "numba", "pyarrow", "pydantic", "ssl", "hashlib", "http.client",
                         "urllib.request", "multiprocessing", "jinja2"}  # fmt: skip


def _seconds(command: list[str], lines: int = 0) -> float:
    """Seconds of the processor that a command takes which prints more than some lines."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=_environment()
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= lines
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment() -> dict[str, str]:
    """That of a user, whose Python keeps what it has compiled, as an installation does."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
