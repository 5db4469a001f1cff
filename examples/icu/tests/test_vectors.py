"""The office's own runs, to six decimals: every input, intermediate and output."""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from icu_rating import icu_2012
from icu_rating.rules import Parameters, Side, Standing
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Findings, Game, Report, Result
from ratingbook.model import Standing as Reported
from ratingbook.rules.book import Row, RuleBook
from ratingbook.rules.rounding import half_away_from_zero
from ratingbook.rules.units import SCORE_SCALE

Kernel = Callable[[Standing, Sequence[Side], Parameters], Standing]
CASES = [f"ICU{number:02}" for number in range(1, 26)]
RESULTS = {"1.0": Result.WHITE_WINS, "0.5": Result.DRAW, "0.0": Result.BLACK_WINS}
IN_TURN = {"following": "in_turn"}


class Case(NamedTuple):
    """One run: what goes in, and what came out."""

    book: RuleBook
    report: Report
    players: list[dict[str, str]]
    error: str


def rows_of(path: Path, case: str) -> list[dict[str, str]]:
    """The rows of a file that belong to a case."""
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["case"] == case]


def entry_of(row: dict[str, str]) -> Entry:
    """A player as the report has him."""
    if row["type"] == "unrated":
        return Entry(row["num"])
    games = int(row["prior_games"]) if row["prior_games"] else 100
    is_foreign = row["type"] == "foreign"
    standing = Reported(float(row["rating"]), games, extra={"foreign": is_foreign})
    if not row["kfactor"]:
        return Entry(row["num"], standing=standing)
    decisions: dict[str, float | str] = {"k": float(row["kfactor"]), "reason": "the run"}
    return Entry(row["num"], standing=standing, decisions=decisions)


def games_of(rows: list[dict[str, str]]) -> Iterator[Game]:
    """The games; a result that is told for one side only counts for that side only."""
    told = {(row["round"], row["player"], row["opponent"]) for row in rows}
    for row in rows:
        yield Game(
            row["player"],
            row["opponent"],
            RESULTS[row["score_player"]],
            round=int(row["round"]),
            black_rated=(row["round"], row["opponent"], row["player"]) not in told,
        )


def case_of(folder: Path, name: str, settings: dict[str, str]) -> Case:
    """A run by its name."""
    (said,) = rows_of(folder / "icu_cases.csv", name)
    players = rows_of(folder / "icu_players.csv", name)
    no_bonuses = "true" if players and players[0]["no_bonuses"] == "1" else "false"
    book = icu_2012.with_parameters(
        {"version": said["version"], "no_bonuses": no_bonuses, **settings}
    )
    games = tuple(games_of(rows_of(folder / "icu_results.csv", name)))
    assert (len(players), len(games)) == (int(said["players"]), int(said["games"]))
    return Case(book, Report(Event(), tuple(map(entry_of, players)), games), players, said["error"])


NOTED: dict[str, list[Standing]] = defaultdict(list)
"""What each turn of a round left, in the order of the players, by the name of its kernel."""


def watched(book: RuleBook) -> RuleBook:
    """The edition, watched: its kernels note what they give; the second phase by itself."""
    assert book.bulk is not None

    def noting(kernel: Kernel) -> Kernel:
        def noted(standing: Standing, sides: Sequence[Side], p: Parameters) -> Standing:
            value = kernel(standing, sides, p)
            NOTED[f"{kernel.__name__}{' again' * ('rate_again' in NOTED)}"].append(value)
            return value

        return noted

    kernels = tuple(map(noting, book.bulk.kernels))
    return replace(book, bulk=replace(book.bulk, kernels=kernels))


def rated(case: Case) -> tuple[dict[str, Row], Findings]:
    """The rows by player."""
    NOTED.clear()
    done = rate(case.report, watched(case.book))
    return {each.row.id: each.row for each in done.rows}, done.findings


def rounded(number: int) -> str:
    """A number of the rules as a whole one."""
    return str(half_away_from_zero(number, SCORE_SCALE))


def intermediates(case: Case, last: Sequence[Standing]) -> Iterator[str]:
    """Which numbers of before a bonus are not those of the run; only some players have them."""
    for said, value in zip(case.players, last, strict=True):
        if said["pre_bonus_rating"]:
            rating = float(said["rating"]) * SCORE_SCALE
            if said["pre_bonus_rating"] != rounded(int(rating) + value.change):
                yield f"{said['num']} pre_bonus_rating"
            performance = rounded(value.value) if value.played else ""
            if said["pre_bonus_performance"] != performance:
                yield f"{said['num']} pre_bonus_performance"


def same(said: str, found: float | None) -> bool:
    """Whether a number is the one of the run, in all its six decimals; empty: there is none."""
    if not said or found is None:
        return not said and found is None
    return abs(float(said) - found) <= 0.50001e-6


def differences(said: dict[str, str], row: Row) -> list[str]:
    """Which numbers of a player are not those of the run."""
    performance = row.performance
    rated_kind = said["type"] == "rated"
    # Who got no new number in the run stays as he was.
    new = row.exact if said["new_rating"] else None
    change = None
    if rated_kind and row.exact is not None:
        change = row.exact - float(said["rating"]) - int(said["bonus"])
    found = {
        "score": row.score,
        "expected_score": row.expected,
        "performance": performance,
        "new_rating": new,
        "rating_change": change,
    }
    return [f"{row.id} {name}" for name, value in found.items() if not same(said[name], value)]


@pytest.mark.parametrize("name", CASES)
def test_the_run_comes_out(name: str, reference: Path) -> None:
    """In the order of the list where the office's program went by it (reading I1)."""
    case = case_of(reference / "vectors", name, IN_TURN)
    rows, findings = rated(case)
    if case.error:
        assert not rows
        assert "rate.unsettled" in [each.code for each in findings if each.severity.refuses]
        return
    assert not findings.refused or not case.players
    wrong = [each for said in case.players for each in differences(said, rows[said["num"]])]
    assert wrong == []
    turns = [len(NOTED[name]) for name in ("perform", "perform again")]
    for said in case.players:
        iterations = [int(said["iterations1"]), int(said["iterations2"])]
        assert turns == [each * len(case.players) for each in iterations]
    last = NOTED["bonuses_again again"] or NOTED["rate"]
    assert [*intermediates(case, last)] == []


@pytest.mark.parametrize("name", CASES)
def test_all_together_differs_in_three_runs_only(name: str, reference: Path) -> None:
    """Reading I1: where two players with a bonus met, and by less than half a point."""
    folder = reference / "vectors"
    in_turn, _ = rated(case_of(folder, name, IN_TURN))
    together, _ = rated(case_of(folder, name, {}))
    assert in_turn.keys() == together.keys()
    differs = {
        player
        for player, row in in_turn.items()
        if row.exact is not None and abs(row.exact - (together[player].exact or 0)) > 1e-6
    }
    assert bool(differs) is (name in ("ICU20", "ICU21", "ICU22"))
    for player in differs:
        assert abs((in_turn[player].exact or 0) - (together[player].exact or 0)) < 0.5
