"""The desk and what officers do to reports: what is let in, undone, and in which version."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import desk, people, receive, reports, runs, setup, states, undoing
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from tests.office.reports import document, write

UNTIL = date(2026, 4, 1)


@pytest.fixture
def standard(home, tina):
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    return home


def take(home, tina, path):
    (one,), _ = receive.receive_all(home, [path], tina)
    return one


def test_who_lets_in_what_was_refused_is_told_that_games_are_lost(standard, tina, tmp_path):
    said = document()
    said["games"][0]["white"] = "99"
    said["games"].append(dict(said["games"][1], result="0-1"))
    assert take(standard, tina, write(tmp_path, "open.json", said)).state == "refused"
    # Nobody asks for the people of what is refused, before somebody lets it in.
    assert desk.waiting() == []
    (told,) = reports.put_aside("1", "release", "the arbiter signs it", tina)
    assert len(desk.waiting()) == 6
    assert (told.code, told.severity) == ("office.let-in", "warning")
    assert "player 99" in told.message
    assert "And 1 more" in told.message
    assert "ratingbook office games 1" in told.remedy


def test_nobody_is_asked_for_the_people_of_what_was_withdrawn(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    assert len(desk.waiting()) == 6
    reports.put_aside("1", "withdraw", "never played", tina)
    assert desk.waiting() == []
    assert reports.reports()[0].waiting == 0
    reports.put_aside("1", "release", "it was played", tina)
    assert len(desk.waiting()) == 6


def test_what_was_only_held_is_let_in_without_a_word(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    reports.put_aside("1", "hold", "the arbiter asks for it", tina)
    assert not list(reports.put_aside("1", "release", "settled", tina))


def refused(call, *arguments):
    with pytest.raises(OfficeRefused) as caught:
        call(*arguments)
    (told,) = caught.value.findings
    return told


def linked():
    """The last fact by which entries were linked."""
    return m.Fact.objects.filter(kind="linked").latest("seq").seq


def other(tina):
    """Somebody whom no report has brought."""
    return str(people.add_person(NewPerson("Golf, Gus"), "", tina)[0])


def who_is():
    live = m.Link.objects.filter(revoked_by__isnull=True).order_by("entry")
    return dict(live.values_list("entry__number", "person"))


def publish(home, tina):
    made = runs.make(home, "standard", UNTIL, tina).run
    runs.approve(made.id, tina)
    runs.publish(home, made.id, tina)
    return made


def test_some_of_the_entries_that_a_fact_linked_are_undone(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    desk.link_new(1, tina)
    fact = linked()
    made = runs.make(standard, "standard", UNTIL, tina).run
    runs.approve(made.id, tina)
    undone, findings = undoing.undo(fact, "two others of the name", tina, ["3", "5"])
    assert not list(findings)
    said = m.Fact.objects.get(seq=undone)
    assert (said.revokes, said.payload) == (
        None, {"fact": fact, "kind": "linked", "entries": ["3", "5"]}
    )  # fmt: skip
    about = m.FactSubject.objects.filter(fact=undone).values_list("kind", "subject")
    assert set(about) == {("report", "1"), ("person", "3"), ("person", "5")}
    assert who_is() == {"1": 1, "2": 2, "4": 4, "6": 6}
    assert [each.entry for each in desk.waiting()] == ["3", "5"]
    # A run that rests on all of it is not published.
    assert refused(runs.publish, standard, made.id, tina).code == "office.undone-since"
    assert refused(undoing.undo, fact, "again", tina, ["3"]).code == "office.no-entry"
    assert refused(undoing.undo, 3, "no link", tina, ["3"]).code == "office.undo"
    # The rest of it is undone in the end, and nobody is left.
    again, (told,) = undoing.undo(fact, "all others, too", tina)
    assert (told.code, m.Fact.objects.get(seq=again).revokes) == ("office.links-undone", fact)
    assert who_is() == {}
    assert refused(undoing.undo, fact, "again", tina).code == "office.undone"


def test_who_names_all_entries_of_a_fact_undoes_the_fact(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    desk.link_new(1, tina)
    undone, findings = undoing.undo(linked(), "others", tina, list("123456"))
    assert m.Fact.objects.get(seq=undone).revokes is not None
    assert not list(findings)


def test_the_command_undoes_single_entries(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "open.json", document()))
    officer.does("link", 1, "all", "new")
    assert "is undone for 3, 5 by" in officer.sees(
        "undo", linked(), "--entry", 3, "--entry", 5, "--reason", "others"
    )
    assert [each["entry"] for each in officer.does("desk")["waiting"]] == ["3", "5"]


def test_who_is_undone_in_what_is_published_can_be_linked_again(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    desk.link_new(1, tina)
    fact = linked()
    publish(standard, tina)
    golf = other(tina)
    assert refused(desk.link, 1, "3", golf, tina).code == "office.is-rated"
    undoing.undo(fact, "somebody else", tina, ["3"])
    desk.link(1, "3", golf, tina)
    assert who_is()["3"] == 7
    assert publish(standard, tina).report["players"] == 2


def test_a_version_that_counts_is_at_the_desk_beside_a_newer_one_that_is_held(
    standard, tina, tmp_path
):
    take(standard, tina, write(tmp_path, "open.json", document()))
    desk.link_new(1, tina)
    fact = linked()
    publish(standard, tina)
    changed = document(results={("1", "2"): "1-0"})
    assert take(standard, tina, write(tmp_path, "new.json", changed)).state == "held"
    newer = linked()
    _, (told,) = undoing.undo(fact, "somebody else", tina, ["3"])
    assert (told.code, told.remedy) == (
        "office.newer-links",
        f"Undo that, too, before it is let in: ratingbook office undo {newer} --entry 3.",
    )
    (one,) = desk.waiting()
    assert (one.report, one.version, one.entry) == (1, 1, "3")
    assert reports.reports()[0].waiting == 1
    # It is rated again once somebody has said who that is.
    first = m.Section.objects.earliest("id").id
    assert states.states([first])[first] == "checked"
    golf = other(tina)
    desk.link(1, "3", golf, tina)
    assert states.states([first])[first] == "ready"
    assert desk.waiting() == []
    # Of the newer one the same person is undone; who that is can be said before it is let in.
    undoing.undo(newer, "somebody else", tina, ["3"])
    assert [(each.version, each.entry) for each in desk.waiting()] == [(2, "3")]
    desk.link(1, "3", golf, tina)
    reports.put_aside("1", "release", "the arbiter signs it", tina)
    assert reports.reports()[0].state == "ready"


def test_a_version_that_was_refused_hides_no_older_one_that_counts(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    broken = document()
    broken["games"][0]["white"] = "99"
    assert take(standard, tina, write(tmp_path, "broken.json", broken)).state == "refused"
    assert {(each.version, each.entry) for each in desk.waiting()} == {(1, n) for n in "123456"}
    assert desk.link_new(1, tina)[0] == [1, 2, 3, 4, 5, 6]
    assert desk.waiting() == []
    desk.link(1, "6", other(tina), tina)
    assert who_is()["6"] == 7
    assert m.Link.objects.filter(entry__version__number=2).count() == 0


def test_birth_years_that_differ_are_told_at_the_desk_and_nowhere_else(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "open.json", document()))
    officer.does("link", 1, "all", "new")
    said = document("Second Open", "2026-02-10")
    said["players"][0] |= {"birth_date": "1991-01-05", "ids": {}}
    officer.does("receive", write(tmp_path, "second.json", said))
    (one,) = officer.does("desk")["waiting"]
    assert one["candidates"][0]["birth_years"] == [1991, 1990]
    told = " ".join(officer.sees("desk").split())
    assert "birth years 1 apart (−6)" in told
    assert "the report has 1991, the office 1990" in told
    officer.does("link", 2, 1, 1)
    public = [officer.sees("receipt", 2), officer.sees("person", "show", 1), officer.sees("audit")]
    assert "1991" not in "".join(public)


def of_two_names(*rounds):
    """A report in which Anna has two entries, b and c; the rounds of their games with Dora."""
    people = {"a": ("Delta, Dora", 1985), "b": ("Schmidt, Anna", 1990), "c": ("Anna Schmidt", 1990)}
    players = [{"id": k, "name": n, "birth_year": y} for k, (n, y) in people.items()]
    games = [
        {"round": number, "white": who, "black": "a", "result": "1-0"}
        for who, number in zip("bc", rounds, strict=True)
    ]
    return {
        "ratingbook": "report/1",
        "event": {"name": "Two Names", "start": "2026-01-10", "end": "2026-01-12"},
        "players": players, "games": games,
    }  # fmt: skip


def test_two_entries_that_play_in_one_round_are_not_one_person(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "two.json", of_two_names(1, 1)))
    anna = other(tina)
    desk.link(1, "b", anna, tina)
    told = refused(desk.link, 1, "c", anna, tina)
    assert told.code == "office.same-round"
    assert "round 1 as entry c does" in told.message
    assert "new version" in told.remedy
    assert not m.Link.objects.filter(entry__number="c").exists()


def test_two_entries_of_other_rounds_may_be_one_person_and_that_is_told(standard, tina, tmp_path):
    from ratingbook.office.acts import receipts

    take(standard, tina, write(tmp_path, "two.json", of_two_names(1, 2)))
    anna = other(tina)
    desk.link(1, "b", anna, tina)
    assert receipts.receipt(1).twice == ()
    _, _, (told,) = desk.link(1, "c", anna, tina)
    assert (told.code, told.severity) == ("office.two-entries", "warning")
    assert "is entry b of this report, and now entry c, too" in told.message
    assert receipts.receipt(1).twice == ("b, c",)
    assert "These entries are one person: b, c." in receipts.receipt(1).words()


def test_an_opponent_who_was_merged_into_the_person_is_found(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    one, same = other(tina), other(tina)
    desk.link(1, "1", one, tina)
    people.merge(int(one), int(same), "one person", tina)
    assert refused(desk.link, 1, "2", same, tina).code == "office.own-opponent"


def test_what_was_said_at_the_desk_is_said_once(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    person = other(tina)
    fact, whose, _ = desk.link(1, "1", person, tina)
    last = m.Fact.objects.latest("seq").seq
    again, same, (told,) = desk.link(1, "1", person, tina)
    assert (again, same, told.code) == (fact, whose, "office.linked-already")
    assert m.Fact.objects.latest("seq").seq == last


def test_nobody_new_is_made_of_an_entry_that_is_somebody_already(standard, tina, tmp_path):
    """The person of before would stay behind, of whom no report says anything."""
    take(standard, tina, write(tmp_path, "open.json", document()))
    desk.link_new(1, tina)
    fact, last = linked(), m.Fact.objects.latest("seq").seq
    told = refused(desk.link, 1, "6", "new", tina)
    assert told.code == "office.linked-already"
    assert "Entry 6 of report 1 is person 6 already" in told.message
    assert f"ratingbook office undo {fact} --entry 6" in told.remedy
    assert (m.Fact.objects.latest("seq").seq, m.Person.objects.count()) == (last, 6)
    undoing.undo(fact, "somebody else", tina, ["6"])
    assert desk.link(1, "6", str(other(tina)), tina)[1] == 7


def test_who_links_somebody_called_otherwise_is_told_who_is_likelier(standard, tina, tmp_path):
    anna, _ = people.add_person(NewPerson("Alpha, Anna", None, 1990), "", tina)
    golf, _ = people.add_person(NewPerson("Golf, Gus"), "", tina)
    take(standard, tina, write(tmp_path, "open.json", document()))
    desk.link_new(1, tina)
    assert [each.entry for each in desk.waiting()] == ["1"], "nothing else agrees"
    _, whose, (told,) = desk.link(1, "1", str(golf), tina)
    assert whose == golf, "it is done"
    assert (told.code, told.severity) == ("office.likelier", "warning")
    assert f"is hardly called as Golf, Gus ({golf}); Alpha, Anna ({anna}) fits with" in told.message
    _, _, (again,) = desk.link(1, "1", str(golf), tina)
    assert again.code == "office.linked-already"
    _, _, found = desk.link(1, "1", str(anna), tina)
    assert "office.likelier" not in [each.code for each in found]


def test_who_links_somebody_whom_nobody_else_is_like_is_told_nothing(standard, tina, tmp_path):
    """As after a marriage: no name that the office knows is about that of the entry."""
    golf, _ = people.add_person(NewPerson("Golf, Gus"), "", tina)
    take(standard, tina, write(tmp_path, "open.json", document()))
    _, _, found = desk.link(1, "1", str(golf), tina)
    assert [each.code for each in found] == []
