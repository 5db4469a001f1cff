"""What is printed and told of persons: their numbers, their names, and what they have played."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ratingbook.desk.list_files import REGISTER_OF
from ratingbook.office.acts import people
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import ledger
from tests.office.officers import Officer
from tests.office.reports import document, write


@pytest.fixture
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
