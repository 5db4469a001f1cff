"""A run stopped at every operation on its folder: the next one is as if nothing had happened.

``python -m tools.crashes [--cuts 4] [--every 1] [--book fide-2009] [--seed 1]``

For each rule book and case every operation (open, write, sync, rename, link, unlink …) is
the last one once: the process is killed before it, or in the middle of a write.  And the
power goes there: ``--cuts`` folders are made as a disk may leave them, with what was not
synced lost, torn or in another order.  The same command again has to give the tables of an
undisturbed run, bit for bit, and must not repeat what a checkpoint had behind it.  At any
moment the folder shows the tables of before, of now, or none: never some of each.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ratingbook.engine.store import Damaged, Generation
from tools.faulty_disk import FullDisk, Killed, KilledDisk, PoweredDisk
from tools.small_runs import BOOKS, Case, cases, differs, is_of_one_run, tables_of


@dataclass
class Tally:
    """What was tried, and what went wrong."""

    tried: int = 0
    wrong: int = 0
    mixed: int = 0
    repeated: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.tried + other.tried, self.wrong + other.wrong, self.mixed + other.mixed,
            self.repeated + other.repeated,
        )  # fmt: skip

    @property
    def is_clean(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.wrong or self.mixed or self.repeated)


class Crashes:
    """The crash points of a case."""

    def __init__(self, case: Case, work: Path) -> None:
        self.case = case
        self._work = work
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

    def killed_at(self, number: int) -> Tally:
        """The process is killed."""
        folder, disk = self._fresh_copy(), KilledDisk(number)
        _stopped(lambda: self.case.now.run(folder, disk))
        return self._after(folder, disk.committed)

    def cut_at(self, number: int, cuts: int, chance: random.Random) -> Tally:
        """The power goes."""
        folder = self._fresh_copy()
        disk = PoweredDisk(folder, number)
        _stopped(lambda: self.case.now.run(folder, disk))
        found = Tally()
        lasting = _behind(folder, disk.committed[: disk.lasting_commits])
        for _ in range(cuts):
            after = self._work / "after"
            shutil.rmtree(after, ignore_errors=True)
            disk.after_a_cut(after, chance)
            found += self._checked(after, lasting)
        return found

    def full_at(self, number: int) -> Tally:
        """The disk has no room; it has some again when the command is given once more."""
        folder, disk = self._fresh_copy(), FullDisk(number)
        # In the end it only takes away, which needs no room.
        with suppress(OSError):
            self.case.now.run(folder, disk)
        return self._after(folder, disk.committed)

    def _after(self, folder: Path, committed: list[str]) -> Tally:
        return self._checked(folder, _behind(folder, committed))

    def _checked(self, folder: Path, behind: int) -> Tally:
        found = Tally(1)
        # Whoever reads now sees one run, or none.
        found.mixed = int(not is_of_one_run(folder, self.shown))
        written = self.case.now.run(folder, KilledDisk())
        found.wrong = int(bool(differs(folder, self.right)))
        found.repeated = int(written.resumed_after < max(behind, self.right_resumed))
        return found


def _stopped(run: Callable[[], object]) -> None:
    with suppress(Killed):
        run()


def _behind(folder: Path, committed: list[str]) -> int:
    """The batches behind the last checkpoint that a run has made for good."""
    for name in reversed(committed):
        try:
            found = Generation.at(folder / ".ratingbook" / name)
        except Damaged:
            continue
        told = found.said.get("checkpoint")
        if told is not None:
            return int(told["next_batch"])
    return 0


def tallies(
    book: str, *, every: int = 1, cuts: int = 4, seed: int = 1
) -> Iterator[tuple[str, int, dict[str, Tally]]]:
    """For each case of a rule book: its name, its operations, what each kind of stop came to."""
    for case in cases(book):
        chance = random.Random(f"{seed} {book} {case.name}")
        with TemporaryDirectory() as work:
            crashes = Crashes(case, Path(work))
            count = crashes.operations()
            found = {"killed": Tally(), "power cut": Tally(), "disk full": Tally()}
            for number in range(chance.randrange(min(every, count)), count, every):
                found["killed"] += crashes.killed_at(number)
                found["power cut"] += crashes.cut_at(number, cuts, chance)
                found["disk full"] += crashes.full_at(number)
            yield case.name, count, found


def main() -> int:
    """Try all of them and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--book", choices=BOOKS, action="append")
    parser.add_argument("--cuts", type=int, default=4)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    total = Tally()
    print("| rule book | case | operations | stopped by | tried | wrong | mixed | repeated |")
    print("|---|---|---|---|---|---|---|---|")
    for book in asked.book or BOOKS:
        for case, count, found in tallies(
            book, every=asked.every, cuts=asked.cuts, seed=asked.seed
        ):
            for how, tally in found.items():
                total += tally
                print(
                    f"| {book} | {case} | {count} | {how} | {tally.tried} | {tally.wrong} | "
                    f"{tally.mixed} | {tally.repeated} |",
                    flush=True,
                )
    return 0 if total.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
