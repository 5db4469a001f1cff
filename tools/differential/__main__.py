"""``python -m tools.differential [EDITION ...] [--players 10000] [--seed 1] [--path PATH ...]``.

Prints a line for each edition and path, and the first cases that differ in full.  The exit
status is 1 if a case differs, or if there was none.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import tools.differential
from tools.differential.common import Case, Oracle, Path

SHOWN = 3
"""So many cases that differ are shown in full."""


@dataclass
class Outcome:
    """What the cases of one edition on one path come to."""

    players: int = 0
    ties: int = 0
    differing: int = 0
    shown: list[Case] = field(default_factory=list)

    @classmethod
    def of(cls, cases: Iterable[Case]) -> Outcome:
        """Count cases."""
        outcome = cls()
        for case in cases:
            outcome.players += 1
            outcome.ties += case.tie
            if case.differs:
                outcome.differing += 1
                if len(outcome.shown) < SHOWN:
                    outcome.shown.append(case)
        return outcome

    @property
    def is_good(self) -> bool:
        """Whether something was compared, and nothing differs."""
        return self.players > 0 and not self.differing


def oracles() -> dict[str, Oracle]:
    """The oracle of each edition that has one."""
    found: dict[str, Oracle] = {}
    for module in pkgutil.iter_modules(tools.differential.__path__):
        if module.name == "__main__":
            continue
        oracle = importlib.import_module(f"{tools.differential.__name__}.{module.name}")
        for edition in getattr(oracle, "EDITIONS", ()):
            found[edition] = oracle
    return found


def compared(oracle: Oracle, edition: str, path: Path, players: int, seed: int) -> Outcome:
    """What so many players of an edition come to on a path."""
    return Outcome.of(islice(oracle.compare(edition, path, players, seed), players))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    known = oracles()
    parser = argparse.ArgumentParser("python -m tools.differential", description=__doc__)
    parser.add_argument("editions", nargs="*", metavar="EDITION", help=", ".join(known))
    parser.add_argument("--players", type=int, default=10_000, help="for each edition and path")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--path", action="append", type=Path, choices=list(Path), dest="paths")
    asked = parser.parse_args(arguments)
    unknown = [edition for edition in asked.editions if edition not in known]
    if unknown:
        parser.error(f"no oracle for {', '.join(unknown)}; there are {', '.join(known)}")
    print(f"{'edition':<12} {'path':<17} {'players':>8} {'ties':>7} {'differ':>7}")
    good = True
    for edition in asked.editions or known:
        for path in asked.paths or Path:
            outcome = compared(known[edition], edition, path, asked.players, asked.seed)
            good = good and outcome.is_good
            counts = f"{outcome.players:>8} {outcome.ties:>7} {outcome.differing:>7}"
            print(f"{edition:<12} {path:<17} {counts}", flush=True)
            for case in outcome.shown:
                print(f"  {case.player}\n    by the text {case.expected}, rated {case.got}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
