"""Whether a fit finds the parameters that made the data, and how often its intervals hold them.

``python -m benchmarks.lab_coverage [--samples N] [--games N] [--seed N]``

Games are drawn from ``elo`` itself: players whose ratings are known in the beginning, results
drawn as the ratings expect them, ratings that move with K.  Each sample is fitted like a file that
somebody brings.  Of 95 % intervals about 95 of 100 should hold the number that made the data.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
import pyarrow as pa

from ratingbook.lab.fit import Fit, fit

K, SCALE = 24.0, 400.0
PARAMETERS = ("k=4..60", "scale=200..800")
PLAYERS = 60


def drawn(games: int, seed: int, k: float = K, scale: float = SCALE) -> tuple[pa.Table, pa.Table]:
    """Games and players of a world in which ``elo`` with these numbers is true."""
    chance = np.random.Generator(np.random.PCG64(seed))
    ratings = chance.normal(1500, 200, PLAYERS).round().tolist()
    known = [{"id": f"P{n}", "rating": r, "games": 99} for n, r in enumerate(ratings)]
    columns: dict[str, list[object]] = {"date": [], "event": [], "white": [], "black": []}
    scores: list[float] = []
    for n in range(games):
        # Who plays is often near in rating, as in a tournament.
        white, *others = chance.choice(PLAYERS, 4, replace=False).tolist()
        black = min(others, key=lambda other: abs(ratings[other] - ratings[white]))
        expected = 1 / (1 + 10 ** ((ratings[black] - ratings[white]) / scale))
        score = float(chance.random() < expected)
        columns["date"].append(date(2001, 1, 1) + timedelta(days=n // 10))
        columns["event"].append(f"E{n // 40}")
        columns["white"].append(f"P{white}")
        columns["black"].append(f"P{black}")
        scores.append(score)
        ratings[white] += k * (score - expected)
        ratings[black] -= k * (score - expected)
    return pa.table({**columns, "score": scores}), pa.Table.from_pylist(known)


def fitted(games: int, seed: int, *, compiled: bool | None = None) -> Fit:
    """One sample, fitted from numbers that are wrong."""
    table, players = drawn(games, seed)
    return fit(
        table, "elo:k=40,scale=300", PARAMETERS, players=players, seed=seed, compiled=compiled
    )


def coverage(made: Sequence[Fit]) -> str:
    """How often the intervals hold the truth, how far the fits are off, and how wide they are."""
    lines = []
    for at, (name, truth) in enumerate((("k", K), ("scale", SCALE))):
        found = [each.parameters[at] for each in made]
        values = np.array([each.value for each in found])
        held = np.mean([each.low <= truth <= each.high for each in found])
        error = 1.96 * np.sqrt(held * (1 - held) / len(made))
        width = np.mean([each.high - each.low for each in found])
        lines.append(
            f"{name}: truth {truth:g}, mean fit {values.mean():.2f} (standard deviation "
            f"{values.std(ddof=1):.2f}), mean width of the intervals {width:.1f}; "
            f"{100 * held:.1f} % hold the truth (± {100 * error:.1f})"
        )
    return "\n".join(lines)


def main() -> None:
    """Draw, fit and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    made = [fitted(options.games, options.seed + n, compiled=True) for n in range(options.samples)]
    print(f"{options.samples} samples of {options.games:,} games, seeds from {options.seed}")
    print(coverage(made))


if __name__ == "__main__":
    main()
