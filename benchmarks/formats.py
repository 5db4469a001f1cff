"""How fast files are read, and in how much memory, beside the libraries that read such files.

``python -m benchmarks.formats [--games 100000] [--turns 1]`` makes files and prints a table.  Each
reading has a process of its own; of several turns the least time counts.  The libraries of
``formats.txt`` are measured where they are installed: in an environment of their own, whose
``site-packages`` stands in ``PYTHONPATH`` behind the project's.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

GAME = """[Event "Rated Blitz game"]
[Site "https://lichess.org/{n:08x}"]
[Date "2024.01.{day:02}"]
[White "player{white}"]
[Black "player{black}"]
[Result "{result}"]
[UTCDate "2024.01.{day:02}"]
[UTCTime "12:00:00"]
[WhiteElo "1800"]
[BlackElo "1750"]
[TimeControl "180+2"]
[Termination "Normal"]

{moves} {result}

"""
MOVES = " ".join(
    f"{n}. Nf3 {{ [%eval 0.1{n % 10}] [%clk 0:03:00] }} {n}... Nf6 {{ [%eval 0.2] [%clk 0:02:58] }}"
    for n in range(1, 35)
)
RESULTS = ("1-0", "0-1", "1/2-1/2")
READINGS = {
    "PGN, as a history": ("pgn", "", (
        "from ratingbook.engine.history.intake.game_files import read_pgn\n"
        "names = ['date', 'white', 'black', 'score', 'rated', 'status']\n"
        "for batch in read_pgn(path, names): pass"
    )),
    "PGN, python-chess read_headers": ("pgn", "chess", (
        "import chess.pgn\nwith open(path) as f:\n    while chess.pgn.read_headers(f): pass"
    )),
    "CSV of games, as a history": ("csv", "", (
        "from ratingbook.engine.history.intake import read_history\nread_history(path)"
    )),
    "CSV of games, pyarrow": ("csv", "pyarrow", "import pyarrow.csv as c\nc.read_csv(path)"),
    "FIDE XML, check": ("xml", "", (
        "from ratingbook.formats.lists import check_list\ncheck_list(path)"
    )),
    "FIDE XML, lxml iterparse": ("xml", "lxml", (
        "from lxml import etree\n"
        "for _, e in etree.iterparse(str(path), tag='player'):\n"
        "    [c.text for c in e]; e.clear()\n"
        "    while e.getprevious() is not None: del e.getparent()[0]"
    )),
    "FIDE TXT, check": ("txt", "", (
        "from ratingbook.formats.lists import check_list\ncheck_list(path)"
    )),
    "FIDE TXT with one bad row in 200, check": ("bad", "", (
        "from ratingbook.formats.lists import check_list\ncheck_list(path)"
    )),
    "dBase III of players": ("dbf", "", (
        "from ratingbook.formats.chess.swissperfect import _records\n"
        "_records({'.trn': path.read_bytes()}, '.trn', 'ascii')"
    )),
    "dBase III of players, dbf": ("dbf", "dbf", (
        "import dbf\nt = dbf.Table(str(path)).open(dbf.READ_ONLY)\n"
        "for r in t: [r[c] for c in t.field_names]"
    )),
}  # fmt: skip
"""What is read → the file, the library that is needed, and the code."""


def pgn_game(n: int) -> str:
    """A game as lichess exports it; every fourth has moves and clocks."""
    said = {"day": 1 + n % 28, "white": n % 5000, "black": 5000 + n % 4999}
    moves = MOVES if n % 4 == 0 else "1. e4"
    return GAME.format(n=n, **said, result=RESULTS[n % 3], moves=moves)


def files(folder: Path, games: int) -> Iterator[tuple[str, Path]]:
    """The files that are read."""
    from ratingbook.formats.lists import FidePlayer, Rated, write_fide_txt, write_fide_xml
    from ratingbook.formats.uschess.report_2c.dbase import dbase_file

    path = folder / "games.pgn"
    with path.open("w") as file:
        file.writelines(map(pgn_game, range(games)))
    yield "pgn", path
    path = folder / "games.csv"
    with path.open("w") as file:
        file.write("date,white,black,score\n")
        for n in range(games * 5):
            file.write(f"2024-01-{1 + n % 28:02},p{n % 5000},q{n % 4999},{n % 3 / 2:g}\n")
    yield "csv", path
    players = [
        FidePlayer(str(100000 + n), f"Nobody, Player {n}", "AUT", "M", standard=Rated(1800, 3, 20),
                   birth_year=1980)
        for n in range(games)
    ]  # fmt: skip
    for name, write in (("xml", write_fide_xml), ("txt", write_fide_txt)):
        path = folder / f"list.{name}"
        with path.open("wb") as out:
            write(iter(players), out)
        yield name, path
    lines = path.read_text().splitlines(keepends=True)
    for at in range(1, len(lines), 200):
        lines[at] = lines[at][:110] + " ???? " + lines[at][116:]
    path = folder / "damaged.txt"
    path.write_text("".join(lines))
    yield "bad", path
    columns = {"ID": 6, "SURNAME": 25, "FIRSTNAME": 25}
    rows = [{"ID": str(n), "SURNAME": "Nobody", "FIRSTNAME": "Ann"} for n in range(games // 4)]
    path = folder / "players.dbf"
    path.write_bytes(dbase_file(columns, rows, None))
    yield "dbf", path


def measured(code: str, path: Path) -> tuple[float, int]:
    """Seconds of the processor, and the most memory in MB, without those of an empty process."""
    program = (
        "import sys, resource, time\nfrom pathlib import Path\npath = Path(sys.argv[1])\n"
        f"{code}\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        # What getrusage tells of memory is at least what the process had that began this one.
        "status = Path('/proc/self/status').read_text()\n"
        "peak = int(status.partition('VmHWM:')[2].split()[0]) // 1024\n"
        "print(used.ru_utime + used.ru_stime, peak)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    seconds, memory = done.stdout.split()[-2:]
    return float(seconds), int(memory)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=1)
    asked = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        made = dict(files(Path(folder), asked.games))
        print(f"{'':42}{'MB':>8}{'s CPU':>8}{'MB/s':>8}{'memory MB':>11}")
        found: dict[str, list[tuple[float, int]]] = {}
        for _ in range(asked.turns):
            for name, (file, library, code) in READINGS.items():
                if not library or find_spec(library) is not None:
                    found.setdefault(name, []).append(measured(code, made[file]))
        for name, (file, library, _) in READINGS.items():
            if name not in found:
                print(f"{name:42} ({library} is not installed)")
                continue
            size = made[file].stat().st_size / 1e6
            seconds, memory = min(found[name])
            print(f"{name:42}{size:8.1f}{seconds:8.2f}{size / seconds:8.1f}{memory:11}", flush=True)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"in {time.monotonic() - begun:.0f} s; making the files took up to {own} MB")


if __name__ == "__main__":
    main()
