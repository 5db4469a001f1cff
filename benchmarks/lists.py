"""Rating lists as large as FIDE's: how fast they are read and checked, in how much memory.

``python -m benchmarks.lists [--folder build/bench] [--players 1900000]``

FIDE forbids to pass its lists on, so the players are made up, and look it: "Nobody12,
Player345".  Each figure is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from ratingbook.formats.lists.check import check_list
from ratingbook.formats.lists.fide.common import FidePlayer, Rated
from ratingbook.formats.lists.fide.txt import write_fide_txt
from ratingbook.formats.lists.fide.xml import write_fide_xml
from ratingbook.formats.lists.source import read_list
from ratingbook.model import Entry, Event, Report

ROOT = Path(__file__).resolve().parents[1]
PLAYERS = 1_900_000
GOALS = {"txt": 200_000, "xml": 25_000}
"""Players a second."""
MEMORY = 300
"""Megabytes that a process may take."""
ASKED = 250
"""Players of a report."""
FIRST = 10_000_000
"""The number of the first player: no federation has it."""
FEDERATIONS = "AAA BBB CCC DDD EEE FFF GGG HHH".split()


def main() -> None:
    """Make the lists and print the table, or measure one list in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench")
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--measure", nargs=2, metavar=("read|check", "LIST"))
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measure(asked.measure[0], Path(asked.measure[1]))))
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    print(f"{'list':<9}{'what':<6}{'players/s':>12}{'a CPU s':>12}{'goal':>9}{'peak MB':>9}")
    for kind, goal in GOALS.items():
        plain = made(asked.folder, kind, asked.players)
        for path in (plain, zipped(plain)):
            for what in ("read", "check"):
                found = measured(what, path)
                reached = found["speed"] >= goal and found["peak"] < MEMORY
                name = path.name.partition(".")[2]
                print(
                    f"{name:<9}{what:<6}{found['speed']:>12,.0f}{found['cpu']:>12,.0f}{goal:>9,}"
                    f"{found['peak']:>9.0f}  {'reached' if reached else 'MISSED'}",
                    flush=True,
                )


def players(count: int, seed: int = 1) -> Iterator[FidePlayer]:
    """Players who plainly do not exist, with the mixture of FIDE's list: most are unrated."""
    chance = random.Random(seed)
    for index in range(count):
        woman = chance.random() < 0.15
        active = chance.random() < 0.6
        yield FidePlayer(
            str(FIRST + index),
            f"Nobody{chance.randrange(9999)}, Player{index}",
            chance.choice(FEDERATIONS),
            "F" if woman else "M",
            title="CM" if chance.random() < 0.01 else "",
            other_titles="NA,DI" if chance.random() < 0.01 else "",
            standard=_rated(chance),
            rapid=_rated(chance),
            blitz=_rated(chance),
            birth_year=chance.randrange(1940, 2020),
            flag=("w" if woman else "") + ("" if active else "i"),
        )


def _rated(chance: random.Random) -> Rated | None:
    if chance.random() < 0.7:
        return None
    return Rated(
        chance.randrange(1400, 2800),
        0 if chance.random() < 0.8 else chance.randrange(1, 30),
        chance.choice((10, 20, 20, 40)),
    )


def made(folder: Path, kind: str, count: int) -> Path:
    """A list of so many players, written if it is not there yet."""
    path = folder / f"players-{count}.{kind}"
    if not path.exists():
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            (write_fide_txt if kind == "txt" else write_fide_xml)(players(count), file)
        part.rename(path)
    return path


def zipped(path: Path) -> Path:
    """The same list in an archive."""
    archive = path.with_suffix(f"{path.suffix}.zip")
    if not archive.exists():
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            file.write(path, path.name)
    return archive


def measured(what: str, path: Path) -> dict[str, float]:
    """The figures of one list, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.lists", "--measure", what, str(path)],
        cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(what: str, path: Path) -> dict[str, float]:
    """Read a list for a report of some players, or check all of it, in this process."""
    count = int(path.name.split("-")[1].split(".")[0])
    begun, cpu = time.perf_counter(), time.process_time()
    if what == "read":
        step = max(1, count // ASKED)
        numbers = range(FIRST, FIRST + count, step)
        report = Report(Event(), tuple(Entry(str(number)) for number in numbers), ())
        found, findings = read_list(path, [report])
        assert found is not None, list(findings)
        assert len(found.players) == len(numbers), list(findings)
    else:
        findings, rows = check_list(path)
        assert rows == count, list(findings)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"speed": count / seconds, "cpu": count / cpu, "peak": peak}


if __name__ == "__main__":
    main()
