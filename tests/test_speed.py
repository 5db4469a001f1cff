"""Rating one event is done before one has looked up."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

SECONDS = 0.4
"""What a whole ``ratingbook rate`` of an event of some thirty players may take, as a rule."""
STARTS = 6
"""The same on a slower machine, in starts of Python with the libraries of the command line."""
RUNS = 5


def test_rating_one_event(reference: Path):
    """The best of five, for the machine may have other work to do."""
    report = reference / "samples" / "trf" / "bunratty_masters_2011.tab"
    ratingbook = Path(sys.executable).with_name("ratingbook")
    command = [str(ratingbook), "rate", str(report), "--rulebook", "fide-2009"]
    taken = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", check=False, env=_environment()
        )
        taken.append(time.perf_counter() - begun)
        assert done.returncode == 0, done.stderr
        assert len(done.stdout.splitlines()) > 30
    assert min(taken) <= max(SECONDS, STARTS * min(_starts())), taken


def _environment() -> dict[str, str]:
    """That of a user, whose Python keeps what it has compiled, as an installation does."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _starts() -> list[float]:
    """Seconds in which Python starts and loads the two libraries of the command line."""
    taken = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        command = [sys.executable, "-c", "import rich.table, typer"]
        subprocess.run(command, check=True, env=_environment())
        taken.append(time.perf_counter() - begun)
    return taken
