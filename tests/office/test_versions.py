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


def renumbered(by: int, first: dict[str, tuple[str, str, str, str]]):
    """The same players, so many lines below, with others above them."""
    return {**first, **{str(int(key) + by): said for key, said in PLAYERS.items()}}


GOLF = ("Golf, Gus", "m", "1977-07-07", "707")


def test_who_is_numbered_anew_is_who_it_was():
    """A late entrant comes on top, and all start numbers are one more."""
    old = document("Cup", results={("1", "2"): "1-0"})
    players = renumbered(1, {"1": GOLF})
    new = document("Cup", results={("2", "3"): "0-1"}, players=players)
    # Golf plays nobody: the rounds are those of before.
    new["games"] = [each for each in new["games"] if "1" not in (each["white"], each["black"])]
    for number, each in enumerate(new["games"], 1):
        each["round"] = number
    told = [
        "player Golf, Gus is new",
        "the game Alpha, Anna – Bravo, Ben of round 1: result is 0–1, was 1–0",
    ]
    assert list(map(str, public_difference(old, new))) == told
    assert list(map(str, difference(old, new))) == ["players have other numbers", *told]


def test_colours_are_told_by_names():
    old, new = (document("Cup", results={("1", "2"): "1-0"}) for _ in range(2))
    first = new["games"][0]
    first["white"], first["black"], first["result"] = "2", "1", "0-1"
    game = "the game Bravo, Ben – Alpha, Anna of round 1"
    assert list(map(str, difference(old, new))) == [
        f"{game}: white is Bravo, Ben, was Alpha, Anna",
        f"{game}: black is Alpha, Anna, was Bravo, Ben",
        f"{game}: result is 0–1, was 1–0",
    ]


def test_another_player_with_the_number_of_one_who_is_gone_is_another_one():
    old = document("Cup")
    players = {**PLAYERS, "6": GOLF}
    told = list(map(str, difference(old, document("Cup", players=players))))
    assert told[:2] == ["player Foxtrot, Fay is gone", "player Golf, Gus is new"]
    assert not any(each.startswith("player Golf, Gus:") for each in told)


def test_who_is_spelled_otherwise_without_a_number_of_a_register_is_the_same():
    old = document("Cup")
    new = document("Cup", players={**PLAYERS, "6": ("Foxtrott, Fay", *PLAYERS["6"][1:])})
    for each in (*old["players"], *new["players"]):
        del each["ids"]
    assert list(map(str, difference(old, new))) == [
        "player Foxtrott, Fay: name is Foxtrott, Fay, was Foxtrot, Fay"
    ]
