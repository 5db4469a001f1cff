"""Who accepts a correction knows of those that ask for something else of the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ratingbook.office.acts import asking, corrections, receive, setup
from ratingbook.office.acts.contradictions import asks_otherwise, contradicting, to_be_known
from ratingbook.office.logic.corrections import contradict
from ratingbook.office.refused import OfficeRefused
from tests.office.officers import Officer
from tests.office.reports import document, write
from tests.office.test_corrections import publish_one as publish
from tests.office.test_runs import codes, opened


@pytest.fixture
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


def test_who_joins_what_asks_for_something_else_is_told(office, tina):
    """Two directors dispute one game: one wants it drawn, the other struck out."""
    anna, ben = (replace(tina, actor=each) for each in ("anna", "ben"))
    drawn = asked(office, anna, asking.game(1, 1, "1/2-1/2"))
    colours = asked(office, anna, asking.game(1, 1, swap=True))
    out = asked(office, ben, asking.game(1, 1, "none"))
    assert not corrections.join(colours, drawn, "the same game", tina)
    findings = corrections.join(out, drawn, "the same game", tina)
    assert [each.code for each in findings] == ["office.joined-otherwise"]
    assert [asks_otherwise(each, drawn) for each in (colours, out)] == [False, True]


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
