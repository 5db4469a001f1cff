"""Persons at the desk: found, added, edited, merged and split, brought in, given what is held."""

from __future__ import annotations

import hashlib
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ratingbook.office.acts import decisions, imports, people, registry, setup
from ratingbook.office.acts import reports as states
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tests.office.reports import document
from tests.site.offices import TINA
from tests.site.people import carried, pressed, signed_in
from tests.site.test_directors import send

PEOPLE, IN = "/desk/people/", "/desk/bring-in/"


def text(answer) -> str:
    return str(answer.content.decode())


def somebody(name: str = "India, Ida") -> int:
    return people.add_person(NewPerson(name, None, None, {}, {}), "", TINA)[0]


def test_persons_are_found_and_counted(office):
    page = text(signed_in("olga").get(f"{PEOPLE}?q=alpha"))
    assert "Alpha, Anna" in page
    assert "Bravo, Ben" not in page
    assert "Nobody of that name" in text(signed_in("olga").get(f"{PEOPLE}?q=zzz"))


def test_what_is_looked_for_may_be_too_long(office):
    answer = signed_in("olga").get(PEOPLE, {"q": "x" * 5000})
    assert (answer.status_code, 'role="alert"' in text(answer)) == (422, True)


def test_a_person_is_added_and_who_waits_is_matched_again(office):
    olga = signed_in("olga")
    said = {"name": "India, Ida", "born": "2001-02-03", "club": "Nowhere", "sex": "w",
            "register": "national", "number": "990"}  # fmt: skip
    answer = pressed(olga, PEOPLE, **said)
    person = m.Person.objects.latest("id").id
    assert answer["Location"] == f"{PEOPLE}{person}/"
    page = text(olga.get(answer["Location"]))
    assert "Nowhere" in page
    assert "2001" not in page, "a birth date is asked for, and never shown"
    again = pressed(olga, PEOPLE, **said)
    assert (again.status_code, "is person" in text(again)) == (422, True)
    assert 'value="India, Ida"' in text(again), "what was written is there"


def test_what_is_said_otherwise_stays_in_the_ledger(office):
    olga, person = signed_in("olga"), somebody()
    path = f"{PEOPLE}{person}/"
    assert (
        pressed(olga, path, act="edit", name="India-Ivy, Ida", reason="married").status_code == 302
    )
    page = text(olga.get(path))
    assert "<bdi>India-Ivy, Ida</bdi></h1>" in page
    assert "<bdi>India, Ida</bdi>" in page
    assert "married" in page
    assert pressed(olga, path, act="edit").status_code == 422
    assert olga.get(f"{PEOPLE}7777/").status_code == 404


def test_two_are_merged_and_split_again(office):
    olga, person = signed_in("olga"), somebody()
    path = f"{PEOPLE}{person}/"
    assert pressed(olga, path, act="merge", person="Alpha, Anna", reason="one").status_code == 302
    assert "is person 1" in text(olga.get(path))
    fact = m.PersonRelation.objects.get().fact
    done = olga.post("/desk/who/undo/", {"fact": fact, "of": person, "reason": "two after all"})
    assert done["Location"] == path
    assert "is person 1" not in text(olga.get(path))


def test_a_merge_of_published_numbers_leads_to_a_correction(office):
    setup.set_policies("club", {"correction_approvals": "2"}, "two officers", Who("tina"))
    olga = signed_in("olga")
    answer = pressed(olga, f"{PEOPLE}2/", act="merge", person="Alpha, Anna", reason="one")
    page = text(answer)
    assert (answer.status_code, "on the page of corrections" in page) == (422, True)
    assert "/desk/corrections/new/?what=merge&amp;person=2" in page
    form = text(olga.get("/desk/corrections/new/?what=merge&person=2"))
    assert 'name="person" value="2"' in form


def test_a_person_is_given_all_that_is_held(office):
    olga = signed_in("olga")
    assert olga.get(f"{PEOPLE}1/export/").status_code == 405
    answer = olga.post(f"{PEOPLE}1/export/")
    assert 'filename="person-1.json"' in answer["Content-Disposition"]
    assert json.loads(answer.content)["person"] == 1
    assert m.Audit.objects.latest("id").act == "export person"


def test_of_who_is_suppressed_nothing_is_said(office):
    olga, person = signed_in("olga"), somebody()
    suppress(office, person, "asked for", TINA)
    page = text(olga.get(f"{PEOPLE}{person}/"))
    assert "India" not in page
    assert 'value="edit"' not in page
    assert pressed(olga, f"{PEOPLE}{person}/", act="edit", name="India, Ida").status_code == 422


