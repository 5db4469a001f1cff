"""What changes published numbers goes by a correction, where several have to accept one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from ratingbook.office.acts import (
    asking,
    corrections,
    decisions,
    desk,
    imports,
    people,
    receive,
    register,
    reports,
    runs,
    setup,
    states,
    undoing,
)
from ratingbook.office.acts.decisions import Deciding
from ratingbook.office.logic.corrections import sentences
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.officers import add_colleagues
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_corrections import office, publish_one
from tests.office.test_day_one import refused
from tests.office.test_runs import opened

__all__ = ["office"]
RULED = ["office.published-number"]
BY_CORRECTION = ["office.by-correction"]


def several(who, count=2):
    setup.set_policies("standard", {"correction_approvals": str(count)}, "as agreed", who)


def added(name, who):
    return people.add_person(NewPerson(name), "", who)[0]


def hold_by_two(home, contents, who):
    asked = corrections.ask(home, contents, "as agreed", replace(who, actor="anna"))
    for actor in ("udo", "vera"):
        corrections.accept(home, asked.id, replace(who, actor=actor))
    return asked.id


def test_nobody_merges_alone_whose_numbers_are_published(office, tina):
    several(tina)
    before = ledger.head().seq
    assert refused(people.merge, 1, 2, "one person", tina) == RULED
    assert ledger.head().seq == before
    one = hold_by_two(office, [asking.merge(1, 2)], tina)
    assert people.canonical(1) == 2
    fact = m.Fact.objects.filter(kind="merge").latest("seq").seq
    assert refused(undoing.undo, fact, "two after all", tina) == BY_CORRECTION
    publish_one(office, tina, date(2026, 5, 1))
    with pytest.raises(OfficeRefused) as caught:
        undoing.undo(fact, "two after all", tina)
    assert f"--take-back {one}" in next(iter(caught.value.findings)).remedy


def test_a_merge_is_undone_by_as_many_once_it_is_published(office, tina):
    fact, _ = people.merge(1, 2, "one person", tina)
    several(tina)
    undoing.undo(fact, "not yet", tina)
    several(tina, 1)
    fact, _ = people.merge(1, 2, "one person", tina)
    publish_one(office, tina, date(2026, 5, 1))
    several(tina)
    assert refused(undoing.undo, fact, "two after all", tina) == RULED
    hold_by_two(office, [asking.undo(fact)], tina)
    assert people.canonical(1) == 1


def test_somebody_of_whom_nothing_is_published_is_merged_as_ever(office, tina):
    several(tina)
    people.merge(added("Alpha, A.", tina), 1, "came twice", tina)
    person = added("Alpha, Ann", tina)
    said = Deciding(person, "opening", "2400", "standard", "as they say")
    decisions.decide(office, said, tina)
    assert refused(people.merge, person, 1, "came twice", tina) == RULED


def test_with_what_somebody_came_in_is_corrected_by_as_many(office, tina, tmp_path):
    said = Deciding(1, "opening", "2400", "standard", "as they say")
    fact, _ = decisions.decide(office, said, tina)
    publish_one(office, tina, date(2026, 5, 1))
    several(tina)
    assert refused(decisions.decide, office, replace(said, value="2300"), tina) == RULED
    assert refused(undoing.undo, fact, "as they say", tina) == RULED
    decisions.decide(office, replace(said, kind="title", value="GM"), tina)
    path = tmp_path / "more.csv"
    path.write_text('id,name,rating\n701,"Alpha, Anna",2300\n')
    hold_by_two(office, [asking.opening("standard", {1: None})], tina)
    assert refused(imports.import_file, office, path, "national", tina, "standard") == RULED


def test_who_the_entries_of_a_published_report_are_is_corrected_by_as_many(office, tina):
    several(tina)
    fact = m.Link.objects.filter(entry__version__report=1).earliest("id").fact
    assert refused(undoing.undo, fact, "somebody else", tina) == RULED
    assert refused(undoing.undo, fact, "somebody else", tina, ["1"]) == RULED


def test_what_several_have_accepted_one_does_not_undo(office, tina):
    several(tina)
    hold_by_two(office, [asking.game(1, 1, "0-1")], tina)
    fact = m.Fact.objects.filter(kind="game fixed").latest("seq").seq
    assert refused(undoing.undo, fact, "I say so", tina) == BY_CORRECTION


def test_where_one_may_accept_one_may_do_all_of_it(office, tina):
    fact, _ = people.merge(1, 2, "one person", tina)
    publish_one(office, tina, date(2026, 5, 1))
    undoing.undo(fact, "two after all", tina)
    decisions.decide(office, Deciding(1, "opening", "2400", "standard", "as they say"), tina)


def accepted(home, contents, who):
    """A correction that one person accepts, as its pool has it."""
    number = corrections.ask(home, contents, "the sheet says so", who).id
    corrections.accept(home, number, who)
    return number


def written_by(number):
    """The last fact that can be undone of those that a correction wrote."""
    seqs = m.Fact.objects.get(kind="correction accepted", payload__correction=number)
    kinds = list(undoing.UNDONE)
    return m.Fact.objects.filter(seq__in=seqs.payload["facts"], kind__in=kinds).latest("seq").seq


WRITTEN = {
    "game": lambda: asking.game(1, 1, "0-1"),
    "player": lambda: asking.player(1, "3", 7),
    "merge": lambda: asking.merge(6, 5),
    "move": lambda: asking.moved("1", date(2026, 1, 12)),
    "opening": lambda: asking.opening("standard", {1: {"rating": "2500"}}),
}


@pytest.mark.parametrize("is_published", [False, True])
@pytest.mark.parametrize("kind", WRITTEN)
def test_what_a_correction_says_is_undone_by_another_one_alone(office, tina, kind, is_published):
    added("Golf, Gus", tina)
    number = accepted(office, [WRITTEN[kind]()], tina)
    if is_published:
        publish_one(office, tina, date(2026, 5, 1))
    fact, before = written_by(number), ledger.head().seq
    with pytest.raises(OfficeRefused) as caught:
        undoing.undo(fact, "a slip", tina)
    (told,) = caught.value.findings
    assert told.code == "office.by-correction"
    assert f"correction {number}" in told.message
    assert f"correct --take-back {number} --reason" in told.remedy
    assert ledger.head().seq == before
    accepted(office, corrections.taking_back(number), tina)
    assert not m.Link.objects.filter(person=7, revoked_by__isnull=True).exists()


def test_who_an_entry_is_by_a_correction_the_desk_does_not_change(office, tina, tmp_path):
    golf = added("Golf, Gus", tina)
    path = write(tmp_path, "new.json", document("Summer Open", "2026-05-01", {}))
    report = receive.receive(office, path, tina, receive.Options(another=True)).id
    assert report is not None
    number = accepted(office, [asking.player(report, "3", golf)], tina)
    assert refused(desk.link, report, "3", "3", tina) == BY_CORRECTION
    # A newer version of the report has the same persons.
    path = write(tmp_path, "new.json", document("Summer Open", "2026-05-01", {("1", "2"): "1-0"}))
    newer = receive.receive(office, path, tina)
    assert (newer.id, newer.version) == (report, 2)
    link = m.Link.objects.get(entry__version__report=report, entry__version__number=2,
                              entry__number="3", revoked_by__isnull=True)  # fmt: skip
    assert link.person_id == golf
    assert refused(undoing.undo, link.fact, "not he", tina, ["3"]) == BY_CORRECTION
    assert refused(undoing.undo, link.fact, "not they", tina) == BY_CORRECTION
    assert refused(desk.link, report, "3", "3", tina) == BY_CORRECTION
    undoing.undo(link.fact, "not he", tina, ["4"])
    accepted(office, corrections.taking_back(number), tina)


def test_what_a_correction_has_let_in_nobody_puts_aside(office, tina, tmp_path):
    path = write(tmp_path, "new.json", document("Summer Open", "2026-03-01", {}))
    report = str(receive.receive(office, path, tina, receive.Options(another=True)).id)
    reports.put_aside(report, "hold", "the arbiter asks for it", tina)
    number = accepted(office, [asking.event(report, "late")], tina)
    for what in ("hold", "refuse", "withdraw"):
        assert refused(reports.put_aside, report, what, "no", tina) == BY_CORRECTION
    accepted(office, corrections.taking_back(number), tina)
    assert refused(reports.put_aside, report, "release", "no", tina) == ["office.taken-out"]


def test_a_new_version_of_what_is_published_is_let_in_by_as_many(office, tina, tmp_path):
    several(tina)
    changed = document("Winter Open", "2026-01-10", {("1", "2"): "0-1"})
    newer = receive.receive(office, write(tmp_path, "2.json", changed), tina)
    assert (newer.id, newer.version, newer.state) == (1, 2, "held")
    before = ledger.head().seq
    with pytest.raises(OfficeRefused) as caught:
        reports.put_aside("1", "release", "the arbiter says so", tina)
    (told,) = caught.value.findings
    assert told.code == "office.published-version"
    assert "correct --report 1 --late" in told.remedy
    assert ledger.head().seq == before
    one = hold_by_two(office, [asking.event("1", "late")], tina)
    publish_one(office, tina, date(2026, 5, 1))
    assert register.entry(office, one)["state"] == "published"
    now = states.that_counts(1)
    assert now is not None
    assert now.number == 2


def test_a_version_of_what_nobody_has_published_is_let_in_as_ever(office, tina, tmp_path):
    several(tina)
    path = write(tmp_path, "new.json", document("Summer Open", "2026-05-01"))
    report = str(receive.receive(office, path, tina, receive.Options(another=True)).id)
    reports.put_aside(report, "hold", "the arbiter asks for it", tina)
    reports.put_aside(report, "release", "it is right", tina)


@prepared
def regular(home, tina, tmp_path):
    """A published pool whose rules know floors and resets."""
    opened(home, tina, tmp_path, "uscf-2013")
    add_colleagues(tina)
    path = write(tmp_path, "open.json", document("Winter Open", "2026-01-10"))
    receive.receive(home, path, tina)
    publish_one(home, tina, date(2026, 2, 1))
    return home


def test_what_is_decided_for_a_day_that_is_published_is_decided_by_as_many(regular, tina, tmp_path):
    said = Deciding(1, "floor", "1900", "standard", "the board", date(2026, 2, 1))
    decisions.decide(regular, said, tina)
    several(tina)
    with pytest.raises(OfficeRefused) as caught:
        decisions.decide(regular, replace(said, value="2000"), tina)
    (told,) = caught.value.findings
    assert told.code == RULED[0]
    assert "--person 1 --decide money_floor=2000 --from 2026-02-01" in told.remedy
    decisions.decide(regular, replace(said, since=date(2026, 2, 2)), tina)
    decisions.decide(regular, replace(said, person=added("New, Nora", tina)), tina)
    decisions.decide(regular, replace(said, kind="title", value="GM"), tina)
    path = tmp_path / "decided.csv"
    for day, codes in (("2026-01-09", RULED), ("2026-02-02", None)):
        path.write_text(f"player,date,kind,value,reason\n701,{day},floor,1950,board\n")
        given = (regular, path, "national", "standard", "moved here", tina)
        if codes:
            assert refused(decisions.import_decisions, *given) == codes
        else:
            decisions.import_decisions(*given)


def test_a_decision_is_asked_for_accepted_told_and_taken_back(regular, tina):
    several(tina)
    content = asking.decided(
        "standard", 1, {"floor": "2000"}, date(2026, 1, 1), "the board", date(2026, 4, 2)
    )
    assert sentences([content]) == [
        "pool standard: money floor 2000 of person 1 from 2026-01-01"
    ]  # fmt: skip
    number = hold_by_two(regular, [content], tina)
    publish_one(regular, tina, date(2026, 2, 2))
    assert register.entry(regular, number)["state"] == "published"
    assert 1 in {row["person"] for row in register.entry(regular, number)["changed"]}
    hold_by_two(regular, corrections.taking_back(number), tina)
    made = runs.make(regular, "standard", date(2026, 2, 2), tina)
    assert made.run.report["players"] >= 1
    for kind in ("title", "opening"):
        assert refused(asking.decided, "standard", 1, {kind: "GM"}, None, "", date(2026, 4, 2)) == [
            "office.decision-kind"
        ]


def test_nobody_says_otherwise_than_a_correction_of_an_opening(office, tina, tmp_path):
    accepted(office, [asking.opening("standard", {1: {"rating": "2100"}})], tina)
    accepted(office, [asking.opening("standard", {2: None})], tina)
    for person in (1, 2):
        said = Deciding(person, "opening", "2300", "standard", "I say so")
        assert refused(decisions.decide, office, said, tina) == BY_CORRECTION
    path = tmp_path / "more.csv"
    path.write_text('id,name,rating\n702,"Bravo, Ben",2300\n')
    given = (office, path, "national", tina, "standard")
    assert refused(imports.import_file, *given) == BY_CORRECTION


def test_nobody_merges_whom_a_correction_holds_apart(office, tina):
    golf = added("Golf, Gus", tina)
    accepted(office, [asking.player(1, "3", golf)], tina)
    for pair in ((golf, 3), (3, golf)):
        assert refused(people.merge, *pair, "one person", tina) == BY_CORRECTION
    fact, _ = people.merge(1, 2, "one person", tina)
    publish_one(office, tina, date(2026, 5, 1))
    accepted(office, [asking.undo(fact)], tina)
    assert refused(people.merge, 1, 2, "one after all", tina) == BY_CORRECTION
    accepted(office, [asking.merge(1, 2)], tina)
    assert people.canonical(1) == 2
