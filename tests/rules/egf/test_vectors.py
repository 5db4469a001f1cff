"""Every row of the EGF vectors, and the tables and examples of the description itself."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ratingbook.engine.rate import Rating
from ratingbook.rules.book import Row
from ratingbook.rules.egf import egf_1998
from ratingbook.rules.egf.columns import Parameters, Strength
from ratingbook.rules.egf.expected import TABLE_2, a, con, expected_by_table

RateEgf = Callable[..., Rating]
Json = dict[str, Any]

SEED = "002_b574fbceafef2eac.txt"
NO_EPSILON = {"epsilon": "0"}
"""The tables and worked examples of the description leave ε out."""

ROWS_2021 = 15
ROWS_1998 = 22
TABLE_1_ROWS = 12


@pytest.fixture(scope="module")
def vectors(reference: Path) -> Mapping[str, Sequence[Json]]:
    found: Mapping[str, Sequence[Json]] = json.loads(
        (reference / "vectors" / "egf_2021.json").read_text(encoding="utf-8")
    )
    return found


@pytest.fixture(scope="module")
def seed(reference: Path) -> str:
    text = (reference / "seeds" / SEED).read_text(encoding="utf-8")
    # The page ties some of its words together with no-break spaces.
    return text.replace("\xa0", " ")


def expected_below(rating: float, difference: float, p: Parameters) -> float:
    """The expected score of the weaker side, which has that rating."""
    own, opponent = (Strength(each, a(each, p)) for each in (rating, rating + difference))
    return expected_by_table(own, opponent, p)


def test_no_row_is_left_out(vectors: Mapping[str, Sequence[Json]]) -> None:
    assert {key for key in vectors if key != "note"} == {"system_2021", "system_1998"}
    assert len(vectors["system_2021"]) == ROWS_2021
    assert len(vectors["system_1998"]) == ROWS_1998
    assert sum("D" in row for row in vectors["system_1998"]) == TABLE_1_ROWS


def rated_row(
    rate_egf: RateEgf, edition: str, row: Json, settings: Mapping[str, str] | None = None
) -> Row:
    """The player of a vector, whose stones may be negative: then the opponent receives them."""
    stones = row.get("stones_received", 0)
    own, other = ("white", "black") if stones < 0 else ("black", "white")
    result = {("black", 1): "0-1", ("black", 0): "1-0", ("white", 1): "1-0", ("white", 0): "0-1"}
    # A row that gives no score is about the expected score, which any result shows.
    score = row.get("score", 1)
    game: Json = {
        own: "P",
        other: "O",
        "result": result.get((own, score), "1/2-1/2"),
        "handicap": abs(stones),
    }
    players = [
        {"id": "P", "standing": {"rating": row["rating"], "games": 30}},
        {"id": "O", "standing": {"rating": row["opponent"], "games": 30}},
    ]
    assert row.get("weight", 1) == 1
    rating = rate_egf(edition, players, [game], settings, **{"class": "A"})
    assert not rating.findings.refused, list(rating.findings)
    return rating.rows[0].row


def agrees(value: float | None, printed: float, text: str | None = None) -> bool:
    """Whether the value is what was printed, to the last digit that was printed."""
    assert value is not None
    digits = len((text or repr(printed)).partition(".")[2])
    return abs(value - printed) <= 0.5 * 10.0**-digits + 1e-9


@pytest.mark.parametrize("index", range(ROWS_2021))
def test_system_2021(index: int, vectors: Mapping[str, Sequence[Json]], rate_egf: RateEgf) -> None:
    row = vectors["system_2021"][index]
    found = rated_row(rate_egf, "egf-2021", row)
    if "expected_new" in row:
        assert agrees(found.exact, row["expected_new"])
        assert agrees(found.exact, row["formula_new"])
        assert agrees(found.expected, row["se"], f"{row['se']:.6f}")
        assert found.after == pytest.approx(row["formula_new"], abs=0.0006)
    else:
        assert found.expected == pytest.approx(row["expected_score"], abs=1e-11)
        assert found.expected == pytest.approx(row["formula_se"], abs=1e-11)


@pytest.mark.parametrize("index", range(ROWS_1998))
def test_system_1998(index: int, vectors: Mapping[str, Sequence[Json]], rate_egf: RateEgf) -> None:
    row = vectors["system_1998"][index]
    source = row["source"]
    if "D" in row:
        p = Parameters(epsilon=0.0)
        assert a(row["lower"], p) == 115
        found = expected_below(row["lower"], row["D"], p)
        assert agrees(found, row["SE"], f"{row['SE']:.3f}")
        return
    # The last four are of a program that takes all of ε off the stronger side, as egf-1998 does.
    literal = source.startswith(("gitpan", "same"))
    player = rated_row(rate_egf, "egf-1998", row, None if literal else NO_EPSILON)
    assert player.exact is not None
    if "change" in row:
        assert agrees(player.exact - row["rating"], float(row["change"]), row["change"])
    else:
        assert agrees(player.exact, row["new"])


def test_the_last_four_rows_need_epsilon(vectors: Mapping[str, Sequence[Json]]) -> None:
    sources = [row["source"] for row in vectors["system_1998"][-4:]]
    assert sources[0].startswith("gitpan/Games-Ratings")
    assert all(source.startswith("same") for source in sources[1:])


# The description's own tables.


def numbers_between(text: str, start: str, end: str) -> list[str]:
    """The lines of a part of the description that hold nothing but a number."""
    part = text.split(start, 1)[1].split(end, 1)[0]
    return [line.strip() for line in part.splitlines() if re.fullmatch(r"[\d.]+", line.strip())]


def test_table_1_of_the_description(seed: str) -> None:
    numbers = numbers_between(seed, "Таблица 1:", "В партии на равных")
    differences, printed = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]
    assert len(differences) == len(printed) == TABLE_1_ROWS
    p = Parameters(epsilon=0.0)
    found = [f"{expected_below(1800, int(d), p):.3f}" for d in differences]
    assert found == printed


def rows_of_table_2(text: str) -> list[list[str]]:
    numbers = numbers_between(text, "Таблица 2:", "Пример 3:")
    rows = [numbers[start : start + 4] for start in range(0, len(numbers), 4)]
    return sorted(rows, key=lambda row: int(row[0]))


def test_table_2_of_the_description(seed: str) -> None:
    rows = rows_of_table_2(seed)
    assert [row[0] for row in rows] == [str(rating) for rating in range(100, 2701, 100)]
    for rating, printed_con, printed_a, printed_se in rows:
        p = egf_1998.parameters._replace(epsilon=0.0)
        assert con(int(rating), p) == int(printed_con)
        assert a(int(rating), p) == int(printed_a)
        expected = expected_below(int(rating), 100, p)
        assert f"{100 * expected:.1f}" == f"{float(printed_se):.1f}", rating


def test_table_2_of_the_program_is_that_of_the_file(reference: Path) -> None:
    path = reference / "tables" / "egf_con_a.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(int(row["con"]), int(row["a"])) for row in csv.DictReader(file)]
    assert tuple(rows) == TABLE_2


def test_statistics_of_even_games_are_those_of_the_description(seed: str, reference: Path) -> None:
    """138,854 games, by which the model's prediction is judged (paragraph 8)."""
    printed = [line.split() for line in seed.splitlines() if re.match(r"\s*\d+[KD]\s+\d", line)]
    path = reference / "tables" / "egf_even_games_statistics.csv"
    with path.open(encoding="utf-8", newline="") as file:
        filed = list(csv.reader(file))[1:]
    # Where no game was played the description prints a dash.
    assert [["" if cell == "-" else cell for cell in row] for row in printed] == filed
    assert sum(int(row[column]) for row in filed for column in (2, 5, 8, 11)) == 138_854


