"""Random files of games, players, events and entries: rated with numbers that add up, or refused.

``python -m tools.inputs [--inputs 5000] [--seed 1]``

Most values are right, some are blank, misspelt, out of range or of another kind, some rows
are cut, repeated or quoted amiss.  Of an input that is accepted every row of games is rated or
left out with a finding, and every half of a rated game is in a row of changes or counted as
passed over.  An input that is refused has a finding that says why.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import traceback
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ratingbook.checks.histories import tables
from ratingbook.engine.history.columns import GameColumns
from ratingbook.engine.history.fit import check_history
from ratingbook.engine.history.intake import read_history
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.loops.arrays import BLACK_RATED, WHITE_RATED
from ratingbook.rules import registry
from tools import small_runs

BOOKS = (*small_runs.BOOKS, "egf-2021")
"""The last one reads entries."""

_ODD = ("", " ", "*", "x", "-1", "1e9", "NaN", "2010-13-01", "0", "½", "ß 漢", "=1+1", "'", "007")


def files(book: str, folder: Path, chance: random.Random) -> tuple[dict[str, Path], int]:
    """The files of an input, and the rows of its games."""
    made = tables(
        _program(book).book, chance.randrange(1000), games=chance.randrange(1, 60), players=14
    )
    share = chance.choice([0, 0, 0.002, 0.02])
    found, rows = {}, 0
    for role, table in made.items():
        if role != "games" and chance.random() < 0.3:
            continue
        lines = [_texts(row) for row in table.to_pylist()]
        for line in lines:
            for name in line:
                if chance.random() < share:
                    line[name] = chance.choice(_ODD)
            if role == "games" and chance.random() < 0.05:
                line["score"] = ""
        if role == "games":
            chance.shuffle(lines)
            lines += chance.sample(lines, min(len(lines), chance.choice([0, 0, 0, 2])))
            rows = len(lines)
        path = folder / f"{role}.csv"
        with path.open("w", newline="", encoding=chance.choice(["utf-8", "utf-8-sig"])) as file:
            writer = csv.DictWriter(
                file, table.column_names, delimiter=chance.choice([",", ";", "\t"]),
                lineterminator=chance.choice(["\n", "\r\n"]),
            )  # fmt: skip
            writer.writeheader()
            writer.writerows(lines)
        if chance.random() < share:
            _spoilt(path, chance)
        found[role] = path
    return found, rows


def _texts(row: dict[str, Any]) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in row.items()}


def _spoilt(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 2])):
        at = chance.randrange(len(data))
        data[at : at + 1] = chance.choice([b'"', b"", b"\n", b"\0", b"\xff", b","])
    path.write_bytes(data)


@cache
def _program(book: str) -> Program:
    return Program(registry.load(book), compiled=False)


def outcome(book: str, found: dict[str, Path], rows: int) -> str:
    """What becomes of an input."""
    beside: dict[str, Any] = {role: path for role, path in found.items() if role != "games"}
    given, findings = read_history(found["games"], **beside)
    if given is not None:
        findings.extend(check_history(given, _program(book).book))
    if given is None or findings.refused:
        return "refused" if findings.refused else "refused without a finding"
    if len(given.games) + len(given.left_out) != rows:
        # Only a byte that was spoilt may have made a line more or less.
        return "lost"
    run = Run(given, _program(book), assume=1500)
    halves = sum(int(some.games.sum()) for some in run.batches())
    if len(given.left_out) and not any(each.code == "history.unfinished" for each in findings):
        return "left out in silence"
    is_right = halves + run.state.passed_over == _halves(given.games)
    return "rated" if is_right else "halves do not add up"


def _halves(games: GameColumns) -> int:
    """The halves of games that are to be rated by the file."""
    if games.rated is None:
        return 2 * len(games)
    return int(sum(np.count_nonzero(games.rated & bit) for bit in (WHITE_RATED, BLACK_RATED)))


def main() -> int:
    """Try and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    counted: Counter[tuple[str, str]] = Counter()
    for number in range(asked.inputs):
        chance = random.Random(f"{asked.seed} {number}")
        book = BOOKS[number % len(BOOKS)]
        with TemporaryDirectory() as folder:
            try:
                found = outcome(book, *files(book, Path(folder), chance))
            except Exception:
                traceback.print_exc()
                print(f"case {number} with seed {asked.seed}", file=sys.stderr)
                found = "traceback"
        counted[book, found] += 1
    kinds = sorted({kind for _, kind in counted} | {"rated", "refused", "lost", "traceback"})
    print(f"| rule book | {' | '.join(kinds)} |")
    print("|---" * (len(kinds) + 1) + "|")
    for book in BOOKS:
        print(f"| {book} | {' | '.join(str(counted[book, kind]) for kind in kinds)} |")
    return int(bool({kind for _, kind in counted} - {"rated", "refused"}))


if __name__ == "__main__":
    sys.exit(main())
