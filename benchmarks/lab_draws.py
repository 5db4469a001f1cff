"""Whether a layer finds White's side, slope and draws that made the games, and how surely.

``python -m benchmarks.lab_draws [--samples N] [--games N] [--seed N]``

Games are drawn from a layer on known expected scores, twenty to an event.  Of 95 % intervals about
95 of 100 should hold the number that made the games.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from ratingbook.lab.layer import Layer, fitted

Array = np.ndarray[Any, Any]

TRUE = Layer(0.3, 0.8, 0.7)
IN_EVENT = 20


def drawn(games: int, seed: int) -> tuple[Array, Array, Array]:
    """Expected scores, results, and the events of the games."""
    chance = np.random.Generator(np.random.PCG64(seed))
    expected = chance.uniform(0.05, 0.95, games)
    made, dice = TRUE.outcomes(expected), chance.uniform(size=games)
    score = np.where(dice < made.win, 1.0, np.where(dice < made.win + made.draw, 0.5, 0.0))
    return expected, score, np.arange(games) // IN_EVENT


def main() -> None:
    """Draw, find and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = [fitted(*drawn(options.games, options.seed + n)) for n in range(options.samples)]
    print(f"{options.samples} samples of {options.games:,} games, seeds from {options.seed}")
    for name in ("shift", "slope", "nu"):
        truth = getattr(TRUE, name)
        values = np.array([getattr(each, name) for each in found])
        within = [getattr(each.sure, name) for each in found]
        held = float(np.mean([each.low <= truth <= each.high for each in within]))
        error = 1.96 * np.sqrt(held * (1 - held) / len(found))
        width = np.mean([each.high - each.low for each in within])
        print(
            f"{name}: truth {truth:g}, mean {values.mean():.4f} (standard deviation "
            f"{values.std(ddof=1):.4f}), mean width of the intervals {width:.4f}; "
            f"{100 * held:.1f} % hold the truth (± {100 * error:.1f})"
        )


if __name__ == "__main__":
    main()
