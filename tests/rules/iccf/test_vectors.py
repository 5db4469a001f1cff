"""Every row of the ICCF vectors; what describes a period is rated from end to end."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ratingbook.engine.rate import RatedRow, Rating
from ratingbook.rules.iccf.change import (
    development_coefficient,
    expectation,
    factor_g,
    factor_r,
)
from ratingbook.rules.iccf.columns import K_SCALE, Parameters
from ratingbook.rules.iccf.levels import national_level, tournament_level
from ratingbook.rules.iccf.lists import list_taking, rating_list
from ratingbook.rules.iccf.performance import correction, rating_difference

RateIccf = Callable[..., Rating]

IDS = """
C01.1 C01.3 C01.5 C02.1 C02.3 C02.5 C02.7 C02.9 C02.11 C03.2 C03.4 C03.6 C04.2 C04.4 C04.6 C04.8
C06 C08 C10 C12 C13b C15 C16 C18 C20 C22 C23b C25 C27 C29 C30.2 C30.4 C30.6 C30.8 C30.10 C32 C34
C36 C38
""".split()

LIST_2012_2 = (2012, 2)


@pytest.fixture(scope="module")
def vectors(reference: Path) -> dict[str, dict[str, str]]:
    with (reference / "vectors" / "iccf.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def test_no_row_is_left_out(vectors: Mapping[str, Mapping[str, str]], reference: Path) -> None:
    lines = (reference / "vectors" / "iccf.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) - 1 == len(IDS) == len(set(IDS)) == 39
    assert list(vectors) == IDS


# Rows about one function: the numbers are read from the row's own words.


def whole_percent(text: str) -> int:
    return round(100 * float(text))


def number(pattern: str, text: str) -> str:
    found = re.fullmatch(pattern, text)
    assert found, text
    return found[1]


def item_3(inputs: str) -> object:
    return rating_difference(whole_percent(number(r"P=(.*)", inputs)))


def items_4_and_8(inputs: str) -> object:
    difference = int(number(r"own-opp=(.*)", inputs))
    return expectation(2000 + difference, 2000, Parameters()) / 100


def item_5_factor(inputs: str) -> object:
    factor = correction(whole_percent(number(r"p=(.*)", inputs)))
    return factor.numerator / factor.denominator


def item_9(inputs: str) -> object:
    found = re.fullmatch(r"R0=(\d+), gn=(\d+)", inputs)
    assert found
    rating, games = map(int, found.groups())
    return development_coefficient(factor_r(rating), factor_g(games)) / K_SCALE


def item_11(inputs: str) -> object:
    return tournament_level(inputs, None).level


def item_11_national(inputs: str) -> object:
    ratings = [int(rating) for rating in number(r"rated (.*)", inputs).split()]
    return national_level(ratings)


def items_12_and_13(inputs: str) -> object:
    assert inputs == "list {}/{}".format(*LIST_2012_2)
    known = rating_list(*LIST_2012_2)
    days = (
        known.valid_from, known.valid_until, known.reports_from, known.reports_until,
        known.published,
    )  # fmt: skip
    return [str(day) for day in days]


def item_12(inputs: str) -> object:
    taking = list_taking(date.fromisoformat(number(r"reported (.*)", inputs)))
    return [taking.year, taking.number]


FUNCTIONS: Mapping[str, Callable[[str], object]] = {
    "C01": item_3,
    "C02": items_4_and_8,
    "C03": item_5_factor,
    "C04": item_9,
    "C30": item_11,
    "C32": item_11_national,
    "C34": items_12_and_13,
    "C36": item_12,
}

# Rows about a period: a report for each, beside the words that it stands for.


class Opponent(NamedTuple):
    """A game of the player "p", who has White, and the opponent's rating."""

    rating: int
    score: float
    own: int | None = None


class Period(NamedTuple):
    """A row that describes a period of the player "p"."""

    inputs: str
    standing: tuple[int, int] | None
    games: Sequence[Opponent]
    history: Sequence[Mapping[str, float]] = ()
    category: str | None = None
    settings: Mapping[str, str] | None = None


def frozen(own: int, opponent: int, score: float, times: int = 1) -> list[Mapping[str, float]]:
    return [{"own": own, "opponent": opponent, "score": score}] * times


