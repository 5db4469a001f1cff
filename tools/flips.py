"""Damage to every file that is read back: what is read is right or told, and so is the next run.

``python -m tools.flips [--flips 2000] [--seed 1]``

A bit is flipped, a byte changed, a block zeroed or the file cut, in a file of a folder that a
run has finished or was killed in; it holds the facts, the register of corrections and the archive
that explanations rest on, too.  Whoever opens the folder then gets what an undisturbed run
has left, is refused, or (for an explanation) is told that it has to be made from the facts.  The
same command again has to give the tables of an undisturbed run; whether it tells of the damage
is counted, too (a file that is made anew in any case is not read back, and so not told of).
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
from typing import Any
from unittest.mock import patch

import pyarrow.parquet as pq

from ratingbook.desk.pool import CORRECTION_FIELDS, NoPool, Pool, left_beside, open_pool
from ratingbook.engine.history import HistoryRefused, archive
from ratingbook.engine.history.files import Written
from ratingbook.engine.left import ARCHIVE, CHECKPOINT
from ratingbook.model import Entry
from tools.faulty_disk import Contents, Killed, KilledDisk
from tools.small_runs import BOOKS, Command, cases, differs, tables_of

_BLOCK = 4096
_EXPLAINED = "p003"
_MANIFEST = "manifest"
_OF_ARCHIVE = {*ARCHIVE, *CHECKPOINT, _MANIFEST}
_KINDS = (
    "read: right", "read: without an archive", "read: refused", "read: wrong", "run: told, right",
    "run: right", "run: refused", "run: wrong", "run: traceback",
)  # fmt: skip


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


class Folder:
    """What the same command leaves whenever it is given, and what is read of it."""

    def __init__(self, book: str, work: Path) -> None:
        case = cases(book)[1]
        assert case.before is not None
        self._now = case.now
        self._known: dict[bytes, bool] = {}
        self.before, self.right = work / "before", work / "right"
        self._run(case.before, self.before)
        self.run(self.right)
        self._tables = tables_of(self.right)
        self._shown = [self._read(self.right), self._read(self.before)]
        assert all(shown["explained"] for shown in self._shown), "nothing is archived"

    def _run(self, command: Command, folder: Path, disk: KilledDisk | None = None) -> Written:
        people = [str(player) for player in command.given.players.to_pylist()]
        pool = Pool(
            folder, command.program.book, {}, None, "local", command.tables,
            (dict.fromkeys(CORRECTION_FIELDS, "") | {"reason": command.register},),
            {player: Entry(player, f"Name of {player}") for player in people},
        )  # fmt: skip
        return command.run(folder, disk or KilledDisk(), beside=left_beside(pool, copied=True))

    def run(self, folder: Path, disk: KilledDisk | None = None) -> Written:
        """Rate into a folder."""
        return self._run(self._now, folder, disk)

    def is_right(self, folder: Path) -> bool:
        """Whether a folder shows the right tables, and all that is read of it is right."""
        key = Contents.of(folder).digest()
        if key not in self._known:
            is_same = not differs(folder, self._tables)
            self._known[key] = is_same and self.reads(folder) == "right"
        return self._known[key]

    def _read(self, folder: Path, *, explained: bool = True) -> dict[str, Any]:
        """What the office and the commands read of a folder; raises :class:`NoPool`."""
        pool = open_pool(folder)
        found: dict[str, Any] = {name: pq.read_table(path) for name, path in pool.tables.items()}
        archived = pool.archived if explained else None
        rows = None if archived is None else archived.explain(_EXPLAINED, None)
        return {
            **found, "settings": (pool.book.name, pool.settings, pool.assume, pool.id_kind),
            "persons": pool.persons, "corrections": pool.corrections,
            "explained": None if rows is None else repr(rows),
        }  # fmt: skip

    def reads(self, folder: Path, file: str = _MANIFEST) -> str:
        """What comes of reading: ``right``, ``refused``, ``without an archive`` or ``wrong``.

        Right is what a run has left, be it the one before.  ``file`` may be damaged: what does
        not rest on it is not looked at.
        """
        is_archive = file.partition(".")[0].partition("-")[0] in _OF_ARCHIVE
        try:
            found = self._read(folder, explained=is_archive)
        except NoPool:
            return "refused"
        explained = found.pop("explained")
        for shown in self._shown:
            if all(found[name] == shown[name] for name in found):
                if not is_archive or explained == shown["explained"]:
                    return "right"
                if explained is None:
                    return "without an archive"
        return "wrong"


def outcomes(book: str, flips: int, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """The file that was damaged, what was read of it, and what the next run came to."""
    with (
        TemporaryDirectory() as name,
        patch.object(archive, "ARCHIVED_FROM", 1),
        patch.object(archive, "GAMES_OF_A_SEGMENT", 20),
    ):
        work = Path(name)
        whole = Folder(book, work)
        counted = KilledDisk()
        whole.run(_copied(whole.before, work / "counted"), counted)
        folders = [whole.right]
        for share in (2, 3):
            killed = _copied(whole.before, work / f"killed-{share}")
            with suppress(Killed):
                whole.run(killed, KilledDisk(counted.done * share // 4))
            folders.append(killed)
        for _ in range(flips):
            folder = work / "flipped"
            shutil.rmtree(folder, ignore_errors=True)
            # As often as not in a copy that has files where there were links.
            shutil.copytree(chance.choice(folders), folder, symlinks=chance.random() < 0.5)
            files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
            path = chance.choice([path for path in files if path.stat().st_size])
            path.write_bytes(damaged(path.read_bytes(), chance))
            yield path.name, *_after(whole, folder, path.name)


def _copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to, symlinks=True)
    return to


def _after(whole: Folder, folder: Path, file: str) -> tuple[str, str]:
    read = "traceback"
    try:
        read = whole.reads(folder, file)
        written = whole.run(folder)
    except HistoryRefused:
        return read, "refused"
    except Exception:
        traceback.print_exc()
        return read, "traceback"
    if not whole.is_right(folder):
        return read, "wrong"
    return read, "told, right" if len(written.told) else "right"


def main() -> int:
    """Damage and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    counted: Counter[tuple[str, str]] = Counter()
    for book in BOOKS:
        chance = random.Random(f"{asked.seed} {book}")
        for name, read, run in outcomes(book, -(-asked.flips // len(BOOKS)), chance):
            counted[re.sub(r"-\d+", "-…", name), f"read: {read}"] += 1
            counted[re.sub(r"-\d+", "-…", name), f"run: {run}"] += 1
    print(f"| file | {' | '.join(_KINDS)} |")
    print("|---" * (len(_KINDS) + 1) + "|")
    for name in sorted({name for name, _ in counted}):
        numbers = [str(counted[name, kind]) for kind in _KINDS]
        print(f"| {name} | {' | '.join(numbers)} |")
    totals = [str(sum(counted[each] for each in counted if each[1] == kind)) for kind in _KINDS]
    print(f"| all | {' | '.join(totals)} |", flush=True)
    return int(any(kind.endswith(("wrong", "traceback")) for _, kind in counted))


if __name__ == "__main__":
    sys.exit(main())
