"""Examples written short: how the report of one is spelt out."""

from __future__ import annotations

import pytest

from ratingbook.rules.text import document_of

PLAYERS = "A 1700 30; B; C; D"


@pytest.mark.parametrize(
    ("games", "rounds"),
    [
        ("A B 1-0, C D 0-1", [None, None]),
        ("A B 1-0; C D 0-1", [1, 2]),
        ("A B 1-0; C D 0-1; A C 1-0", [1, 2, 3]),
    ],
)
def test_semicolons_make_rounds(games, rounds):
    made = document_of({"Players": PLAYERS, "Games": games}, {"end": "2012-06-03"})
    assert [each.get("round") for each in made["games"]] == rounds
    assert [each["id"] for each in made["players"]] == ["A", "B", "C", "D"]
