"""What a new user waits for: ``python -m benchmarks.waits [NAME=FOLDER …] [--books BOOK …]``.

Of each FOLDER, a checkout (by default this one), a wheel is made and installed into a new
environment, with what it needs from pip's cache where that has it.  Then its command is run as a
user does, in the folder of its examples: a first ``rate``, a second one, a page, a list, and for
each of the editions a first ``history`` of 25,000 games, in a process of its own that begins
with an empty cache of compiled code, the same once more at once, while another process may still
compile for both, and once more half a minute later.

Printed are the seconds by the clock and, in brackets, those of the processor; ``–`` where the
version cannot do it, with its last words below the table.  The versions take turns, wait by wait.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.history import ROOT, data
from benchmarks.measure import inputs

BOOKS = ("fide-2024", "egf-2021", "uscf-2025", "iccf-2009")
GAMES, PLAYERS = 25_000, 1000
COMPILED_AFTER = 30  # seconds, by which another process has compiled what a first history began
_REPORTS = "examples/reports"
_RATE = (
    "rate", f"{_REPORTS}/spring-open.trf", "--rulebook", "fide-2009",
    "--players", f"{_REPORTS}/spring-open-players.csv",
)  # fmt: skip
_LIST = (
    "list", f"{_REPORTS}/correspondence-standings.csv",
    "--rulebook", "iecg-1999", "--date", "1999-07-10",
)  # fmt: skip


@dataclass(frozen=True)
class Took:
    """How long one waited."""

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.clock:.2f} s ({self.processor:.2f})"


@dataclass
class Version:
    """A checkout, and the environment that its wheel is installed into."""

    name: str
    folder: Path
    place: Path
    said: list[str] = field(default_factory=list)

    def waits(self, books: Sequence[str], games: dict[str, Path]) -> Iterator[tuple[str, str]]:
        """Each wait, and how long it took."""
        yield "install from a wheel", self._install()
        yield "first `rate`", self._ratingbook(*_RATE)
        yield "second `rate`", self._ratingbook(*_RATE)
        yield "first page", self._ratingbook(*_RATE, "--format", "html")
        yield "first list", self._ratingbook(*_LIST)
        for book in books:
            file, cache = games[book], self.place / f"cache-{book}"
            cache.mkdir()
            more = [word for name, path in inputs(file).items() for word in (f"--{name}", path)]
            for which, after in (("first", 0), ("next", 0), ("later", COMPILED_AFTER)):
                time.sleep(after)
                out = str(self.place / f"{which}-{book}")
                asked = ("history", file, "--rulebook", book, "--out", out, *more)
                told = self._ratingbook(*map(str, asked), cache=cache)
                yield f"{which} `history`, `{book}`", told

    def _install(self) -> str:
        """Install the wheel; to make it is not counted."""
        python, wheels = self.place / "env" / "bin" / "python", self.place / "wheels"
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
        build = (*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, self.folder)
        self._took(build)
        (wheel,) = wheels.glob("*.whl")
        made = self._took((sys.executable, "-m", "venv", python.parents[1]))
        own = (python, *pip[1:], "install", wheel)
        took = self._took(own)
        assert made is not None, self.said
        assert took is not None, self.said
        return str(Took(made.clock + took.clock, made.processor + took.processor))

    def _ratingbook(self, *asked: str, cache: Path | None = None) -> str:
        kept = cache or self.place / "cache"
        took = self._took((self.place / "env" / "bin" / "ratingbook", *asked), kept)
        return "–" if took is None else str(took)

    def _took(self, command: Sequence[str | Path], cache: Path | None = None) -> Took | None:
        """How long a command took; None, and its words are kept, where it failed."""
        # Nothing of the environment that measures may be found by that which is measured.
        known = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            [*map(str, command)], cwd=self.folder, capture_output=True, text=True,
            env=known | ({"RATINGBOOK_CACHE": str(cache)} if cache else {}), check=False,
        )  # fmt: skip
        clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            last = (done.stderr or done.stdout).strip()[-300:]
            self.said.append(f"{self.name}: {' '.join(map(str, command))}: {last}")
            return None
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Took(clock, processor)


def main() -> None:
    """Let the versions take turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="*", metavar="NAME=FOLDER", default=[f"now={ROOT}"])
    parser.add_argument("--books", nargs="+", default=BOOKS)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    games = {
        book: data(asked.folder, GAMES, "sections" if book.startswith("uscf") else "events",
                   PLAYERS).resolve()
        for book in asked.books
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as place:
        versions = []
        for version in asked.versions:
            name, _, folder = version.partition("=")
            (own := Path(place) / name).mkdir()
            versions.append(Version(name, Path(folder).resolve(), own))
        load = os.getloadavg()[0]
        print("| |", " | ".join(each.name for each in versions), "|")
        print("|---|" + "---|" * len(versions), flush=True)
        turns = [each.waits(asked.books, games) for each in versions]
        for row in zip(*turns, strict=True):
            print("|", row[0][0], "|", " | ".join(took for _, took in row), "|", flush=True)
        print(f"\nLoad of the machine {load:.1f} before, {os.getloadavg()[0]:.1f} after.")
        for each in versions:
            print("\n".join(each.said))


if __name__ == "__main__":
    main()
