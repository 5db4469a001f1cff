"""Cases derived by hand from the text of the rules, from the report to the list.

The derivation stands beside the number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.rules.book import Row
from ratingbook.rules.iecg import iecg_1999

RESULTS = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}


def rating_of(
    players: Sequence[Mapping[str, Any]], games: Sequence[Mapping[str, Any]], **settings: str
) -> Rating:
    document = {
        "ratingbook": "report/1",
        "event": {"start": "1999-07-01", "end": "1999-08-31"},
        "players": list(players),
        "games": list(games),
    }
    return rate(report_from(document), iecg_1999.with_parameters(settings), explain=None)


def rows(rating: Rating) -> dict[str, Row]:
    assert not rating.findings.refused, [str(finding) for finding in rating.findings]
    return {rated.row.id: rated.row for rated in rating.rows}


def row(
    player: Mapping[str, Any] | None, *games: tuple[float, int], status: str = "played", **settings
) -> Row:
    """The player after games against opponents with these TERs; the score comes first."""
    opponents = [
        {"id": f"o{n}", "standing": {"rating": ter, "games": 100}}
        for n, (_, ter) in enumerate(games)
    ]
    played = [
        {"white": "A", "black": f"o{n}", "result": RESULTS[score], "status": status}
        for n, (score, _) in enumerate(games)
    ]
    return rows(rating_of([{"id": "A", **(player or {})}, *opponents], played, **settings))["A"]


def established(rating: int, games: int) -> dict[str, Any]:
    return {"standing": {"rating": rating, "games": games}}


def starting(rating: int) -> dict[str, Any]:
    return {"standing": {"status": "starting", "starting_rating": rating}}


def provisional(rating: int, start: int, history: Sequence[tuple[float, int]]) -> dict[str, Any]:
    return {
        "standing": {"rating": rating, "games": len(history), "starting_rating": start},
        "history": [{"own": start, "opponent": ter, "score": score} for score, ter in history],
    }


def test_game_by_game_of_an_established_player():
    """V: k = 20 · 1; +10, 20(½ − .240253) = +5.19494, 20(0 − .759747) = −15.19494."""
    found = row(established(1800, 100), (1, 1800), (0.5, 2000), (0, 1600))
    assert (found.before, found.after, found.games, found.score) == (1800, 1800, 3, 1.5)
    assert found.exact == pytest.approx(1800, abs=1e-9)
    assert found.expected == pytest.approx(1.5, abs=1e-9)
    assert (found.status, found.published) == ("established", True)


def test_k_between_2000_and_2400_and_between_30_and_80_games():
    """V.3: r = 70 − 2200/40 = 15, P = 1.4 − 50/200 = 1.15, k = 17.25; draw v 2400:
    17.25(½ − .2402531) = +4.48063."""
    found = row(established(2200, 50), (0.5, 2400))
    assert found.exact == pytest.approx(2204.480634484677, abs=1e-9)
    assert found.after == 2204


@pytest.mark.parametrize(
    ("games", "tie", "exact", "after"),
    [
        (15, "half_up", 1715, 1715),
        (16, "half_up", 1712.5, 1713),
        (16, "half_even", 1712.5, 1712),
    ],
)
def test_the_jump_of_k_and_a_half(games, tie, exact, after):
    """V.3, B6: k = 20 · 1.5 = 30 with 15 games, 20 · 1.25 = 25 with 16; a win v an equal."""
    found = row(established(1700, games), (1, 1700), tie=tie)
    assert (found.exact, found.after) == (exact, after)


def test_cut_off_of_an_established_player():
    """III.8: 1300 counts as 1400: 20(0 − 10/11) = −18.1818 (uncut −18.935)."""
    found = row(established(1800, 100), (0, 1300))
    assert found.exact == pytest.approx(1781.818181818182, abs=1e-9)


def test_first_provisional_rating():
    """IV.1: p = 11/16, D = 400 log 2.2 = 136.969, F = .9296875, Rp = 1627.33843."""
    scores = (1, 1, 1, 1, 0.5, 0.5, 0.5, 0)
    ters = (1350, 1400, 1450, 1500, 1500, 1550, 1600, 1650)
    found = row(starting(1500), *zip(scores, ters, strict=True))
    assert found.exact == pytest.approx(1627.338434430758, abs=1e-9)
    assert (found.before, found.after, found.expected) == (1500, 1627, None)
    assert (found.status, found.published) == ("provisional", True)
    assert found.standing.extra == {"starting_rating": 1500, "ter": 1500}
    assert [side.opponent for side in found.history] == list(ters)


@pytest.mark.parametrize(("games", "published"), [(5, False), (6, True)])
def test_a_player_of_whom_nothing_is_known(games, published):
    """VII.3, III.8, I.4: 800; each 1300 counts as 1200; p = 1: 1200 + 800 · ½ = 1600."""
    found = row(None, *[(1, 1300)] * games)
    assert (found.after, found.exact, found.published) == (1600, 1600, published)


def test_no_point_at_all():
    """I.4: six losses v 1500: 1500 − 800 · ½."""
    assert row(starting(1500), *[(0, 1500)] * 6).exact == 1100


def test_promotion_with_additional_games():
    """IV.4: 13 + 4 games: Rc = 25900/17, p = 11/17, D = 105.29657, F = .9567474."""
    history = [(1, 1500)] * 7 + [(0, 1500)] * 6
    found = row(provisional(1527, 1500, history), *[(1, 1600)] * 4)
    assert found.exact == pytest.approx(1624.271635591933, abs=1e-9)
    assert (found.after, found.status, found.history) == (1624, "established", ())
    assert (found.standing.games, found.standing.extra["ter"]) == (17, 1624)


@pytest.mark.parametrize(("games", "status"), [(13, "provisional"), (14, "established")])
def test_one_more_game(games, status):
    """III.1: 14 are not enough, 15 are."""
    found = row(provisional(1500, 1500, [(0.5, 1500)] * games), (0.5, 1500))
    assert (found.after, found.status, found.standing.games) == (1500, status, games + 1)


@pytest.mark.parametrize(("games", "exact"), [(9, 1803.0195911442265), (10, 1805.3950917340515)])
def test_ter_of_a_provisional_opponent(games, exact):
    """III.7: 1500 with nine games, 1627 with ten: 20(1 − .8490204), 20(1 − .7302454)."""
    opponent = provisional(1627, 1500, [(0.5, 1600)] * games)
    game = {"white": "A", "black": "B", "result": "1-0"}
    found = rows(
        rating_of([{"id": "A", **established(1800, 100)}, {"id": "B", **opponent}], [game])
    )
    assert found["A"].exact == pytest.approx(exact, abs=1e-9)


def test_established_by_iccf():
    """VII.1, B7: Pn = 0: k = (70 − 2150/40) · 1.5 = 24.375; draw v 1950: −6.33133."""
    found = row({"foreign": {"iccf": 2150, "iccf_games": 30}}, (0.5, 1950))
    assert found.exact == pytest.approx(2143.668668662956, abs=1e-9)
    assert (found.status, found.standing.games) == ("established", 1)


def test_a_decision_for_the_tutor():
    """VII.3, B16: 1900 is capped at 1700; a loss v 1950: 1950 − 400."""
    found = row({"decisions": {"tutor_rating": 1900, "reason": "estimate"}}, (0, 1950))
    assert (found.before, found.after) == (1700, 1550)


@pytest.mark.parametrize(
    ("status", "score", "after"),
    [("time", 0, 1790), ("forfeit", 1, 1810), ("withdrawn", 1, 1800), ("cancelled", 1, 1800)],
)
def test_decided_games(status, score, after):
    """VIII.1, VIII.2: k = 20 against an equal."""
    assert row(established(1800, 100), (score, 1800), status=status).after == after


def test_adjudicated_draw():
    """VIII.3: ½ is rated for both (B21), though the table shows 1: 20(½ − .759747) = −5.19494."""
    players = [{"id": "A", **established(1800, 100)}, {"id": "B", **established(1600, 100)}]
    game = {"white": "A", "black": "B", "result": "1/2-1/2", "table_result": "1-0"}
    found = rows(rating_of(players, [{**game, "status": "adjudicated"}]))
    assert found["A"].exact == pytest.approx(1794.805061467041, abs=1e-9)
    assert found["B"].exact == pytest.approx(1605.194938532959, abs=1e-9)
    assert (found["A"].score, found["B"].score) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("scores", "change"),
    [
        ([1] * 39 + [0.5], 398.26448578458),
        ([1] * 40 + [0.5], 400.08930437408),
        ([1] * 41, 400),
    ],
)
def test_defect_near_a_full_score(scores, change):
    """B14: 40½ of 41: D = 400 log 81 = 763.394, F = .5240928; a full score earns less."""
    found = row(starting(1500), *[(score, 1500) for score in scores])
    assert found.exact == pytest.approx(1500 + change, abs=1e-9)


def test_whole_period():
    """Five players, six games; every TER is that of the last list.

    A: k = 17.5 · 1.2 = 21: +21(1 − .7597469), C counts as 1700 (TER 1500, not 1580):
    −21 · .9090909, D counts as 2500: +21(½ − .0909091): 2094.54531.
    B: k = 25: −25 · .2402531, +25(1 − .9090909) (E 800 counts as 1500): 1896.26640.
    C: Rc = (8 · 1450 + 1900)/9 = 1500, p = 6.5/9, D = 165.98934, F = .9012346: 1649.59533.
    D: k = 10: 10(½ − .9090909): 2595.90909.
    E: 1900 counts as 1200: 1200 − 400 = 800, and it is not published.
    """
    c = provisional(1580, 1500, [(1, 1450)] * 4 + [(0.5, 1450)] * 3 + [(0, 1450)])
    players = [
        {"id": "A", **established(2100, 40)},
        {"id": "B", **established(1900, 20)},
        {"id": "C", **c},
        {"id": "D", **established(2600, 90)},
        {"id": "E"},
        {"id": "F", **established(1800, 100)},
    ]
    games = [
        {"white": "A", "black": "B", "result": "1-0", "event": "Class A 17", "end": "1999-07-04"},
        {"white": "C", "black": "A", "result": "1-0", "event": "Quad 3", "end": "1999-08-11"},
        {"white": "A", "black": "D", "result": "1/2-1/2", "event": "Cup 2", "end": "1999-08-30"},
        {"white": "E", "black": "B", "result": "0-1", "event": "Class B 4", "end": "1999-07-20"},
        {"white": "F", "black": "E", "result": "*", "event": "Class B 4"},
    ]
    rating = rating_of(players, games)
    found = rows(rating)
    exact = {name: row.exact for name, row in found.items()}
    assert exact["A"] == pytest.approx(2094.545314540393, abs=1e-9)
    assert exact["B"] == pytest.approx(1896.266400438926, abs=1e-9)
    assert exact["C"] == pytest.approx(1649.595330379604, abs=1e-9)
    assert exact["D"] == pytest.approx(2595.909090909091, abs=1e-9)
    assert exact["E"] == 800
    assert {name: row.after for name, row in found.items()} == {
        "A": 2095, "B": 1896, "C": 1650, "D": 2596, "E": 800, "F": 1800,
    }  # fmt: skip
    assert [name for name, row in found.items() if not row.published] == ["E"]
    assert found["C"].standing.extra == {"starting_rating": 1500, "ter": 1500}
    assert len(found["C"].history) == 9
    assert (found["C"].history[-1].opponent, found["C"].history[-1].event) == (2100, "Quad 3")
    assert found["F"].games == 0
    assert found["F"].standing.games == 100
    for rated in rating.rows:
        assert rated.explanation[-1].value == rated.row.after


def test_the_next_period_goes_on_from_the_last():
    """What comes out goes in: nine games, then a tenth makes the TER the new rating."""
    first = row(starting(1500), *[(0.5, 1500)] * 9)
    assert (first.after, first.standing.extra["ter"]) == (1500, 1500)
    history = [(side.score, int(side.opponent)) for side in first.history]
    second = row(provisional(1500, 1500, history), (1, 1500))
    # p = 5.5/10, D = 400 log(11/9) = 34.8600, F = .995: 1534.6857
    assert second.exact == pytest.approx(1534.68571, abs=1e-4)
    assert second.standing.extra["ter"] == 1535
