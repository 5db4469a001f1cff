"""Lists of federations become persons, however long they are."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date, timedelta

import pytest

from ratingbook.formats.lists import FidePlayer, Rated, source, write_fide_txt
from ratingbook.office.acts import asking, doctor, imports, people, registry, setup
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic.ahead import made_ahead
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.pieces import numbers_and_process
from tests.office.reports import document, write

PLAYERS = 25


def fide_list(folder, count=PLAYERS, twice=()):
    path = folder / "list.txt"
    numbers = [*range(1, count + 1), *twice]
    rows = [
        FidePlayer(str(30000000 + n), f"Player{n}, Invented", "AUT", "F", birth_year=1980,
                   standard=Rated(1800 + n, 3, 20) if n % 5 else None)
        for n in numbers
    ]  # fmt: skip
    with path.open("wb") as out:
        write_fide_txt(iter(rows), out)
    return path


@pytest.fixture
def few_at_once(monkeypatch):
    """A list that is longer than what is taken together, and than what lists are made of."""
    monkeypatch.setattr(source, "MOST_ENTRIES", 7)
    monkeypatch.setattr(imports, "_AT_ONCE", 4)


def test_a_long_list_is_taken_in_some_at_a_time(home, tina, tmp_path, few_at_once):
    setup.add_pool("standard", "fide-2009", tina)
    found = imports.import_file(home, fide_list(tmp_path), "fide", tina, "standard")
    assert (found.made, found.known, found.opened) == (PLAYERS, 0, PLAYERS - PLAYERS // 5)
    numbers = m.ExternalId.objects.filter(scheme="fide").order_by("person")
    assert [each.value for each in numbers] == [str(30000000 + n + 1) for n in range(PLAYERS)]
    ratings = m.Decision.objects.order_by("person").values_list("value", flat=True)
    assert [each["rating"] for each in ratings[:5]] == [1801, 1802, 1803, 1804, 1806]
    again = imports.import_file(home, fide_list(tmp_path, PLAYERS + 2), "fide", tina)
    assert (again.made, again.known, again.opened) == (2, PLAYERS, 0)


SAID_FIRST = """id,name,rating,federation,sex,club,birth_date
1,"Alpha, Anna",1500,,,Rooks,
2,"Bravo, Ben",1500,GER,m,,1985-03-07
3,"Charlie, Chris",1500,IRL,,,
"""
SAID_LATER = """id,name,rating,federation,sex,club,birth_date
1,"Alpha, Anna",1500,IRL,f,rooks,1990-01-05
2,"Bravo, Ben",1500,DE,w,Knights,1985-07-03
3,"Charlie, Chris",1500,ENG,,,
4,"Delta, Dora",1500,AUT,w,,2001-12-24
"""


def test_a_later_list_fills_in_what_is_empty_and_overwrites_nothing(home, tina, tmp_path):
    path = tmp_path / "players.csv"
    path.write_text(SAID_FIRST)
    imports.import_file(home, path, "national", tina)
    path.write_text(SAID_LATER)
    later = replace(tina, at=tina.at + timedelta(days=1))
    found = imports.import_file(home, path, "national", later)
    assert (found.made, found.known) == (1, 3)
    said = people.attributes_of([1, 2, 3], ledger.head().seq)
    assert said == {
        1: {"federation": "IRL", "sex": "w", "club": "Rooks"},
        2: {"federation": "GER", "sex": "m", "club": "Knights"},
        3: {"federation": "IRL"},
    }
    told = {each.code.removeprefix("office.import-"): each for each in found.findings}
    # DE is GER, and a club is called so in any letters; ratings may rest on when somebody is born.
    assert set(told) == {"filled", "federation", "sex", "born", "born-otherwise"}
    assert told["filled"].count == 2
    assert "3: ENG in the file, IRL here" in told["federation"].message
    assert "2: w in the file, m here" in told["sex"].message
    assert not any(year in str(found.findings) for year in ("1985", "1990"))
    born = dict(m.PersonPrivate.objects.values_list("person", "birth_date"))
    assert born == {2: date(1985, 3, 7), 4: date(2001, 12, 24)}
    assert not doctor.examine(home)
    again = imports.import_file(home, path, "national", later)
    assert "office.import-filled" not in [each.code for each in again.findings]


def test_a_rating_for_somebody_of_another_name_is_told(home, tina, tmp_path):
    for name in ("first", "second"):
        setup.add_pool(name, "fide-2009", tina)
    path = tmp_path / "players.csv"
    path.write_text('id,name,rating,games\n101,"Alpha, Anna",1500,20\n102,"Bravo, Ben",1600,20\n')
    assert not imports.import_file(home, path, "fide", tina, "first").findings
    path.write_text('id,name,rating,games\n101,"Else, Someone",1500,20\n102,"Bravo, B.",1600,20\n')
    found = imports.import_file(home, path, "fide", tina, "second")
    told = [each for each in found.findings if each.code == "office.import-name"]
    assert len(told) == 1
    assert "101: Else, Someone in the file, Alpha, Anna here" in told[0].message
    opening = m.Decision.objects.filter(pool__name="second").values_list("fact", flat=True)
    assert f"fact {opening[0]}" in told[0].remedy


def test_of_somebody_of_another_name_nothing_is_filled_in(home, tina, tmp_path):
    """A number alone makes nobody the same: the other one of the file is told, with both names."""
    path = tmp_path / "players.csv"
    path.write_text('id,name,federation\n101,"Orca, Olf",\n102,"Bravo, Ben",\n')
    imports.import_file(home, path, "national", tina)
    path.write_text(
        'id,name,federation,sex,title,birth_date\n101,"Somebody, Else",AUT,w,GM,1990-02-03\n'
        '102,"Bravo, B.",GER,,,\n'
    )
    found = imports.import_file(home, path, "national", tina)
    told = {each.code: each for each in found.findings}
    assert set(told) == {"office.import-name", "office.import-filled"}
    assert "101: Somebody, Else in the file, Orca, Olf here" in told["office.import-name"].message
    assert people.attributes_of([1, 2], ledger.head().seq) == {2: {"federation": "GER"}}
    # Once the office knows the name it is the same person.
    registry.edit(1, registry.Edit(name="Somebody, Else"), "married", tina)
    again = imports.import_file(home, path, "national", tina)
    assert "office.import-name" not in {each.code for each in again.findings}
    assert people.attributes_of([1], ledger.head().seq)[1]["federation"] == "AUT"


@pytest.mark.parametrize("rating", [15000, -5])
def test_a_rating_that_cannot_be_opens_nobody(home, tina, tmp_path, rating):
    setup.add_pool("first", "fide-2009", tina)
    path = tmp_path / "players.csv"
    path.write_text(f"id,name,rating\n101,Alpha,1500\n102,Bravo,{rating}\n")
    before = ledger.head().seq
    with pytest.raises(OfficeRefused) as refused:
        imports.import_file(home, path, "fide", tina, "first")
    assert [each.code for each in refused.value.findings] == ["office.opening-value"]
    assert "102, Bravo" in next(iter(refused.value.findings)).message
    assert ledger.head().seq == before
    assert imports.import_file(home, path, "fide", tina).made == 2


@pytest.mark.parametrize("twice", [2, PLAYERS - 1])
def test_a_number_that_stands_twice_is_refused_and_nothing_stays(
    home, tina, tmp_path, few_at_once, twice
):
    before = ledger.head().seq
    with pytest.raises(OfficeRefused) as refused:
        imports.import_file(home, fide_list(tmp_path, twice=(twice,)), "fide", tina)
    assert [each.code for each in refused.value.findings] == ["office.id-taken"]
    assert ledger.head().seq == before
    assert not m.Person.objects.exists()


def test_a_list_that_breaks_off_leaves_nothing(home, tina, tmp_path, few_at_once, monkeypatch):
    path = fide_list(tmp_path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:12], *[b"?" * 40] * 30]))
    with pytest.raises(OfficeRefused) as refused:
        imports.import_file(home, path, "fide", tina)
    assert refused.value.findings.refused
    assert not m.Person.objects.exists()


def test_a_process_that_reads_ahead_gives_the_same(home, tina, tmp_path, few_at_once, monkeypatch):
    monkeypatch.setattr(imports, "_LONG", 1)
    found = imports.import_file(home, fide_list(tmp_path), "fide", tina)
    assert (found.made, found.known) == (PLAYERS, 0)
    names = m.PersonName.objects.order_by("person").values_list("text", flat=True)
    assert list(names) == [f"Player{n}, Invented" for n in range(1, PLAYERS + 1)]


def test_what_is_made_ahead_comes_in_its_order_and_its_faults_too():
    *numbers, process = made_ahead(numbers_and_process, 3)
    assert numbers == [1, 2, 3]
    assert process != os.getpid()
    given = made_ahead(numbers_and_process, 2, True)
    assert [next(given), next(given)] == [1, 2]
    with pytest.raises(ZeroDivisionError):
        next(given)


LATER = """id,name,birth_date,rating,games
101,"Alpha, Anna",2099-01-01,1500,20
102,,1990-02-02,1600,20
103,"Charlie, Chris",1802,1700,20
104,"Delta, Dora",2026-04-02,1800,20
105," – ",1850-01-01,1900,20
106,"Foxtrot, Fay",2026-04-03,1800,20
"""


def test_birth_dates_that_cannot_be_and_missing_names_are_told_and_not_taken(home, tina, tmp_path):
    setup.add_pool("first", "fide-2009", tina)
    path = tmp_path / "players.csv"
    path.write_text(LATER, "utf-8")
    found = imports.import_file(home, path, "national", tina, "first")
    assert (found.made, found.opened) == (6, 6)
    told = {each.code: each for each in found.findings}
    births, names = told["office.import-birth"], told["office.import-nameless"]
    assert [(each.line, each.player) for each in births.places] == [
        (2, "101"), (4, "103"), (7, "106")
    ]  # fmt: skip
    assert "line 2: 101 Alpha, Anna (2099-01-01); line 4: 103 Charlie, Chris (1802)" in (
        births.message
    )
    assert [(each.line, each.player) for each in names.places] == [(3, "102"), (6, "105")]
    born = dict(m.PersonPrivate.objects.values_list("person", "birth_year"))
    assert born == {2: 1990, 4: 2026, 5: 1850}
    called = m.PersonName.objects.order_by("person").values_list("text", flat=True)
    assert list(called)[1::3] == ["102", "105"]


def test_so_it_is_with_the_list_of_a_federation(home, tina, tmp_path, few_at_once, monkeypatch):
    path = tmp_path / "list.txt"
    rows = [
        FidePlayer(str(30000000 + n), name, "AUT", "F", birth_year=year)
        for n, (name, year) in enumerate([("Alpha, Anna", 2031), ("", 1990), ("Charlie", 1849)], 1)
    ]
    with path.open("wb") as out:
        write_fide_txt(iter(rows), out)
    for long in (imports._LONG, 1):
        monkeypatch.setattr(imports, "_LONG", long)
        found = imports.import_file(home, path, "fide", tina)
        told = {each.code: each for each in found.findings}
        assert [each.line for each in told["office.import-birth"].places] == [2, 4]
        assert told["office.import-nameless"].where.player == "30000002"
    assert not m.PersonPrivate.objects.exclude(birth_year=1990).exists()


@pytest.mark.parametrize("born", [date(2026, 4, 3), date(1849, 12, 31)])
def test_nobody_is_said_to_be_born_when_nobody_was(home, tina, born):
    people.add_person(NewPerson("Alpha, Anna", date(1850, 1, 1)), "", tina)
    for does in (
        lambda: people.add_person(NewPerson("Bravo, Ben", born), "", tina),
        lambda: registry.edit(1, registry.Edit(born=born), "", tina),
    ):
        with pytest.raises(OfficeRefused) as refused:
            does()
        assert [each.code for each in refused.value.findings] == ["office.birth-date"]


def test_a_register_that_no_report_names_is_told_once(home, tina, tmp_path):
    setup.add_pool("go", "egf", tina)
    path = tmp_path / "go.csv"
    path.write_text("id,name,rating\n22000001,Kask Mart,2310\n", "utf-8")
    found = imports.import_file(home, path, "egf", tina, "go")
    (told,) = (each for each in found.findings if each.code == "office.unknown-register")
    assert "Reports of the pool go mostly say egd." in told.message
    assert "fide, iccf, iecg, egd" in told.message
    path.write_text("id,name,rating\n22000002,Tamm Liis,2310\n", "utf-8")
    for register in ("egf", "egd", "national"):
        again = imports.import_file(home, path, register, tina)
        assert "office.unknown-register" not in {each.code for each in again.findings}, register
    without = imports.import_file(home, path, "club", tina)
    assert "mostly say" not in next(
        each.message for each in without.findings if each.code == "office.unknown-register"
    )


def test_a_list_of_later_brings_no_suppressed_person_back(home, tina, tmp_path, few_at_once):
    imports.import_file(home, fide_list(tmp_path), "fide", tina)
    suppress(home, 3, "asked for it", tina)
    found = imports.import_file(home, fide_list(tmp_path, PLAYERS + 1), "fide", tina)
    assert (found.made, found.known) == (1, PLAYERS - 1)
    assert [each.code for each in found.findings] == ["office.import-suppressed"]
    live = m.PersonName.objects.filter(revoked_by__isnull=True)
    assert not live.filter(text__startswith="Player3,").exists()
    assert not m.ExternalId.objects.filter(revoked_by__isnull=True, value="30000003").exists()
    assert not m.NameKey.objects.filter(person=3).exists()


def test_nor_under_another_number_in_the_same_row(home, tina, tmp_path):
    path = tmp_path / "players.csv"
    path.write_text('id,name,ids.fide\n101,"Alpha, Anna",30000001\n102,"Bravo, Ben",30000002\n')
    imports.import_file(home, path, "national", tina)
    suppress(home, 1, "asked for it", tina)
    path.write_text('id,name\n30000001,"Alpha, Anna"\n')
    found = imports.import_file(home, path, "fide", tina)
    assert (found.made, found.known) == (0, 0)
    assert "1 player was not taken in" in next(iter(found.findings)).message
    # An officer may give the number to somebody; then it is that one's.
    people.add_person(NewPerson("Alpha, Anna", ids={"fide": "30000001"}), "", tina)
    again = imports.import_file(home, path, "fide", tina)
    assert (again.made, again.known, list(again.findings)) == (0, 1, [])


def test_numbers_of_the_register_go_before_ids_that_are_none(home, tina, tmp_path):
    path = tmp_path / "opening.csv"
    path.write_text(
        "id,ids.fide,name,rating\n1,4600101,Alpha,1500\n2,4600102,Bravo,1600\n3,,Charlie,1700\n"
    )
    setup.add_pool("first", "fide-2009", tina)
    found = imports.import_file(home, path, "fide", tina, "first")
    numbers = m.ExternalId.objects.order_by("value").values_list("scheme", "value")
    assert list(numbers) == [("fide", "4600101"), ("fide", "4600102")]
    (told,) = (each for each in found.findings if each.code == "standings.unnumbered")
    assert "Charlie" in told.message
    assert not doctor.examine(home).refused
    path.write_text(path.read_text().replace("1600", "1650"))
    said = asking.openings_of_file(path, "first", "fide")
    assert [each["rating"] for each in said["values"].values()] == [1650]


def test_a_start_number_of_a_report_is_nobodys_number(home, tina, tmp_path):
    said = document()
    for each in said["players"]:
        each["ids"] = {"fide": f"46{each['id']}"}
    path = write(tmp_path, "report.json", said)
    assert imports.import_file(home, path, "fide", tina).made == 6
    assert imports.import_file(home, path, "fide", tina).known == 6
    numbers = m.ExternalId.objects.values_list("value", flat=True)
    assert sorted(numbers) == [f"46{n}" for n in range(1, 7)]
    with pytest.raises(OfficeRefused) as refused:
        imports.import_file(home, path, "national", tina)
    assert [each.code for each in refused.value.findings] == ["standings.start-numbers"]


EARLIER = """id,name,rating,games,status,earlier_score,earlier_opponents
1,"Alpha, Anna",1800,9,provisional,,
2,"Bravo, Ben",1800,9,provisional,4.5,16300
3,"Charlie, Chris",1800,90,established,,
"""


@pytest.mark.parametrize("rulebook", ["iccf-2009", "iecg-1999"])
def test_that_results_of_earlier_games_are_assumed_is_told(home, tina, tmp_path, rulebook):
    """A report that brings somebody so is refused; an office takes draws with equals."""
    path = tmp_path / "players.csv"
    path.write_text(EARLIER)
    setup.add_pool("mail", rulebook, tina)
    found = imports.import_file(home, path, "national", tina, "mail")
    (told,) = [each for each in found.findings if each.code == "office.earlier-assumed"]
    assert told.message.startswith("The rating of 1 player rests on earlier games")
    assert "earlier_opponents" in told.remedy
    opening = m.Fact.objects.get(kind="decision").seq
    assert f"(fact {opening})" in told.remedy


def test_nothing_is_told_of_earlier_games_that_the_rules_do_not_ask_for(home, tina, tmp_path):
    path = tmp_path / "players.csv"
    path.write_text(EARLIER)
    setup.add_pool("standard", "fide-2009", tina)
    found = imports.import_file(home, path, "national", tina, "standard")
    assert "office.earlier-assumed" not in [each.code for each in found.findings]


def table(folder, header, *rows):
    path = folder / "players.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def numbers_of_all():
    live = m.ExternalId.objects.filter(revoked_by__isnull=True)
    return sorted(live.values_list("person", "scheme", "value"))


TWO_OF_FIDE = ("name,ids.fide,rating", '"Alpha, Anna",9001,1500', '"Bravo, Ben",9002,1600')


def brought_in(folder, who, home):
    setup.add_pool("standard", "fide-2009", who)
    header, *rows = TWO_OF_FIDE
    path = table(folder, f"id,{header}", *(f"{n},{row}" for n, row in enumerate(rows, 1)))
    imports.import_file(home, path, "fide", who, "standard")


def test_a_second_list_finds_its_people_by_their_other_numbers(home, tina, tmp_path):
    brought_in(tmp_path, tina, home)
    setup.add_pool("regular", "fide-2009", tina)
    path = table(
        tmp_path, "id,name,ids.uscf,ids.fide,rating,federation",
        "1,Anna Alpha,101,9001,1700,USA", '2,"Bravo, B.",102,9002,1800,',
        '3,"Charlie, C.",103,,1900,',
    )  # fmt: skip
    later = replace(tina, at=tina.at + timedelta(days=1))
    found = imports.import_file(home, path, "uscf", later, "regular")
    assert (found.made, found.known, found.opened) == (1, 2, 3)
    assert numbers_of_all() == [
        (1, "fide", "9001"), (1, "uscf", "101"), (2, "fide", "9002"), (2, "uscf", "102"),
        (3, "uscf", "103"),
    ]  # fmt: skip
    told = {each.code: each for each in found.findings}
    assert set(told) == {"office.import-numbered", "office.import-filled"}
    assert told["office.import-numbered"].count == 2
    openings = m.Decision.objects.filter(pool__name="regular").order_by("person")
    assert [(each.person_id, each.value["rating"]) for each in openings] == [
        (1, 1700), (2, 1800), (3, 1900),
    ]  # fmt: skip
    assert not doctor.examine(home).refused
    again = imports.import_file(home, path, "uscf", later)
    assert (again.made, again.known, list(again.findings)) == (0, 3, [])


@pytest.mark.parametrize(("row", "why"), [
    ("1,Someone Else,101,9001,", "is called Alpha, Anna"),
    ("1,Anna Alpha,101,9003,1981", "was born in another year"),
    ("1,Anna Alpha,101,9004,", "has the uscf number 77"),
])  # fmt: skip
def test_what_speaks_against_it_is_told_and_nothing_is_taken_in(home, tina, tmp_path, row, why):
    brought_in(tmp_path, tina, home)
    alpha = "Alpha, Anna"
    people.add_person(NewPerson(alpha, date(1980, 1, 2), ids={"fide": "9003"}), "", tina)
    people.add_person(NewPerson(alpha, ids={"fide": "9004", "uscf": "77"}), "", tina)
    before = numbers_of_all()
    path = table(tmp_path, "id,name,ids.uscf,ids.fide,birth_year", '5,"Delta, D.",105,,', row)
    with pytest.raises(OfficeRefused) as refused:
        imports.import_file(home, path, "uscf", tina)
    (told,) = refused.value.findings
    assert told.code == "office.id-taken"
    assert "101" in told.message
    assert why in told.message
    assert numbers_of_all() == before


def test_a_row_with_numbers_of_two_persons_is_nobodys(home, tina, tmp_path, few_at_once):
    brought_in(tmp_path, tina, home)
    people.add_person(NewPerson("Alpha, Anna", ids={"icu": "5"}), "", tina)
    path = table(tmp_path, "id,name,ids.uscf,ids.fide,ids.icu", '1,"Alpha, Anna",101,9001,5')
    with pytest.raises(OfficeRefused, match="those of two persons, 1 and 3"):
        imports.import_file(home, path, "uscf", tina)
    people.merge(3, 1, "the same", tina)
    assert imports.import_file(home, path, "uscf", tina).known == 1
    # Nor are two rows one person.
    path = table(
        tmp_path, "id,name,ids.uscf,ids.fide", '1,"Bravo, Ben",201,9002', '2,"Bravo, Ben",202,9002'
    )
    with pytest.raises(OfficeRefused, match="202, Bravo, Ben: person 2"):
        imports.import_file(home, path, "uscf", tina)


def test_other_numbers_of_known_people_are_taken_in(home, tina, tmp_path):
    brought_in(tmp_path, tina, home)
    people.add_person(NewPerson("Charlie, C.", ids={"fide": "9003", "uscf": "103"}), "", tina)
    path = table(
        tmp_path, "id,name,ids.fide,ids.uscf",
        '1,"Alpha, Anna",9001,101', '2,"Bravo, Ben",9002,103', '3,"Charlie, C.",9003,104',
    )  # fmt: skip
    found = imports.import_file(home, path, "fide", tina)
    assert (1, "uscf", "101") in numbers_of_all()
    assert [each for each in numbers_of_all() if each[0] == 2] == [(2, "fide", "9002")]
    told = {each.code: each.message for each in found.findings}
    assert set(told) == {
        "office.import-numbered", "office.import-number-taken", "office.import-number-otherwise",
    }  # fmt: skip
    assert "9002 has the uscf number 103 of person 3" in told["office.import-number-taken"]
    assert "uscf 104 in the file, 103 here" in told["office.import-number-otherwise"]


def test_people_who_are_made_under_names_that_are_known_are_told(home, tina, tmp_path):
    brought_in(tmp_path, tina, home)
    born = date(1980, 1, 2)
    people.add_person(NewPerson("Charlie, C.", born, ids={"fide": "9003"}), "", tina)
    people.add_person(NewPerson("Delta, D.", ids={"fide": "9004", "uscf": "104"}), "", tina)
    path = table(
        tmp_path, "id,name,birth_year", "101,ANNA ALPHA,1990", '102,"Bravo, Ben",',
        '103,"Charlie, C.",1981', '105,"Delta, D.",', '106,"Else, Someone",',
    )  # fmt: skip
    found = imports.import_file(home, path, "uscf", tina)
    (told,) = found.findings
    # Who was born in another year, or has another number of the register, is somebody else.
    assert (told.code, told.count) == ("office.import-same-name", 2)
    assert "(5, before 1); Bravo, Ben (6, before 2)" in told.message
    assert "merge 5 1" in told.remedy
    assert "ids.fide" in told.remedy
    (told,) = imports.import_file(
        home, table(tmp_path, "id,name", '1,"Bravo, Ben"'), "icu", tina
    ).findings
    assert (told.code, told.count) == ("office.import-same-name", 1)
