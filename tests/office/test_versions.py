"""What a new version of a report says otherwise, and what of it everybody may know."""

from __future__ import annotations

from ratingbook.office.logic.versions import difference, public_difference
from tests.office.reports import PLAYERS, document


def test_what_is_said_of_players_is_for_the_sender_and_the_office_alone():
    old = document("Cup", results={("1", "2"): "1-0"})
    players = {**PLAYERS, "2": ("Bravo, Ben", "m", "1985-03-07", "999")}
    new = document("Cup", results={("1", "2"): "0-1"}, players=players, officials=["Golf, Gus"])
    game = "the game Alpha, Anna – Bravo, Ben of round 1: result is 0–1, was 1–0"
    assert public_difference(old, new) == [game]
    whole = list(map(str, difference(old, new)))
    assert [each.split(" is ")[0] for each in whole] == [
        "the event's officials", "player Bravo, Ben: ids", game.split(" is ", maxsplit=1)[0],
    ]  # fmt: skip


def test_everybody_may_know_who_played_and_when():
    old = document("Cup")
    fewer = {key: said for key, said in PLAYERS.items() if key != "6"}
    new = document("Cup of Spring", day="2026-01-11", players=fewer)
    told = list(map(str, public_difference(old, new)))
    assert "the event's name is Cup of Spring, was Cup" in told
    assert "player Foxtrot, Fay is gone" in told
    assert told == list(map(str, difference(old, new)))
