"""What is printed and told of persons: their numbers, their names, and what they have played."""

from __future__ import annotations

from datetime import UTC, date, datetime
from xml.etree import ElementTree

import pytest

from ratingbook.desk.list_files import REGISTER_OF
from ratingbook.office.acts import (
    desk,
    imports,
    people,
    receive,
    registry,
    reports,
    runs,
    searching,
    setup,
    undoing,
)
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store.ledger import Who
from ratingbook.office.store.models import Fact, FormerBirth, PersonPrivate
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_day_one import refused


@prepared
def rated(officer: Officer, tmp_path):
    """An office with one event on a list: all but the last two players have FIDE numbers."""
    said = document(day="2010-04-03", results={("1", "2"): "1-0"})
    for number, each in enumerate(said["players"][:-2]):
        each["ids"] = {"fide": str(14200015 + number)}
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    officer.does("receive", write(tmp_path, "open.json", said))
    officer.does("link", 1, "all", "new")
    officer.does("run", "--pool", "standard", "--until", "2010-07-01")
    officer.does("approve", 1)
    officer.does("publish", 1)
    return officer


def test_files_of_federations_have_numbers_of_their_registers(rated, tmp_path):
    """Whoever has none is left out: the office's own numbers are other people's there."""
    names = {each["name"]: each["ids"].get("fide") for each in rated.does("people")["people"]}
    text = rated.sees("list", 1, "--format", "fide-txt")
    assert {name: number for name, number in names.items() if name in text and number} == {
        name: number for name, number in names.items() if number
    }
    assert "Echo, Emil" in text.partition("fide-list.number")[0].rpartition("left out")[2]
    out = tmp_path / "list.xml"
    rated.sees("list", 1, "--format", "fide-xml", "--out", out)
    listed = ElementTree.fromstring(out.read_text("utf-8")).iter("player")
    printed = {each.findtext("name"): each.findtext("fideid") for each in listed}
    assert printed == {name: number for name, number in names.items() if number}
    assert "<birthday>0</birthday>" in out.read_text("utf-8")
    # A list is as it was when it was made; made again it has what is known now.
    rated.does("person", "edit", 5, "--id", "fide=14200099", "--reason", "found")
    assert "14200099" not in rated.sees("list", 1, "--format", "fide-xml")
    rated.does("list", "--make", "2010-07-01", "--pool", "standard")
    assert "14200099" in rated.sees("list", 2, "--format", "fide-xml")
    rated.does("person", "suppress", 1, "--reason", "asked for")
    assert "14200015" not in rated.sees("list", 2, "--format", "fide-xml")


def test_who_is_one_with_somebody_has_the_number_of_that_one(home, tina):
    first, second, third = (
        people.add_person(NewPerson(name, ids=ids), "", tina)[0]
        for name, ids in (("Alpha", {"iccf": "70001"}), ("Alfa", {"iccf": "70002"}), ("Alva", {}))
    )
    people.merge(first, third, "one person", tina)
    people.merge(second, third, "one person", tina)
    upto = ledger.head().seq
    assert people.numbers_of("iccf", {third}, upto) == {third: "70001"}
    assert people.numbers_of("iccf", {first, second, third}, upto) == {
        first: "70001", second: "70002"
    }  # fmt: skip
    assert people.numbers_of(REGISTER_OF["fide-txt"], {third}, upto) == {}


