"""The engine against its goals, its limit and its peers: ``make bench``.

``python -m benchmarks.history [--folder build/bench] [--games 20000000] [--only PART …]``

Data come from :mod:`benchmarks.generate` (Parquet in plain encoding, not compressed) and
are made once.  Each figure is measured in a process of its own; peers run on the first
million of the same games.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("editions", "growth", "corrections", "explanations", "peers", "spark")
MILLION = 1_000_000


@dataclass(frozen=True)
class Goal:
    """What an edition has to reach, in million games a second."""

    book: str
    shape: str
    kernel: float
    file: float | None = None
    changes: float | None = None


GOALS = (
    Goal("fide-2009", "events", 40, 10, 3),
    Goal("egf-2013", "events", 20),
    Goal("iccf-2009", "events", 10),
    Goal("iecg-1999", "events", 10),
    Goal("uscf-2011", "sections", 3),
)


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench")
    parser.add_argument("--games", type=int, default=20 * MILLION)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores; one is used, "
        f"Python {platform.python_version()}"
    )
    if "editions" in asked.only:
        editions(asked.folder, asked.games)
    if "growth" in asked.only:
        growth(asked.folder, asked.games)
    if "corrections" in asked.only:
        corrections(asked.folder)
    if "explanations" in asked.only:
        explanations(asked.folder, asked.games)
    if "peers" in asked.only:
        peers(asked.folder)
    if "spark" in asked.only:
        spark(asked.folder)


def data(folder: Path, games: int, shape: str, players: int | None = None) -> Path:
    """Generated games, else 100 for each player, made if they are not there yet."""
    players = players or games // 100
    path = folder / f"{shape}-{games}-{players}.parquet"
    if not path.exists():
        print(f"making {path} …", flush=True)
        part = path.with_suffix(".part.parquet")
        run(
            "benchmarks.generate",
            str(part),
            "--games",
            str(games),
            "--players",
            str(players),
            "--shape",
            shape,
        )
        part.with_name(f"{part.stem}.players.parquet").rename(
            path.with_name(f"{path.stem}.players.parquet")
        )
        part.rename(path)
    levels = path.with_name(f"{path.stem}.events.parquet")
    if not levels.exists():
        count = pq.read_table(path, columns=["event"])["event"].to_numpy().max() + 1
        # A level for players without a rating, which correspondence chess asks of an event.
        pq.write_table(
            pa.table(
                {"event": pa.array(range(count), pa.int32()), "level": pa.repeat(1800.0, count)}
            ),
            levels,
        )
    return path


def run(module: str, *arguments: str) -> str:
    """A module of this package in a process of its own; what it prints goes through."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, check=True, text=True
    )
    return done.stdout or ""


def measured(*arguments: str) -> dict[str, Any]:
    """One figure of :mod:`benchmarks.measure`."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.measure", *arguments],
        cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    made: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return made


def in_millions(number: float) -> str:
    """Games a second, in millions."""
    return f"{number / MILLION:.1f}"


def against(number: float, goal: float | None) -> str:
    """A speed, with the goal where there is one."""
    if goal is None:
        return in_millions(number)
    met = "reached" if number >= goal * MILLION else "MISSED"
    return f"{in_millions(number)} (goal {goal:g}: {met})"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table as text."""
    widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    print(f"\n{title}")
    for row in (head, tuple("-" * width for width in widths), *rows):
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
    sys.stdout.flush()


def editions(folder: Path, games: int) -> None:
    """Every federation: in memory, from the file, with changes; against its parts; memory."""
    rows = []
    for goal in GOALS:
        path = str(data(folder, games, goal.shape))
        kernel = measured("kernel", goal.book, path)
        file = measured("file", goal.book, path)
        changes = measured("file", goal.book, path, "--changes")
        apart = file["read"] + kernel["seconds"]
        rows.append(
            (
                goal.book,
                against(kernel["rate"], goal.kernel),
                against(file["rate"], goal.file),
                against(changes["rate"], goal.changes),
                f"{file['seconds'] / apart:.2f}",
                f"{changes['seconds'] / apart:.2f}",
                f"{file['ratio']:.2f}",
                f"{changes['ratio']:.2f}",
            )
        )
    table(
        f"Editions, {games:,} games, {games // 100:,} players, 120 periods: million games a second",
        (
            "edition",
            "kernel",
            "file to ratings",
            "with changes",
            "file / (read_table + kernel)",
            "with changes",
            "memory / columns",
            "with changes",
        ),
        rows,
    )


