"""What is told before a section is rated: code, severity, place, remedy."""

from __future__ import annotations

from typing import Any

import pytest

from ratingbook.model import Finding, Severity

WIN, DRAW = "1-0", "1/2-1/2"


def rated(player, rating, games=100, **standing):
    return {"id": player, "standing": {"rating": rating, "games": games, **standing}}


B, C = rated("B", 1500), rated("C", 1500)


def against_both(player: str = "A", **more: Any) -> list[dict[str, Any]]:
    return [
        {"round": n, "white": player, "black": other, "result": DRAW, **more}
        for n, other in enumerate("BC", 1)
    ]


def findings(rate_uscf, player, games=None, **kwargs) -> dict[str, Finding]:
    players = [{"id": "A", **player}, B, C]
    found = rate_uscf(players, against_both() if games is None else games, **kwargs).findings
    for finding in found:
        assert finding.remedy or finding.severity is Severity.INFO
    return {finding.code: finding for finding in found if finding.code.startswith("uscf.")}


def standing(**fields):
    return {"standing": fields}


CLEAN = standing(rating=1500, games=40)


@pytest.mark.parametrize(
    ("player", "event", "code", "severity"),
    [
        (standing(rating=1500), {}, "uscf.games-unknown", Severity.WARNING),
        (standing(rating=1500, status="provisional"), {}, "uscf.games-missing", Severity.ERROR),
        (standing(rating=1500, games=12), {}, "uscf.results-unknown", Severity.WARNING),
        (standing(rating=140, games=40), {}, "uscf.floor-unknown", Severity.INFO),
        (standing(rating=1500, games=12, status="established", wins=4, draws=4, losses=4), {},
         "uscf.status-contradicts", Severity.WARNING),
        (standing(rating=1500, games=40, status="unrated"), {}, "uscf.status-contradicts",
         Severity.WARNING),
        ({}, {}, "uscf.no-birth-date", Severity.WARNING),
        ({"adult": True}, {}, "uscf.initial-rating", Severity.INFO),
        ({"birth_date": "2000-01-01"}, {"end": None}, "uscf.no-date", Severity.ERROR),
        ({"birth_date": "2011-01-01"}, {}, "uscf.birth-date", Severity.WARNING),
        ({"foreign": {"national": 1800}}, {}, "uscf.national-rating", Severity.INFO),
        ({"foreign": {"fide": 1800}, "decisions": {"initial_rating": 1700, "reason": "known"}}, {},
         "uscf.decision-first", Severity.INFO),
        ({"pools": {"quick": {"rating": 1400}}}, {}, "uscf.pool-games-unknown", Severity.WARNING),
        ({"foreign": {"fide": 18000}}, {}, "uscf.rating-range", Severity.ERROR),
        ({"foreign": {"ecf": 180}}, {}, "uscf.not-used", Severity.WARNING),
        ({**CLEAN, "decisions": {"ceiling": "high", "reason": "x"}}, {}, "uscf.decision-value",
         Severity.ERROR),
        ({**CLEAN, "decisions": {"floor_reduction": 1, "reason": "x"}}, {}, "uscf.decision-value",
         Severity.ERROR),
        ({**CLEAN, "decisions": {"initial_rating": 1700, "reason": "x"}}, {},
         "uscf.decision-not-used", Severity.WARNING),
        ({"decisions": {"adjusted_rating": 1700, "reason": "x"}}, {}, "uscf.decision-not-used",
         Severity.WARNING),
        ({**CLEAN, "decisions": {"cash_prize": 2500, "reason": "x"}}, {}, "uscf.cash-prize",
         Severity.ERROR),
        ({**CLEAN, "pools": {"regular": {"rating": 1600, "games": 3}}}, {}, "uscf.pool-twice",
         Severity.WARNING),
        ({**CLEAN, "history": [{"opponent": 1500, "score": 1}]}, {}, "uscf.history-not-used",
         Severity.INFO),
        (standing(rating=1500, games=40, floor=1600), {}, "uscf.floor-above-rating",
         Severity.WARNING),
        (standing(rating=1500, games=40, floor=1700), {}, "uscf.floor-above-rating",
         Severity.ERROR),
        ({**CLEAN, "decisions": {"money_floor": 1800, "reason": "x"}}, {},
         "uscf.floor-above-rating", Severity.WARNING),
        (standing(rating=2400, games=400, floor=2200), {}, "uscf.floor-range", Severity.WARNING),
        (standing(rating=2400, games=400, floor=2300, olm=True), {}, "uscf.floor-range",
         Severity.ERROR),
        (standing(rating=1500, games=40, peak=1499), {}, "uscf.peak", Severity.WARNING),
        (standing(rating=1500, games=40, peak=1800), {}, "uscf.below-floor", Severity.WARNING),
        (CLEAN, {"kind": "rapid"}, "uscf.kind", Severity.WARNING),
        (CLEAN, {"kind": "fide", "category": "junior"}, "uscf.category", Severity.WARNING),
        (CLEAN, {"pool": "classical"}, "uscf.unknown-pool", Severity.ERROR),
        (CLEAN, {"pool": "blitz"}, "uscf.unknown-pool", Severity.ERROR),
        (CLEAN, {"time_control": "fast"}, "uscf.time-control", Severity.WARNING),
        (CLEAN, {"time_control": "10 moves in 50 days"}, "uscf.correspondence", Severity.ERROR),
        (CLEAN, {"time_control": None}, "uscf.pool-assumed", Severity.WARNING),
        (CLEAN, {"time_control": "G/3"}, "uscf.not-rated", Severity.ERROR),
        (CLEAN, {"time_control": "G/10", "pool": "regular"}, "uscf.pool-contradicts",
         Severity.ERROR),
        (CLEAN, {"time_control": "G/45", "pool": "quick"}, "uscf.dual-rated", Severity.INFO),
        (CLEAN, {"kind": "match"}, "uscf.match-players", Severity.ERROR),
        (CLEAN, {"kind": "fide"}, "uscf.no-fide-rating", Severity.WARNING),
    ],
)  # fmt: skip
def test_findings(player, event, code, severity, rate_uscf):
    found = findings(rate_uscf, player, **event)
    assert code in found, sorted(found)
    assert found[code].severity is severity
    if severity is not Severity.INFO and not event:
        assert found[code].where.player == "A"