def test_who_is_suppressed_is_named_in_no_games_and_corrections(rated, tmp_path):
    """Neither in what was asked before, nor in what is asked later."""
    asked = ("correct", "--report", 1, "--reason", "Alpha, Anna lost")
    rated.does(*asked, "--game", 1, "--result", "0-1")
    assert "Alpha" in rated.sees("games", 1)
    assert "Alpha" in rated.sees("register", 1)
    rated.does("person", "suppress", 1, "--reason", "asked for")
    assert {each["white"] for each in rated.does("games", 1)["games"][:5]} == {"Player 1"}
    later = rated.does("correct", "--report", 1, "--reason", "so", "--game", 2, "--result", "0-1")
    assert "Player 1" in str(later["says"])
    other = rated.does("correct", "--report", 1, "--reason", "so", "--entry", 1, "--player",
                       rated.does("person", "add", "Golf, Gus")["person"])  # fmt: skip
    rated.does("register", "--out", tmp_path / "register")
    files = [each.read_text("utf-8") for each in (tmp_path / "register").iterdir()]
    seen = [rated.sees("register", number) for number in (1, 2, 3)]
    for text in (str(later), str(other), *files, *seen, rated.sees("register"),
                 str(rated.does("register", 1)), rated.sees("corrections")):  # fmt: skip
        assert "Alpha" not in text
        assert "Anna" not in text


def warned(findings):
    return [each.message.partition(";")[0] for each in findings if each.code == "office.met"]


def events(upto=None):
    return set(people.events_of(range(1, 7), upto).values())


def others(said, number):
    """The same event with the last player replaced by somebody of another name."""
    said["players"][-1] |= {"name": "Golf, Gus", "birth_date": "1977-07-07",
                            "ids": {"national": number}}  # fmt: skip
    return said


def test_events_of_a_person_are_counted_once_and_where_they_count(home, tina, tmp_path):
    """Not each version of a report, and neither what is held nor what was refused."""
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})

    def receives(name, **results):
        said = document(name, "2026-01-10", {("1", "2"): results.get("result", "1-0")})
        path = write(tmp_path, "open.json", said)
        options = receive.Options(another=results.get("another", False))
        return receive.receive_all(home, [path], tina, options)[0][0]

    receives("Winter Open")
    desk.link_new(1, tina)
    assert events() == {1}
    assert receives("Winter Open", result="0-1").version == 2
    assert events() == {1}
    assert receives("Spring Open", another=True).id == 2
    assert events() == {2}
    known = ledger.head().seq
    for what in ("hold", "refuse"):
        reports.put_aside("2", what, "not ours", tina)
        assert events() == {1}
    assert events(known) == {2}


def test_what_is_published_rests_on_what_was_known_of_births_then(officer, tmp_path):
    """Ben's date is put right twice, and Dora's is said for the first time."""
    known = document(day="2015-04-03")
    del known["players"][3]["birth_date"]
    officer.does("pool", "add", "club", "--rulebook", "fide-2014", "--policy", "assume=1500")
    officer.does("receive", write(tmp_path, "open.json", known))
    officer.does("link", 1, "all", "new")
    for run, day in enumerate(("2015-06-01", "2015-09-01", "2015-12-01"), 1):
        officer.does("run", "--pool", "club", "--until", day)
        officer.does("approve", run)
        officer.does("publish", run)
        assert officer.does("replay")["findings"] == []
        assert officer.does("doctor")["sound"]
        for person, born in ((2, f"200{run}-02-03"), (4, f"200{run}-12-24")):
            officer.does("person", "edit", person, "--born", born, "--reason", "passport")
        said = document(f"Open {run}", f"2015-{4 + 2 * run:02}-03")
        officer.does("receive", write(tmp_path, f"{run}.json", said))
        officer.does("link", run + 1, "all", "best")
        assert officer.does("replay")["findings"] == []
    # Of who is suppressed nothing is kept of before either.
    officer.does("person", "suppress", 2, "--reason", "asked for it")
    assert {each.person_id for each in FormerBirth.objects.all()} == {4}
    assert officer.does("doctor")["sound"]


def by_several(rulebook, home, tina, tmp_path):
    """A published event of a pool in which two accept a correction."""
    setup.add_pool("club", rulebook, tina, policies={"correction_approvals": "2"})
    path = tmp_path / "opening.csv"
    rows = [f'{x[3]},1500,40,"{x[0]}",{x[2]}' for x in PLAYERS.values()]
    path.write_text("\n".join(["id,rating,games,name,birth_date", *rows]) + "\n")
    imports.import_file(home, path, "national", tina, "club")
    for name in ("udo", "vera"):
        setup.add_actor(name, ["officer"], tina)
    receive.receive(home, write(tmp_path, "open.json", document(day="2015-04-03")), tina)
    made = runs.make(home, "club", date(2015, 6, 1), tina)
    runs.approve(made.run.id, tina)
    runs.publish(home, made.run.id, tina)


