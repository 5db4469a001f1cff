"""Where people wait, in two versions, in one table: ``make bench BEFORE=3f8fad6``.

``python -m benchmarks.beside COMMIT|FOLDER [--games 20000000] [--turns 3] [--only WORD …]``

The commands of a commit of this repository, or of another checkout, and those of this one are
run in turns, each in a process of its own, with the libraries of this environment: first
histories with an empty cache of compiled code, then histories, reports and a page with what was
compiled before.  Nothing is asked of a version but its commands and the files that they write.

Printed are the least seconds by the clock of each and, in brackets, of the processor, the ratios of
both, the goal where there is one, and whether both say the same, to the last bit: the ratings of
histories, in all columns that both have, and those of reports.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from benchmarks.history import MILLION, ROOT, data
from benchmarks.measure import inputs
from benchmarks.reports import MANY, PLAYERS, event_file, players_file

FIRST = ("fide-2024", "uscf-2025", "egf-2021", "iccf-2009")
FEW, FEW_PLAYERS, REPORTS = 25_000, 1000, 1000
_BEGUN = "from ratingbook.cli import main; main()"
Said = dict[str, str]
"""What a command said, part by part: hashes."""


@dataclass(frozen=True)
class Wait:
    """Something that somebody waits for."""

    name: str
    command: tuple[str, ...]
    said: Callable[[Path, str], Said] | None = None
    """What it said, of its folder and output."""
    goal: str = ""
    first: bool = False
    """Whether nothing has been compiled before."""

    @property
    def writes(self) -> bool:
        """Whether it is a history, which writes a folder."""
        return self.command[0] == "history"


def main() -> None:
    """Let both versions take turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", metavar="COMMIT|FOLDER")
    parser.add_argument("--games", type=int, default=20 * MILLION)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[""], help="waits whose name has the word")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place = Path(name)
        versions = {"before": checkout(asked.before, place / "version"), "now": ROOT}
        print(f"| seconds | {asked.before} | now | ratio | goal | the same bits |")
        print("|---|---|---|---|---|---|", flush=True)
        for wait in waits(asked.folder.resolve(), asked.games, place):
            if any(word in wait.name for word in asked.only):
                print(row(wait, versions, asked.turns, place), flush=True)
        print(f"\nLoad of the machine {os.getloadavg()[0]:.1f} at the end.")


