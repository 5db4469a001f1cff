"""``python -m tools.mutants --count 300``: how many of so many small faults the tests notice."""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import itemgetter
from pathlib import Path

from tools.mutants.judged import judgements, place_of
from tools.mutants.outcomes import Outcome, Outcomes
from tools.mutants.reach import PACKAGES, Reach, files_of_tests, is_as_seen, kept_at, measured
from tools.mutants.ready import Ready
from tools.mutants.sites import Mutant, mutants_of
from tools.mutants.trial import Trials

ROOT = Path(__file__).resolve().parents[2]
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
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--again", action="store_true", help="try those again that went unnoticed")
    asked = parser.parse_args()
    files = files_of_tests(ROOT)
    ready = Ready(ROOT, files, asked.jobs)
    try:
        return _try(asked, Trials(ROOT, _reach_of(files, ready, asked), ready))
    finally:
        ready.end()


def _reach_of(files: list[Path], ready: Ready, asked: argparse.Namespace) -> Reach:
    """Which tests reach which lines; what was seen and still stands so is not run again."""
    keep = asked.keep / "reach"
    keep.mkdir(parents=True, exist_ok=True)
    kept = {path: kept_at(keep, path, ROOT) for path in files}
    new = [path for path in files if not is_as_seen(kept[path], ROOT)]

    def look_on(path: Path) -> None:
        ready.look_on(str(path.relative_to(ROOT)), kept[path])
        print(f"looked on {path.relative_to(ROOT)}", flush=True)

    with ThreadPoolExecutor(asked.jobs) as pool:
        list(pool.map(look_on, new))
    return measured(path for path in kept.values() if path.exists())


def _try(asked: argparse.Namespace, trials: Trials) -> int:
    if not trials.are_sound():
        print("The tests do not pass without a fault: nothing can be learnt from them.")
        return 1
    drawn = draw(asked.count, asked.seed, asked.only)
    before = Outcomes(asked.keep / "outcomes.jsonl", ROOT)
    begun = time.monotonic()
    # Copies of this process need not look through all of that.
    gc.collect()
    gc.freeze()

    def outcome_of(mutant: Mutant, *, thorough: bool) -> Outcome | None:
        known = before.of(mutant)
        if known and (known.is_noticed or (not asked.again and thorough <= known.thorough)):
            return known
        if time.monotonic() - begun > 60 * asked.minutes:
            return known
        outcome = before.kept(trials.outcome_of(mutant, thorough=thorough))
        print(f"{outcome.verdict:12} {outcome.seconds:4.0f} s  {mutant.name}", flush=True)
        return outcome

    with ThreadPoolExecutor(asked.jobs) as pool:
        list(pool.map(partial(outcome_of, thorough=False), drawn))
        last = pool.map(partial(outcome_of, thorough=True), drawn)
        outcomes = [outcome for outcome in last if outcome is not None]
    return report(outcomes, asked.share)


def draw(count: int, seed: int, only: str = "") -> list[Mutant]:
    """So many faults by chance; more of them begin with the same.

    What changes in one module changes nothing in the draw from the others.
    """
    paths = [
        path.relative_to(ROOT)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if only in str(path)
    ]
    all_of_them = []
    for path in paths:
        if not path.is_relative_to(LEFT_OUT):
            chance = random.Random(f"{seed} {path}")
            all_of_them += [(chance.random(), mutant) for mutant in mutants_of(path, ROOT)]
    all_of_them.sort(key=itemgetter(0))
    return [mutant for _, mutant in all_of_them[:count]]


def report(outcomes: list[Outcome], share: float) -> int:
    """Print the counts and the survivors, with the judgement of those that change nothing."""
    if not outcomes:
        return 1
    known = judgements()
    why = {each: known.get(place_of(each.mutant, ROOT)) for each in outcomes}
    by_part: dict[str, list[Outcome]] = {}
    for each in outcomes:
        by_part.setdefault("/".join(each.mutant.path.parts[2:4]), []).append(each)
    print("\n| part | tried | noticed | judged equivalent | not noticed |\n|---|---|---|---|---|")
    for part, some in [*sorted(by_part.items()), ("all", outcomes)]:
        noticed = sum(each.is_noticed for each in some)
        equivalent = sum(not each.is_noticed and why[each] is not None for each in some)
        counts = len(some), noticed, equivalent, len(some) - noticed - equivalent
        print(f"| {part} | {' | '.join(map(str, counts))} |")
    seconds = sum(each.seconds for each in outcomes)
    others = len(outcomes) - equivalent
    print(
        f"\n{noticed} of {len(outcomes)} noticed; of the {others} that are not judged equivalent "
        f"{noticed / max(others, 1):.1%}, {seconds:.0f} s"
    )
    for each in outcomes:
        tests = f"{each.tests} of {each.reaching} tests"
        if each.is_noticed and why[each] is not None:
            print(f"  judged equivalent, and noticed  {each.mutant.name}")
        elif not each.is_noticed:
            said = why[each] or f"{each.verdict}, {tests}"
            print(f"  {each.mutant.name}  ({said})")
    return 0 if noticed >= share * others else 1


if __name__ == "__main__":
    sys.exit(main())
