"""Who accepts a correction knows of those that ask for something else of the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ratingbook.office.acts import asking, corrections, people, receive, setup
from ratingbook.office.acts.contradictions import (
    beside,
    contradicting,
    is_overtaken,
    to_be_known,
)
from ratingbook.office.logic.corrections import contradict
from ratingbook.office.refused import OfficeRefused
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_corrections import publish_one as publish
from tests.office.test_runs import codes, opened


@prepared
def office(home, tina, tmp_path):
    """A published event, and who has seen its score sheets."""
    opened(home, tina, tmp_path, "fide-2009")
    for name in ("anna", "ben"):
        setup.add_actor(name, ["player"], tina)
    path = write(tmp_path, "open.json", document(results={("1", "2"): "1-0"}))
    receive.receive_all(home, [path], tina, receive.Options(pool="standard"))
    publish(home, tina)
    return home


def asked(home, who, *contents):
    return corrections.ask(home, contents, "I saw it", who).id


def test_of_two_that_contradict_each_other_one_is_accepted_knowingly(office, tina):
    anna, ben = (replace(tina, actor=each) for each in ("anna", "ben"))
    lost = asked(office, anna, asking.game(1, 1, "0-1"))
    drawn = asked(office, ben, asking.game(1, 1, "1/2-1/2"))
    with pytest.raises(OfficeRefused) as refused:
        corrections.accept(office, lost, tina)
    assert codes(refused) == ["office.contradicted"]
    found = next(iter(refused.value.findings))
    assert found.message == f"Correction {drawn} asks for something else of the same, and is open."
    assert f"ratingbook office accept {lost} --despite {drawn}" in (found.remedy or "")
    assert corrections.accept(office, lost, tina, despite=[drawn]).holds
    # It has become another game than it was when the other one was asked for.
    with pytest.raises(OfficeRefused) as refused:
        corrections.accept(office, drawn, tina)
    assert codes(refused) == ["office.contradicted"]
    assert "was accepted since this one was asked for" in str(refused.value)
    assert corrections.accept(office, drawn, tina, despite=[lost]).holds


def test_what_is_asked_of_the_same_after_it_was_accepted_is_asked_knowingly(office, tina):
    for result in ("0-1", "1/2-1/2"):
        assert corrections.accept(
            office, asked(office, tina, asking.game(1, 1, result)), tina
        ).holds


def test_what_was_refused_or_taken_back_is_in_nobodys_way(office, tina):
    one = asked(office, tina, asking.game(1, 1, "0-1"))
    other = asked(office, tina, asking.game(1, 1, "1/2-1/2"))
    corrections.reject(other, "the sheet says otherwise", tina)
    assert to_be_known(corrections.named(one)) == []
    third = asked(office, tina, asking.game(1, 1, "1/2-1/2"))
    corrections.accept(office, one, tina, despite=[third])
    back = asked(office, tina, *corrections.taking_back(one))
    corrections.accept(office, back, tina)
    assert corrections.accept(office, third, tina).holds


def test_the_same_said_twice_is_no_contradiction(office, tina):
    """One asks for the result alone, the other for it and for whom the game is rated."""
    result = asking.game(1, 1, "0-1")
    both = asking.game(1, 1, "0-1", "white")
    one, other = (asked(office, tina, each) for each in (result, both))
    assert not contradicting({one: [result], other: [both]})
    assert corrections.accept(office, one, tina).holds
    assert corrections.accept(office, other, tina).holds


PAIRS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"kind": "player", "entry_id": 1, "person": 3}, {"person": 4}),
    ({"kind": "merge", "source": 1, "target": 2}, {"target": 3}),
    # As many days, but from elsewhere.
    ({"kind": "move", "sections": [1], "days": 2, "day": "2026-01-12"},
     {"sections": [1, 2], "day": "2026-01-13"}),
    ({"kind": "pool", "sections": [1], "pool": 1}, {"pool": 2}),
    ({"kind": "withdraw", "sections": [1]}, {"kind": "late"}),
    ({"kind": "opening", "pool": 1, "values": {"5": {"rating": 1700}}}, {"values": {"5": None}}),
    ({"kind": "decision", "pool": 1, "said": [[5, "2026-01-01", "floor", 1800, "so"]]},
     {"said": [[5, "2026-01-01", "floor", 1900, "so"]]}),
    ({"kind": "parameters", "pool": 1, "parameters": {"k": "20"}}, {"parameters": {"k": "30"}}),
]  # fmt: skip


@pytest.mark.parametrize(("content", "otherwise"), PAIRS, ids=[x[0]["kind"] for x in PAIRS])
def test_contents_contradict_each_other_by_what_they_say_of_the_same(content, otherwise):
    assert contradict([content], [content | otherwise])
    assert not contradict([content], [dict(content)])
    assert not contradict([content], [{"kind": "undo", "fact": 1}])


def seen(number):
    """Which other requests the page of one names, and whether they contradict it."""
    return [(each.one.id, each.is_otherwise) for each in beside(corrections.named(number))]


def test_each_side_names_the_other_one(office, tina):
    """Also where one of them was joined to a third, and as long as something may come of it."""
    anna, ben = (replace(tina, actor=each) for each in ("anna", "ben"))
    lost = asked(office, anna, asking.game(1, 1, "0-1"))
    drawn = asked(office, ben, asking.game(1, 1, "1/2-1/2"))
    again = asked(office, ben, asking.game(1, 1, "0-1"))
    other = asked(office, ben, asking.game(1, 2, "0-1"))
    corrections.join(other, lost, "the same round", tina)
    assert seen(lost) == [(drawn, True), (again, False), (other, False)]
    assert seen(drawn) == [(lost, True), (again, True)]
    assert seen(again) == [(lost, False), (drawn, True)]
    assert seen(other) == [(lost, False)]
    # Whoever accepts one decides between those that are decided, and no joined one is.
    assert [each.id for each in to_be_known(corrections.named(drawn))] == [lost]
    corrections.reject(lost, "the sheet says otherwise", tina)
    assert (seen(drawn), seen(lost), seen(again)) == ([], [], [])


@pytest.mark.parametrize("kind", ["game", "event", "opening"])
def test_both_say_which_one_takes_the_other_back(office, tina, kind):
    """Also what takes back that it was taken back, from when it is asked for."""
    content = {
        "game": lambda: asking.game(1, 1, "0-1"),
        "event": lambda: asking.event("1", "withdraw"),
        "opening": lambda: asking.opening("standard", {3: {"rating": "1700"}}),
    }[kind]()
    first = asked(office, tina, content)
    corrections.accept(office, first, tina)
    back = asked(office, tina, *corrections.taking_back(first))
    assert ways(first) == [(back, "takes back")]
    assert ways(back) == [(first, "taken back")]
    corrections.accept(office, back, tina)
    again = asked(office, tina, *corrections.taking_back(back))
    corrections.accept(office, again, tina)
    assert dict(ways(back)) == {first: "taken back", again: "takes back"}
    assert dict(ways(again))[back] == "taken back"
    assert dict(ways(first))[back] == "takes back"


def ways(number):
    """Which others the register names, and which of both takes the other one back."""
    return [
        (each.one.id, "takes back" if each.takes_back else "taken back" * each.is_taken_back)
        for each in beside(corrections.named(number))
    ]


def test_what_corrects_an_accepted_one_does_not_contradict_it(office, tina):
    first = asked(office, tina, asking.game(1, 1, "0-1"))
    corrections.accept(office, first, tina)
    later = asked(office, tina, asking.game(1, 1, "1/2-1/2"))
    assert (seen(first), seen(later)) == ([(later, False)], [(first, False)])


def test_the_register_of_the_command_names_the_others(officer: Officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    officer.does("receive", write(tmp_path, "open.json", document(results={("1", "2"): "1-0"})))
    officer.does("link", 1, "all", "new")
    why = ("--reason", "so it was")
    for result in ("0-1", "1/2-1/2"):
        officer.does("correct", "--report", 1, "--game", 1, "--result", result, *why)
    said = "about the same: correction {} (open), which asks for something else of the same"
    assert said.format(2) in officer.sees("register", 1)
    officer.does("join", 2, 1, *why)
    joined, into = (officer.sees("register", number) for number in (2, 1))
    otherwise = "which asks for something else of the same"
    assert f"it is decided with correction 1 (open), {otherwise}" in joined
    assert f"decided with it: correction 2 (joined), {otherwise}" in into
    assert officer.does("register", 1)["beside"] == [
        {
            "correction": 2,
            "state": "joined",
            "contradicts": True,
            "joined": True,
            "takes_back": False,
            "taken_back": False,
        }
    ]


def test_the_command_accepts_knowingly(officer: Officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    path = write(tmp_path, "open.json", document(results={("1", "2"): "1-0"}))
    officer.does("receive", path)
    officer.does("link", 1, "all", "new")
    for result in ("0-1", "1/2-1/2"):
        officer.does(
            "correct", "--report", 1, "--game", 1, "--result", result, "--reason", "so it was"
        )
    refused = officer.does("accept", 1, status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.contradicted"]
    assert officer.does("accept", 1, "--despite", 2)["holds"]


def test_of_one_number_that_is_two_persons_one_is_accepted_knowingly(office, tina):
    anna, ben = (replace(tina, actor=each) for each in ("anna", "ben"))
    one = asked(office, anna, asking.merge(1, 2))
    other = asked(office, ben, asking.merge(1, 3))
    assert (seen(one), seen(other)) == ([(other, True)], [(one, True)])
    (told,) = contradicting({1: [asking.merge(1, 2)], 2: [asking.merge(1, 3)]})
    assert "together all of them are one" in told.message
    assert corrections.accept(office, one, tina, despite=[other]).holds
    with pytest.raises(OfficeRefused) as refused:
        corrections.accept(office, other, tina)
    (found,) = refused.value.findings
    assert found.code == "office.contradicted"
    assert found.remedy.endswith("If both hold, all of them are one person.")
    # Neither overtakes the other, so it is still to be known of the first once both hold.
    assert corrections.accept(office, other, tina, despite=[one]).holds
    assert not is_overtaken(corrections.named(one))
    assert people.one_with(1) == [3, 1, 2]


def test_what_was_taken_back_contradicts_nothing(office, tina):
    """Whoever said that a number is somebody else is found to have been wrong."""
    anna, ben = (replace(tina, actor=each) for each in ("anna", "ben"))
    one = asked(office, anna, asking.merge(1, 2))
    other = asked(office, ben, asking.merge(1, 3))
    corrections.accept(office, one, tina, despite=[other])
    back = asked(office, tina, *corrections.taking_back(one))
    assert dict(seen(other))[one] is True
    corrections.accept(office, back, tina)
    assert (dict(seen(other)), dict(seen(one))) == ({one: False}, {other: False, back: False})
    assert corrections.accept(office, other, tina).holds
    assert people.one_with(1) == [3, 1]


def test_two_that_are_one_person_by_now_are_no_two_answers(office, tina):
    anna, ben = (replace(tina, actor=each) for each in ("anna", "ben"))
    one = asked(office, anna, asking.merge(1, 2))
    other = asked(office, ben, asking.merge(1, 3))
    assert dict(seen(one))[other] is True
    people.merge(2, 3, "one person", tina)
    assert dict(seen(one)).get(other, False) is False
    assert corrections.accept(office, one, tina).holds
    players = [{"kind": "player", "entry_id": 4, "person": person} for person in (2, 3)]
    assert not contradict(players[:1], players[1:], people.canonical)


def test_what_is_one_person_again_is_not_overtaken_by_another_merge(office, tina):
    """It was taken back, and that was taken back: then the number was found a third time."""
    first = asked(office, tina, asking.merge(1, 2))
    corrections.accept(office, first, tina)
    back = asked(office, tina, *corrections.taking_back(first))
    corrections.accept(office, back, tina)
    again = asked(office, tina, *corrections.taking_back(back))
    corrections.accept(office, again, tina)
    third = asked(office, tina, asking.merge(1, 3))
    corrections.accept(office, third, tina)
    assert not is_overtaken(corrections.named(again))
    assert not is_overtaken(corrections.named(third))


def test_who_joins_what_asks_for_something_else_is_told(office, tina):
    """Two directors dispute one game: one wants it drawn, the other struck out."""
    anna, ben = (replace(tina, actor=each) for each in ("anna", "ben"))
    drawn = asked(office, anna, asking.game(1, 1, "1/2-1/2"))
    colours = asked(office, anna, asking.game(1, 1, swap=True))
    out = asked(office, ben, asking.game(1, 1, "none"))
    assert not corrections.join(colours, drawn, "the same game", tina)
    findings = corrections.join(out, drawn, "the same game", tina)
    assert [each.code for each in findings] == ["office.joined-otherwise"]
    together = dict(seen(drawn))
    assert together == {colours: False, out: True}
    for number, is_otherwise in together.items():
        assert dict(seen(number))[drawn] is is_otherwise


def test_who_takes_an_event_out_is_told_of_open_requests_about_its_games(office, tina):
    game = asked(office, replace(tina, actor="anna"), asking.game(1, 1, "0-1"))
    rejected = asked(office, replace(tina, actor="ben"), asking.game(1, 1, swap=True))
    corrections.reject(rejected, "the colours are right", tina)
    out = asked(office, tina, asking.event("1", "withdraw"))
    accepted = corrections.accept(office, out, tina)
    found = [each for each in accepted.findings if each.code == "office.open-of-event"]
    assert [str(each.message) for each in found] == [
        f"Correction {game} is open, and about a game of the event that is taken out."
    ]
