"""The European Go Congress 2013, rated again and compared with the published list.

``python benchmarks/egc2013.py [EDITION] [--set PARAMETER=VALUE …] [--fitted] [--worst N]``

Five events in their order, each built on the decimals of the one before, with
resets; compared are the players whose published change is due to these events
alone.  The data are read in place from the folder that RATINGBOOK_REFERENCE names.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.egf.grades import grade_name

REFERENCE = Path(os.environ.get("RATINGBOOK_REFERENCE", Path(__file__).parents[2] / "shared"))
DATA = REFERENCE / "data" / "egc2013"
LIST_BEFORE, LIST_AFTER = "list_2013-08-01_gor", "list_2013-08-11_gor"
BEST_BEFORE = "best_grade_seen_in_lists_before(n: 0=1k,1=1d)"
NOT_RESET = ("10386816",)
"""The lists suggest a reset of this player to 1900; without it his ten opponents agree too."""
FITTED = {"L033": 2010.0, "L066": 1370.0, "L056": 2360.0}
"""Players who were on no list: the starting rating with which their opponents agree best.

Found by trying every tenth point.  They declared 1 dan (2100), 8 kyu (1300) and 4
dan (2400).  A fit explains what is left over; it proves nothing.
"""
RESULTS = {"1.0": Result.BLACK_WINS, "0.0": Result.WHITE_WINS, "0.5": Result.DRAW}


@dataclass(frozen=True)
class Comparison:
    """One player: what came out, what was published, and the steps on the way."""

    pin: str
    rated: float
    published: float
    steps: tuple[tuple[str, float, float], ...]
    """Event, rating before, rating after; before a reset, if there was one."""

    @property
    def difference(self) -> float:
        """Rated, with its decimals, less published."""
        return self.rated - self.published


def rows(name: str) -> list[dict[str, str]]:
    """A table of the data."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def declared_grade(player: dict[str, str], event: dict[str, str]) -> str:
    """The grade with which a player entered an event."""
    kinds = {"weekend": "weekend", "rapid": "rapid"}
    kind = next((kinds[k] for k in kinds if k in event["name"]), "main")
    first = player[f"declared_grade_{kind}"]
    return first or next(
        player[key] for key in player if key.startswith("declared_grade_") and player[key]
    )


def first_standing(player: dict[str, str], fitted: bool) -> Standing | None:
    """The standing of the list before the congress; None for a player who is not on it."""
    if fitted and player["pin"] in FITTED:
        return Standing(rating=FITTED[player["pin"]], games=0, extra={"highest_grade": "7d"})
    if fitted and player["pin"] in NOT_RESET:
        return Standing(rating=float(player[LIST_BEFORE]), games=0, extra={"highest_grade": "7d"})
    if not player[LIST_BEFORE]:
        return None
    extra: dict[str, bool | int | float | str | None] = {}
    if player[BEST_BEFORE]:
        extra["highest_grade"] = grade_name(int(player[BEST_BEFORE]) - 1)
    return Standing(rating=float(player[LIST_BEFORE]), games=0, extra=extra)


def report_of(
    event: dict[str, str],
    games: Iterable[dict[str, str]],
    players: dict[str, dict[str, str]],
    standings: dict[str, Standing | None],
) -> Report:
    """One event of the congress as a report."""
    played = tuple(
        Game(
            white=game["white"],
            black=game["black"],
            result=RESULTS[game["black_score"]],
            round=int(game["round"]),
            handicap=int(game["handicap"]),
        )
        for game in games
    )
    pins = dict.fromkeys(p for game in played for p in (game.white, game.black) if p)
    entries = tuple(
        Entry(pin, grade=declared_grade(players[pin], event).lower(), standing=standings[pin])
        for pin in pins
    )
    start = date.fromisoformat(event["start_date"])
    return Report(Event(event["name"], start=start, class_=event["class"]), entries, played)


def rate_congress(book: RuleBook, *, fitted: bool = False) -> list[Comparison]:
    """Rate the five events in order; the comparable players, worst difference first.

    ``fitted`` uses :data:`NOT_RESET` and :data:`FITTED`.
    """
    players = {row["pin"]: row for row in rows("players.csv")}
    standings = {pin: first_standing(row, fitted) for pin, row in players.items()}
    steps: dict[str, list[tuple[str, float, float]]] = {pin: [] for pin in players}
    games = rows("games.csv")
    for event in sorted(rows("events.csv"), key=lambda row: int(row["order"])):
        own = [game for game in games if game["egd_code"] == event["egd_code"]]
        rating = rate(report_of(event, own, players, standings), book)
        assert not rating.findings.refused, [finding.message for finding in rating.findings]
        for rated in rating.rows:
            row = rated.row
            standings[row.id] = row.standing
            before = row.before if row.before is not None else float("nan")
            steps[row.id].append((event["egd_code"], before, row.exact or 0.0))
    comparisons = []
    for pin, player in players.items():
        standing = standings[pin]
        if player["comparable"] == "1" and standing is not None and standing.rating is not None:
            published = float(player[LIST_AFTER])
            comparisons.append(Comparison(pin, standing.rating, published, tuple(steps[pin])))
    return sorted(comparisons, key=lambda c: -abs(c.difference))


def within(comparisons: Iterable[Comparison], points: float) -> int:
    """How many agree with the published list to within so many points."""
    return sum(abs(each.difference) <= points for each in comparisons)


def main() -> None:
    """Print the agreement, and the players that disagree most."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("edition", nargs="?", default="egf-2013")
    parser.add_argument("--set", action="append", default=[], metavar="PARAMETER=VALUE")
    parser.add_argument(
        "--fitted", action="store_true", help="with the starting ratings that fit what is left over"
    )
    parser.add_argument("--worst", type=int, default=20)
    options = parser.parse_args()
    settings = dict(setting.split("=", 1) for setting in options.set)
    book = registry.edition(options.edition).with_parameters(settings)
    comparisons = rate_congress(book, fitted=options.fitted)
    print(f"European Go Congress 2013, {book.name}: {len(comparisons)} comparable players")
    for points in (0.5, 1, 2, 5, 10, 25):
        count = within(comparisons, points)
        print(f"  within {points:>3g}: {count:>4}  ({100 * count / len(comparisons):.1f} %)")
    print(f"\nThe {options.worst} farthest:")
    for each in comparisons[: options.worst]:
        way = ", ".join(f"{code} {before:g} → {after:.1f}" for code, before, after in each.steps)
        print(f"  {each.pin}: {each.rated:.1f}, published {each.published:g}: {way}")
    if not options.fitted:
        print(
            "\nWhat explains most of the rest, without proving it (--fitted): player 10386816 was "
            "not reset\nthough the lists suggest it, and three players who were on no list began "
            "elsewhere than at\ntheir grade: "
            f"{', '.join(f'{k} at {v:g}' for k, v in FITTED.items())}. "
            "What is left then is unexplained."
        )


if __name__ == "__main__":
    main()