PERIODS = {
    "C06": Period(
        "R0=2400 gn=100; own start 2380: win and draw v 2480",
        (2400, 100),
        [Opponent(2480, 1, own=2380), Opponent(2480, 0.5, own=2380)],
    ),
    "C08": Period("R0=2450 gn=120; draw v 2415", (2450, 120), [Opponent(2415, 0.5)]),
    "C10": Period(
        "assumed 1800: win v 1336, draw v 1800",
        None,
        [Opponent(1336, 1), Opponent(1800, 0.5)],
        category="open_class",
    ),
    "C12": Period("assumed 1800: 0/5 v 1800", None, [Opponent(1800, 0)] * 5, category="open_class"),
    "C13b": Period(
        "assumed 1900: 2/3 v 1900, p_mode=interpolate",
        None,
        [Opponent(1900, 1), Opponent(1900, 1), Opponent(1900, 0)],
        category="ladies_olympiad",
        settings={"p_mode": "interpolate"},
    ),
    "C15": Period(
        "assumed 1800: 7/8 v 1800",
        None,
        [Opponent(1800, 1)] * 7 + [Opponent(1800, 0)],
        category="open_class",
    ),
    "C16": Period(
        "R0=1900 gn=20 (12/20 v 1850), now 3/6 v 1950",
        (1900, 20),
        [Opponent(1950, 1)] * 3 + [Opponent(1950, 0)] * 3,
        history=frozen(1900, 1850, 1, 12) + frozen(1900, 1850, 0, 8),
    ),
    "C18": Period("R0=1900 gn=30, now 5 draws v 2000", (1900, 30), [Opponent(2000, 0.5)] * 5),
    "C20": Period(
        "R0=1900 gn=30; 33 games v 1900: +1 =32",
        (1900, 30),
        [Opponent(1900, 1)] + [Opponent(1900, 0.5)] * 32,
    ),
    "C22": Period("R0=1900 gn=30; 40 wins v 1900", (1900, 30), [Opponent(1900, 1)] * 40),
    "C23b": Period(
        "R0=2100 gn=60; game begun when own rating was 1950: win v 2050; own_rating=r0",
        (2100, 60),
        [Opponent(2050, 1, own=1950)],
        settings={"own_rating": "r0"},
    ),
    "C25": Period("R0=2100 gn=40", (2100, 40), []),
    "C38": Period(
        "gn=2 (C10), R0=1794; now a win v 2300",
        (1794, 2),
        [Opponent(2300, 1)],
        history=frozen(1800, 1336, 1) + frozen(1800, 1800, 0.5),
    ),
}

WHITE = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}


def row_of(rating: Rating, player: str) -> RatedRow:
    assert not rating.findings.refused, list(rating.findings)
    return next(rated for rated in rating.rows if rated.row.id == player)


def item_used(rated: RatedRow) -> str:
    """Which item gave the rating, as the explanation tells it."""
    told = {step.rule: step.value for step in rated.explanation}
    if told.get("is_new"):
        return "item14"
    if told.get("is_not_fixed"):
        return "item15"
    if "exceeds_limit" in told:
        return "item16-performance" if told["exceeds_limit"] else "item16"
    return "unchanged"


def period(case: Period, rate_iccf: RateIccf) -> object:
    player: dict[str, Any] = {"id": "p", "history": list(case.history)}
    total = 0
    if case.standing:
        player["standing"] = {"rating": case.standing[0], "games": case.standing[1]}
        total = case.standing[1]
    players: list[dict[str, Any]] = [player]
    games = []
    for index, opponent in enumerate(case.games):
        players.append({"id": f"o{index}", "standing": {"rating": opponent.rating, "games": 100}})
        game: dict[str, Any] = {
            "white": "p",
            "black": f"o{index}",
            "result": WHITE[opponent.score],
        }
        if opponent.own is not None:
            game["white_rating"] = opponent.own
        games.append(game)
    event = {"category": case.category} if case.category else {}
    rated = row_of(rate_iccf(players, games, case.settings, **event), "p")
    assert rated.row.games == len(case.games)
    assert rated.row.standing.games == total + len(case.games)
    return [item_used(rated), rated.row.after, rated.row.standing.games]


class Substitution(NamedTuple):
    """A row about a draw in which a substitute played."""

    inputs: str
    original: int
    substitute: int
    opponent: int


SUBSTITUTIONS = {
    "C27": Substitution(
        "original 2100, substitute 2300, opponent 2250, draw", 2100, 2300, 2250
    ),
    "C29": Substitution(
        "original 2200, substitute 2250, opponent 2250, draw", 2200, 2250, 2250
    ),
}  # fmt: skip


def substitution(case: Substitution, rate_iccf: RateIccf) -> object:
    ratings = {"original": case.original, "substitute": case.substitute, "opponent": case.opponent}
    rating = rate_iccf(
        [{"id": name, "standing": {"rating": r, "games": 100}} for name, r in ratings.items()],
        [
            {
                "white": "substitute",
                "white_for": "original",
                "black": "opponent",
                "result": "1/2-1/2",
            }
        ],
    )
    rows = {name: row_of(rating, name) for name in ratings}
    (counted,) = (name for name in ("original", "substitute") if rows[name].row.games)
    (against,) = (s.value for s in rows["opponent"].explanation if s.rule == "rating_for_opponent")

    def delta(name: str) -> float:
        row = rows[name].row
        assert row.expected is not None
        return round(row.score - row.expected, 2)

    return {
        "counted_for": counted,
        "delta_w": delta(counted),
        "opponent_against": against,
        "opponent_delta_w": delta("opponent"),
    }


@pytest.mark.parametrize("row", IDS)
def test_vector(row: str, vectors: Mapping[str, Mapping[str, str]], rate_iccf: RateIccf) -> None:
    inputs, output = vectors[row]["inputs"], json.loads(vectors[row]["output"])
    if row in PERIODS:
        assert PERIODS[row].inputs == inputs
        assert period(PERIODS[row], rate_iccf) == output
    elif row in SUBSTITUTIONS:
        assert SUBSTITUTIONS[row].inputs == inputs
        assert substitution(SUBSTITUTIONS[row], rate_iccf) == output
    else:
        assert FUNCTIONS[row.partition(".")[0]](inputs) == output