def test_nothing_is_said_of_a_clean_report(rate_uscf):
    assert not findings(rate_uscf, CLEAN)
    assert not findings(rate_uscf, standing(rating=1500, games=12, wins=4, draws=4, losses=4))
    low = standing(rating=500, status="established", wins=9, draws=9, losses=9)
    assert not findings(rate_uscf, low, edition="uscf-2025", end="2026-01-01")


def test_floors_and_peaks_that_fit(rate_uscf):
    assert not findings(rate_uscf, standing(rating=1600, games=40, floor=1600, peak=1899))
    assert not findings(rate_uscf, standing(rating=2200, games=400, floor=2200, olm=True))
    history = [
        {"opponent": 1500, "score": 0, "event": "match -20, floor -100", "start": "2012-01-01"}
    ]
    lowered = standing(rating=1550, games=40, floor=1600, peak=1850)
    assert not findings(rate_uscf, {**lowered, "history": history})
    assert "uscf.floor-above-rating" in findings(rate_uscf, lowered)


@pytest.mark.parametrize("kind", ["swiss", "Round_Robin", "team", "knockout", None])
def test_kinds_that_are_known(kind, rate_uscf):
    assert not findings(rate_uscf, CLEAN, kind=kind)


def test_established_without_games_matters_only_where_n_star_is_larger(rate_uscf):
    """N* of 1500 is 20.6 (2011): any N from 26 on gives the same; of 2300 it is 50."""
    assert not findings(rate_uscf, standing(rating=1500, status="established"))
    found = findings(rate_uscf, standing(rating=2300, status="established"))
    assert "uscf.games-unknown" in found


def test_blitz_is_a_system_from_2015_on(rate_uscf):
    event = {"pool": "blitz", "time_control": "3+2", "end": "2016-06-05"}
    assert not findings(rate_uscf, CLEAN, edition="uscf-2015", **event)
    online = {**event, "pool": "online-regular", "time_control": "90+30"}
    assert "uscf.unknown-pool" in findings(rate_uscf, CLEAN, edition="uscf-2015", **online)
    assert not findings(rate_uscf, CLEAN, edition="uscf-2025", **online)


def test_a_strong_player_needs_a_time_control_from_2013_on(rate_uscf):
    strong = standing(rating=2300, games=400)
    assert "uscf.dual-unknown" in findings(
        rate_uscf, strong, edition="uscf-2014", time_control=None
    )
    assert "uscf.dual-unknown" not in findings(rate_uscf, strong, time_control=None)


def test_two_players_are_perhaps_a_match(rate_uscf):
    games = [{"round": 1, "white": "A", "black": "B", "result": WIN}]
    assert "uscf.perhaps-match" in findings(rate_uscf, CLEAN, games)


def test_games_that_name_ratings(rate_uscf):
    found = findings(rate_uscf, CLEAN, against_both(white_rating=1600))
    assert found["uscf.game-rating"].where.path == "games[0]"


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (rated("A", 1900), rated("B", 1499), "uscf.match-difference"),
        (rated("A", 1500, 25, wins=9, draws=9, losses=7), B, "uscf.match-not-established"),
        ({"id": "A"}, B, "uscf.match-not-established"),
    ],
)
def test_matches_that_are_not_rated(first, second, code, rate_uscf):
    games = [{"round": 1, "white": "A", "black": "B", "result": WIN}]
    rating = rate_uscf([first, second], games, kind="match")
    assert not rating.rows
    assert code in {finding.code for finding in rating.findings}


def test_four_hundred_points_are_allowed(rate_uscf):
    games = [{"round": 1, "white": "A", "black": "B", "result": WIN}]
    rating = rate_uscf([rated("A", 1900), B], games, kind="match")
    assert len(rating.rows) == 2


def test_undated_matches_and_fide_events_of_nobody(rate_uscf):
    games = [{"round": 1, "white": "A", "black": "B", "result": WIN}]
    history = [{"opponent": 1500, "score": 1, "event": "match +20"}]
    rating = rate_uscf([{**rated("A", 1500), "history": history}, B], games, kind="match")
    assert "uscf.match-undated" in {finding.code for finding in rating.findings}
    foreigners = [{**rated(name, 1500), "federation": "GER"} for name in "AB"]
    rating = rate_uscf(foreigners, games, kind="fide")
    assert "uscf.nobody-updated" in {finding.code for finding in rating.findings}


def test_a_refused_report_has_no_rows(rate_uscf):
    assert not rate_uscf([rated("A", 1500.5), B], []).rows


def test_results_that_contradict_the_games_are_told_once(rate_uscf):
    players = [rated("A", 1500, 40, wins=30, draws=20, losses=1), B, C]
    codes = [finding.code for finding in rate_uscf(players, against_both()).findings]
    assert codes == ["player.results-sum"]
