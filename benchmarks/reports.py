"""How fast reports are: ``python -m benchmarks.reports [--reports 1000] [--turns 3] [BOOK …]``.

Invented Swiss events as arbiters' files (TRF) of 30 players and 9 rounds, with a players file,
are rated

* in one call of the library, as ``ratingbook.rate`` of a list of paths, after one report that is
  not counted;
* in one call of the command, with ``--format jsonl``;
* one by one: a whole process of the command for one report, beside a bare Python.

An event of 300 players and 9 rounds is rated and made a page (``--format html``) by the command.
All are seconds of the processor, the least of the turns, with modules that are translated
already, as an installation keeps them.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import ratingbook as rb
from ratingbook.model import Entry, Event, Game, Report, Result

BOOKS = ("fide-2024", "fide-2009", "uscf-2025", "iccf-2009", "elo")
PLAYERS, ROUNDS, MANY = 30, 9, 300
_RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", default=BOOKS)
    parser.add_argument("--reports", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = [event_file(folder, number, PLAYERS) for number in range(asked.reports)]
        large = event_file(folder, asked.reports, MANY)
        players = players_file(folder)
        bare = least(asked.turns, [sys.executable, "-c", "pass"])
        print(f"a bare Python: {bare:.3f} s")
        print(f"{'':12}{'library':>10}{'command':>10}{'one':>10}{'page of 300':>14}")
        print(f"{'':12}{'reports/s':>10}{'reports/s':>10}{'s':>10}{'s':>14}")
        for book in asked.books:
            in_library = min(library(files, book, players) for _ in range(asked.turns))
            rate = [*command(), "rate", "--rulebook", book, "--players", str(players), "--format"]
            many = least(asked.turns, [*rate, "jsonl", *map(str, files)])
            one = least(asked.turns, [*rate, "table", str(files[0])])
            page = least(asked.turns, [*rate, "html", str(large)])
            print(
                f"{book:12}{len(files) / in_library:10.0f}{len(files) / many:10.0f}"
                f"{one:10.3f}{page:14.3f}",
                flush=True,
            )


def command() -> list[str]:
    """The command, of this environment."""
    return [str(Path(sys.executable).with_name("ratingbook"))]


def players_file(folder: Path) -> Path:
    """Ratings and games of all players that the events have."""
    chance = random.Random(1)
    path = folder / "players.csv"
    rows = [f"{n},{chance.randrange(1200, 2400)},{chance.randrange(40, 900)}"
            for n in range(1, MANY + 1)]  # fmt: skip
    path.write_text("\n".join(["id,rating,games", *rows, ""]), encoding="utf-8")
    return path


def event_file(folder: Path, number: int, players: int) -> Path:
    """An event of invented games, as a tournament file."""
    chance = random.Random(number)
    start = date(2024, 3, 2) + timedelta(number % 25)
    days = [start + timedelta(day) for day in range(ROUNDS)]
    team = [str(each) for each in range(1, players + 1)]
    entries = tuple(
        Entry(each, f"Player{each}, Invented", federation="IRL", sex=chance.choice("mw"),
              birth_date=date(chance.randrange(1940, 2012), 1, 1), rank=rank)
        for rank, each in enumerate(team, 1)
    )  # fmt: skip
    games = []
    for round_, day in enumerate(days, 1):
        chance.shuffle(team)
        games += [
            Game(white, black, chance.choice(_RESULTS), round=round_, start=day, end=day)
            for white, black in zip(team[::2], team[1::2], strict=True)
        ]
    event = Event(
        f"Event {number}", "Exampleton", "IRL", start, days[-1], "swiss", rounds=ROUNDS, class_="A"
    )
    path = folder / f"event-{number}.trf"
    rb.write(Report(event, entries, tuple(games)), path)
    return path


def library(files: Sequence[Path], book: str, players: Path) -> float:
    """Seconds of the processor for all of them in one call."""
    rb.rate(files[0], book, players=[players])
    begun = time.process_time()
    rated = rb.rate([*files], book, players=[players])
    taken = time.process_time() - begun
    # A book that rates game by game has a row of each day.
    assert [len({x.row.id for x in each}) for each in rated] == [PLAYERS] * len(files)
    return taken


def least(turns: int, command: Sequence[str]) -> float:
    """Seconds of the processor that a process takes, the least of so many."""
    return min(_seconds(command) for _ in range(turns))


def _seconds(command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    kept = {name: said for name, said in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=kept
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
