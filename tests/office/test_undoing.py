"""What was decided later is undone: what was decided before holds again, bit for bit."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import (
    asking,
    bundles,
    corrections,
    decisions,
    doctor,
    imports,
    people,
    receive,
    runs,
    setup,
    undoing,
)
from ratingbook.office.acts.decisions import Deciding
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

UNTIL = date(2026, 4, 1)


@prepared
def office(home, tina, tmp_path):
    """Six players who came in by a file, and their event."""
    setup.add_pool("standard", "fide-2009", tina)
    path = tmp_path / "opening.csv"
    rows = [f"{number},{name!r},1800,40" for name, _, _, number in PLAYERS.values()]
    path.write_text("\n".join(["id,name,rating,games", *rows]).replace("'", '"'))
    imports.import_file(home, path, "national", tina, "standard")
    receive.receive(home, write(tmp_path, "open.json", document()), tina)
    return home


def digest(home, tina):
    """The exact numbers that a run makes now."""
    made = runs.make(home, "standard", UNTIL, tina).run
    runs.discard(made.id, tina)
    return made.digest


def accepted(home, contents, tina):
    number = corrections.ask(home, contents, "why", tina).id
    corrections.accept(home, number, tina)
    return number


KINDS = [
    ("opening", "2000", "2100", None),
    ("reset", "1700", "1900", date(2026, 1, 1)),
]


@pytest.mark.parametrize(("kind", "first", "second", "since"), KINDS)
@pytest.mark.parametrize("by_correction", [False, True])
def test_the_decision_before_holds_again(office, tina, kind, first, second, since, by_correction):
    def undo(fact):
        if by_correction:
            return accepted(office, [asking.undo(fact)], tina)
        return undoing.undo(fact, "a slip", tina)

    states, facts = [digest(office, tina)], []
    for value in (first, second):
        said = Deciding(1, kind, value, "standard", "so it is", since)
        facts.append(decisions.decide(office, said, tina)[0])
        states.append(digest(office, tina))
    assert len(set(states)) == 3
    undone = undo(facts[1])
    assert digest(office, tina) == states[1]
    undo(facts[0])
    assert digest(office, tina) == states[0]
    if by_correction:
        accepted(office, corrections.taking_back(undone), tina)
        assert digest(office, tina) == states[2]
    made = runs.make(office, "standard", UNTIL, tina).run
    runs.approve(made.id, tina)
    runs.publish(office, made.id, tina)
    assert not doctor.examine(office).refused
    assert all(each.is_equal for each in bundles.replay()[0])


def test_what_holds_no_longer_can_be_undone_first(office, tina):
    before = digest(office, tina)
    facts = []
    for value in ("2000", "2100"):
        said = Deciding(1, "opening", value, "standard", "so it is")
        facts.append(decisions.decide(office, said, tina)[0])
    now = digest(office, tina)
    undoing.undo(facts[0], "a slip", tina)
    assert digest(office, tina) == now
    undoing.undo(facts[1], "a slip, too", tina)
    assert digest(office, tina) == before


def test_an_opening_that_a_correction_took_away_holds_again(office, tina):
    before = digest(office, tina)
    number = accepted(office, [asking.opening("standard", {1: None})], tina)
    without = digest(office, tina)
    assert without != before
    assert decisions.openings_held(setup.pool_named("standard"), [1]) == {}
    accepted(office, corrections.taking_back(number), tina)
    assert digest(office, tina) == before


def test_what_holds_no_longer_is_not_taken_back(office, tina):
    """Another correction undid it, or says otherwise since: nobody could accept that."""
    by_undo = accepted(office, [asking.game(1, 1, "0-1")], tina)
    fact = m.Fact.objects.get(kind="game fixed").seq
    accepted(office, [asking.undo(fact)], tina)
    golf, hotel = (people.add_person(NewPerson(x), "", tina)[0] for x in ("Golf, G", "Hotel, H"))
    by_other = accepted(office, [asking.player(1, "1", golf)], tina)
    last = accepted(office, [asking.player(1, "1", hotel)], tina)
    for number in (by_undo, by_other):
        with pytest.raises(OfficeRefused) as refused:
            corrections.taking_back(number)
        assert [each.code for each in refused.value.findings] == ["office.undone"]
        assert [each.remedy for each in refused.value.findings] == ["Nothing is to do."]
    accepted(office, corrections.taking_back(last), tina)
    accepted(office, corrections.taking_back(by_other), tina)


def test_of_what_holds_in_part_the_rest_is_taken_back(office, tina):
    before = digest(office, tina)
    both = [asking.game(1, 1, "0-1"), asking.game(1, 2, "0-1")]
    number = accepted(office, both, tina)
    fact = m.Fact.objects.filter(kind="game fixed").order_by("seq")[0].seq
    accepted(office, [asking.undo(fact)], tina)
    accepted(office, corrections.taking_back(number), tina)
    assert digest(office, tina) == before


def test_the_title_of_before_holds_again(office, tina):
    facts = [
        decisions.decide(office, Deciding(1, "title", title, "standard", "the congress"), tina)[0]
        for title in ("IM", "gm")
    ]
    assert people.attributes_of([1], ledger.head().seq)[1]["title"] == "GM"
    undoing.undo(facts[1], "a slip", tina)
    assert people.attributes_of([1], ledger.head().seq)[1]["title"] == "IM"


def test_a_floor_that_is_decided_again_is_undone(home, tina):
    setup.add_pool("regular", "uscf-2013", tina)
    people.add_person(NewPerson("One, Ona"), "", tina)
    facts = []
    for kind in ("floor", "assumed", "reset"):
        for value in ("1500", "1600"):
            said = Deciding(1, kind, value, "regular", "the board", date(2026, 1, 1))
            facts.append((decisions.decide(home, said, tina)[0], kind))
    for fact, _ in facts[1::2]:
        undoing.undo(fact, "a slip", tina)
    held = decisions.dated_decisions(1, ledger.head().seq)
    assert {(kind, value) for _, _, _, kind, value, _ in held} == {
        ("money_floor", 1500), ("initial_rating", 1500), ("adjusted_rating", 1500),
    }  # fmt: skip


def test_who_has_an_opening_rating_is_told(office, tina):
    said = Deciding(1, "opening", "2000", "standard", "so it is")
    _, findings = decisions.decide(office, said, tina)
    (one,) = findings
    assert one.code == "office.opening-replaced"
    assert "rating 1800" in one.message
    new = people.add_person(NewPerson("Golf, Gina"), "", tina)[0]
    said = Deciding(new, "opening", "2000", "standard", "so it is")
    assert not decisions.decide(office, said, tina)[1]


NONSENSE = [
    ("title", "XX", None, "office.title"),
    ("title", "", None, "office.title"),
    ("reset", "1700", date(1700, 1, 1), "office.since"),
    ("reset", "1700", date(2206, 1, 1), "office.since"),
    ("opening", "1700", date(2026, 1, 1), "office.opening-day"),
    ("opening", "-3000", None, "office.value"),
    ("opening", "nan", None, "office.value"),
]


@pytest.mark.parametrize(("kind", "value", "since", "code"), NONSENSE)
def test_nonsense_is_not_decided(office, tina, kind, value, since, code):
    head = ledger.head().seq
    with pytest.raises(OfficeRefused) as caught:
        decisions.decide(office, Deciding(1, kind, value, "standard", "why", since), tina)
    assert [each.code for each in caught.value.findings] == [code]
    assert ledger.head().seq == head


def test_the_words_that_mean_something_here_are_told(office, tina):
    with pytest.raises(OfficeRefused) as caught:
        decisions.decide(office, Deciding(1, "floor", "1", "standard", "why"), tina)
    assert "assumed (opening), reset (base_rating)" in next(iter(caught.value.findings)).remedy
    said = Deciding(1, "assumed", "1700", "standard", "why")
    fact, _ = decisions.decide(office, said, tina)
    assert decisions.told(fact)[0]["kind"] == "opening"


def test_what_was_decided_is_answered(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("person", "add", "Alpha, Anna")
    told = officer.does("decide", 1, "reset", 1700, "--pool", "standard", "--from", "2026-01-01",
                        "--reason", "why")  # fmt: skip
    wanted = {"person": 1, "pool": "standard", "kind": "base_rating", "value": 1700.0}
    assert {key: told[key] for key in wanted} == wanted
    assert told["from"] == "2026-01-01"
    told = officer.sees("decide", 1, "opening", 1800, "--pool", "standard", "--reason", "why")
    fact = m.Fact.objects.count()
    said = " ".join(told.split())
    assert "person 1, pool standard: opening 1800, before all games" in said
    assert f"Undo it: ratingbook office undo {fact} --reason" in said
    refused = officer.does("decide", 1, "opening", -3000, "--pool", "standard", "--reason", "why",
                           status=1)  # fmt: skip
    assert [each["code"] for each in refused["findings"]] == ["office.value"]
    officer.does("pool", "add", "go", "--rulebook", "egf-2021")
    officer.does("decide", 1, "opening", -300, "--pool", "go", "--reason", "a beginner")
