"""A whole period as one report, and the next one from what it leaves.

Two events of the period for list 2011/2 (open class, level 1800; master class, level 2200);
new players carry the level of the game's event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ratingbook.engine.rate import Rating
from ratingbook.formats.document.write import frozen_side_as_dict, standing_as_dict
from ratingbook.model import Severity
from ratingbook.rules.book import Row

RateIccf = Callable[..., Rating]
Json = dict[str, Any]

PLAYERS: list[Json] = [
    {"id": "new1"},
    {"id": "new2"},
    {
        "id": "growing",
        "standing": {"rating": 2000, "games": 12, "wins": 6, "draws": 0, "losses": 6},
        "history": [{"own": 2000, "opponent": 2000, "score": s} for s in [1] * 6 + [0] * 6],
    },
    {"id": "fixed", "standing": {"rating": 2250, "games": 60}},
    {"id": "old", "standing": {"rating": 2450, "games": 120}},
    {"id": "original", "standing": {"rating": 2200, "games": 100}},
    {"id": "substitute", "standing": {"rating": 2300, "games": 100}},
    {"id": "idle", "standing": {"rating": 2100, "games": 40}},
]

OPEN = {"event": "Open", "start": "2009-03-01", "reported": "2011-01-10"}
MASTER = {"event": "Master", "start": "2010-02-01", "reported": "2011-02-28"}
LATE: Json = {
    "white": "growing",
    "black": "original",
    "result": "1-0",
    **MASTER,
    "reported": "2011-03-01",
}

GAMES: list[Json] = [
    {
        "white": "new1",
        "black": "new2",
        "result": "1-0",
        "white_rating": 1800,
        "black_rating": 1800,
        **OPEN,
    },
    {"white": "new2", "black": "growing", "result": "1/2-1/2", "white_rating": 1800, **OPEN},
    {"white": "new1", "black": "fixed", "result": "0-1", "white_rating": 2200, **MASTER},
    {
        "white": "old",
        "black": "fixed",
        "result": "1/2-1/2",
        "white_rating": 2480,
        "black_rating": 2230,
        **MASTER,
    },
    {
        "white": "substitute",
        "white_for": "original",
        "black": "fixed",
        "result": "1/2-1/2",
        **MASTER,
    },
    LATE,
    {"white": "old", "black": "growing", "result": "1-0", **MASTER},
    {
        "white": "old",
        "black": "substitute",
        "result": "0-1",
        "status": "cancelled",
        **MASTER,
    },
]

EXPECTED = {
    # Item 14: 1800 (own 1800) and 2250 (own 2200): 2025, p = 1/2.
    "new1": (2025, 2025, 2, 1, None, "provisional", False),
    # Item 14: 1800 and 2000: 1900; p = .25: −193 · .875 = −168.875.
    "new2": (1731, 1731.125, 2, 0.5, None, "provisional", False),
    # Item 15: 12 · 2000 + 1800 + 2350 (2450 against 2000) = 28150, / 14 = 2010.7143;
    # p = 6.5/14 = .464 → .46, D = −29, F = .9968: −28.9072.
    "growing": (1982, 1981.807086, 2, 0.5, None, "provisional", True),
    # k = 13.75 · 1.1 = 15.125: +50 → .57, +.43; −250 → .19, +.31; against 2300, the higher of
    # the two: .43, +.07.  +.81 · k = 12.25125.
    "fixed": (2262, 2262.25125, 3, 2, 1.19, "established", True),
    # k = 10: own start 2480, +250 → .81, −.31; 450 counts as 350, .89, +.11.  −.20 · 10.
    "old": (2448, 2448, 2, 1.5, 1.7, "established", True),
    # The substitute had −.07, so the game is the original's: .43, +.07 · 15.
    "original": (2201, 2201.05, 1, 0.5, 0.43, "established", True),
    "substitute": (2300, 2300, 0, 0, None, "established", True),
    "idle": (2100, 2100, 0, 0, None, "established", True),
}


@pytest.fixture(scope="module")
def period(rate_iccf: RateIccf) -> Rating:
    return rate_iccf(PLAYERS, GAMES, name="Period", start="2010-12-01", end="2011-02-28")


@pytest.fixture(scope="module")
def rows(period: Rating) -> dict[str, Row]:
    assert not period.findings.refused, list(period.findings)
    return {rated.row.id: rated.row for rated in period.rows}


@pytest.mark.parametrize("player", EXPECTED)
def test_period(player: str, rows: dict[str, Row]) -> None:
    after, exact, games, score, expected, status, published = EXPECTED[player]
    row = rows[player]
    assert (row.after, row.games, row.score) == (after, games, score)
    assert row.exact == pytest.approx(exact, abs=5e-7, rel=0)
    assert row.expected == expected
    assert (row.status, row.published) == (status, published)


def test_what_the_commissioner_is_told(period: Rating) -> None:
    told = {finding.code: finding for finding in period.findings}
    assert set(told) == {"iccf.list", "iccf.reported-late", "iccf.earlier-list"}
    assert "2011/2" in told["iccf.list"].message
    late = told["iccf.reported-late"]
    assert late.severity is Severity.WARNING
    assert "1 in all" in late.message
    assert "2011/3" in late.message


def test_what_stays_of_the_games(rows: dict[str, Row]) -> None:
    sides = [(s.own, s.opponent, s.score, s.event) for s in rows["new1"].history]
    assert sides == [(1800, 1800, 1, "Open"), (2200, 2250, 0, "Master")]
    assert [str(side.start) for side in rows["new1"].history] == ["2009-03-01", "2010-02-01"]
    assert len(rows["growing"].history) == 14
    assert rows["fixed"].history == ()
    standing = rows["growing"].standing
    assert (standing.wins, standing.draws, standing.losses) == (6, 1, 7)
    assert (standing.games, str(standing.last_played)) == (14, "2011-02-28")
    assert rows["idle"].standing.last_played is None


def test_every_last_step_is_the_row(period: Rating) -> None:
    for rated in period.rows:
        played = rated.row.games > 0
        assert rated.explanation[-1].rule == ("rounded" if played else "unchanged")
        assert rated.explanation[-1].value == rated.row.after


def test_the_late_game_counts_in_the_next_period(rows: dict[str, Row], rate_iccf: RateIccf) -> None:
    players = [
        {
            "id": player,
            "standing": standing_as_dict(rows[player].standing),
            "history": [frozen_side_as_dict(side) for side in rows[player].history],
        }
        for player in ("growing", "original")
    ]
    # The ratings at the beginning of the game are still those of the list of then.
    late = {**LATE, "white_rating": 2000, "black_rating": 2200}
    rating = rate_iccf(players, [late], start="2011-03-01", end="2011-05-31")
    assert {finding.code for finding in rating.findings} == {"iccf.list"}
    after = {rated.row.id: rated.row for rated in rating.rows}
    # 28150 + 2200 = 30350, / 15; p = 7.5/15.
    assert after["growing"].exact == pytest.approx(30350 / 15)
    assert after["growing"].after == 2023
    # r = 14.975: 2200 against 2000 → .76; −.76 · 14.975 = −11.381.
    assert after["original"].exact == pytest.approx(2201 - 11.381)
    assert after["original"].after == 2190
    assert after["original"].standing.games == 102
