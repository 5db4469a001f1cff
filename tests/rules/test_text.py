"""The examples of rule books, written short."""

from __future__ import annotations

from ratingbook.rules.text import document_of

PLAYERS = "A 1700 30; B; C 1500 9; D 1600 12"


def games(text: str) -> list[tuple[object, ...]]:
    found = document_of({"Players": PLAYERS, "Games": text}, {})["games"]
    assert isinstance(found, list)
    return [(game.get("round"), game["white"], game["black"], game["result"]) for game in found]


def test_between_semicolons_each_game_is_a_round_of_its_own() -> None:
    assert games("A B 1-0; A C 1/2-1/2") == [(1, "A", "B", "1-0"), (2, "A", "C", "1/2-1/2")]


def test_without_a_semicolon_there_are_no_rounds() -> None:
    assert games("A B 1-0, C D 0-1") == [(None, "A", "B", "1-0"), (None, "C", "D", "0-1")]


def test_a_game_may_be_counted_several_times() -> None:
    assert games("A B 1-0 *2; B A 1-0") == [
        (1, "A", "B", "1-0"), (2, "A", "B", "1-0"), (3, "B", "A", "1-0"),
    ]  # fmt: skip