def test_who_is_suppressed_is_looked_at_first(office):
    tina, path = signed_in("tina"), f"{PEOPLE}2/suppress/"
    assert f'href="{path}"' in text(tina.get(f"{PEOPLE}2/"))
    assert path not in text(signed_in("olga").get(f"{PEOPLE}2/")), "it is for administrators"
    assert signed_in("olga").get(path).status_code == 403
    page = text(tina.get(path))
    for shown in ("Bravo, Ben", "702", "first.json", "/desk/reports/1/", "no way back"):
        assert shown in page
    said = {"reason": "asked for it", "looked": "yes"}
    for wrong in ({**said, "looked": ""}, {**said, "reason": " "}, {**said, "seen": "else"}):
        answer = pressed(tina, path, **wrong)
        assert (answer.status_code, 'role="alert"' in text(answer)) == (422, True), wrong
    assert not m.Fact.objects.filter(kind="suppressed").exists()
    answer = tina.post(path, {**carried(tina.get(path).content), **said}, follow=True)
    page = text(answer)
    assert answer.redirect_chain == [(f"{PEOPLE}2/", 302)]
    assert "Person 2 is suppressed." in page
    assert "still name the person" in page, "and where they are deleted"
    assert "ratingbook office" not in page, "by no command"
    assert "Bravo" not in page
    assert m.Fact.objects.latest("seq").reason == "asked for it"
    assert m.Audit.objects.filter(act="suppress", subject="2", actor="tina").count() == 1
    assert m.Blob.objects.filter(suppressed_by__isnull=False).count() == 0
    assert pressed(tina, path, **said).status_code == 302
    assert m.Fact.objects.latest("seq").kind == "files deleted"
    page = text(tina.get(path))
    assert "Bravo" not in page
    assert 'name="looked"' not in page, "nothing is left to do"
    assert tina.get(f"{PEOPLE}7777/suppress/").status_code == 404


def test_files_are_deleted_with_the_name_where_that_is_said(office):
    tina, path = signed_in("tina"), f"{PEOPLE}2/suppress/"
    named = m.ReportVersion.objects.filter(entry__link__person=2).values("blob")
    wanted = set(named.values_list("blob", flat=True))
    said = {"reason": "asked for it", "looked": "yes", "files": "yes"}
    assert pressed(tina, path, **said).status_code == 302
    gone = m.Blob.objects.filter(suppressed_by__isnull=False)
    assert wanted
    assert set(gone.values_list("sha256", flat=True)) >= wanted
    assert not any(blobs.path_of(office, each).exists() for each in wanted)


def test_of_a_file_that_is_no_report_it_is_said_who_else_is_in_it(office, tmp_path):
    """A list of players names them all, with birth dates; what cannot be read, nobody knows."""
    listed = tmp_path / "players.csv"
    listed.write_text("id,name,birth_date\n702,\"Bravo, Ben\",1980-02-02\n703,\"Charlie, Cy\",\n"
                      "704,\"Delta, Di\",\n", "utf-8")  # fmt: skip
    imports.import_file(office, listed, "national", TINA)
    imported = m.Fact.objects.get(kind="imported")
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear office, Bravo, Ben was ill.", "utf-8")
    said = decisions.Deciding(2, "opening", "1700", "club", "ill", None, (letter,))
    decisions.decide(office, said, TINA)
    tina = signed_in("tina")
    page = text(tina.get(f"{PEOPLE}2/suppress/"))
    rows = {row.split("</th>")[0]: row for row in page.split('<th scope="row">')[1:]}
    called = [hashlib.sha256(each.read_bytes()).hexdigest()[:12] for each in (listed, letter)]
    of_list, of_letter = (
        next(row for name, row in rows.items() if each in name) for each in called
    )
    assert '<td class="n opt">2</td>' in of_list
    assert "not known" in of_letter
    to = f"/desk/audit/?about=fact%3A{imported.seq}"
    assert f'href="{to}"' in of_list
    acts = text(tina.get(to))
    assert "imported" in acts
    assert f'<td class="n opt">{imported.seq}</td>' in acts


def test_what_no_mask_finds_is_told_without_a_command(office):
    """A surname alone may be anybody's, and a draft is its sender's own."""
    send(signed_in("dora"), document("Sixth Open", "2026-03-29"))
    states.put_aside("3", "hold", "ask Bravo", TINA)
    tina, path = signed_in("tina"), f"{PEOPLE}2/suppress/"
    assert "1 draft of a director" in text(tina.get(path))
    said = {"reason": "asked for it", "looked": "yes", **carried(tina.get(path).content)}
    page = text(tina.post(path, said, follow=True))
    assert "1 reason of an act names the person" in page
    assert "Search the audit for the surname." in page
    assert "1 draft that was not submitted names the person" in page
    assert "ratingbook office" not in page


@pytest.mark.parametrize(
    ("reason", "is_told"),
    [("asked for it", False), ("asked by Ben BRAVO", True), ("Bravo wrote", True)],
)
def test_a_reason_that_names_who_is_suppressed_is_told(office, reason, is_told):
    tina, path = signed_in("tina"), f"{PEOPLE}2/suppress/"
    said = {"reason": reason, "looked": "yes", **carried(tina.get(path).content)}
    page = text(tina.post(path, said, follow=True))
    assert ("The reason has the name of the person, or a part of it." in page) is is_told
    assert "Bravo" not in page


