"""Numbers that no list has (reading B30), and exact halves (reading B22): in reports, histories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.formats.document.write import write_document
from ratingbook.model import Report
from ratingbook.rules.iecg import iecg_1999

Json = dict[str, Any]
DAY = date(1999, 7, 10)
RESULTS = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}

BOUNDS: list[tuple[Json, list[tuple[float, int]], int]] = [
    # A full loss earns D(0) · F = −800 / 2.
    ({"status": "starting", "starting_rating": 100}, [(0, 402)] * 12, 2),
    ({"status": "starting", "starting_rating": 100}, [(0, 400)] * 12, 1),
    ({"status": "starting", "starting_rating": 100}, [(0, 399)] * 12, 1),
    # k = 20; P(0) = ½.
    ({"rating": 11, "games": 100}, [(0, 11)], 1),
    ({"rating": 10, "games": 100}, [(0, 10)], 1),
    ({"rating": 1, "games": 100}, [(0, 1)], 1),
    # From 2400 on k is 10.
    ({"rating": 4000, "games": 100}, [(1, 4000)], 4000),
    ({"rating": 3995, "games": 100}, [(1, 3995)], 4000),
]

HALVES: list[tuple[Json, list[tuple[float, int]], int]] = [
    # r = 70 − 2184 / 40 = 15.4; all lie more than 400 below: P = 10/11 each.
    # 2184 + 15.4 · (2.5 − 50/11) = 2184 − 31.5.
    ({"rating": 2184, "games": 89}, [(s, 1700) for s in (0, 1, 0.5, 0.5, 0.5)], 2153),
    # Eleven of 1/11: 2184 + 15.4 · (3.5 − 1).
    ({"rating": 2184, "games": 89}, [(0.5, 2600)] * 7 + [(0, 2600)] * 4, 2223),
    # P(D) + P(−D) = 1 and k = 20 · 1.25: 1700 + 25 · (2 − 1.5), and 25 · (.5 − 1).
    ({"rating": 1700, "games": 20}, [(1, 1697), (0, 1703), (1, 1700)], 1713),
    ({"rating": 1700, "games": 20}, [(0, 1523), (0.5, 1877)], 1688),
    # Rc = 1812.5, p = ½.
    ({"status": "starting", "starting_rating": 1800}, [(1, 1825), (0, 1800)], 1813),
]


def report_of(standing: Json, games: Sequence[tuple[float, int]]) -> Report:
    """A's games, each against another established player with this TER."""
    opponents = [
        {"id": f"o{number}", "standing": {"rating": ter, "games": 100}}
        for number, (_, ter) in enumerate(games)
    ]
    return report_from(
        {
            "ratingbook": "report/1",
            "event": {"start": "1999-07-01", "end": "1999-08-31"},
            "players": [{"id": "A", "standing": standing}, *opponents],
            "games": [
                {"white": "A", "black": f"o{number}", "result": RESULTS[score]}
                for number, (score, _) in enumerate(games)
            ],
        },
        iecg_1999.standing_fields,
    )


@pytest.mark.parametrize(("standing", "games", "after"), BOUNDS + HALVES)
def test_in_a_report(standing: Json, games: list[tuple[float, int]], after: int) -> None:
    report = report_of(standing, games)
    rated = rate(report, iecg_1999, explain=None)
    assert not rated.findings.refused, [str(finding) for finding in rated.findings]
    found = rated.rows[0]
    assert found.row.after == after
    assert found.explanation[-1].value == after
    if (found.row.standing.games or 0) >= iecg_1999.parameters.ter_games:
        assert found.row.standing.extra["ter"] == after
    # The next period takes what was written.
    entries = tuple(
        replace(entry, standing=each.row.standing, history=each.row.history)
        for entry, each in zip(report.entries, rated.rows, strict=True)
    )
    written = write_document(replace(report, entries=entries)).files[""]
    again = rate(report_from(json.loads(written), iecg_1999.standing_fields), iecg_1999)
    assert not again.findings.refused, [str(finding) for finding in again.findings]
    assert again.rows[0].row.before == after


@pytest.mark.parametrize(("standing", "games", "after"), BOUNDS + HALVES)
def test_in_a_history(standing: Json, games: list[tuple[float, int]], after: int) -> None:
    numbers = range(len(games))
    found = rate_history(
        pa.table(
            {
                "date": [DAY for _ in games],
                "white": ["A" for _ in games],
                "black": [f"o{number}" for number in numbers],
                "score": [float(score) for score, _ in games],
            }
        ),
        iecg_1999,
        players=pa.table(
            {
                "id": ["A", *(f"o{number}" for number in numbers)],
                "rating": pa.array(
                    [standing.get("rating"), *(ter for _, ter in games)], pa.float64()
                ),
                "games": pa.array([standing.get("games"), *(100 for _ in games)], pa.int32()),
                "status": [standing.get("status"), *("established" for _ in games)],
                "starting_rating": pa.array(
                    [standing.get("starting_rating"), *(None for _ in games)], pa.float64()
                ),
            }
        ),
        compiled=False,
    ).changes.to_pylist()
    assert [row["after"] for row in found if row["player"] == "A"] == [after]


def test_the_exact_number_of_a_half_is_the_half() -> None:
    standing, games, _ = HALVES[0]
    assert rate(report_of(standing, games), iecg_1999).rows[0].row.exact == 2152.5
