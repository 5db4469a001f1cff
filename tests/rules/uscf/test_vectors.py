"""Every case of the US Chess vectors, and a real section from end to end in both pools."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ratingbook.rules.uscf import uscf_2011, uscf_2013
from ratingbook.rules.uscf.columns import (
    Kind,
    Parameters,
    Previous,
    Side,
    Standing,
    Start,
)
from ratingbook.rules.uscf.floors import peak_floor, personal_floor
from ratingbook.rules.uscf.games import opponent_in_youth_event
from ratingbook.rules.uscf.initial import (
    initial_by_age,
    initial_by_cfc,
    initial_by_fide,
    initial_of_adult,
)
from ratingbook.rules.uscf.special import special_rating
from ratingbook.rules.uscf.standard import (
    effective_games,
    k_factor,
    most_effective_games,
    standard_rating,
)

P2011: Parameters = uscf_2011.parameters
P2013: Parameters = uscf_2013.parameters
PREVIOUS = {None: Previous.MIXED, "wins": Previous.WINS, "losses": Previous.LOSSES}
ESTABLISHED = 60
KINDS = {"nstar_2011": 1, "nstar_2013": 2, "K": 9, "absolute_floor": 1, "peak_floor": 2,
         "standard": 6, "special": 1, "special_tie": 6, "fide_2011": 7, "fide_youth_2011": 2,
         "cfc_2011": 4, "age_2011": 8}  # fmt: skip
"""How many cases of each kind there are."""


def standing(rating: float, games: int, effective: float, previous: str | None = None) -> Standing:
    return Standing(
        rating=rating, games=games, rated=True, effective=effective, previous=PREVIOUS[previous],
        wins=0, draws=0, events=0, peak=0.0, money_floor=0.0, olm=False, lowered=0.0, ceiling=0.0,
        kind=Kind.EVENT, dual=False, match_180_days=0.0, match_3_years=0.0, holds_floor=False,
        exact=0.0, published=0,
    )  # fmt: skip


def sides(opponents: list[float], score: float) -> list[Side]:
    """So many points against these; which games brought them does not matter."""
    halves = int(2 * score)
    given = []
    for _ in opponents:
        given.append(min(2, halves))
        halves -= given[-1]
    return [
        Side(float(opponent), score, 1, n, n)
        for n, (opponent, score) in enumerate(zip(opponents, given, strict=True))
    ]


def parameters(case: Mapping[str, Any]) -> Parameters:
    chosen = P2013 if case.get("curve") == "2013" else P2011
    return chosen._replace(bonus=float(case.get("B", 0)))


def number_of_games(case: Mapping[str, Any]) -> int:
    return ESTABLISHED if case["N"] == "established" else int(case["N"])


def standard(case: Mapping[str, Any]) -> float:
    p, games = parameters(case), number_of_games(case)
    effective = effective_games(games, most_effective_games(case["R0"], p))
    opponents = case.get("opp") or case["opp_step4"]
    one = standing(case["R0"], games, effective)
    return standard_rating(one, sides(opponents, case["S"]), True, p).rating


def special(case: Mapping[str, Any]) -> float:
    p, games = parameters(case), number_of_games(case)
    effective = effective_games(games, most_effective_games(case["R0"], p))
    return special_rating(
        standing(case["R0"], games, effective), sides(case["opp_step4"], case["S"]), effective, p
    )


def tie(case: Mapping[str, Any]) -> dict[str, float]:
    effective = float(case["N0"])
    one = standing(case["R0"], 0, effective, case["history"])

    def by(start: Start) -> float:
        p = P2011._replace(start=start)
        return special_rating(one, sides(case["opp"], case["S"]), effective, p)

    assert by(Start.OFFICE) == pytest.approx(by(Start.NEAREST), abs=1e-9)
    return {"office_start_R0": by(Start.NEAREST), "seed_start_M": by(Start.PRINTED)}


def fide_of(opponent: float) -> float:
    return opponent_in_youth_event(opponent)


def age(case: Mapping[str, Any]) -> float:
    if case["age"] is None:
        return initial_of_adult().rating
    return initial_by_age(case["age"], P2011).rating


BY_KIND: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "nstar_2011": lambda case: effective_games(case["N"], most_effective_games(case["R0"], P2011)),
    "nstar_2013": lambda case: most_effective_games(case["R0"], P2013),
    "K": lambda case: k_factor(case["N0"], case["m"]),
    "absolute_floor": lambda case: personal_floor(case["NW"], case["ND"], case["NR"]),
    "peak_floor": lambda case: max(100.0, peak_floor(case["peak"])),
    "standard": standard,
    "special": special,
    "special_tie": tie,
    "fide_2011": lambda case: list(initial_by_fide(case["fide"], P2011)),
    "fide_youth_2011": lambda case: fide_of(case["fide"]),
    "cfc_2011": lambda case: list(initial_by_cfc(case["cfc"])),
    "age_2011": age,
}
"""How each kind of case is asked; a case of another kind fails."""


def test_every_case(reference: Path):
    cases = json.loads((reference / "vectors" / "uscf.json").read_text("utf-8"))
    assert Counter(case["kind"] for case in cases) == KINDS
    for case in cases:
        found = BY_KIND[case["kind"]](case["input"])
        expected = pytest.approx(case["expected"], abs=case["tolerance"] or 1e-9)
        assert found == expected, case
        if isinstance(case.get("value"), float):
            assert found == pytest.approx(case["value"], abs=1e-6), case


def test_an_estimate_that_members_asked_about():
    """1532 beats 1608, 1746 and 1691 and loses to 1685 and 1600: 1611.2 in one pass."""
    case = {"curve": "2013", "B": 10, "R0": 1532, "N": "established",
            "opp": [1608, 1746, 1691, 1685, 1600], "S": 3}  # fmt: skip
    assert standard(case) == pytest.approx(1611.2, abs=0.1)


# The section of 2026.

PLAYED = re.compile(r"([WLD])(\d+)")
RESULTS = {"W": "1-0", "L": "0-1", "D": "1/2-1/2"}
POOLS = {"R": "regular", "Q": "quick"}


@pytest.fixture(scope="module")
def section(reference: Path) -> list[dict[str, str]]:
    path = reference / "vectors" / "uscf_2026_section.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def player(row: Mapping[str, str]) -> dict[str, Any]:
    """A player with the rating of before; games before are those after, less the played ones."""
    if not row["pre_decimal"]:
        decisions = {"initial_rating": 406, "reason": "fitted to the section, not published"}
        return {"id": row["row"], "decisions": decisions}
    standing: dict[str, Any] = {"rating": float(row["pre_decimal"])}
    if row["prov_games_after"]:
        played = sum(PLAYED.fullmatch(cell) is not None for cell in row["rounds"].split())
        standing["games"] = int(row["prov_games_after"]) - played
    else:
        standing["status"] = "established"
    return {"id": row["row"], "standing": standing}


def games(rows: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Games, byes and forfeits; each game stands in two rows and is taken once."""
    found: list[dict[str, Any]] = []
    for row in rows:
        for number, cell in enumerate(row["rounds"].split(), 1):
            game = {"round": number, "white": row["row"]}
            match = PLAYED.fullmatch(cell)
            if match and int(row["row"]) < int(match[2]):
                found.append({**game, "black": match[2], "result": RESULTS[match[1]]})
            elif cell == "FW14":
                found.append({**game, "black": "14", "result": "1-0", "status": "forfeit"})
            elif cell in ("BF", "FW"):
                found.append({**game, "status": "bye"})
    return found