# The description's examples, ε left out as there.


@pytest.mark.parametrize(
    ("black", "white", "stones", "result", "printed"),
    [
        pytest.param(2400, 2400, 0, "0-1", ("0.500", "0.500", "2407.5", "2392.5"), id="example 3"),
        pytest.param(320, 400, 0, "0-1", ("0.396", "0.604", "383", "340"), id="example 4"),
        pytest.param(1850, 2400, 5, "0-1", ("0.248", "0.752", "1875", "2389"), id="example 5"),
    ],
)
def test_examples_of_the_description(
    black: int,
    white: int,
    stones: int,
    result: str,
    printed: tuple[str, str, str, str],
    seed: str,
    rate_egf: RateEgf,
) -> None:
    players = [
        {"id": "A", "standing": {"rating": black, "games": 30}},
        {"id": "B", "standing": {"rating": white, "games": 30}},
    ]
    game = {"black": "A", "white": "B", "result": result, "handicap": stones}
    rating = rate_egf("egf-1998", players, [game], NO_EPSILON)
    rows = [rated.row for rated in rating.rows]
    found = [row.expected for row in rows] + [row.exact for row in rows]
    for value, text in zip(found, printed, strict=True):
        assert agrees(value, float(text), text)
        # Example 3 writes 0.5.
        assert text.replace("0.500", "0.5") in seed


def test_the_numbers_between_in_examples_4_and_5() -> None:
    p = egf_1998.parameters
    assert (a(320, p), con(320, p), con(400, p)) == (189, 104, 100)
    assert (a(2300, p), con(1850, p), con(2400, p)) == (90, 33, 15)
    assert math.isclose(1 / (math.exp(80 / 189) + 1), 0.396, abs_tol=5e-4)
