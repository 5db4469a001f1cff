"""What the rating officer is told: each finding with its place and what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ratingbook.engine.rate import Rating
from ratingbook.model import Finding, Severity
from ratingbook.rules import registry

RateEgf = Callable[..., Rating]
Json = dict[str, Any]

GAME: Json = {"white": "a", "black": "b", "result": "1-0"}
CLASS_A = {"class": "A"}
EDITIONS = ["egf-1998", "egf-2013", "egf-2021"]


def rated(player: str, rating: float = 1800, **more: object) -> Json:
    return {"id": player, "standing": {"rating": rating, "games": 30}, **more}


TWO = [rated("a"), rated("b")]


def one(rating: Rating, code: str, severity: Severity, *, remedy: bool = True) -> Finding:
    """The only finding with that code."""
    (finding,) = (f for f in rating.findings if f.code == code)
    assert finding.severity is severity
    assert bool(finding.remedy) == remedy
    assert rating.findings.refused == (not rating.rows) == severity.refuses
    return finding


def codes(rating: Rating) -> set[str]:
    return {finding.code for finding in rating.findings}


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_to_say(edition: str, rate_egf: RateEgf) -> None:
    assert codes(rate_egf(edition, TWO, [GAME], **CLASS_A)) == set()


@pytest.mark.parametrize(("edition", "rating"), [("egf-2013", 99.5), ("egf-2013", -900)])
def test_a_rating_below_the_floor(edition: str, rating: float, rate_egf: RateEgf) -> None:
    found = rate_egf(edition, [rated("a"), rated("b", rating)], [GAME], **CLASS_A)
    finding = one(found, "egf.below-floor", Severity.WARNING)
    assert (finding.where.path, "Player b" in finding.message) == ("players[1]", True)
    at_floor = rate_egf(edition, [rated("a"), rated("b", 100)], [GAME], **CLASS_A)
    assert "egf.below-floor" not in codes(at_floor)


@pytest.mark.parametrize("grade", ["10p", "0k", "31k", "10d", "kyu", "5", "5x"])
def test_grade_of_a_newcomer(grade: str, rate_egf: RateEgf) -> None:
    """Without a rating the grade is needed: the report is refused (reading E10)."""
    rating = rate_egf("egf-2013", [rated("a"), {"id": "b", "grade": grade}], [GAME], **CLASS_A)
    finding = one(rating, "egf.grade", Severity.ERROR)
    assert (finding.where.player, finding.where.path) == ("b", "players[1]")
    assert repr(grade) in finding.message
    assert "30k to 1k" in finding.remedy
    assert "egf.no-grade" not in codes(rating)


def test_grade_of_a_rated_player(rate_egf: RateEgf) -> None:
    rating = rate_egf("egf-2013", [rated("a"), rated("b", grade="10p")], [GAME], **CLASS_A)
    finding = one(rating, "egf.grade", Severity.WARNING)
    assert (finding.where.player, finding.where.path) == ("b", "players[1]")


def test_grade_of_who_does_not_play(rate_egf: RateEgf) -> None:
    players = [*TWO, {"id": "c", "grade": "10p"}]
    finding = one(rate_egf("egf-2013", players, [GAME], **CLASS_A), "egf.grade", Severity.WARNING)
    assert (finding.where.player, finding.where.path) == ("c", "players[2]")


@pytest.mark.parametrize("grade", ["12k", "12K", " 12 kyu", "1 dan", "3Dan", "2p", "2 pro"])
def test_spellings_of_a_grade(grade: str, rate_egf: RateEgf) -> None:
    rating = rate_egf("egf-2013", [rated("a"), {"id": "b", "grade": grade}], [GAME], **CLASS_A)
    assert codes(rating) == {"egf.initial-rating"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_grade(edition: str, rate_egf: RateEgf) -> None:
    rating = rate_egf(edition, [rated("a"), {"id": "b"}], [GAME], **CLASS_A)
    finding = one(rating, "egf.no-grade", Severity.ERROR)
    assert (finding.where.player, finding.where.path) == ("b", "players[1]")
    assert "paragraph 2" in finding.remedy


def test_no_grade_is_needed_without_a_game(rate_egf: RateEgf) -> None:
    assert codes(rate_egf("egf-2013", [*TWO, {"id": "c"}], [GAME], **CLASS_A)) == set()
    forfeit = GAME | {"black": "c", "status": "forfeit"}
    rating = rate_egf("egf-2013", [*TWO, {"id": "c"}], [GAME, forfeit], **CLASS_A)
    assert "egf.no-grade" not in codes(rating)


@pytest.mark.parametrize("grade", [None, "10p"])
def test_unrated_with_a_rating_and_no_grade_is_refused(
    grade: str | None, rate_egf: RateEgf
) -> None:
    """An unrated status means that the grade is the initial rating; without one E10 refuses."""
    unrated = {"id": "b", "standing": {"rating": 1500, "games": 3, "status": "unrated"}}
    players = [rated("a"), unrated | ({"grade": grade} if grade else {})]
    rating = rate_egf("egf-2013", players, [GAME], **CLASS_A)
    assert rating.findings.refused
    assert codes(rating) & {"egf.no-grade", "egf.grade"}


def test_initial_rating(rate_egf: RateEgf) -> None:
    newcomers: list[Json] = [{"id": f"n{index}", "grade": "5k"} for index in range(7)]
    games = [{"white": "a", "black": new["id"], "result": "1-0"} for new in newcomers]
    rating = rate_egf("egf-2013", [rated("a"), *newcomers], games, **CLASS_A)
    finding = one(rating, "egf.initial-rating", Severity.INFO)
    assert finding.where.player == "n0"
    assert "n0, n1, n2, n3, n4, … (7 in all)" in finding.message
    assert "--players" in finding.remedy


def test_initial_rating_of_an_unrated_player_with_a_rating_is_told(rate_egf: RateEgf) -> None:
    """His rating is not used: that must be said."""
    unrated = {"rating": 1500, "games": 3, "status": "unrated"}
    players = [rated("a"), {"id": "b", "grade": "5k", "standing": unrated}]
    assert "egf.initial-rating" in codes(rate_egf("egf-2013", players, [GAME], **CLASS_A))


@pytest.mark.parametrize(
    ("edition", "event"),
    [
        pytest.param("egf-1998", {"time_control": "29"}, id="too fast in 1998"),
        pytest.param("egf-2013", {"time_control": "24"}, id="too fast for class C"),
        pytest.param(
            "egf-2013", {"time_control": "39 + 30s", "kind": "internet"}, id="too fast for class D"
        ),
        pytest.param("egf-2013", {"class": "E"}, id="no such class"),
    ],
)
def test_not_recognised(edition: str, event: Json, rate_egf: RateEgf) -> None:
    rating = rate_egf(edition, TWO, [GAME], **event)
    finding = one(rating, "egf.not-recognised", Severity.WARNING)
    for part in ("class", "time_control", "start"):
        assert part in finding.remedy
    assert [row.row.games for row in rating.rows] == [0, 0]
    assert [row.row.change for row in rating.rows] == [0, 0]


def test_not_recognised_before_1996(rate_egf: RateEgf) -> None:
    rating = rate_egf("egf-1998", TWO, [GAME], start="1995-12-31", **CLASS_A)
    assert "1996" in one(rating, "egf.not-recognised", Severity.WARNING).message


@pytest.mark.parametrize(
    ("edition", "severity"),
    [
        ("egf-1998", Severity.INFO),
        ("egf-2013", Severity.WARNING),
        ("egf-2021", Severity.WARNING),
    ],
)
@pytest.mark.parametrize("limit", [None, "G/90;d5", "long"])
def test_class_unknown(
    limit: str | None, edition: str, severity: Severity, rate_egf: RateEgf
) -> None:
    event = {} if limit is None else {"time_control": limit}
    rating = rate_egf(edition, TWO, [GAME], **event)
    finding = one(rating, "egf.class-unknown", severity)
    assert "taken as class A" in finding.message
    assert (repr(limit) if limit else "no time limit") in finding.message
    assert "A, B, C, D" in finding.remedy


def test_the_remedy_for_an_unknown_class_works(rate_egf: RateEgf) -> None:
    rating = rate_egf("egf-2013", TWO, [GAME], time_control="60 + 30s byo-yomi")
    assert codes(rating) == {"egf.class"}


@pytest.mark.parametrize(
    ("limit", "class_", "weight"),
    [("60 + 30s", "A", "1"), ("45 + 30s", "B", "0.75"), ("30", "C", "0.5")],
)
def test_class(limit: str, class_: str, weight: str, rate_egf: RateEgf) -> None:
    """For the record: nothing is to be done."""
    rating = rate_egf("egf-2013", TWO, [GAME], time_control=limit)
    finding = one(rating, "egf.class", Severity.INFO, remedy=False)
    assert f"class {class_}, weight {weight}." in finding.message


def test_class_on_the_internet(rate_egf: RateEgf) -> None:
    rating = rate_egf("egf-2013", TWO, [GAME], time_control="60 + 30s", kind="internet")
    assert "class D, weight 0.25." in one(rating, "egf.class", Severity.INFO, remedy=False).message


def test_class_is_not_told_in_1998(rate_egf: RateEgf) -> None:
    assert codes(rate_egf("egf-1998", TWO, [GAME], time_control="60 + 30s")) == set()


@pytest.mark.parametrize("highest", ["zz", "10p", "5"])
def test_a_highest_grade_that_is_none_is_told(highest: object, rate_egf: RateEgf) -> None:
    """Resets depend on it, so that it must not be dropped silently."""
    standing = {"rating": 1500, "games": 30, "highest_grade": highest}
    players = [rated("a"), {"id": "b", "grade": "1d", "standing": standing}]
    rating = rate_egf("egf-2013", players, [GAME], **CLASS_A)
    assert any(finding.where.player == "b" for finding in rating.findings)


@pytest.mark.parametrize("decided", [-5000, 50, 9999])
def test_a_reset_out_of_range_is_told(decided: float, rate_egf: RateEgf) -> None:
    """No rating below the floor of 100 exists in this edition, nor one far above the table."""
    decisions = {"reset_rating": decided, "reason": "a slip of the pen"}
    rating = rate_egf("egf-1998", [rated("a"), rated("b", decisions=decisions)], [GAME], **CLASS_A)
    assert any(finding.where.player == "b" for finding in rating.findings)


@pytest.mark.parametrize("edition", EDITIONS)
def test_whom_one_edition_takes_the_next_takes_too(edition: str, rate_egf: RateEgf) -> None:
    """They are one series: nobody gets a rating that a later list could not go on from."""
    for earlier in EDITIONS[: EDITIONS.index(edition)]:
        for bound in registry.edition(earlier).rating_range:
            found = rate_egf(edition, [rated("a"), rated("b", bound)], [GAME], **CLASS_A)
            assert "player.rating-range" not in codes(found)


def test_the_formula_of_2021_ends_at_3300(rate_egf: RateEgf) -> None:
    """β has the logarithm of 3300 − r."""
    for rating, taken in ((3299, True), (3300, False)):
        found = rate_egf("egf-2021", [rated("a"), rated("b", rating)], [GAME], **CLASS_A)
        assert ("player.rating-range" not in codes(found)) == taken
