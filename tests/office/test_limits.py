"""Texts of people are as long as pages can show them, by whichever door they come in."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import (
    asking,
    calendar,
    corrections,
    decisions,
    imports,
    lists,
    notices,
    people,
    receive,
    registry,
    reports,
    runs,
    searching,
    setup,
    states,
    webhooks,
)
from ratingbook.office.limits import LABEL, NAME, REASON, TEXT, is_id
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_runs import opened

LONG, NAMED = "r" * (REASON + 1), "n" * (NAME + 1)
DAY = date(2026, 4, 1)


@prepared
def office(home, tina, tmp_path):
    """An event that is ready."""
    opened(home, tina, tmp_path, "fide-2009")
    received = receive.receive(home, write(tmp_path, "open.json", document()), tina)
    assert received.state == "ready"
    return home


ACTS = {
    "ask": lambda home, who: corrections.ask(home, [asking.game(1, 1, "0-1")], LONG, who),
    "hold": lambda home, who: reports.put_aside("1", "hold", LONG, who),
    "merge": lambda home, who: people.merge(1, 2, LONG, who),
    "policy": lambda home, who: setup.set_policies("standard", {"marks": "1"}, LONG, who),
    "marks": lambda home, who: setup.set_policies("standard", {"marks": "1," * TEXT}, "so", who),
    "decide": lambda home, who: decisions.decide(
        home, decisions.Deciding(1, "title", "GM", "standard", LONG), who
    ),
    "title": lambda home, who: decisions.decide(
        home, decisions.Deciding(1, "title", "G" * (LABEL + 1), "standard", "so"), who
    ),
    "actor": lambda home, who: setup.add_actor(NAMED, ["officer"], who),
    "pool": lambda home, who: setup.add_pool(NAMED, "elo", who),
    "person": lambda home, who: people.add_person(NewPerson(NAMED, None, None), "so", who),
    "edit": lambda home, who: registry.edit(1, registry.Edit(NAMED), "so", who),
    "club": lambda home, who: registry.edit(1, registry.Edit(None, None, {"club": NAMED}), "", who),
    "expect": lambda home, who: calendar.expect(calendar.Expected(NAMED, DAY, "standard"), who),
    "sender": lambda home, who: calendar.expect(
        calendar.Expected("Open", DAY, "standard", NAMED), who
    ),
    "contact": lambda home, who: notices.set_contact("person:1", f"{LONG}@x.org", "each", who),
    "webhook": lambda home, who: webhooks.add(
        home, f"https://x.org/{'u' * TEXT}", ["list.published"], who
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_no_act_takes_a_text_that_is_longer(office, tina, act):
    facts = m.Fact.objects.count()
    with pytest.raises(OfficeRefused) as refused:
        ACTS[act](office, tina)
    (one,) = refused.value.findings
    assert one.code == "office.too-long"
    assert " is too long: it has " in one.message
    assert one.remedy.startswith("Make it shorter: at most ")
    assert m.Fact.objects.count() == facts


CONTROLLED = {
    "actor": lambda home, who: setup.add_actor("an\x00na", ["officer"], who),
    "person": lambda home, who: people.add_person(NewPerson("A\x01B", None, None), "so", who),
    "variant": lambda home, who: people.add_person(
        NewPerson("Alpha", variants=("Al\nfa",)), "", who
    ),
    "edit": lambda home, who: registry.edit(1, registry.Edit("A\x9bB"), "so", who),
    "club": lambda home, who: registry.edit(1, registry.Edit(attributes={"club": "A\tB"}), "", who),
    "number": lambda home, who: registry.edit(1, registry.Edit(ids={"x": "1\x7f"}), "", who),
    "expect": lambda home, who: calendar.expect(calendar.Expected("A\x01", DAY, "standard"), who),
    "sender": lambda home, who: calendar.expect(
        calendar.Expected("Open", DAY, "standard", "A\x01"), who
    ),
}


@pytest.mark.parametrize("act", CONTROLLED)
def test_no_name_has_control_characters(office, tina, act):
    facts = m.Fact.objects.count()
    with pytest.raises(OfficeRefused) as refused:
        CONTROLLED[act](office, tina)
    (one,) = refused.value.findings
    assert one.code == "office.control-character"
    assert " has a control character: U+00" in one.message
    assert m.Fact.objects.count() == facts


def test_what_joins_letters_is_no_control_character(office, tina):
    """Persian and Indian names need it."""
    assert people.add_person(NewPerson("نیک\u200cزاد"), "", tina)[0]


def test_a_reason_of_full_length_is_taken_and_goes_into_what_the_correction_writes(office, tina):
    asked = corrections.ask(office, [asking.game(1, 1, "0-1")], "r" * REASON, tina)
    corrections.accept(office, asked.id, tina, "s" * REASON)
    fixed = m.Fact.objects.get(kind="game fixed")
    assert fixed.reason == f"correction {asked.id}: {'r' * REASON}"


def test_the_command_line_refuses_it_too(office):
    said = Officer(office.folder).does("hold", "1", "--reason", LONG, "--as", "tina", status=1)
    assert [each["code"] for each in said["findings"]] == ["office.too-long"]


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ("event", "The name of the event is too long: it has 201 characters, and 200 are taken."),
        ("place", "The place is too long"),
        ("name", "The name of a player is too long"),
        ("club", "What is said of a player is too long"),
        ("ids", "The number of a player is too long"),
        ("time_control", "What is said of the event is too long"),
    ],
)
def test_a_report_with_a_longer_text_is_refused_with_a_finding(office, tina, tmp_path, field, says):
    said = document("Second Open", "2026-02-10")
    if field == "event":
        said["event"]["name"] = NAMED
    elif field in ("place", "time_control"):
        said["event"][field] = LONG
    else:
        said["players"][0][field] = {"national": NAMED} if field == "ids" else NAMED
    received = receive.receive(office, write(tmp_path, "second.json", said), tina)
    assert received.state == "refused"
    (one,) = (each for each in received.findings if each.code == "office.too-long")
    assert one.message.startswith(says)
    assert one.where.player == ("1" if field in ("name", "club", "ids") else None)


def test_of_many_longer_names_twenty_are_told(office, tina, tmp_path):
    people = {str(n): (f"{n}{NAMED}", "m", "1990-01-01", str(n)) for n in range(1, 25)}
    said = document("Long Open", "2026-02-10", {}, people)
    received = receive.receive(office, write(tmp_path, "long.json", said), tina)
    assert sum(each.code == "office.too-long" for each in received.findings) == 20
    assert runs.make(office, "standard", DAY, tina).run.counts["games"] > 0


def test_a_list_of_players_with_a_longer_text_is_refused(office, tina, tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f"id,name,club\n1,{'n' * (NAME + 1)},A\n2,Bravo,{'c' * (NAME + 1)}\n"
                    f"3,{'n' * NAME},{'c' * NAME}\n", "utf-8")  # fmt: skip
    people = m.Person.objects.count()
    with pytest.raises(OfficeRefused) as refused:
        imports.import_file(office, path, "club", tina)
    (one,) = refused.value.findings
    assert one.code == "office.too-long"
    assert "2 in all" in one.message
    assert m.Person.objects.count() == people


def test_reasons_of_a_file_of_decisions_have_their_limit(office, tina, tmp_path):
    path = tmp_path / "decided.csv"
    path.write_text(f"player,date,kind,value,reason\n701,2026-02-01,base_rating,1500,{LONG}\n")
    with pytest.raises(OfficeRefused) as refused:
        decisions.import_decisions(office, path, "national", "standard", "so", tina)
    assert " is too long: it has " in str(list(refused.value.findings))


@pytest.mark.parametrize("odd", ["²", "٣", "1" * 10, "", "-1", "1.0", " 1"])
def test_a_number_is_of_digits_as_they_are_typed(home, tina, odd):
    assert not is_id(odd)
    acts = (
        lambda: states.named(odd), lambda: lists.list_named(odd),
        lambda: notices.set_contact(f"person:{odd}", "a@example.org", "all", tina),
    )  # fmt: skip
    for act in acts:
        with pytest.raises(OfficeRefused):
            act()
    assert searching.by_number(odd) == []
