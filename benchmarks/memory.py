"""How much memory the commands take that read large files, and how long.

``python -m benchmarks.memory [--megabytes 100] [--only pgn]`` makes a file of each format and
prints a line for each command.  Nothing may take more than 500 MB for a file of 100 MB, the check
of PGN not more than 200 MB.  The players and games are made up.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from benchmarks.damage import sound
from benchmarks.formats import pgn_game

RATINGBOOK = (sys.executable, "-c", "from ratingbook.cli import main; main()")
REPORT = "examples/reports/spring-open.trf"
LIMIT = {("pgn", "check"): 200}
"""Megabytes; of the others 500.  A history compiles, and keeps the columns of its games."""
USUAL_LIMIT = 500
HISTORIES = (
    ("history", "{path}", "--rulebook", "elo", "--out", "{out}"),
    # Without a list nobody would ever have a rating: everybody begins with one.
    ("history", "{path}", "--rulebook", "fide", "--assume", "1500", "--out", "{out}"),
    ("history", "{path}", "--rulebook", "uscf", "--out", "{out}"),
)
"""A book that rates game by game, one by periods, one by events with carried results."""
COMMANDS = {
    "txt": (
        ("check", "{path}"),
        ("rate", REPORT, "--rulebook", "fide", "--players", "{path}"),
        ("convert", "{path}", "{out}.xml"),
    ),
    "xml": (
        ("check", "{path}"),
        ("rate", REPORT, "--rulebook", "fide", "--players", "{path}"),
        ("convert", "{path}", "{out}.txt"),
    ),
    "pgn": (("check", "{path}"), *HISTORIES),
    "csv": (("check", "{path}"), *HISTORIES),
    "ndjson": HISTORIES,
    "trf": (("check", "{path}"), ("rate", "{path}", "--rulebook", "fide")),
    "json": (("check", "{path}"), ("rate", "{path}", "--rulebook", "fide")),
}  # fmt: skip


def make_csv(path: Path, size: int) -> None:
    """Games of a history."""
    results = ("1", "0.5", "0")
    with path.open("w") as file:
        done = file.write("date,event,round,white,black,score\n")
        n = 0
        while done < size:
            month = 1 + n // 300_000 % 12
            done += file.write(
                f"2024-{month:02}-{1 + n % 28:02},e{n // 300},{1 + n % 9},{n * 7 % 20_000},"
                f"{n * 7 % 20_000 + 1 + n % 500},{results[n % 3]}\n"
            )
            n += 1


def make_pgn(path: Path, size: int) -> None:
    """Games as lichess exports them, a quarter of them with moves and clocks."""
    with path.open("w") as file:
        n = done = 0
        while done < size:
            done += file.write(pgn_game(n))
            n += 1


def make_ndjson(path: Path, size: int) -> None:
    """Games as lichess exports them, one in each line."""
    with path.open("w") as file:
        n = done = 0
        while done < size:
            moment = 1_704_067_200_000 + n * 60_000
            users = (n % 5000, 5000 + n % 4999)
            players = {
                side: {"user": {"name": f"player{user}", "id": f"player{user}"}, "rating": 1800}
                for side, user in zip(("white", "black"), users, strict=True)
            }
            game = {
                "id": f"{n:08x}", "rated": True, "variant": "standard", "speed": "blitz",
                "perf": "blitz", "createdAt": moment, "lastMoveAt": moment, "status": "mate",
                "players": players, "winner": ("white", "black")[n % 2],
                "moves": "e4 e5 Nf3 Nc6 " * (40 if n % 4 == 0 else 2),
            }  # fmt: skip
            done += file.write(json.dumps(game) + "\n")
            n += 1


def make_trf(path: Path, size: int) -> None:
    """One event of very many players: nobody has such a one, but a file may be one."""
    rounds = 40
    players = size // (90 + 10 * rounds) // 2 * 2
    with path.open("w") as file:
        file.write("012 Large Open\n042 2024/01/01\n052 2024/01/20\n122 90 min + 30 sec/move\n")
        for rank in range(1, players + 1):
            line = f"001 {rank:>4}      {f'Player{rank}, Some':<33} {1500 + rank % 900:>4} AUT"
            line += f" {10_000_000 + rank:>11}            {rounds / 2:>4.1f} {rank:>4}"
            # Each round pairs a number with its neighbour, and both draw.
            other = rank + 1 if rank % 2 else rank - 1
            cells = (f"  {other:>4} {'wb'[(rank + n) % 2]} =" for n in range(rounds))
            file.write(line + "".join(cells) + "\n")


def make_json(path: Path, size: int) -> None:
    """A report document of one event."""
    games = size // 95
    with path.open("w") as file:
        file.write('{"ratingbook": "report/1", "event": {"start": "2024-01-01"}, "players": [\n')
        many = games // 20
        file.write(",\n".join(
            json.dumps({"id": str(n), "name": f"Player {n}",
                        "standing": {"rating": 1500 + n % 900, "games": 40}})
            for n in range(many)
        ))  # fmt: skip
        file.write('\n], "games": [\n')
        for n in range(games):
            white, black = n % many, (n + 1 + n // many) % many
            row = {"round": 1 + n // many, "white": str(white), "black": str(black),
                   "result": "1/2-1/2"}  # fmt: skip
            file.write(json.dumps(row) + (",\n" if n < games - 1 else "\n"))
        file.write("]}\n")


MAKERS: dict[str, Callable[[Path, int], None]] = {
    "csv": make_csv, "pgn": make_pgn, "ndjson": make_ndjson, "trf": make_trf, "json": make_json,
}  # fmt: skip


def made(folder: Path, kind: str, megabytes: int) -> Path:
    """A file of that format and about that size."""
    if kind not in MAKERS:
        return sound(folder, kind, megabytes)
    path = folder / f"large.{kind}"
    MAKERS[kind](path, megabytes * 1_000_000)
    return path


def run(command: tuple[str, ...]) -> tuple[float, float, int]:
    """Seconds of the processor, megabytes at the most, and the exit status of a command."""
    with subprocess.Popen(
        (*RATINGBOOK, *command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode


def main() -> int:
    """The command; 1 where something takes more memory than it may."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--only", choices=COMMANDS, nargs="*", default=list(COMMANDS))
    asked = parser.parse_args()
    begun = time.monotonic()
    exceeded = 0
    print(
        f"{'file':8}{'MB':>7}  {'command':14}{'s CPU':>8}{'memory MB':>11}{'limit':>7}{'exit':>6}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for kind in asked.only:
            path = made(Path(folder), kind, asked.megabytes)
            for command in COMMANDS[kind]:
                books = [book for flag, book in pairwise(command) if flag == "--rulebook"]
                name = " ".join((command[0], *books))
                out = Path(folder) / f"out-{kind}-{name.replace(' ', '-')}"
                words = tuple(word.format(path=path, out=out) for word in command)
                limit = LIMIT.get((kind, command[0]), USUAL_LIMIT)
                seconds, memory, status = run(words)
                exceeded += memory > limit
                line = f"{kind:8}{path.stat().st_size / 1e6:7.1f}  {name:14}{seconds:8.1f}"
                print(f"{line}{memory:11.0f}{limit:7}{status:6}", flush=True)
            path.unlink()
    print(f"in {time.monotonic() - begun:.0f} s; {exceeded} above their limits")
    return int(exceeded > 0)


if __name__ == "__main__":
    sys.exit(main())
