"""``python -m tools.mutants --count 300``: how many of so many small faults the tests notice."""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.mutants.reach import measured
from tools.mutants.sites import Mutant, mutants_of
from tools.mutants.trial import Outcome, Ready, Trials

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("src/ratingbook/rules", "src/ratingbook/engine")
LEFT_OUT = "src/ratingbook/engine/spark"
"""Its tests start Spark, and compare each bit with a run without it."""


def main() -> int:
    """Draw faults, try them, print the survivors; 1 if fewer than the wanted share is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="faults to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--share", type=float, default=0.95, help="least share of killed ones")
    parser.add_argument("--only", default="", help="only modules whose path has this in it")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no fault after these")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "reach")
    parser.add_argument("--as-kept", action="store_true", help="look on no more tests")
    asked = parser.parse_args()
    if not asked.as_kept:
        print("Looking which tests reach which lines ...", flush=True)
        looking = [sys.executable, "-m", "tools.mutants.reach", str(ROOT), str(asked.keep)]
        subprocess.run(looking, check=True, cwd=ROOT)
    reach = measured(asked.keep)
    files = sorted({test.partition("::")[0] for test in reach.seconds})
    ready = Ready(ROOT, files, asked.jobs)
    try:
        return _try(asked, Trials(ROOT, reach, ready))
    finally:
        ready.end()


def _try(asked: argparse.Namespace, trials: Trials) -> int:
    if not trials.are_sound():
        print("The tests do not pass without a fault: nothing can be learnt from them.")
        return 1
    drawn = draw(asked.count, asked.seed, asked.only)
    begun = time.monotonic()

    def outcome_of(mutant: Mutant) -> Outcome | None:
        in_time = time.monotonic() - begun < 60 * asked.minutes
        return trials.outcome_of(mutant) if in_time else None

    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(asked.jobs) as pool:
        for outcome in pool.map(outcome_of, drawn):
            if outcome is None:
                continue
            outcomes.append(outcome)
            count, name = f"{len(outcomes):4d}/{len(drawn)}", outcome.mutant.name
            print(f"{count} {outcome.verdict:12} {outcome.seconds:4.0f} s  {name}", flush=True)
    return report(outcomes, asked.share, time.monotonic() - begun)


def draw(count: int, seed: int, only: str = "") -> list[Mutant]:
    """So many faults by chance, from all that there are; more of them begin with the same."""
    paths = [
        path.relative_to(ROOT)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if only in str(path)
    ]
    paths = [path for path in paths if not path.is_relative_to(LEFT_OUT)]
    all_of_them = [mutant for path in paths for mutant in mutants_of(path, ROOT)]
    random.Random(seed).shuffle(all_of_them)
    return all_of_them[:count]


def report(outcomes: list[Outcome], share: float, seconds: float) -> int:
    """Print the counts and the survivors."""
    if not outcomes:
        return 1
    noticed = sum(each.verdict in {"killed", "out of time"} for each in outcomes)
    print(
        f"\n{noticed} of {len(outcomes)} noticed ({noticed / len(outcomes):.1%}), {seconds:.0f} s"
    )
    for each in outcomes:
        if each.verdict in {"survived", "not reached"}:
            tests = f"{each.tests} of {each.reaching} tests"
            print(f"  {each.verdict} ({tests})  {each.mutant.name}")
    return 0 if noticed >= share * len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
