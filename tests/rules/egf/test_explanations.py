"""What an explanation says, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.rules import registry

RateEgf = Callable[..., Rating]


def told(rating: Rating, player: str) -> list[str]:
    """The sentences of a player."""
    (found,) = (rated.explanation for rated in rating.rows if rated.row.id == player)
    return [step.text for step in found]


def rated(player: str, rating: float, **more: Any) -> dict[str, Any]:
    return {"id": player, "standing": {"rating": rating, "games": 30}, **more}


GAME = {"white": "A", "black": "B", "result": "1-0"}


def test_the_event_the_player_and_then_the_games(rate_egf: RateEgf) -> None:
    """The example of egf-2013: .75 · 24 · .508 = 9.144."""
    players = [rated("A", 2100), rated("B", 2100)]
    assert told(rate_egf("egf-2013", players, [GAME], **{"class": "B"}), "A") == [
        "class B: weight 0.75",
        "con = 24 for 2100: row 2100 of the table",
        "a = 100 for 2100: row 2100 of the table",
        "difference 2100 − 2100 = 0",
        "a = 100 at 2100: expected 1 / (e^(0 / 100) + 1) = 0.5 for the weaker side",
        "less half of ε = 0.016: 0.5 − 0.016 / 2 = 0.492",
        "change 24 × (1 − 0.492) = 12.192",
        "class weight 0.75 × (12.192) = 9.144",
        "new rating, with the sum of the changes: 2100 + 9.144 = 2109.144",
        "2109.144 is rounded to 2109, a half up",
        "published: 2109",
    ]


def test_the_class_is_told_as_it_follows_from_the_time_limit(rate_egf: RateEgf) -> None:
    rating = rate_egf(
        "egf-2013", [rated("A", 2100), rated("B", 2100)], [GAME], time_control="45 + 30s byo-yomi"
    )
    assert told(rating, "B")[:3] == [
        "adjusted time 67.5 minutes",
        "basic 45, adjusted 67.5 minutes: class B",
        "class B: weight 0.75",
    ]


def test_a_fast_event_says_why_it_is_not_rated(rate_egf: RateEgf) -> None:
    rating = rate_egf("egf-1998", [rated("A", 2100), rated("B", 2100)], [GAME], time_control="29")
    assert "29 minutes for each player: too fast to be rated" in told(rating, "A")


def test_that_an_event_is_too_old_is_said_once(rate_egf: RateEgf) -> None:
    players = [rated("A", 2100), rated("B", 2100)]
    rating = rate_egf("egf-1998", players, [GAME, GAME], start="1995-12-31")
    assert told(rating, "A").count("events before 1996-01-01 are not rated") == 1


def test_resets_are_told_in_grades(rate_egf: RateEgf) -> None:
    above = {"rating": 1580, "games": 30, "highest_grade": "5k"}
    players = [{"id": "A", "grade": "3 kyu", "standing": above}, rated("B", 1800)]
    assert told(rate_egf("egf-2013", players, [GAME], **{"class": "A"}), "A")[1:3] == [
        "entered as 3k, highest grade so far 5k: 2 higher, a reset takes 2: reset",
        "reset from 1580 to the rating of the grade, 1800",
    ]


def test_initial_ratings_are_told_in_grades(rate_egf: RateEgf) -> None:
    players = [{"id": "A", "grade": "2 pro"}, rated("B", 1800)]
    said = told(rate_egf("egf-1998", players, [GAME]), "A")
    assert said[0] == "no rating yet: the declared 2p stands for 2730"


def test_games_that_were_not_played(rate_egf: RateEgf) -> None:
    games = [GAME | {"status": "forfeit"}, GAME | {"result": "*"}, GAME]
    said = told(rate_egf("egf-1998", [rated("A", 1800), rated("B", 1800)], games), "A")
    assert [each for each in said if "not rated" in each] == [
        "forfeit: not rated",
        "no result: not rated",
    ]


def test_a_game_may_name_the_ratings_of_its_start(rate_egf: RateEgf) -> None:
    """con, a and the difference of that game are at them, those of other games are not.

    1850.5 v 2000 at con 32.98 and a 112.475; the second game is one of equals at 1800.
    """
    named = GAME | {"white_rating": 1850.5, "black_rating": 2000}
    rating = rate_egf("egf-2013", [rated("A", 1800), rated("B", 1800)], [named, GAME])
    said = told(rating, "A")
    assert "difference 2000 − 1850.5 = 149.5" in said
    assert "difference 1800 − 1800 = 0" in said
    assert [each for each in said if each.startswith("change")] == [
        "change 32.98 × (1 − 0.201294) = 26.341313",
        "change 35 × (1 − 0.492) = 17.78",
    ]


def test_a_rating_of_nought_that_a_game_names_is_one(rate_egf: RateEgf) -> None:
    """On the scale of 2021 it is that of a 21 kyu."""
    named = GAME | {"black_rating": 0}
    said = told(rate_egf("egf-2021", [rated("A", 1800), rated("B", 1800)], [named]), "A")
    assert any(each.startswith("β(0) = ") for each in said)


def test_10_too_fast_for_any_class_is_said_and_has_no_weight() -> None:
    report = report_from(
        {
            "ratingbook": "report/1",
            "event": {
                "start": "2015-05-01",
                "end": "2015-05-02",
                "time_control": "24 + 20s byo-yomi",
            },
            "players": [{"id": p, "standing": {"rating": 2000, "games": 20}} for p in ("1", "2")],
            "games": [{"round": 1, "white": "1", "black": "2", "result": "1-0"}],
        }
    )
    told = rate(report, registry.load("egf-2013"), explain=["1"]).rows[0].explanation
    texts = [str(step.text) for step in told if step.paragraph == "10"]
    assert texts[-1] == "basic 24, adjusted 39 minutes: too fast for any class"
