"""Damage to every file that is read back: the next run gives the right tables, or says no.

``python -m tools.flips [--flips 2000] [--seed 1]``

A bit is flipped, a byte changed, a block zeroed or the file cut, in a file of a folder that a
run has finished or was killed in.  The same command again has to give the tables of an
undisturbed run; whether it tells of the damage is counted, too (a file that is made anew in
any case is not read back, and so not told of).
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ratingbook.engine.history import HistoryRefused
from tools.faulty_disk import Killed, KilledDisk
from tools.small_runs import BOOKS, cases, differs, tables_of

_BLOCK = 4096


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes with some damage; never the same."""
    how = chance.choice(["bit", "bit", "byte", "block", "cut"])
    at = chance.randrange(len(data))
    if how == "bit":
        found = data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
    elif how == "byte":
        found = data[:at] + bytes([(data[at] + chance.randrange(1, 256)) % 256]) + data[at + 1 :]
    elif how == "block":
        begin = at - at % _BLOCK
        found = data[:begin] + bytes(len(data[begin : begin + _BLOCK])) + data[begin + _BLOCK :]
    else:
        found = data[:at]
    return found if found != data else data[:-1]


def outcomes(book: str, flips: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The file that was damaged, and what came of it."""
    case = cases(book)[1]
    with TemporaryDirectory() as name:
        work = Path(name)
        right = work / "right"
        case.now.run(right, KilledDisk())
        tables = tables_of(right)
        operations = KilledDisk()
        case.now.run(work / "counted", operations)
        folders = [right]
        for share in (2, 3):
            killed = work / f"killed-{share}"
            with suppress(Killed):
                case.now.run(killed, KilledDisk(operations.done * share // 4))
            folders.append(killed)
        for _ in range(flips):
            folder = work / "flipped"
            shutil.rmtree(folder, ignore_errors=True)
            # As often as not in a copy that has files where there were links.
            shutil.copytree(chance.choice(folders), folder, symlinks=chance.random() < 0.5)
            files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
            path = chance.choice([path for path in files if path.stat().st_size])
            path.write_bytes(damaged(path.read_bytes(), chance))
            try:
                written = case.now.run(folder, KilledDisk())
            except HistoryRefused:
                yield path.name, "refused"
            except Exception:
                traceback.print_exc()
                yield path.name, "traceback"
            else:
                wrong = differs(folder, tables)
                told = "told, right" if len(written.told) else "right"
                yield path.name, "wrong" if wrong else told


def main() -> int:
    """Damage and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    counted: Counter[tuple[str, str]] = Counter()
    for book in BOOKS:
        chance = random.Random(f"{asked.seed} {book}")
        for name, kind in outcomes(book, -(-asked.flips // len(BOOKS)), chance):
            counted[re.sub(r"-\d+", "-…", name), kind] += 1
    kinds = ("told, right", "right", "refused", "wrong", "traceback")
    print(f"| file | {' | '.join(kinds)} |")
    print("|---" * (len(kinds) + 1) + "|")
    for name in sorted({name for name, _ in counted}):
        numbers = [str(counted[name, kind]) for kind in kinds]
        print(f"| {name} | {' | '.join(numbers)} |")
    totals = [str(sum(counted[each] for each in counted if each[1] == kind)) for kind in kinds]
    print(f"| all | {' | '.join(totals)} |")
    return int(any(kind in {"wrong", "traceback"} for _, kind in counted))


if __name__ == "__main__":
    sys.exit(main())