def test_all_numbers_of_a_person_are_suppressed_together(office):
    tina, person = signed_in("tina"), somebody()
    people.merge(person, 2, "one", TINA)
    page = text(tina.get(f"{PEOPLE}{person}/suppress/"))
    assert "India, Ida" in page
    assert "Bravo, Ben" in page
    said = {"reason": "asked for it", "looked": "yes"}
    assert pressed(tina, f"{PEOPLE}{person}/suppress/", **said)["Location"] == f"{PEOPLE}2/"
    assert registry.suppressed() == {2, person}


def test_players_and_decisions_are_brought_in(office):
    setup.add_pool("rapid", "fide-2024", TINA)
    olga = signed_in("olga")
    rows = b'id,name,rating,games\n977,"India, Ida",1800,40\n'
    file = SimpleUploadedFile("players.csv", rows)
    done = pressed(olga, IN, what="players", register="club", pool="rapid", file=file)
    assert done.status_code == 302
    held = m.Decision.objects.get(kind="opening")
    assert held.value["rating"] == 1800
    broken = SimpleUploadedFile("players.csv", b"nothing\n")
    refused = pressed(olga, IN, what="players", register="club", file=broken)
    assert (refused.status_code, 'role="alert"' in text(refused)) == (422, True)
    rows = b"player,date,kind,value,reason\n977,2026-01-01,base_rating,1900,board\n"
    file = SimpleUploadedFile("decisions.csv", rows)
    pressed(olga, IN, what="decisions", register="club", pool="rapid", file=file)
    assert m.Decision.objects.filter(kind="base_rating", person=held.person_id).exists()


def test_an_event_is_announced_and_stands_as_missing_once_it_has_ended(office):
    olga, path = signed_in("olga"), "/desk/calendar/"
    page = text(olga.get(path))
    assert "Second Open" in page
    said = {"name": "Autumn Open", "end": "2026-04-01", "pool": "club", "sender": "A. Arbiter",
            "due": "7"}  # fmt: skip
    assert pressed(olga, path, **said).status_code == 302
    page = text(olga.get(path))
    assert "Autumn Open" in page
    assert "Autumn Open" in text(olga.get("/desk/"))
    for wrong in ({"end": ""}, {"due": "99999"}, {"end": "yesterday"}):
        assert pressed(olga, path, **{**said, **wrong}).status_code == 422, wrong


def test_all_with_one_likely_candidate_are_linked_and_who_is_certain_is_looked_for(office):
    olga, path = signed_in("olga"), "/desk/reports/2/"
    for act in ("match", "best", "new"):
        done = pressed(olga, path, act=act)
        assert done.status_code == 302, act
    waiting = m.Entry.objects.filter(version__report=2, link__isnull=True)
    assert {each.number for each in waiting} == {"1"}, "only who has candidates waits"


def test_a_list_of_another_federation_is_taken_in(office):
    setup.add_pool("regular", "uscf-2011", TINA)
    olga, path = signed_in("olga"), "/desk/outbox/"
    rows = b'id,name,rating,games\n701,"Alpha, Anna",1800,40\n'
    said = {"act": "arrived", "partner": "fide", "day": "2026-04-01"}
    done = pressed(olga, path, **said, file=SimpleUploadedFile("list.csv", rows))
    assert done.status_code == 302
    assert "1 player is on the list" in text(olga.get(path))
    assert pressed(olga, path, **said).status_code == 422
    assert olga.get("/desk/abroad/?pool=regular").status_code == 200


def test_an_administrator_adds_a_pool_and_gives_it_other_rules(office):
    tina, path = signed_in("tina"), "/desk/policies/"
    assert pressed(tina, path, act="add", name="blitz", rulebook="elo", parameters="k = 24")
    assert m.Pool.objects.get(name="blitz").parameters == {"k": "24"}
    done = pressed(tina, path, act="rules", pool="blitz", parameters="k = 20", reason="meeting")
    assert done.status_code == 302
    assert m.Pool.objects.get(name="blitz").parameters == {"k": "20"}
    wrong = pressed(tina, path, act="rules", pool="blitz", parameters="k", reason="meeting")
    assert (wrong.status_code, "does not say what is what" in text(wrong)) == (422, True)
    assert pressed(tina, path, act="add", name="blitz", rulebook="elo").status_code == 422


def test_what_was_linked_is_said_in_words(office):
    """By the person's page which entry of which report, by the report's who each entry is."""
    olga = signed_in("olga")
    link = m.Link.objects.filter(fact__in=m.Fact.objects.filter(kind="linked").values("seq"))[0]
    report, entry = link.entry.version.report_id, link.entry.number
    of_person = text(olga.get(f"{PEOPLE}{link.person_id}/"))
    assert f"linked: entry {entry} of report {report} is this person, by hand" in of_person
    of_report = text(olga.get(f"/desk/reports/{report}/"))
    name = m.PersonName.objects.get(
        person=link.person_id, kind="main", revoked_by__isnull=True
    ).text
    assert "linked: entry " in of_report
    assert f"is {name}" in of_report or "more" in of_report
