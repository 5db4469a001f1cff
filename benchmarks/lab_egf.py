"""Is the EGF's system of 2021 better calibrated than that of 1998?  The study of the documentation.

``python -m benchmarks.lab_egf [OUT]``

Two sets of data are read in place from the folder that RATINGBOOK_REFERENCE names: the table of
138,854 even games by grade that the EGF published with the system of 1998, and the games of the
European Go Congress of 2013, rated from the list before it.  With OUT the games of the congress
are written there as tables for ``ratingbook lab``.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.egc2013 import BEST_BEFORE, LIST_BEFORE, REFERENCE, declared_grade, rows
from ratingbook.desk.even_games import counts_of_table
from ratingbook.engine.history.predictions import predict_history
from ratingbook.lab.calibrate import Calibrations, calibrate
from ratingbook.lab.even_games import even_games, sentences
from ratingbook.lab.scores import log_losses
from ratingbook.rules import registry
from ratingbook.rules.egf.grades import grade_name

EDITIONS = ("egf-1998", "egf-2013", "egf-2021")
TABLE = REFERENCE / "tables" / "egf_even_games_statistics.csv"
FIRST_DAY = date(2013, 7, 28)
DRAWS = 2000
_SCORES = {"1.0": 0.0, "0.0": 1.0, "0.5": 0.5}


def write(folder: Path) -> dict[str, Path]:
    """The congress as tables: games without forfeits, players, entries and events."""
    events = {row["egd_code"]: row for row in rows("events.csv")}
    players = {row["pin"]: row for row in rows("players.csv")}
    games, entries = [], dict[tuple[str, str], dict[str, object]]()
    for game in rows("games.csv"):
        if not game["white"] or not game["black"] or game["by_forfeit"] == "1":
            continue
        event = events[game["egd_code"]]
        games.append({
            "date": event["start_date"], "event": event["order"], "round": game["round"],
            "white": game["white"], "black": game["black"],
            "score": _SCORES[game["black_score"]], "handicap": game["handicap"],
        })  # fmt: skip
        for pin in (game["white"], game["black"]):
            grade = declared_grade(players[pin], event).lower()
            entries[event["order"], pin] = {"event": event["order"], "player": pin, "grade": grade}
    known = [
        {"id": pin, "rating": row[LIST_BEFORE], "games": 99,
         "highest_grade": grade_name(int(row[BEST_BEFORE]) - 1) if row[BEST_BEFORE] else ""}
        for pin, row in players.items()
        if row[LIST_BEFORE]
    ]  # fmt: skip
    of_events = [
        {"event": row["order"], "start": row["start_date"], "class": row["class"]}
        for row in events.values()
    ]
    tables: dict[str, Iterable[Mapping[str, object]]] = {
        "games": games, "players": known, "entries": entries.values(), "events": of_events
    }  # fmt: skip
    made = {}
    for name, lines in tables.items():
        made[name] = folder / f"{name}.csv"
        with made[name].open("w", encoding="utf-8", newline="") as file:
            first, *others = lines
            table = csv.DictWriter(file, first, lineterminator="\n")
            table.writeheader()
            table.writerows([first, *others])
    return made


def congress(files: Mapping[str, Path]) -> Calibrations:
    """All editions on the games of the congress; every game counts."""
    beside: dict[str, Any] = {name: path for name, path in files.items() if name != "games"}
    return calibrate(files["games"], EDITIONS, since=FIRST_DAY, compiled=False, **beside)


def losses(files: Mapping[str, Path]) -> tuple[dict[str, Any], Any, Any]:
    """The loss of each game by edition, and who played it; games that all expect something of."""
    beside: dict[str, Any] = {name: path for name, path in files.items() if name != "games"}
    made = {
        name: predict_history(str(files["games"]), registry.load(name), compiled=False, **beside)
        for name in EDITIONS
    }
    common = np.all([np.isfinite(each.expected) for each in made.values()], axis=0)
    games = next(iter(made.values())).history.given.games
    score = games.score[common] / 2.0
    found = {name: log_losses(each.expected[common], score) for name, each in made.items()}
    return found, games.white[common], games.black[common]


def by_players(values: Any, white: Any, black: Any, seed: int = 1) -> tuple[float, float, float]:
    """The mean and its interval of 95 %, if other players had come.

    Players, not events, are drawn again, for there are five events only: a game weighs what its
    two players weigh (Owen and Eckles 2012), which makes the interval rather too wide.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    count = int(max(white.max(), black.max())) + 1
    means = np.empty(DRAWS)
    for turn in range(DRAWS):
        weight = chance.exponential(size=count)
        of_games = weight[white] * weight[black]
        means[turn] = (of_games @ values) / of_games.sum()
    low, high = np.quantile(means, [0.025, 0.975])
    return float(values.mean()), float(low), float(high)


def main() -> None:
    """Print both parts of the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("out", type=Path, nargs="?")
    options = parser.parse_args()
    counts = counts_of_table(TABLE)
    if counts is None:
        parser.exit(1, f"There is no {TABLE}: set RATINGBOOK_REFERENCE.\n")
    print("1. The published table of even games")
    made = even_games(counts[0], {name: registry.load(name) for name in EDITIONS})
    for sentence in sentences(made):
        print(f"   {sentence}")
    for each in made.summary:
        print(f"   {each.name}: log loss {each.log_loss:.4f}")
    for cell in made.cells:
        if (cell.grade, cell.stronger) == ("1d", 1):
            told = ", ".join(f"{name} {100 * p:.1f} %" for name, p in cell.predicted.items())
            print(f"   1d against +1: scored {100 * cell.share:.1f} %; {told}")
    print("2. The European Go Congress 2013")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) if options.out is None else options.out
        folder.mkdir(exist_ok=True)
        files = write(folder)
        for system in congress(files).systems:
            print(f"   {system.name}: by difference, of the higher rated")
            for band in system.by_difference:
                print(
                    f"     {band.name:>12}: {band.games:>4} games, expected {band.expected:.3f}, "
                    f"scored {band.scored:.3f}"
                )
        found, white, black = losses(files)
        for edition, each in found.items():
            mean, low, high = by_players(each - found["egf-2021"], white, black)
            print(
                f"   {edition}: log loss {each.mean():.4f} in {len(each):,} games; above that of "
                f"egf-2021 {mean:.4f} ({low:.4f} to {high:.4f})"
            )


if __name__ == "__main__":
    main()