def born(person):
    return PersonPrivate.objects.get(person=person).birth_date


def later(actor):
    return Who(actor, at=datetime(2026, 4, 3, tzinfo=UTC))


def says(actor, day, person=2, **more):
    """What comes of it that an officer says a date of birth."""
    _, found = registry.edit(person, registry.Edit(born=day, **more), "passport", later(actor))
    return [each.code for each in found]


def test_a_date_of_birth_on_which_no_number_rests_is_said_by_one(home, tina, tmp_path):
    by_several("elo", home, tina, tmp_path)
    assert says("udo", date(2000, 2, 3)) == []
    assert born(2) == date(2000, 2, 3)


def test_a_date_of_birth_on_which_numbers_rest_is_said_by_as_many_as_correct(home, tina, tmp_path):
    by_several("fide-2014", home, tina, tmp_path)
    was, right, wrong = born(2), date(2000, 2, 3), date(2001, 2, 3)
    assert says("udo", right) == ["office.born-asked"]
    assert says("vera", wrong) == ["office.born-asked"]
    assert born(2) == was
    for again in (lambda: says("udo", right), lambda: says("udo", right, name="Bravo, Bernd")):
        with pytest.raises(OfficeRefused):
            again()
    assert says("tina", right) == []
    assert born(2) == right
    # What was said before counts no more: it takes two again.
    assert says("udo", wrong) == ["office.born-asked"]
    assert not any(str(right.year) in str(each.payload) for each in Fact.objects.all())
    # Of somebody of whom nothing is published one alone says it.
    new, _ = people.add_person(NewPerson("Nobody, Any"), "", later("tina"))
    assert says("udo", right, new) == []


def test_who_asks_is_none_of_those_who_accept_where_the_policy_says_so(home, tina, tmp_path):
    by_several("fide-2014", home, tina, tmp_path)
    setup.set_policies("club", {"four_eyes": "yes"}, "rules", tina)
    right = date(2000, 2, 3)
    for actor in ("udo", "vera"):
        assert says(actor, right) == ["office.born-asked"]
    assert says("tina", right) == []
    assert born(2) == right


def test_who_never_met_is_merged_without_a_warning(home, tina, tmp_path):
    """What the one has played is the other's only afterwards."""
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    first = write(tmp_path, "first.json", document("Winter Open", "2026-01-10"))
    second = write(tmp_path, "second.json", others(document("Spring Open", "2026-02-10"), "707"))
    receive.receive_all(home, [first], tina, receive.Options())
    desk.link_new(1, tina)
    receive.receive_all(home, [second], tina, receive.Options(another=True))
    desk.link(2, "6", "new", tina)
    assert people.events_of([7]) == {7: 1}
    assert not warned(people.merge(7, 6, "she has married", tina)[1])
    assert warned(people.merge(2, 1, "one person", tina)[1]) == [
        "2 and 1 play in 2 reports as two entries, and 2 games with each other"
    ]


def test_one_report_and_one_game_are_told_in_the_singular(home, tina, tmp_path):
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    receive.receive_all(home, [write(tmp_path, "one.json", document())], tina, receive.Options())
    desk.link_new(1, tina)
    assert warned(people.merge(2, 1, "one person", tina)[1]) == [
        "2 and 1 play in 1 report as two entries, and 1 game with each other"
    ]


@pytest.mark.parametrize("said", ["Zelic", "ŽELIĆ", "Желич", "zeljko", "elić"])
def test_names_are_found_in_any_script_and_case(officer, said):
    officer.does("person", "add", "Želić, Željko")
    officer.does("person", "add", "Иванов, Иван")
    assert [each["name"] for each in officer.does("people", said)["people"]] == ["Želić, Željko"]
    for ivan in ("иванов", "Ivanov"):
        assert [each["name"] for each in officer.does("people", ivan)["people"]] == ["Иванов, Иван"]


