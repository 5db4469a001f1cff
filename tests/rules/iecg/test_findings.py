"""What iecg-1999 notices: every code, where it lies and whether the report is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Severity
from ratingbook.rules.iecg import iecg_1999

B = {"id": "B", "standing": {"rating": 1600, "games": 100}}
GAME = {"white": "A", "black": "B", "result": "1-0"}
HISTORY = [{"own": 1500, "opponent": 1550, "score": 0.5}] * 8
PROVISIONAL = {
    "standing": {"rating": 1550, "games": 8, "starting_rating": 1500},
    "history": HISTORY,
}
REASON = {"reason": "decided"}


def rating(
    player: Mapping[str, Any], *more: Mapping[str, Any], games=(GAME,), **settings
) -> Rating:
    document = {
        "ratingbook": "report/1",
        "event": {"start": "1999-07-01", "end": "1999-08-31"},
        "players": [{"id": "A", **player}, B, *more],
        "games": list(games),
    }
    return rate(report_from(document), iecg_1999.with_parameters(settings))


def codes(found: Rating) -> set[str]:
    return {f.code for f in found.findings if f.code.startswith("iecg.")} - {"iecg.lists"}


def standing(**fields: object) -> dict[str, Any]:
    return {"standing": fields}


@pytest.mark.parametrize(
    ("player", "code", "severity"),
    [
        (standing(rating=1550.5, games=20), "rating.not-whole", Severity.ERROR),
        (standing(rating=1550, games=20, ter=0), "iecg.rating-not-whole", Severity.ERROR),
        (
            {**PROVISIONAL, "history": [{"opponent": 1550.5, "score": 1}] * 8},
            "rating.not-whole",
            Severity.ERROR,
        ),
        ({"foreign": {"iccf": 2150.5}}, "iecg.rating-not-whole", Severity.ERROR),
        ({"decisions": {"tutor_rating": "good", **REASON}}, "iecg.decision-value", Severity.ERROR),
        ({"decisions": {"tutor_rating": -1, **REASON}}, "iecg.decision-value", Severity.ERROR),
        ({"decisions": {"transfer": "old", **REASON}}, "iecg.decision-value", Severity.ERROR),
        ({"decisions": {"class_m_winner": "x", **REASON}}, "iecg.decision-value", Severity.ERROR),
        ({"foreign": {"iccf": 2150, "iccf_games": 2.5}}, "iecg.foreign-games", Severity.ERROR),
        (standing(rating=1550, games=20, in_progress="May"), "iecg.in-progress", Severity.ERROR),
        ({**PROVISIONAL, "history": []}, "iecg.history-missing", Severity.ERROR),
        ({**PROVISIONAL, "history": HISTORY[:7]}, "iecg.history-missing", Severity.ERROR),
        (standing(rating=1550, status="provisional"), "iecg.history-missing", Severity.ERROR),
        ({**PROVISIONAL, "history": HISTORY * 2}, "iecg.history-contradicts", Severity.ERROR),
        (standing(games=20), "iecg.rating-missing", Severity.ERROR),
        (
            standing(games=10, status="provisional", starting_rating=1500),
            "iecg.rating-missing",
            Severity.ERROR,
        ),
        (standing(rating=1550), "iecg.games-unknown", Severity.WARNING),
        (standing(rating=1550, games=20, status="unlisted"), "iecg.status-unknown",
         Severity.WARNING),
        (
            {
                "standing": {
                    "rating": 1550, "games": 16, "status": "provisional", "starting_rating": 1500,
                },
                "history": HISTORY * 2,
            },
            "iecg.status-contradicts",
            Severity.WARNING,
        ),
        (
            {"standing": {"rating": 1550, "games": 8}, "history": HISTORY},
            "iecg.starting-rating-missing",
            Severity.WARNING,
        ),
        ({"decisions": {"tutor_rating": 1701, **REASON}}, "iecg.tutor-capped", Severity.WARNING),
        ({"foreign": {"egf": 1550}}, "iecg.not-used", Severity.WARNING),
        ({"foreign": {"national": 1550}}, "iecg.foreign-games-unknown", Severity.INFO),
        ({}, "iecg.new-players", Severity.INFO),
    ],
)  # fmt: skip
def test_players(player, code, severity):
    found = rating(player)
    finding = next(f for f in found.findings if f.code == code)
    assert (finding.severity, finding.where.player) == (severity, "A")
    assert finding.remedy
    assert found.findings.refused is severity.refuses


@pytest.mark.parametrize("player", [PROVISIONAL, standing(rating=1550, games=20)])
def test_nothing_to_say(player):
    assert codes(rating(player)) == set()


def test_history_is_not_asked_for_where_it_is_not_needed():
    """No rated side, or a provisional rating from the period only."""
    lacking = {**PROVISIONAL, "history": []}
    one_sided = {**GAME, "rated": {"white": False, "black": True}}
    assert "iecg.history-missing" not in codes(rating(lacking, games=[one_sided]))
    assert "iecg.history-missing" not in codes(rating(lacking, provisional_games="period"))


@pytest.mark.parametrize(
    ("game", "code", "severity"),
    [
        ({"status": "withdrawn"}, "iecg.withdrawn", Severity.INFO),
        ({"status": "adjudicated", "result": "1/2-1/2"}, "iecg.table-result", Severity.INFO),
        ({"start": "1996-05-01", "end": "1996-12-01"}, "iecg.old-scheme", Severity.WARNING),
        ({"white_rating": 1700.5}, "rating.not-whole", Severity.ERROR),
        ({"white_rating": 1700}, "iecg.ter-differs", Severity.INFO),
    ],
)
def test_games(game, code, severity):
    found = rating(standing(rating=1800, games=100), games=[{**GAME, **game}])
    (finding,) = [f for f in found.findings if f.code == code]
    assert (finding.severity, finding.where.player) == (severity, "A")
    assert finding.remedy


def test_withdrawals_that_are_rated():
    games = [{**GAME, "status": "withdrawn"}]
    found = rating(standing(rating=1600, games=100), games=games, withdrawn="rated")
    assert codes(found) == set()
    assert found.rows[0].row.after == 1610


def test_games_of_several_periods():
    games = [{**GAME, "end": "1999-07-01"}, {**GAME, "end": "1999-06-30"}]
    assert codes(rating(standing(rating=1800, games=100), games=games)) == {"iecg.several-periods"}


def test_lists_are_told():
    (told,) = [f for f in rating(PROVISIONAL).findings if f.code == "iecg.lists"]
    assert "Period 4 of 1999: list on 1999-09-04" in told.message


@pytest.mark.parametrize(("games", "result", "told"), [(40, "1-0", False), (41, "1-0", True)])
def test_big_batch(games, result, told):
    """B14: 41 games without an established rating."""
    found = rating(
        standing(status="starting", starting_rating=1500),
        games=[{**GAME, "result": result}] * games,
    )
    assert ("iecg.beyond-full-score" in codes(found)) is told


def test_terms_of_a_game_are_the_opponents():
    """II.3: the TER that a game names counts for the opponent; the own rating stays Ro."""
    game = {**GAME, "white_rating": 1700, "black_rating": 1600}
    found = rating(standing(rating=1800, games=100), games=[game])
    rows = {each.row.id: each.row for each in found.rows}
    # A: 20(1 − P(200)); B: 20(0 − P(−100)) against 1700
    assert rows["A"].exact == pytest.approx(1804.80506147, abs=1e-7)
    assert rows["B"].exact == pytest.approx(1600 - 20 * 0.3599350002, abs=1e-7)


def test_a_replaced_player_has_no_side():
    """Substitutes are unknown here: the game is rated for those who played it."""
    game = {**GAME, "white_for": "C"}
    other = {"id": "C", "standing": {"rating": 1600, "games": 100}}
    found = rating(standing(rating=1600, games=100), other, games=[game])
    assert {each.row.id: each.row.games for each in found.rows} == {"A": 1, "B": 1, "C": 0}
