"""Which change is to be explained: a day or a number, also as text."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

import ratingbook as rb

GAMES = [
    {"date": f"2024-0{month}-01", "event": str(month), "white": "100001", "black": "100002",
     "score": 1, "pool": pool}
    for month, pool in ((1, "regular"), (2, "quick"), (3, "regular"))
]  # fmt: skip
PLAYERS = [
    {"id": "100001", "rating": 1500, "games": 30},
    {"id": "100002", "rating": 1600, "games": 30},
]
LATEST = date(2024, 3, 1)


def _rated(*, pools: bool) -> Any:
    games = GAMES if pools else [{k: v for k, v in each.items() if k != "pool"} for each in GAMES]
    return rb.history(games, "uscf-2023", players=PLAYERS)


@pytest.mark.parametrize("pools", [False, True])
@pytest.mark.parametrize(
    "when", ["2024-03-01", " 2024-03-01 ", datetime(2024, 3, 1, 12), 2, "2"], ids=repr
)
def test_a_day_is_a_day_however_it_is_said(pools: bool, when: Any) -> None:
    rated = _rated(pools=pools)
    assert rated.explain("100001", when) == rated.explain("100001", LATEST)


def test_the_first_batch_is_number_nought() -> None:
    rated = _rated(pools=False)
    assert rated.explain("100001", "0") == rated.explain("100001", 0)
    assert rated.explain("100001", "0") != rated.explain("100001")


@pytest.mark.parametrize("pools", [False, True])
@pytest.mark.parametrize("when", ["2024-13-01", "March", "", 1.5, True, ["2024-03-01"]])
def test_what_is_neither_is_told(pools: bool, when: Any) -> None:
    with pytest.raises(rb.BadArgument, match=r"neither a day .* nor the number of a batch"):
        _rated(pools=pools).explain("100001", when)
