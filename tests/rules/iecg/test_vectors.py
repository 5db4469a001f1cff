"""Every case of the IECG vectors, each by the functions or the report that its rule is about."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Colour, Game, GameStatus, Result
from ratingbook.rules.book import Row
from ratingbook.rules.iecg import iecg_1999
from ratingbook.rules.iecg.columns import Parameters, Status
from ratingbook.rules.iecg.entry_rating import is_established, is_published, tournament_entry_rating
from ratingbook.rules.iecg.established import development_coefficient, factor_p, factor_r
from ratingbook.rules.iecg.expected import (
    expected_rating_change,
    percentage_result,
    performance_probability,
)
from ratingbook.rules.iecg.games import score_in_table
from ratingbook.rules.iecg.lists import Period, intermediate_list_date, period_of

P = Parameters()
SCORES = {"win": "1-0", "draw": "1/2-1/2", "loss": "0-1"}


def numbers(inputs: str) -> list[float]:
    return [float(number) for number in re.findall(r"[\d.]*\d", inputs)]


def rows(players: list[dict[str, Any]], games: list[dict[str, Any]]) -> dict[str, Row]:
    document = {
        "ratingbook": "report/1",
        "event": {"start": "1999-07-01", "end": "1999-08-31"},
        "players": players,
        "games": games,
    }
    rating = rate(report_from(document), iecg_1999)
    assert not rating.findings.refused, list(rating.findings)
    return {rated.row.id: rated.row for rated in rating.rows}


def after_games(player: dict[str, Any], games: list[tuple[str, int]]) -> Row:
    opponents = [
        {"id": f"o{n}", "standing": {"rating": rating, "games": 100}}
        for n, (_, rating) in enumerate(games)
    ]
    played = [
        {"white": "A", "black": f"o{n}", "result": SCORES[result]}
        for n, (result, _) in enumerate(games)
    ]
    return rows([{"id": "A", **player}, *opponents], played)["A"]


def established(inputs: str) -> float | None:
    """``Ro=1800 Pn=100: win v 1800, draw v 2000`` rated."""
    ro, pn, *_ = (int(number) for number in numbers(inputs))
    games = [
        (result, int(rating)) for result, rating in re.findall(r"(win|draw|loss) v (\d+)", inputs)
    ]
    return after_games({"standing": {"rating": ro, "games": pn}}, games).exact


def provisional(results: list[str], opponent: int = 1500) -> float | None:
    player = {"standing": {"status": "starting", "starting_rating": 1500}}
    return after_games(player, [(result, opponent) for result in results]).exact


def newcomer(foreign: dict[str, int]) -> list[object]:
    found = rows([{"id": "A", "foreign": foreign}], [])["A"]
    return [found.status, found.after]


def score_of(status: str, result: str, table: str) -> list[float]:
    """Rated score and score in the table, of White."""
    standing = {"rating": 1800, "games": 100}
    game = {"white": "A", "black": "B", "result": result, "table_result": table, "status": status}
    found = rows([{"id": "A", "standing": standing}, {"id": "B", "standing": standing}], [game])
    shown = score_in_table(
        Game("A", "B", Result(result), GameStatus(status), table_result=Result(table)), Colour.WHITE
    )
    assert shown is not None
    return [found["A"].score, shown / 2]


def idle() -> list[object]:
    found = rows([{"id": "A", "standing": {"rating": 1800, "games": 100}}], [])["A"]
    return [found.status, found.after, found.standing.games]


def sum_of_pair() -> float:
    standing = {"rating": 1800, "games": 100}
    found = rows(
        [{"id": "A", "standing": standing}, {"id": "B", "standing": standing}],
        [{"white": "A", "black": "B", "result": "1-0"}],
    )
    return sum(row.exact or 0 for row in found.values())


def percentage(inputs: str) -> float:
    wins, draws, games = (int(number) for number in numbers(inputs))
    return percentage_result(2 * wins + draws, games)


def k(inputs: str) -> float:
    ro, pn = (int(number) for number in numbers(inputs))
    return development_coefficient(factor_r(ro), factor_p(pn))


def ter(games: int) -> int:
    return tournament_entry_rating(Status.PROVISIONAL, games, 1627, 1500, P)


BY_RULE: dict[str, Callable[[str], Any]] = {
    "G01": lambda inputs: performance_probability(int(inputs.removeprefix("D="))),
    "G02": lambda inputs: expected_rating_change(numbers(inputs)[0]),
    "G03": percentage,
    "G04": k,
    "G05": established,
    "G07": established,
    "G09": lambda _: provisional(["win"] * 4 + ["draw"] * 3 + ["loss"]),
    "G11": lambda _: provisional(["loss"] * 6),
    "G13": lambda _: [is_published(5, P), is_published(6, P)],
    "G15": lambda _: [ter(9), ter(10)],
    "G17": lambda _: [
        "established" if is_established(games, P) else "provisional" for games in (14, 15)
    ],
    "G19": lambda _: list(period_of(date(1999, 5, 27))),
    "G21": lambda _: intermediate_list_date(Period(1999, 3)).isoformat(),
    "G23": lambda _: newcomer({"iccf": 2150}),
    "G25": lambda _: [newcomer({"national": 1850, "national_games": games}) for games in (6, 5)],
    "G27": lambda _: score_of("time", "1-0", "1-0"),
    "G29": lambda _: score_of("adjudicated", "1/2-1/2", "1-0"),
    "G31": lambda _: idle(),
    "G33": lambda _: sum_of_pair(),
}
"""How each group of cases is asked; a case that is not here fails."""


def test_every_case(reference: Path):
    with (reference / "vectors" / "iecg.csv").open(encoding="utf-8", newline="") as file:
        cases = list(csv.DictReader(file))
    assert len(cases) == 25
    for case in cases:
        found = BY_RULE[case["id"].partition(".")[0]](case["inputs"])
        expected = json.loads(case["output"])
        if isinstance(expected, float):
            expected = pytest.approx(expected, abs=5e-7)
        assert found == expected, f"{case['id']} {case['rule']}: {case['inputs']}"