def checkout(version: str, place: Path) -> Path:
    """The folder of a version: a checkout, or a commit that is laid out."""
    if Path(version).is_dir():
        return Path(version).resolve()
    told = subprocess.run(
        ["git", "archive", version, "src"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    with tarfile.open(fileobj=io.BytesIO(told.stdout)) as files:
        files.extractall(place, filter="data")
    return place


def waits(folder: Path, games: int, place: Path) -> Iterator[Wait]:
    """All of them; what they are about is made when it is their turn."""
    for book in FIRST:
        path = data(folder, FEW, _shape(book), FEW_PLAYERS)
        name = f"first history of {FEW:,} games, `{book}`"
        yield Wait(name, history(book, path), of_history, "8", first=True)
    for book in ("fide-2009", "iccf-2009", "egf-2013", "fide"):
        path = data(folder, games, _shape(book))
        millions = games // MILLION
        yield Wait(f"{millions}M games, `{book}`", history(book, path, changes=False), of_history)
        yield Wait(f"{millions}M games, `{book}`, changes", history(book, path), of_history)
    book, path = "fide-2009", data(folder, games, "events")
    parts = overlapping(path, place)
    yield Wait("the same in two files that overlap, no changes",
               history(book, path, *parts, changes=False), of_history)  # fmt: skip
    texts = with_texts(path, folder / f"texts-{games // 10}.csv", games // 10)
    yield Wait("a tenth of it, CSV, ids are texts, no changes",
               history(book, path, texts, changes=False), of_history)  # fmt: skip
    files = [event_file(place, number, PLAYERS) for number in range(REPORTS)]
    known = str(players_file(place))
    rate = ("rate", "--rulebook", "fide-2024", "--players", known, "--format")
    yield Wait(f"{REPORTS:,} reports of {PLAYERS} players", (*rate, "jsonl", *map(str, files)),
               of_reports, "2.5")  # fmt: skip
    yield Wait(f"a report of {PLAYERS} players", (*rate, "table", str(files[0])), goal="0.2")
    large = event_file(place, REPORTS, MANY)
    yield Wait(f"the page of {MANY} players", (*rate, "html", str(large)), goal="0.5")


def _shape(book: str) -> str:
    return "sections" if book.startswith("uscf") else "events"


def history(book: str, beside: Path, *files: Path, changes: bool = True) -> tuple[str, ...]:
    """The command for games, with what lies beside them; ``files`` in their place."""
    more = [word for name, path in inputs(beside).items() for word in (f"--{name}", str(path))]
    rows = () if changes else ("--no-changes",)
    games = map(str, files or (beside,))
    return ("history", *games, "--rulebook", book, *more, *rows)


def overlapping(games: Path, place: Path) -> tuple[Path, Path]:
    """The games in two files, a third of each in both."""
    whole = pq.ParquetFile(games)
    groups, paths = whole.num_row_groups, (place / "one.parquet", place / "two.parquet")
    for path, which in zip(
        paths, (range(groups * 3 // 5), range(groups * 2 // 5, groups)), strict=True
    ):
        with pq.ParquetWriter(path, whole.schema_arrow, compression="none") as file:
            for group in which:
                file.write_table(whole.read_row_group(group))
    return paths


def with_texts(games: Path, path: Path, count: int) -> Path:
    """The first games with texts for ids, as CSV."""
    if not path.exists():
        table = pq.read_table(games).slice(0, count)
        for name in ("white", "black"):
            texts = pa.compute.binary_join_element_wise(
                "p", pa.compute.cast(table[name], pa.string()), ""
            )
            table = table.set_column(table.column_names.index(name), name, texts)
        pyarrow.csv.write_csv(table, path)
    return path


def row(wait: Wait, versions: dict[str, Path], turns: int, place: Path) -> str:
    """A wait in both versions, as a row of the table."""
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in versions}
    said: dict[str, Said] = {}
    # What is kept from run to run is there for all turns that count.
    for turn in range(turns if wait.first else turns + 1):
        for name, folder in versions.items():
            with tempfile.TemporaryDirectory(dir=place) as own:
                cache = Path(own) / "cache" if wait.first else place / f"cache-{name}"
                out = Path(own) / "out"
                command = [
                    *wait.command,
                    *(("--out", str(out)) if "history" in wait.command else ()),
                ]
                begun, used = time.perf_counter(), _processor()
                done = ran(command, folder, cache)
                seconds = (time.perf_counter() - begun, _processor() - used)
                if done.returncode:
                    return f"| {wait.name} | {name}: {done.stderr.strip()[-200:]} | | | | |"
                if wait.said and name not in said:
                    said[name] = wait.said(out, done.stdout)
            if wait.first or turn:
                took[name].append(seconds)
    least = [[min(each) for each in zip(*took[name], strict=True)] for name in versions]
    ratios = (now / before for before, now in zip(*least, strict=True))
    cells = (f"{clock:.2f} ({processor:.2f})" for clock, processor in (*least, ratios))
    same = _same(*said.values()) if said else ""
    return f"| {wait.name} | {' | '.join(cells)} | {wait.goal} | {same} |"


def _processor() -> float:
    """Seconds of the processor that the processes before took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ran(command: Sequence[str], folder: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    """A command of a version."""
    cache.mkdir(exist_ok=True)
    # What is installed has its byte code, and is not compiled anew at each start.
    known = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    own = {"PYTHONPATH": str(folder / "src"), "RATINGBOOK_CACHE": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", _BEGUN, *command],
        env=known | own, capture_output=True, text=True, check=False,
    )  # fmt: skip


def of_history(out: Path, _: str) -> Said:
    """The columns of the ratings."""
    table = pq.read_table(out / "ratings.parquet")
    table = table.sort_by(
        [(name, "ascending") for name in ("player", "pool") if name in table.column_names]
    )
    return {name: _hash(str(table[name].to_pylist())) for name in table.column_names}


def of_reports(_: Path, text: str) -> Said:
    """Everybody's rating after each report."""
    return {
        str(number): _hash(
            str([(each["id"], each["after"]) for each in json.loads(line)["players"]])
        )
        for number, line in enumerate(text.splitlines())
    }


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _same(before: Said, now: Said) -> str:
    both = before.keys() & now.keys()
    differ = sorted(name for name in both if before[name] != now[name])
    if differ or not both:
        return f"no: {', '.join(differ[:5]) or 'nothing in common'}"
    return "yes" if len(both) == len(before) == len(now) else f"yes, of {len(both)} in common"


if __name__ == "__main__":
    main()
