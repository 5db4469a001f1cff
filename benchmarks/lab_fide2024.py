"""What did FIDE's reform of 2024 do?  The study of the documentation.

``python -m benchmarks.lab_fide2024 [--seeds N] [--players N] [GAMES.csv]``

There are no games of chess with FIDE's lists here.  So the reform is tried on worlds whose truth is
known, and on the nearest thing to a long real history: football internationals, rated by FIDE's
rules as if teams were players.  GAMES.csv is what ``python -m benchmarks.football`` writes; without
it only the worlds are told.

The reform has two parts.  On one day ratings below 2000 gained 0.4 of what they lacked of it; and
from then on newcomers are rated with two draws against 1800 added, and not below 1400.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

import numpy as np

from ratingbook.desk.histories import read_history
from ratingbook.lab.bootstrap import difference
from ratingbook.lab.compare import blocks_of
from ratingbook.lab.reform import Reform, one_edition, rated_with
from ratingbook.lab.scores import log_losses
from ratingbook.lab.simulate import NAMED, Scenario, measures, simulate
from ratingbook.lab.simulate.sweep import Measured, measured
from ratingbook.rules import registry
from ratingbook.rules.bulk import EPOCH

BEFORE, AFTER = "fide-2022", "fide-2024"
SHARE, TOWARDS = 0.4, 2000.0
YEARS, REFORM_AFTER = 20, 10
LOOKED = (5, 9, 10, 11, 13, 15, 20)
NUMBERS = ("steady_above", "rising_above", "error", "rated")
FOOTBALL_DAY = date(2004, 1, 1)
FOOTBALL_YEARS = 4


def reforms(day: date) -> dict[str, Reform | None]:
    """The reform, and its parts."""
    return {
        "none": None,
        "lift": Reform(day, share=SHARE, towards=TOWARDS),
        "rules": Reform(day, edition=AFTER),
        "both": Reform(day, edition=AFTER, share=SHARE, towards=TOWARDS),
    }


def worlds(players: int) -> dict[str, Scenario]:
    """One in which many improve fast, so that ratings fall, and one in which nobody does."""
    same = {"players": players, "years": YEARS, "mean": 1650, "spread": 300}
    return {name: NAMED[name].changed(same) for name in ("juniors", "steady")}


def course(world: Scenario, reform: Reform | None, seed: int) -> list[list[float]]:
    """The numbers of the years that are looked at."""
    years = {
        each.year: each
        for each in measures.years(simulate(BEFORE, world, seed=seed, reform=reform))
    }
    return [
        [
            *(float(getattr(years[year], name)) for name in NUMBERS[:-1]),
            100.0 * years[year].rated / years[year].active,
        ]
        for year in LOOKED
    ]


def tell_worlds(players: int, seeds: int) -> None:
    """A table for each world: each part of the reform, year by year."""
    for name, world in worlds(players).items():
        day = date(world.start.year + REFORM_AFTER, 1, 1)
        print(f"{name}: {players:,} players, seeds 1 to {seeds}, reform after {REFORM_AFTER} years")
        print("| reform | year | steady above | improving above | error | rated, % |")
        print("|---|---|---|---|---|---|")
        for part, reform in reforms(day).items():
            runs = np.array([course(world, reform, seed) for seed in range(1, seeds + 1)])
            for at, year in enumerate(LOOKED):
                if reform is None or year >= REFORM_AFTER:
                    told = " | ".join(_told(measured(runs[:, at, n])) for n in range(len(NUMBERS)))
                    print(f"| {part} | {year} | {told} |", flush=True)


def _told(found: Measured) -> str:
    if np.isnan(found.mean):
        return ""
    within = "" if np.isnan(found.within) else f" ± {found.within:.0f}"
    return f"{found.mean:.0f}{within}".replace("-", "−")


def tell_football(games: Path) -> None:
    """Whether the games after it are foretold better, of teams that were not rated too low."""
    book = one_edition(registry.load(BEFORE))
    history = read_history(games, book)
    given = history.given
    score, (_, blocks) = given.games.score / 2.0, blocks_of(given.games)
    year = given.games.day.astype("datetime64[D]").astype("datetime64[Y]").astype(int) + EPOCH.year
    found = {
        part: rated_with(given, book, reform, assume=1500, predictions=True).predicted
        for part, reform in reforms(FOOTBALL_DAY).items()
    }
    print(f"football, {BEFORE}, reform on {FOOTBALL_DAY}: loss of all games, less that without")
    print("| year | games | none | lift | rules | both |")
    print("|---|---|---|---|---|---|")
    known = np.all([np.isfinite(each) for each in found.values()], axis=0)
    for each in range(FOOTBALL_DAY.year, FOOTBALL_DAY.year + FOOTBALL_YEARS):
        some = known & (year == each)
        losses = {part: log_losses(e[some], score[some]) for part, e in found.items()}
        cells = [f"{losses['none'].mean():.4f}"]
        for part in ("lift", "rules", "both"):
            more = difference(losses[part], losses["none"], blocks[some])
            cells.append(f"{more.mean:+.4f} ({more.low:+.4f} to {more.high:+.4f})")
        print(
            f"| {each} | {some.sum():,} | {' | '.join(cells)} |".replace("-", "−").replace(
                "+−", "−"
            )
        )


def main() -> None:
    """Print both parts of the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games", type=Path, nargs="?")
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    tell_worlds(options.players, options.seeds)
    if options.games is not None:
        tell_football(options.games)


if __name__ == "__main__":
    main()