@pytest.mark.parametrize("said", ["²", "1²", "٣", "99999999999"])
def test_what_is_no_number_of_a_person_is_looked_for_as_any_text(officer, said):
    officer.does("person", "add", "Alpha, Anna")
    assert officer.does("people", said)["people"] == []


def test_who_looks_for_people_is_told_how_many_there_are(home, tina):
    from tests.office.officers import Officer

    with ledger.acting(tina) as act:
        people.make_persons(act, [NewPerson(f"Golf, G{n}") for n in range(60)])
    officer = Officer(home.folder)
    for query in ((), ("Golf",), ("Gol",), ("olf",)):
        found = officer.does("people", *query)
        assert (len(found["people"]), found["total"]) == (50, 60), query
        found = officer.does("people", *query, "--all")
        assert (len(found["people"]), found["total"]) == (60, 60), query
    assert "50 of 60 persons" in officer.sees("people")
    assert "of 60 persons" not in officer.sees("people", "--all")
    assert [each["person"] for each in officer.does("people", "--limit", 2)["people"]] == [1, 2]
    # A number of a person is found before names that have it.
    found = officer.does("people", "17")
    assert ([each["person"] for each in found["people"]], found["total"]) == ([17, 18], 2)
    assert officer.does("people", "--known", "2000-01-01")["total"] == 0


def test_numbers_are_those_that_registers_can_have(home, tina, tmp_path):
    person, _ = people.add_person(NewPerson("Alpha, Anna", ids={"fide": "14200001"}), "", tina)
    for said in ("abc", "142 00 001", "x5"):
        edit = registry.Edit(ids={"fide": said})
        assert refused(registry.edit, person, edit, "", tina) == ["office.number"]
    assert registry.show(person)["ids"] == {"fide": "14200001"}
    added = NewPerson("Bravo, Ben", ids={"fide": "abc"})
    assert refused(people.add_person, added, "", tina) == ["office.number"]
    path = tmp_path / "players.csv"
    path.write_text('id,name\nabc,"Bravo, Ben"\n')
    done = imports.import_file(home, path, "fide", tina)
    assert [(x.code, x.severity.refuses) for x in done.findings] == [("office.number", False)]
    _, told = registry.edit(person, registry.Edit(ids={"nonsense": "5"}), "", tina)
    assert [each.code for each in told] == ["office.unknown-register"]
    _, told = registry.edit(person, registry.Edit(ids={"ffg": "12A4567"}), "", tina)
    assert not told


def test_a_name_with_signs_in_it_is_found_by_its_words(home, tina):
    person, _ = people.add_person(NewPerson("<b>Pohl</b>, Pia"), "", tina)
    for query in ("pohl", "Pohl, Pia", "pia pohl"):
        assert [each.person for each in searching.search(query)] == [person]


def test_what_was_said_of_a_merged_number_is_said_of_the_person(home, tina):
    """As births and sexes, which runs read: the own word goes first."""
    told = [
        NewPerson("Alpha, Anna", attributes={"club": "Chess House"}),
        NewPerson("Alpha, A.", attributes={"club": "Go House", "federation": "IRL", "sex": "w"}),
    ]
    one, other = (people.add_person(each, "", tina)[0] for each in told)
    before = ledger.head().seq
    fact, _ = people.merge(other, one, "one person", tina)
    whole = {"club": "Chess House", "federation": "IRL", "sex": "w"}
    assert people.attributes_of([one], ledger.head().seq) == {one: whole}
    assert people.attributes_of([one], before) == {one: {"club": "Chess House"}}
    undoing.undo(fact, "two people", tina)
    assert people.attributes_of([one], ledger.head().seq) == {one: {"club": "Chess House"}}
