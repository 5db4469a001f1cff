"""A run stopped at every operation on its folder: the next one is as if nothing had happened.

``python -m tools.crashes [--cuts 4] [--every 1] [--book fide-2009] [--seed 1]``

For each rule book and case every operation (open, write, sync, rename, link, unlink …) is
the last one once: the process is killed before it, or in the middle of a write.  And the
power goes there: ``--cuts`` folders are made as a disk may leave them, with what was not
synced lost, torn or in another order.  Or the disk is full from there on.  The same command
again has to give the tables of an undisturbed run, bit for bit, and must not repeat what a
checkpoint had behind it.  At any moment the folder shows the tables of before, of now, or
none: never some of each.

One run shows what all its stops would leave.  Where stops leave the same folder, the command is
given again once for all of them (``folders`` counts those that differ).
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ratingbook.engine.store import Damaged, Generation
from tools.faulty_disk import Contents, FullDisk, KilledDisk, SeenDisk
from tools.small_runs import BOOKS, Case, cases, differs, is_of_one_run, tables_of


@dataclass
class Tally:
    """What was tried, and what went wrong."""

    tried: int = 0
    wrong: int = 0
    mixed: int = 0
    repeated: int = 0
    folders: int = 0
    """Those that no stop before had left, for which the command was given again."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(sum(pair) for pair in zip(astuple(self), astuple(other), strict=True)))

    @property
    def is_clean(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.wrong or self.mixed or self.repeated)


class Crashes:
    """The crash points of a case."""

    def __init__(self, case: Case, work: Path) -> None:
        self.case = case
        self._work = work
        self._known: dict[bytes, tuple[bool, bool, int]] = {}
        self._before = work / "before"
        if case.before is not None:
            case.before.run(self._before, KilledDisk())
        else:
            self._before.mkdir()
        undisturbed = self._fresh_copy()
        self.right_resumed = case.now.run(undisturbed, KilledDisk()).resumed_after
        self.right = tables_of(undisturbed)
        anew = work / "anew"
        case.now.run(anew, KilledDisk())
        if wrong := differs(anew, self.right):
            raise AssertionError(f"{case.name}: to go on is not to begin anew: {wrong}")
        self.shown = [tables_of(self._before)] if case.before else []
        self.shown.append(self.right)

    def _fresh_copy(self) -> Path:
        folder = self._work / "folder"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._before, folder, symlinks=True)
        return folder

    def operations(self) -> int:
        """How many operations an undisturbed run needs."""
        disk = KilledDisk()
        self.case.now.run(self._fresh_copy(), disk)
        return disk.done

    def stopped(
        self, numbers: Container[int], cuts: int, chance: random.Random
    ) -> tuple[Tally, Tally]:
        """Killed at some operations, and the power gone there."""
        folder = self._fresh_copy()
        said: dict[str, int | None] = {}
        seen: list[tuple[Contents, int, bool]] = []

        def behind(names: list[str]) -> int:
            for name in names:
                if name not in said:
                    said[name] = _batches_of(folder, name)
            return next((each for name in reversed(names) if (each := said[name]) is not None), 0)

        def look(number: int) -> None:
            # As long as it is there: the next commit takes the one before away.
            now = behind(disk.committed)
            if number not in numbers:
                return
            seen.append((disk.now(), now, False))
            lasting = behind(disk.committed[: disk.lasting_commits])
            seen.extend((disk.after_a_cut(chance), lasting, True) for _ in range(cuts))

        disk = SeenDisk(folder, look)
        self.case.now.run(folder, disk)
        if disk.now() != Contents.of(folder):
            raise AssertionError(f"{self.case.name}: something was done past the disk")
        killed, cut = Tally(), Tally()
        for contents, least, is_cut in seen:
            found = self.checked(contents, least)
            killed, cut = (killed, cut + found) if is_cut else (killed + found, cut)
        return killed, cut

    def full_at(self, number: int) -> tuple[Tally, int]:
        """The disk has no room; it has some again when the command is given once more.

        And the first operation that met that: from there on it would be all the same.
        """
        folder, disk = self._fresh_copy(), FullDisk(number)
        # In the end it only takes away, which needs no room.
        with suppress(OSError):
            self.case.now.run(folder, disk)
        behind = 0
        for name in disk.committed:
            behind = _batches_of(folder, name) or behind
        met = next((each for each in disk.needs_room if each >= number), disk.done)
        return self.checked(Contents.of(folder), behind), met

    def checked(self, contents: Contents, behind: int) -> Tally:
        """What the next run makes of a folder."""
        key = contents.digest()
        is_new = key not in self._known
        if is_new:
            self._known[key] = self._next(contents)
        wrong, mixed, resumed_after = self._known[key]
        is_repeated = resumed_after < max(behind, self.right_resumed)
        return Tally(1, wrong, mixed, is_repeated, is_new)

    def _next(self, contents: Contents) -> tuple[bool, bool, int]:
        folder = self._work / "after"
        contents.put(folder)
        # Whoever reads now sees one run, or none.
        is_mixed = not is_of_one_run(folder, self.shown)
        written = self.case.now.run(folder, KilledDisk())
        is_wrong = bool(differs(folder, self.right))
        shutil.rmtree(folder)
        return is_wrong, is_mixed, written.resumed_after


def _batches_of(folder: Path, name: str) -> int | None:
    """The batches behind the checkpoint of a generation, if it is there and has one."""
    try:
        found = Generation.at(folder / ".ratingbook" / name)
    except Damaged:
        return None
    told = found.said.get("checkpoint")
    return None if told is None else int(told["next_batch"])


def tallies(
    book: str, *, every: int = 1, cuts: int = 4, seed: int = 1
) -> Iterator[tuple[str, int, dict[str, Tally]]]:
    """For each case of a rule book: its name, its operations, what each kind of stop came to."""
    for case in cases(book):
        chance = random.Random(f"{seed} {book} {case.name}")
        with TemporaryDirectory() as work:
            crashes = Crashes(case, Path(work))
            count = crashes.operations()
            numbers = range(chance.randrange(min(every, count)), count, every)
            killed, cut = crashes.stopped(numbers, cuts, chance)
            full, met = Tally(), -1
            for number in numbers:
                if number > met:
                    found, met = crashes.full_at(number)
                    full += found
                else:
                    full += Tally(found.tried, found.wrong, found.mixed, found.repeated)
            yield case.name, count, {"killed": killed, "power cut": cut, "disk full": full}


def main() -> int:
    """Try all of them and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--book", choices=BOOKS, action="append")
    parser.add_argument("--cuts", type=int, default=4)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    total = Tally()
    print(
        "| rule book | case | operations | stopped by | tried | wrong | mixed | repeated "
        "| folders |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for book in asked.book or BOOKS:
        for case, count, found in tallies(
            book, every=asked.every, cuts=asked.cuts, seed=asked.seed
        ):
            for how, tally in found.items():
                total += tally
                print(
                    f"| {book} | {case} | {count} | {how} | {tally.tried} | {tally.wrong} | "
                    f"{tally.mixed} | {tally.repeated} | {tally.folders} |",
                    flush=True,
                )
    return 0 if total.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
