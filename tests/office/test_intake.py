"""Intake and desk: kept, read, checked, identified, ready; twice changes nothing."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace

import pytest

from ratingbook.model.sentences import unpacked
from ratingbook.office import intake
from ratingbook.office.acts import (
    desk,
    people,
    receive,
    reports,
    searching,
    setup,
    states,
    undoing,
)
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs, ledger
from ratingbook.office.store import models as m
from tests.formats.fide.trf_files import file, player_line
from tests.office.reports import PLAYERS, document, write

NOTHING = receive.Options()


@pytest.fixture
def standard(home, tina):
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    return home


def take(home, path, tina, **options):
    received, findings = receive.receive_all(home, [path], tina, replace(NOTHING, **options))
    return received[0], [each.code for each in findings]


def codes(refused):
    return [each.code for each in refused.value.findings]


def counts():
    return {
        model.__name__: model.objects.count()
        for model in (m.Fact, m.Blob, m.ReportVersion, m.Entry, m.Game, m.Link, m.Person)
    }


def test_a_report_is_kept_and_waits_for_its_people(standard, tina, tmp_path):
    path = write(tmp_path, "open.json", document())
    one, _ = take(standard, path, tina)
    assert (one.id, one.version, one.state, one.waiting) == (1, 1, "checked", 6)
    assert one.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert blobs.load(standard, one.sha256) == path.read_bytes()
    assert m.Game.objects.count() == 15
    assert len(desk.waiting()) == 6


def test_the_same_bytes_again_change_nothing(standard, tina, tmp_path):
    path = write(tmp_path, "open.json", document())
    take(standard, path, tina)
    before = counts(), ledger.head().hash
    copy = write(tmp_path, "copy.json", document())
    again, _ = take(standard, copy, tina)
    assert not again.is_new
    assert again.id == 1
    assert (counts(), ledger.head().hash) == before


def test_the_same_bytes_sent_twice_at_once_are_one_version(standard, tina, tmp_path, monkeypatch):
    """Whoever waited for the lock asks once more what the office has."""
    path = write(tmp_path, "open.json", document())
    first: list[receive.Received] = []
    before = []

    def waits(who, **more):
        """As if another process had the lock, and sent the same file."""
        monkeypatch.setattr(receive, "acting", ledger.acting)
        first.append(take(standard, path, tina)[0])
        before.append((counts(), ledger.head().hash))
        return ledger.acting(who, **more)

    monkeypatch.setattr(receive, "acting", waits)
    one, _ = take(standard, path, tina)
    assert (first[0].is_new, one.is_new) == (True, False)
    assert (one.id, one.version, one.state) == (first[0].id, 1, first[0].state)
    assert "office.known-file" in {each.code for each in one.findings}
    assert [(counts(), ledger.head().hash)] == before


def test_an_import_that_is_sent_again_reads_only_what_is_new(standard, tina, tmp_path, monkeypatch):
    """One that was killed goes on where it was; a folder and a refusal are known, too."""
    folder = tmp_path / "folder"
    folder.mkdir()
    write(folder, "open.json", document("In a folder"))
    odd = tmp_path / "odd.json"
    odd.write_text("{", "utf-8")
    paths = [write(tmp_path, "open.json", document()), folder, odd]
    first, _ = receive.receive_all(standard, paths, tina, NOTHING)
    before = counts(), ledger.head().hash
    read = []

    def noted(usual):
        def reads(data, *more):
            read.append(data)
            return usual(data, *more)

        return reads

    for name in ("read", "read_bytes"):
        monkeypatch.setattr(intake, name, noted(getattr(intake, name)))
    again, refused = receive.receive_all(standard, paths, tina, NOTHING)
    assert not read
    assert not refused
    assert [(each.id, each.sha256, each.state) for each in again] == [
        (each.id, each.sha256, each.state) for each in first
    ]
    assert not any(each.is_new for each in again)
    assert (counts(), ledger.head().hash) == before
    new = write(tmp_path, "new.json", document("Another", "2026-03-10"))
    third, _ = receive.receive_all(standard, [paths[0], new, *paths[1:]], tina, NOTHING)
    # What the ledger keeps of it is read again, for the rules of its pool.
    sent = {each.read_bytes() for each in (*paths, new) if each.is_file()}
    assert [each for each in read if each in sent] == [new.read_bytes()]
    assert [each.is_new for each in third] == [False, True, False, False]


def test_new_people_make_the_report_ready(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    numbers, _ = desk.link_new(1, tina)
    assert numbers == [1, 2, 3, 4, 5, 6]
    assert reports.reports()[0].state == "ready"
    assert [each.name for each in searching.search("alp")] == ["Alpha, Anna"]
    assert searching.search("701")[0].ids == {"national": "701"}


def test_who_is_certain_is_linked_with_reasons(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    said = document("Second Open", "2026-02-10")
    del said["players"][0]["ids"]
    one, _ = take(standard, write(tmp_path, "second.json", said), tina)
    assert (one.state, one.linked, one.waiting) == ("ready", 6, 0)
    links = m.Link.objects.filter(entry__version__report=2).order_by("entry")
    assert [each.method for each in links] == ["name", "id", "id", "id", "id", "id"]
    reasons = [unpacked(each) for each in links[0].reasons]
    assert reasons == ["name 100", "same birth year (+10)", "same federation (+3)"]
    assert m.Fact.objects.get(seq=links[0].fact).actor == "system"


def test_a_number_of_somebody_else_waits_with_both_names(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    said = document("Second Open", "2026-02-10")
    said["players"][0]["ids"]["national"], said["players"][0]["name"] = "702", "Zulu, Zoe"
    del said["players"][1]["ids"]
    take(standard, write(tmp_path, "second.json", said), tina)
    waiting = desk.waiting(2)
    assert [each.entry for each in waiting] == ["1"]
    assert "another one" in waiting[0].why
    assert waiting[0].candidates[0]["name"] == "Bravo, Ben"


def test_all_best_takes_the_one_likely_candidate_of_each_and_tells_the_others(
    standard, tina, tmp_path
):
    """A file of names alone brings nobody who is certain."""
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    people.add_person(NewPerson("Bravo, Ben"), "", tina)
    said = document("Second Open", "2026-02-10")
    for each in said["players"]:
        del each["ids"], each["birth_date"], each["federation"]
    said["players"][2]["birth_date"] = "1950-01-01"
    said["players"][3]["name"] = "Delta, D."
    take(standard, write(tmp_path, "second.json", said), tina)
    assert len(desk.waiting(2)) == 6
    count, findings = desk.link_best(2, tina, "the club's list")
    links = m.Link.objects.filter(entry__version__report=2).order_by("entry")
    assert [(each.entry.number, each.person_id) for each in links] == [("1", 1), ("5", 5), ("6", 6)]
    assert count == 3
    assert len({each.fact for each in links}) == 1
    assert m.Fact.objects.get(seq=links[0].fact).reason == "the club's list"
    assert {each.code for each in findings} == {"office.may-be-known"}
    assert [each.entry for each in desk.waiting(2)] == ["2", "3", "4"]
    # Whose link was taken back waits for somebody.
    undoing.undo(links[0].fact, "not she", tina, ["1"])
    assert desk.link_best(2, tina)[0] == 0


def test_all_new_says_who_was_left_and_what_decides(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    said = document("Second Open", "2026-02-10")
    said["players"][0] |= {"name": "Zulu, Zoe", "ids": {"national": "702"}}
    said["players"][1] |= {"name": "Yankee, Yves", "ids": {"national": "999"}}
    # One letter and the birth date are others, and there is no number.
    said["players"][2] |= {"name": "Charlie, Christ", "birth_date": "1990-09-09", "ids": {}}
    take(standard, write(tmp_path, "second.json", said), tina)
    made, findings = desk.link_new(2, tina)
    assert len(made) == 1
    numbered, named = findings
    assert {each.code for each in findings} == {"office.may-be-known"}
    assert (numbered.where.player, named.where.player) == ("1", "3")
    assert "Zulu, Zoe" in numbered.message
    assert "person 2, Bravo, Ben" in numbered.message
    assert "whose name is another one" in numbered.message
    assert "`ratingbook office link 2 1 2`" in numbered.remedy
    assert "`ratingbook office person add 'Zulu, Zoe'`" in numbered.remedy
    assert "person 3, Charlie, Chris" in named.message
    assert "`ratingbook office link 2 3 new`" in named.remedy
    # What the remedies say can be done, and then nobody is left.
    new, _ = people.add_person(NewPerson("Zulu, Zoe"), "", tina)
    desk.link(2, "1", str(new), tina)
    desk.link(2, "3", "new", tina)
    assert not list(desk.link_new(2, tina)[1])


def test_a_new_version_tells_what_differs(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    changed = document(results={("1", "2"): "1-0"})
    one, _ = take(standard, write(tmp_path, "open2.json", changed), tina)
    assert (one.id, one.version, one.state, one.waiting) == (1, 2, "ready", 0)
    assert one.difference == (
        "the game Alpha, Anna – Bravo, Ben of round 1: result is 1–0, was ½–½",
    )
    old = m.Section.objects.get(version__number=1)
    assert states.states([old.id]) == {old.id: "superseded"}


def test_a_version_that_is_refused_leaves_the_one_before(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    bad = document()
    bad["games"].append(dict(bad["games"][0], black="1"))
    one, _ = take(standard, write(tmp_path, "bad.json", bad), tina)
    assert one.state == "refused"
    old = m.Section.objects.get(version__number=1)
    assert states.states([old.id]) == {old.id: "ready"}


def test_the_same_event_from_another_sender_is_asked_about(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    path = write(tmp_path, "other.json", document("Inv. Open, Nowhere"))
    _, found = take(standard, path, tina)
    assert found == ["office.same-event"]
    assert m.Report.objects.count() == 1
    one, _ = take(standard, path, tina, version_of=1)
    assert (one.id, one.version) == (1, 2)


def test_another_event_that_looks_the_same_is_let_in_when_said(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    one, _ = take(standard, write(tmp_path, "b.json", document(results={("1", "2"): "1-0"})),
                  tina, another=True)  # fmt: skip
    assert one.id == 2
    keys = list(m.Report.objects.order_by("id").values_list("event_key", flat=True))
    assert keys[1] == f"{keys[0]}-2"


OTHERS = {
    "1": ("Golf, Gus", "m", "1991-01-05", "711"),
    "2": ("Hotel, Hans", "m", "1986-03-07", "712"),
    "3": ("India, Ida", "w", "1998-09-09", "713"),
}


def test_a_group_of_the_same_name_and_day_is_another_event_and_has_versions(
    standard, tina, tmp_path
):
    take(standard, write(tmp_path, "a.json", document()), tina)
    one, _ = take(standard, write(tmp_path, "b.json", document(players=OTHERS)), tina)
    assert (one.id, one.version) == (2, 1)
    (told,) = (each for each in one.findings if each.code == "office.another-event")
    assert "Report 1 has the same name and days" in told.message
    for players, number in ((OTHERS, 2), (PLAYERS, 1)):
        changed = document(results={("1", "2"): "1-0"}, players=players)
        one, _ = take(standard, write(tmp_path, f"{number}.json", changed), tina)
        assert (one.id, one.version, len(one.difference)) == (number, 2, 1)
        assert "office.another-event" not in [each.code for each in one.findings]


def test_another_pool_makes_another_event_but_never_of_the_same_games(standard, tina, tmp_path):
    setup.add_pool("blitz", "fide-2009", tina, policies={"assume": "1500"})
    take(standard, write(tmp_path, "a.json", document()), tina, pool="standard")
    path = write(tmp_path, "b.json", document(results={("1", "2"): "1-0"}))
    _, found = take(standard, path, tina, pool="blitz")
    assert found == ["office.same-event"]
    turned = document(results={("1", "2"): "1-0"})
    for game in turned["games"]:
        game["round"] += 20
    one, _ = take(standard, write(tmp_path, "c.json", turned), tina, pool="blitz")
    assert (one.id, one.version) == (2, 1)
    assert "office.another-event" in [each.code for each in one.findings]


def test_a_bad_file_is_kept_with_its_findings_and_blocks_no_other(standard, tina, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"ratingbook": "report/1", ')
    good = write(tmp_path, "open.json", document())
    missing = tmp_path / "missing.trf"
    received, _ = receive.receive_all(standard, [bad, missing, good], tina, NOTHING)
    assert [each.state for each in received] == ["refused", "refused", "checked"]
    assert blobs.load(standard, received[0].sha256) == bad.read_bytes()
    again, _ = receive.receive_all(standard, [bad], tina, NOTHING)
    assert not again[0].is_new
    assert [f.code for f in again[0].findings] == [f.code for f in received[0].findings]


def test_birth_dates_are_in_no_fact_and_no_document(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    born = {said[2] for said in PLAYERS.values()}
    facts = b"".join(canonical(each) for each in ledger.facts_from())
    text = json.dumps(receive.document_of(m.ReportVersion.objects.get())) + facts.decode()
    assert not [each for each in born if each in text]
    assert {
        str(each) for each in m.PersonPrivate.objects.values_list("birth_date", flat=True)
    } == born


def test_a_section_can_be_held_and_released(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    with pytest.raises(OfficeRefused) as refused:
        reports.put_aside("1", "hold", "", tina)
    assert codes(refused) == ["office.reason"]
    reports.put_aside("1", "hold", "the arbiter asks for it", tina)
    assert (reports.reports()[0].state, reports.reports()[0].reason) == (
        "held", "the arbiter asks for it",
    )  # fmt: skip
    reports.put_aside("1", "release", "settled", tina)
    assert reports.reports()[0].state == "ready"


@pytest.mark.parametrize("what", ["hold", "refuse", "withdraw"])
def test_a_new_version_does_not_undo_what_an_officer_decided(standard, tina, tmp_path, what):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    reports.put_aside("1", what, "the arbiter asks for it", tina)
    for number, result in enumerate(["1-0", "0-1"], 2):
        changed = document(results={("1", "2"): result})
        path = write(tmp_path, f"{number}.json", changed)
        received, _ = receive.receive_all(standard, [path], tina, NOTHING)
        assert (received[0].version, received[0].state) == (number, "held")
        assert "office.was-stopped" in [each.code for each in received[0].findings]
    reports.put_aside("1", "release", "settled", tina)
    assert reports.reports()[0].state == "ready"
    now = states.states(m.Section.objects.order_by("id").values_list("id", flat=True))
    assert list(now.values()) == ["superseded", "superseded", "ready"]


def test_lists_in_a_difference_are_words(standard, tina, tmp_path):
    said = document()
    for names in (["One, Ona"], ["One, Ona", "Two, Tom"]):
        said["event"]["officials"] = names
        one, _ = take(standard, write(tmp_path, f"{len(names)}.json", said), tina)
    assert one.difference == ("the event's officials is One, Ona; Two, Tom, was One, Ona",)


def test_to_undo_a_link_sends_the_entry_back_to_the_desk(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    with pytest.raises(OfficeRefused) as refused:
        desk.link(1, "1", "2", tina)
    assert codes(refused) == ["office.own-opponent"]
    linked = m.Fact.objects.filter(kind="linked").order_by("-seq")[0]
    undone, _ = undoing.undo(linked.seq, "by mistake", tina)
    assert m.Fact.objects.get(seq=undone).revokes == linked.seq
    assert (reports.reports()[0].state, len(desk.waiting())) == ("checked", 6)
    with pytest.raises(OfficeRefused) as refused:
        undoing.undo(linked.seq, "again", tina)
    assert codes(refused) == ["office.undone"]
    with pytest.raises(OfficeRefused) as refused:
        undoing.undo(1, "no", tina)
    assert codes(refused) == ["office.undo"]


def test_what_the_desk_says_is_remembered_as_a_spelling(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    said = document("Second Open", "2026-02-10")
    said["players"][0] |= {"name": "Alfa, A.", "ids": {}}
    take(standard, write(tmp_path, "second.json", said), tina)
    assert [each.name for each in desk.waiting()] == ["Alfa, A."]
    desk.link(2, "1", "1", tina)
    said = document("Third Open", "2026-03-10")
    said["players"][0] |= {"name": "Alfa, A.", "ids": {}}
    one, _ = take(standard, write(tmp_path, "third.json", said), tina)
    assert one.state == "ready"


def test_to_undo_many_links_at_once_is_told(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    desk.link_new(1, tina)
    take(standard, write(tmp_path, "second.json", document("Second Open", "2026-02-10")), tina)
    fact = m.Fact.objects.filter(kind="linked", actor=ledger.SYSTEM).latest("seq")
    _, findings = undoing.undo(fact.seq, "entry 3 is somebody else", tina)
    (told,) = findings
    assert told.code == "office.links-undone"
    assert told.message == "The fact linked 6 entries; all of them are undone."
    assert len(desk.waiting()) == 6
    desk.link(2, "1", "1", tina)
    assert not list(undoing.undo(ledger.head().seq, "once more", tina)[1])


def test_merged_persons_are_one_until_that_is_undone(standard, tina):
    for name in ("Alpha, Anna", "Alpha-Bravo, Anna", "Alpha, A."):
        people.add_person(NewPerson(name), "", tina)
    first, _ = people.merge(1, 2, "married", tina)
    people.merge(2, 3, "the same", tina)
    assert people.merges() == {1: 3, 2: 3}
    with pytest.raises(OfficeRefused) as refused:
        people.merge(3, 1, "in a circle", tina)
    assert codes(refused) == ["office.merged"]
    undoing.undo(first, "two people", tina)
    assert people.merges() == {2: 3}
    assert people.merges(upto=first) == {1: 2}


def test_a_number_belongs_to_one_person(standard, tina):
    people.add_person(NewPerson("One, Ona", ids={"fide": "100"}), "", tina)
    before = ledger.head().hash
    with pytest.raises(OfficeRefused) as refused:
        people.add_person(NewPerson("Two, Tom", ids={"fide": "100"}), "", tina)
    assert codes(refused) == ["office.id-taken"]
    assert ledger.head().hash == before


def test_a_pool_that_nobody_names_is_asked_for(standard, tina, tmp_path):
    setup.add_pool("rapid", "fide-2014", tina)
    one, _ = take(standard, write(tmp_path, "open.json", document()), tina)
    assert one.state == "held"
    assert "office.no-pool-named" in [each.code for each in one.findings]
    said = document("Another Open", pool="rapid")
    one, _ = take(standard, write(tmp_path, "rapid.json", said), tina, another=True)
    assert one.state == "checked"


def test_reports_as_known_on_an_earlier_fact(standard, tina, tmp_path):
    take(standard, write(tmp_path, "open.json", document()), tina)
    then = ledger.head().seq
    desk.link_new(1, tina)
    assert reports.reports(upto=then)[0].state == "checked"
    assert reports.reports(upto=2) == []
    assert reports.reports()[0].state == "ready"


def test_a_folder_is_received_as_one(standard, tina):
    from pathlib import Path

    folder = Path(__file__).parents[2] / "examples" / "reports" / "club-open-2c"
    setup.add_pool("regular", "uscf-2013", tina)
    one, _ = take(standard, folder, tina, pool="regular")
    assert one.state in ("checked", "ready")
    again, _ = take(standard, folder, tina, pool="regular")
    assert not again.is_new


def test_a_pipe_is_read_or_refused_for_one(standard, tina, tmp_path):
    """Nobody is waited for who may never write."""
    pipe = tmp_path / "open.json"
    os.mkfifo(pipe)
    one, _ = take(standard, pipe, tina)
    assert (one.state, [each.code for each in one.findings]) == ("refused", ["file.unreadable"])
    # What is written while somebody has it open stays in it for who reads next.
    held = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    pipe.write_bytes(write(tmp_path, "file.json", document()).read_bytes())
    one, _ = take(standard, pipe, tina)
    os.close(held)
    assert (one.state, one.waiting) == ("checked", 6)


NIGHT = """Round,White,Black,Result,Event,Date
1,"Golf, Gus","Hotel, Hal",1-0,Winter Club Night,2026-01-10
2,"Hotel, Hal","India, Ida",1/2,Winter Club Night,2026-01-10
"""


def test_an_event_goes_by_its_name_in_the_report_not_by_that_of_the_file(standard, tina, tmp_path):
    path = tmp_path / "club-2026-01.csv"
    path.write_text(NIGHT)
    take(standard, path, tina)
    assert [each.name for each in reports.reports()] == ["Winter Club Night"]
    other = tmp_path / "club-b.csv"
    other.write_text(NIGHT.replace("Winter Club", "Other"))
    one, _ = take(standard, other, tina)
    (told,) = (each for each in one.findings if each.code == "office.same-event")
    assert "report 1 (Winter Club Night)" in told.message
    other.write_text(NIGHT.replace("1/2,Winter", "1/2,Spring").replace("Hal", "Hank"))
    take(standard, other, tina)
    # Of two events none is the report's.
    assert reports.reports()[-1].name == "club-b.csv"


def test_of_a_game_with_two_results_is_not_said_that_it_is_unfinished(standard, tina, tmp_path):
    """Whoever is told to wait for its end does not look for the slip."""
    both_won = (
        player_line(1, "2 w 1", "3 b 1", name="Golf, Gus", points="2.0"),
        player_line(2, "1 b 1", name="Hotel, Hans", points="1.0"),
        player_line(3, "0000 - -", "1 w 0", name="India, Ida", points="0.0"),
    )
    path = tmp_path / "two.trf"
    path.write_text(file("012 Odd Open", *both_won))
    found = [each.code for each in take(standard, path, tina)[0].findings]
    assert "game.contradiction" in found
    assert "game.unfinished" not in found
