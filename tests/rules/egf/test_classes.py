"""Paragraphs 1 and 10: from the time limit to the class, and how time limits are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ratingbook.engine.rate import Rating
from ratingbook.rules.egf import egf_1998, egf_2013, egf_2021
from ratingbook.rules.egf.classes import (
    TimeLimit,
    adjusted_minutes,
    class_of,
    class_weight,
    parsed_time,
)

RateEgf = Callable[..., Rating]

EDITIONS = {"egf-1998": egf_1998, "egf-2013": egf_2013, "egf-2021": egf_2021}


@pytest.mark.parametrize(
    ("limit", "minutes"),
    [
        pytest.param(TimeLimit(60), 60, id="absolute"),
        pytest.param(TimeLimit(60, byoyomi_seconds=30), 82.5, id="45 moves of byo-yomi"),
        pytest.param(TimeLimit(60, canadian_seconds=20), 80, id="60 moves Canadian"),
        pytest.param(TimeLimit(45, fischer_seconds=15), 75, id="120 Fischer moves"),
    ],
)
def test_adjusted_time(limit: TimeLimit, minutes: float) -> None:
    assert adjusted_minutes(limit) == minutes


# Each row stands at a border: basic and adjusted minutes, Fischer, internet.
BORDERS = [
    (60, 75, False, False, "A"),
    (59.5, 75, False, False, "B"),
    (60, 74.5, False, False, "B"),
    (45, 75, True, False, "A"),
    (44.5, 75, True, False, "B"),
    (45, 74.5, True, False, "B"),
    (40, 50, False, False, "B"),
    (39.5, 50, False, False, "C"),
    (40, 49.5, False, False, "C"),
    (30, 50, True, False, "B"),
    (29.5, 50, True, False, "C"),
    (30, 49.5, True, False, "C"),
    (25, 30, False, False, "C"),
    (24.5, 30, False, False, None),
    (25, 29.5, False, False, None),
    (20, 30, True, False, "C"),
    (19.5, 30, True, False, None),
    (20, 29.5, True, False, None),
    (40, 50, False, True, "D"),
    (39.5, 50, False, True, None),
    (40, 49.5, False, True, None),
    (30, 50, True, True, "D"),
    (29.5, 50, True, True, None),
    (90, 120, False, True, "D"),
]


@pytest.mark.parametrize(("basic", "adjusted", "fischer", "internet", "class_"), BORDERS)
def test_class_at_the_borders(
    basic: float, adjusted: float, fischer: bool, internet: bool, class_: str | None
) -> None:
    assert class_of(basic, adjusted, fischer, internet) == class_


@pytest.mark.parametrize(
    ("edition", "weights"),
    [
        ("egf-1998", (1, 1, 1, 1)),
        ("egf-2013", (1, 0.75, 0.5, 0.25)),
        ("egf-2021", (1, 0.75, 0.5, 0.25)),
    ],
)
def test_weights(edition: str, weights: tuple[float, ...]) -> None:
    p = EDITIONS[edition].parameters
    assert tuple(class_weight(name, p) for name in "ABCD") == weights
    assert class_weight("E", p) == 0


# How time limits are written.

READ = {
    "60": TimeLimit(60),
    " 60 ": TimeLimit(60),
    "60m": TimeLimit(60),
    "60 m": TimeLimit(60),
    "60'": TimeLimit(60),
    "60min": TimeLimit(60),
    "60 min": TimeLimit(60),
    "60 Min": TimeLimit(60),
    "60 minutes": TimeLimit(60),
    "TM 75": TimeLimit(75),
    "TA 75": TimeLimit(75),
    "37.5": TimeLimit(37.5),
    "60 + 30s": TimeLimit(60, byoyomi_seconds=30),
    "60+30s": TimeLimit(60, byoyomi_seconds=30),
    "60 + 30 sec": TimeLimit(60, byoyomi_seconds=30),
    "60 + 30 seconds byoyomi": TimeLimit(60, byoyomi_seconds=30),
    '60 + 30"': TimeLimit(60, byoyomi_seconds=30),
    "60 + 30s byo-yomi": TimeLimit(60, byoyomi_seconds=30),
    "60 + 30s Byoyomi": TimeLimit(60, byoyomi_seconds=30),
    "60 + 3x30s byo-yomi": TimeLimit(60, byoyomi_seconds=30),
    "60 + 3 x 30s byo-yomi": TimeLimit(60, byoyomi_seconds=30),
    "60 min + 30s byo-yomi": TimeLimit(60, byoyomi_seconds=30),
    "60 minutes + 30 seconds byo-yomi": TimeLimit(60, byoyomi_seconds=30),
    "60' + 30\" byo-yomi": TimeLimit(60, byoyomi_seconds=30),
    "45 + 10s fischer": TimeLimit(45, fischer_seconds=10),
    "45m + 10 s Fischer": TimeLimit(45, fischer_seconds=10),
    "45 min + 10s fischer": TimeLimit(45, fischer_seconds=10),
    "50 + 15 stones in 5 min": TimeLimit(50, canadian_seconds=20),
    "50 + 15 stones in 5 minutes": TimeLimit(50, canadian_seconds=20),
    "50 + 15 moves in 5 min canadian": TimeLimit(50, canadian_seconds=20),
    "50 min + 15 stones in 5 min": TimeLimit(50, canadian_seconds=20),
    "1 hour": TimeLimit(60),
    "1h30 + 30 sec": TimeLimit(90, byoyomi_seconds=30),
    "60 s": TimeLimit(1),
}


@pytest.mark.parametrize("text", READ)
def test_parsed_time(text: str) -> None:
    assert parsed_time(text) == READ[text]


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        " ",
        "fast",
        "min",
        "-60",
        "+ 30s",
        "60 +",
        "60 + fischer",
        "60 + 30s sudden death",
        "60 + 15 stones in",
        "60 + stones in 5 min",
        "60 + 30s + 20s",
        "G/90;d5",
        "60,5",
        "sixty",
        "60; DROP TABLE players",
    ],
)
def test_what_cannot_be_read_is_not_guessed(text: str | None) -> None:
    assert parsed_time(text) is None


def test_no_stones_in_a_period_are_none() -> None:
    """Taken as one stone, these would be five hours of overtime."""
    assert parsed_time("30 + 0 stones in 5 min") is None


@pytest.mark.parametrize("text", ["9" * 400, "60 + " + "9" * 400 + "s", "60" + " " * 5000 + "x"])
def test_absurd_time_limits_do_no_harm(text: str) -> None:
    limit = parsed_time(text)
    assert limit is None or adjusted_minutes(limit) >= 60


# End to end: the weight shows in the change of a win between equals at 1800.

BY_TIME = [
    ("60 + 20s byo-yomi", 1.0),
    ("60 + 19s byo-yomi", 0.75),
    ("75", 1.0),
    ("74", 0.75),
    ("60 + 20 stones in 5 m", 1.0),
    ("45 + 15s fischer", 1.0),
    ("45 + 14s fischer", 0.75),
    ("40 + 14s byo-yomi", 0.75),
    ("40 + 13s byo-yomi", 0.5),
    ("30 + 10s fischer", 0.75),
    ("30 + 9s fischer", 0.5),
    ("25 + 7s byo-yomi", 0.5),
    ("25 + 6s byo-yomi", 0.0),
    ("20 + 5s fischer", 0.5),
    ("20 + 4s fischer", 0.0),
    ("24", 0.0),
]


def gain(rate_egf: RateEgf, edition: str = "egf-2013", **event: Any) -> float:
    players = [{"id": name, "standing": {"rating": 1800, "games": 30}} for name in "AB"]
    rating = rate_egf(edition, players, [{"white": "A", "black": "B", "result": "1-0"}], **event)
    exact = rating.rows[0].row.exact
    assert exact is not None
    return exact - 1800


@pytest.mark.parametrize(("text", "weight"), BY_TIME)
def test_the_time_limit_gives_the_weight(text: str, weight: float, rate_egf: RateEgf) -> None:
    assert gain(rate_egf, time_control=text) == pytest.approx(weight * 35 * 0.508)


def test_on_the_internet(rate_egf: RateEgf) -> None:
    internet = {"kind": "internet"}
    for text, weight in (("60 + 30s", 0.25), ("40 + 14s", 0.25), ("39 + 30s", 0.0)):
        found = gain(rate_egf, time_control=text, **internet)
        assert found == pytest.approx(weight * 35 * 0.508), text


def test_a_given_class_goes_before_the_time_limit(rate_egf: RateEgf) -> None:
    for name, weight in zip("ABCD", (1, 0.75, 0.5, 0.25), strict=True):
        found = gain(rate_egf, time_control="60 + 30s", **{"class": name})
        assert found == pytest.approx(weight * 35 * 0.508)
    assert gain(rate_egf, **{"class": " c "}) == pytest.approx(0.5 * 35 * 0.508)


def test_without_class_and_time_limit_it_is_class_a(rate_egf: RateEgf) -> None:
    assert gain(rate_egf) == pytest.approx(35 * 0.508)


def test_a_class_that_is_none_is_not_rated(rate_egf: RateEgf) -> None:
    assert gain(rate_egf, **{"class": "E"}) == 0


@pytest.mark.parametrize("name", ["A", "D", "E", "open"])
def test_without_classes_their_names_are_of_no_matter(name: str, rate_egf: RateEgf) -> None:
    """The text of 1998 weighs no classes: a win between equals at 1800 brings 35 / 2."""
    assert gain(rate_egf, "egf-1998", **{"class": name}) == pytest.approx(17.5)


def test_weights_of_2021_multiply_the_bonus_too(rate_egf: RateEgf) -> None:
    whole = gain(rate_egf, "egf-2021", **{"class": "A"})
    for name, weight in (("B", 0.75), ("C", 0.5), ("D", 0.25)):
        found = gain(rate_egf, "egf-2021", **{"class": name})
        assert found == pytest.approx(weight * whole, abs=1e-9)