@pytest.mark.parametrize("system", ["R", "Q"])
def test_a_real_section(system, section, rows_uscf):
    rows = [row for row in section if row["system"] == system]
    found = rows_uscf(
        [player(row) for row in rows],
        games(rows),
        "uscf-2025",
        end="2026-03-07",
        time_control="G/30;d5",
        pool=POOLS[system],
    )
    assert len(found) == 14
    for row in rows:
        rated = found[row["row"]]
        assert rated.exact == pytest.approx(float(row["post_decimal"]), abs=0.01), row
        assert rated.after == int(row["post"]), row
        if row["prov_games_after"]:
            assert rated.standing.games == int(row["prov_games_after"])
            assert rated.status == "provisional"
        elif row["pre_decimal"]:
            assert rated.status == "established"


@pytest.mark.parametrize("system", ["R", "Q"])
def test_the_unrated_player_of_the_section_is_at_his_personal_floor(system, section, rate_uscf):
    rows = [row for row in section if row["system"] == system]
    rating = rate_uscf(
        [player(row) for row in rows],
        games(rows),
        "uscf-2025",
        end="2026-03-07",
        time_control="G/30;d5",
        pool=POOLS[system],
    )
    unrated = next(rated for rated in rating.rows if rated.row.id == "13")
    by_rule = {step.rule: step.value for step in unrated.explanation}
    assert by_rule["rating_of_step_5"] == 100
    assert by_rule["personal_floor"] == 101
    assert (unrated.row.exact, unrated.row.after) == (101, 101)
    assert unrated.row.standing.extra["events"] == 1
