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
    loaded = _loaded_by(["rate", str(report), "--rulebook", "fide-2009", "--players", str(players)])
    assert "ratingbook.engine.rate" in loaded
    assert not loaded & {"numpy", "numba", "pyarrow", "pydantic", "ssl", "hashlib", "http.client",
                         "urllib.request", "multiprocessing", "jinja2"}  # fmt: skip


@pytest.mark.parametrize("book", ["fide-2009", "uscf-2025", "egf-2021"])
def test_a_history_loads_no_pandas(tmp_path: Path, book: str):
    """Arrow does, where it is installed, for its own conversions: for longer than rating takes."""
    games, players, events = (tmp_path / f"{each}.csv" for each in ("games", "players", "events"))
    rows = [f"{n % 7},{7 + n % 5},{n % 3 / 2:g},2010-0{1 + n % 6}-11,E{n % 6}" for n in range(60)]
    games.write_text("\n".join(["white,black,score,date,event", *rows, ""]), "utf-8")
    known = [f"{n},{2000 + 10 * n},40,{1980 + 4 * n}-05-01" for n in range(12)]
    players.write_text("\n".join(["id,rating,games,birth_date", *known, ""]), "utf-8")
    events.write_text("event,start\nE1,2010-02-01\n", "utf-8")
    asked = ["history", str(games), "--rulebook", book, "--players", str(players),
             "--events", str(events), "--out", str(tmp_path / "out")]  # fmt: skip
    loaded = _loaded_by(asked)
    assert "pyarrow.parquet" in loaded
    assert "pandas" not in loaded


def test_a_command_ends_without_a_last_look_for_garbage(reference: Path):
    """Python looks at its end through all objects that are not frozen."""
    report = reference / "samples" / "trf" / "bunratty_masters_2011.tab"
    program = (
        "import atexit, gc, sys; sys.argv[0] = 'ratingbook'; "
        "atexit.register(lambda: print(len(gc.get_objects()), file=sys.stderr)); "
        "from ratingbook.cli import main; main()"
    )
    asked = ["rate", str(report), "--rulebook", "fide-2009"]
    done = subprocess.run(
        [sys.executable, "-c", program, *asked], capture_output=True, encoding="utf-8", check=True
    )
    assert int(done.stderr.splitlines()[-1]) < 1000


def _loaded_by(asked: list[str]) -> set[str]:
    """The modules that a command has loaded at its end."""
    program = (
        "import atexit, sys; sys.argv[0] = 'ratingbook'; "
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
        "from ratingbook.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *asked], capture_output=True, encoding="utf-8", check=True
    )
    return set(done.stderr.splitlines()[-1].split())


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
