"""Who waits is matched again when the office knows more, and the certain link themselves."""

from __future__ import annotations

import pytest

from ratingbook.office.acts import (
    again,
    desk,
    doctor,
    identify,
    imports,
    people,
    receive,
    registry,
    setup,
    undoing,
)
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

TWO = {key: PLAYERS[key] for key in "12"}


@prepared
def standard(home, tina, tmp_path):
    """Two reports of the same two strangers wait."""
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    for number, day in enumerate(("2026-01-10", "2026-02-10"), 1):
        said = document(f"Event {number}", day, players=TWO)
        receive.receive(home, write(tmp_path, f"{number}.json", said), tina)
    return home


def linked(report):
    live = m.Link.objects.filter(entry__version__report=report, revoked_by__isnull=True)
    return dict(live.values_list("entry__number", "person"))


def codes(findings):
    return [each.code for each in findings]


def state(report):
    from ratingbook.office.acts import reports

    return next(each.state for each in reports.reports() if each.id == report)


def test_who_is_made_new_in_one_report_is_linked_in_all_others(standard, tina):
    numbers, (told,) = desk.link_new(1, tina)
    assert linked(1) == linked(2) == dict(zip("12", numbers, strict=True))
    assert state(2) == "ready"
    assert told.code == "office.certain-now"
    assert "2 entries of report 2" in told.message
    assert "Alpha, Anna is person 1 (national number 701, name 100)" in told.message
    fact = m.Fact.objects.filter(kind="linked").latest("seq")
    assert fact.actor == "system"
    assert f"undo {fact.seq}" in told.remedy
    assert not doctor.examine(standard).refused


def test_one_who_is_linked_is_found_in_all_others(standard, tina):
    _, _, findings = desk.link(1, "2", "new", tina)
    assert (codes(findings), linked(2)) == (["office.certain-now"], {"2": 1})


def test_persons_who_are_added_imported_or_edited_are_found(standard, tina, tmp_path):
    one, _ = people.add_person(NewPerson("Alpha, Anna", ids={"national": "701"}), "", tina)
    findings = again.match_people(tina, [one])
    assert codes(findings) == ["office.certain-now"] * 2
    players = tmp_path / "players.csv"
    players.write_text('id,name\n9,"Bravo, Ben"\n', "utf-8")
    assert codes(imports.import_file(standard, players, "aga", tina).findings) == []
    assert linked(1) == {"1": 1}
    registry.edit(2, registry.Edit(ids={"national": "702"}), "", tina)
    findings = again.match_people(tina, [2])
    assert codes(findings) == ["office.certain-now"] * 2
    assert linked(1) == linked(2) == {"1": 1, "2": 2}


def test_an_import_links_who_waited(standard, tina, tmp_path):
    players = tmp_path / "players.csv"
    players.write_text('id,name\n701,"Alpha, Anna"\n702,"Bravo, Ben"\n', "utf-8")
    found = imports.import_file(standard, players, "national", tina)
    assert codes(found.findings) == ["office.certain-now"] * 2
    assert (state(1), state(2)) == ("ready", "ready")


def test_a_merge_leaves_one_where_two_were_as_likely(standard, tina, tmp_path):
    same = [NewPerson("Zulu, Zoe", birth_year=1990, attributes={"federation": "IRL"})] * 2
    for each in same:
        people.add_person(each, "", tina)
    said = document("Third", "2026-03-10", players={"1": ("Zulu, Zoe", "w", "1990-01-05", "801"),
                                                    "2": PLAYERS["2"]})  # fmt: skip
    receive.receive(standard, write(tmp_path, "3.json", said), tina)
    (zoe, _) = desk.waiting(3)
    assert zoe.why == "another person is about as likely"
    people.merge(1, 2, "one person", tina)
    findings = again.match_people(tina, [1, 2])
    assert (codes(findings), linked(3)) == (["office.certain-now"], {"1": 2})


def test_whose_link_was_taken_back_waits_for_somebody(standard, tina):
    desk.link_new(1, tina)
    link = m.Link.objects.filter(entry__version__report=2).first()
    assert link is not None
    fact = link.fact
    undoing.undo(fact, "namesakes", tina)
    assert again.match_all(tina)[0] == []
    again.match_people(tina, [1, 2])
    assert linked(2) == {}
    assert {each.why for each in desk.waiting()} == {"who it was said to be was taken back"}


def test_the_desk_says_why_nobody_is_certain_and_not_why_somebody_is(standard, tina, tmp_path):
    desk.link_new(1, tina)
    players = {"1": PLAYERS["1"], "2": PLAYERS["2"], "3": PLAYERS["1"]}
    said = document("Third", "2026-03-10", players=players)
    receive.receive(standard, write(tmp_path, "3.json", said), tina)
    assert {each.why for each in desk.waiting(3)} == {"two entries of the report are this person"}
    desk.link(3, "1", "1", tina)
    assert [each.why for each in desk.waiting(3)] == ["entry 1 of the report is this person"]


def test_a_new_version_makes_no_two_entries_one_person(standard, tina, tmp_path):
    desk.link_new(1, tina)
    said = document("Event 1", "2026-01-10", players={**TWO, "3": PLAYERS["1"]})
    receive.receive(standard, write(tmp_path, "new.json", said), tina)
    assert linked(1).get("3") is None
    assert [each.entry for each in desk.waiting(1)] == ["3"]


def test_what_is_certain_by_now_can_be_asked_for(standard, tina, officer_of):
    one = people.add_person(NewPerson("Alpha, Anna"), "", tina)[0]
    # As of an office that was of an older version when the number came.
    m.ExternalId.objects.create(scheme="national", value="701", person_id=one, fact=1)
    shown = officer_of.does("desk")["waiting"]
    assert [each["is_certain"] for each in shown] == [True, False] * 2
    assert "certain by now" in officer_of.sees("desk")
    found = officer_of.does("match", 2)["linked"]
    assert [(each["report"], each["entry"], each["person"]) for each in found] == [(2, "1", one)]
    assert linked(1) == {}
    assert "1 entry linked" in officer_of.sees("match")
    assert officer_of.does("match")["linked"] == []
    told = officer_of.does("match", 9, status=1)["findings"]
    assert [each["code"] for each in told] == ["office.no-report"]


def test_the_commands_about_persons_look_again(standard, officer_of):
    for number, name in enumerate(("Alpha, Anna", "Bravo, Ben"), 1):
        given = ("--id", f"national=70{number}")
        added = officer_of.does("person", "add", name, *(given if number == 1 else ()))
        codes_ = [each["code"] for each in added["findings"]]
        assert codes_ == ["office.certain-now"] * 2 * (number == 1)
    edited = officer_of.does("person", "edit", 2, "--id", "national=702")
    assert [each["code"] for each in edited["findings"]] == ["office.certain-now"] * 2


@pytest.fixture
def officer_of(home):
    from tests.office.officers import Officer

    return Officer(home.folder)


def test_only_those_are_looked_at_whom_the_new_persons_touch(standard, tina, monkeypatch):
    seen = []
    before = identify.matches_of

    def look(rows, register):
        seen.extend(rows)
        return before(rows, register)

    monkeypatch.setattr(identify, "matches_of", look)
    for name, number in (("Zulu, Zoe", "900"), ("Alpha, Anna", "701")):
        assert seen == []
        one, _ = people.add_person(NewPerson(name, ids={"national": number}), "", tina)
        again.match_people(tina, [one])
    assert [[each.number for each in rows] for rows in seen] == [["1"], ["1"]]
