"""Who has White in a game is said by name: what is accepted twice holds once."""

from __future__ import annotations

from itertools import permutations

import pytest

from ratingbook.office.acts import asking, corrections, doctor, receive, register, reports
from ratingbook.office.acts.contradictions import to_be_known
from ratingbook.office.acts.preview import Bench
from ratingbook.office.logic.corrections import mark
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import acting
from tests.office.asked import ask, hold, published_open
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_corrections import publish_one as publish


@prepared
def office(home, tina, tmp_path):
    return published_open(home, tina, tmp_path)


def game(version=1):
    """White, Black and White's half points as they hold."""
    one = m.Game.objects.select_related("white", "black", "section").get(
        version__number=version, number=1
    )
    now = asking.as_it_is(one)
    return *now["names"], now["half"]


SENT = ("Alpha, Anna", "Bravo, Ben", 2)
TURNED = ("Bravo, Ben", "Alpha, Anna", 0)


def test_two_who_ask_for_the_same_colours_do_not_undo_each_other(office, tina):
    assert game() == SENT
    alone = ask(office, tina, asking.game(1, 1, swap=True))
    flagged = ask(office, tina, asking.game(1, 1, rated="white", swap=True))
    assert to_be_known(corrections.named(alone)) == []
    corrections.accept(office, alone, tina)
    assert game() == TURNED
    corrections.accept(office, flagged, tina)
    assert game() == TURNED
    publish(office, tina)
    assert not doctor.examine(office)


def test_the_preview_of_what_holds_shows_nothing(office, tina):
    content = asking.game(1, 1, "0-1", swap=True)
    number = hold(office, tina, content)
    # White as it was seen lost, and has Black now.
    assert game() == ("Bravo, Ben", "Alpha, Anna", 2)
    assert not len(Bench(office).preview([content]).rows)
    publish(office, tina)
    assert not len(Bench(office).preview([content]).rows)
    assert register.entry(office, number)["says"] == [
        "Invented Open, round 1, Alpha, Anna – Bravo, Ben: 0–1 instead of 1–0, "
        "the colours are the other way round"
    ]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_requests_about_one_game_hold_in_whatever_order(office, tina, order):
    every = [
        ask(office, tina, each)
        for each in (
            asking.game(1, 1, "0-1"), asking.game(1, 1, rated="black"),
            asking.game(1, 1, swap=True),
        )
    ]  # fmt: skip
    for at in order:
        corrections.accept(office, every[at], tina)
    assert game() == ("Bravo, Ben", "Alpha, Anna", 2)
    assert asking.as_it_is(m.Game.objects.get(number=1))["rated"] == "white"


def test_who_asks_once_more_turns_what_is_seen(office, tina):
    first = hold(office, tina, asking.game(1, 1, swap=True))
    content = asking.game(1, 1, "1-0", swap=True)
    back = hold(office, tina, content)
    assert game() == ("Alpha, Anna", "Bravo, Ben", 0)
    assert content["where"].endswith("Bravo, Ben – Alpha, Anna")
    assert register.entry(office, back)["says"][0].endswith(
        "Bravo, Ben – Alpha, Anna: 1–0 instead of 0–1, the colours are the other way round"
    )
    hold(office, tina, corrections.taking_back(back)[0])
    assert game() == TURNED
    hold(office, tina, corrections.taking_back(first)[0])
    assert game() == SENT


def test_a_new_version_that_has_the_colours_right_is_not_turned_back(office, tina, tmp_path):
    hold(office, tina, asking.game(1, 1, "1/2-1/2", swap=True))
    said = document(results={("1", "2"): "1-0"})
    first = said["games"][0]
    first["white"], first["black"], first["result"] = first["black"], first["white"], "0-1"
    receive.receive(office, write(tmp_path, "v2.json", said), tina, receive.Options())
    reports.put_aside("1", "release", "the arbiter says so", tina)
    assert game(2) == ("Bravo, Ben", "Alpha, Anna", 1)


def test_what_is_told_of_a_result_is_told_of_whom_it_was_asked(office, tina):
    """The colours were turned after it was asked for, and before it took effect."""
    drawn = ask(office, tina, asking.game(1, 1, "1/2-1/2"))
    lost = ask(office, tina, asking.game(1, 1, "0-1", swap=True))
    corrections.accept(office, lost, tina, despite=[drawn])
    said = "Invented Open, round 1, Alpha, Anna – Bravo, Ben: ½–½ instead of 0–1"
    assert register.entry(office, drawn)["says"] == [said]
    corrections.accept(office, drawn, tina, despite=[lost])
    assert register.entry(office, drawn)["says"] == [said]


def test_requests_and_facts_of_before_turn_what_they_find(office, tina):
    """They named nobody, and a ledger keeps what was said."""
    content = asking.game(1, 1, swap=True)
    old = {**content, "say": {"swap": True}}
    assert mark([old]) != mark([content])
    first = ask(office, tina, old)
    corrections.accept(office, first, tina)
    assert game() == TURNED
    with acting(tina) as act:
        fact = act.fact(
            "game fixed", ("report", 1), ("game", old["key"]), reason="as before",
            payload={"key": old["key"], "say": {"half": 2, "swap": True}},
        )  # fmt: skip
        m.GameFix.objects.create(fact=fact, stable_key=old["key"], said={"half": 2, "swap": True})
    assert game() == ("Alpha, Anna", "Bravo, Ben", 0)
    hold(office, tina, asking.game(1, 1, swap=True))
    assert game() == ("Bravo, Ben", "Alpha, Anna", 2)
    assert not doctor.examine(office)
