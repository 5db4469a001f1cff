"""``python -m tools.mutants --count 300``: how many of so many small faults the tests notice."""

from __future__ import annotations

import argparse
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What the tests import besides the package, so that not each fault has to wait for it.
import hypothesis
import numpy
import pyarrow

from tools.mutants.reach import Reach, measured
from tools.mutants.sites import Mutant, mutants_of
from tools.mutants.trial import Outcome, tried

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("src/ratingbook/rules", "src/ratingbook/engine")
LEFT_OUT = "src/ratingbook/engine/spark"
"""Its tests start Spark, and compare each bit with a run without it."""
_LOADED = (hypothesis, numpy, pyarrow)


def main() -> int:
    """Draw faults, try them, print the survivors; 1 if fewer than the wanted share is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="faults to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--share", type=float, default=0.95, help="least share of killed ones")
    parser.add_argument("--only", default="", help="only modules whose path has this in it")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "reach.json")
    asked = parser.parse_args()
    if not asked.keep.exists():
        # In a process of its own: this one must not have imported the package.
        import subprocess

        print("Looking which tests reach which lines ...", flush=True)
        subprocess.run(
            [sys.executable, "-c", _MEASURE, str(ROOT), str(asked.keep)], check=True, cwd=ROOT
        )
    reach = measured(ROOT, asked.keep)
    drawn = draw(asked.count, asked.seed, asked.only)
    begun = time.monotonic()
    outcomes = []
    with ThreadPoolExecutor(asked.jobs) as pool:
        for outcome in pool.map(lambda mutant: _tried(mutant, reach), drawn):
            outcomes.append(outcome)
            print(f"{len(outcomes):4d}/{len(drawn)} {outcome.verdict:12} {outcome.mutant.name}")
            sys.stdout.flush()
    return report(outcomes, asked.share, time.monotonic() - begun)


_MEASURE = (
    "import sys; from pathlib import Path; from tools.mutants.reach import measured; "
    "measured(Path(sys.argv[1]), Path(sys.argv[2]))"
)


def draw(count: int, seed: int, only: str = "") -> list[Mutant]:
    """So many faults by chance, from all that there are."""
    paths = [
        path.relative_to(ROOT)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if only in str(path)
    ]
    paths = [path for path in paths if not path.is_relative_to(LEFT_OUT)]
    all_of_them = [mutant for path in paths for mutant in mutants_of(path, ROOT)]
    chance = random.Random(seed)
    return chance.sample(all_of_them, min(count, len(all_of_them)))


def report(outcomes: list[Outcome], share: float, seconds: float) -> int:
    """Print the counts and the survivors."""
    noticed = sum(each.verdict in {"killed", "out of time"} for each in outcomes)
    print(
        f"\n{noticed} of {len(outcomes)} noticed ({noticed / len(outcomes):.1%}), {seconds:.0f} s"
    )
    for each in outcomes:
        if each.verdict in {"survived", "not reached"}:
            print(f"  {each.verdict} ({each.tests} tests)  {each.mutant.name}")
    return 0 if noticed >= share * len(outcomes) else 1


def _tried(mutant: Mutant, reach: Reach) -> Outcome:
    tests = reach.tests_of(mutant.path, mutant.line, mutant.end_line)
    seconds = sum(reach.seconds.get(test, 1.0) for test in tests)
    return tried(mutant, ROOT, tests, seconds)


if __name__ == "__main__":
    sys.exit(main())