def growth(folder: Path, games: int) -> None:
    """Whether twice the games take twice the time, of the same players and of twice as many."""
    rows = []
    for count in (games // 20, games // 4, games, 5 * games):
        row = [f"{count:,}"]
        for players in (games // 100, count // 100):
            path = data(folder, count, "events", players)
            kernel = measured("kernel", "fide-2009", str(path))
            row += [f"{players:,}", f"{kernel['seconds']:.3f}", in_millions(kernel["rate"])]
        rows.append(tuple(row))
    columns = ("players", "seconds", "million games/s")
    table("Growth, fide-2009 kernel", ("games", *columns, *columns), rows)


def corrections(folder: Path) -> None:
    """One changed result in the middle of a million games."""
    rows = []
    for goal in GOALS:
        path = str(data(folder, MILLION, goal.shape))
        made = measured("correct", goal.book, path)
        rows.append(
            (
                goal.book,
                f"{made['batches']:,}",
                f"{made['correction']:.3f}",
                f"{made['worst']:.3f}",
                f"{made['replay']:.3f}",
                f"{made['correction'] / made['replay']:.2f}",
                f"{made['reached'][0]:,} to {made['reached'][-1]:,}",
            )
        )
    table(
        "One changed result in the middle of 1,000,000 games",
        ("edition", "batches", "seconds", "worst", "full replay", "ratio", "batches replayed"),
        rows,
    )


def explanations(folder: Path, games: int) -> None:
    """One change in the middle, asked for in memory and by the command."""
    rows = []
    for goal in GOALS:
        made = measured("explain", goal.book, str(data(folder, games, goal.shape)))
        rows.append((goal.book, *(f"{made[name]:.2f}" for name in ("inside", "command", "starts"))))
    table(
        f"One change in the middle of {games:,} games is explained, in seconds",
        ("edition", "in memory", "command on a folder", "of that Python and its libraries"),
        rows,
    )


def peers(folder: Path) -> None:
    """Other libraries on the same file, and how far we are ahead or behind."""
    path = data(folder, MILLION, "events")
    ours = {
        "plain Elo, game by game": measured("kernel", "elo", str(path))["rate"],
        "fide-2009": measured("kernel", "fide-2009", str(path))["rate"],
    }
    rows: list[Sequence[str]] = [
        (f"ratingbook: {name}", in_millions(rate), "", "") for name, rate in ours.items()
    ]
    elo, fide = ours.values()
    for peer in _lines(path):
        if "skipped" in peer:
            rows.append((peer["peer"], "-", "", peer["skipped"].splitlines()[0][:70]))
            continue
        rate = peer["games_per_second"]
        digits = 2 if max(elo, fide) < rate else 1
        ahead = f"{elo / rate:.{digits}f} × / {fide / rate:.{digits}f} ×"
        rows.append((peer["peer"], in_millions(rate), ahead, peer["what"]))
    table(
        "Peers, 1,000,000 games, 10,000 players",
        ("what", "million games/s", "our Elo / our FIDE ahead", "what it does"),
        rows,
    )


def spark(folder: Path) -> None:
    """A history on two local workers, period by period, beside the local run."""
    path = folder / "spark.parquet"
    if not path.exists():
        part = folder / "spark.part.parquet"
        run("benchmarks.generate", str(part), "--games", str(120 * MILLION), "--players",
            "400000", "--periods", "60")  # fmt: skip
        (folder / "spark.part.players.parquet").rename(folder / "spark.players.parquet")
        part.rename(path)
    masters = ("--master", "local[2]", "--master", "local-cluster[2,1,2048]")
    run("benchmarks.spark", str(path), *masters)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.peers", str(path)],
        cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


if __name__ == "__main__":
    main()
