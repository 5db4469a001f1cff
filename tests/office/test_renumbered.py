"""A new version of a report that numbers its players anew is about the same games."""

from __future__ import annotations

from typing import Any

import pytest

from ratingbook.office.acts import asking, corrections, doctor, people, register
from ratingbook.office.acts.preview import Bench
from ratingbook.office.logic.corrections import mark
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from tests.office.asked import come_again, hold, published_open
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_corrections import publish_one as publish

GOLF = ("Golf, Gus", "m", "1977-07-07", "707")
SENT = ("Alpha, Anna", "Bravo, Ben", 2, "both")


@prepared
def office(home, tina, tmp_path):
    return published_open(home, tina, tmp_path)


def game(version):
    """The first game of a version as it holds: White, Black, White's half points, the flag."""
    now = asking.as_it_is(
        m.Game.objects.select_related("white", "black").get(version__number=version, number=1)
    )
    return *now["names"], now["half"], now["rated"]


def late_entrant(result="1-0", *, turned=False):
    """The same event with a player on top who plays nobody, so that all numbers are one more."""
    said = document(results={("1", "2"): result})
    number = {key: str(int(key) + 1) for key in PLAYERS}
    for each in said["players"]:
        each["id"] = number[each["id"]]
    for each in said["games"]:
        each["white"], each["black"] = number[each["white"]], number[each["black"]]
    if turned:
        first = said["games"][0]
        first["white"], first["black"] = first["black"], first["white"]
    said["players"].insert(0, document(players={"1": GOLF})["players"][0])
    return said


def published():
    """The newest ratings."""
    rows = m.Change.objects.filter(run__publication__isnull=False).order_by("run__publication__seq")
    return dict(rows.values_list("person", "after"))


def receive_again(office, tina, tmp_path, said):
    return come_again(office, tina, write(tmp_path, "again.json", said))


ASKED: dict[str, tuple[dict[str, Any], tuple[Any, ...]]] = {
    "result": ({"result": "0-1"}, ("Alpha, Anna", "Bravo, Ben", 0, "both")),
    "flag": ({"rated": "white"}, ("Alpha, Anna", "Bravo, Ben", 2, "white")),
    "colours": ({"swap": True}, ("Bravo, Ben", "Alpha, Anna", 0, "both")),
    "all": (
        {"result": "0-1", "rated": "black", "swap": True},
        ("Bravo, Ben", "Alpha, Anna", 2, "white"),
    ),
}


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_corrected_stays_so(office, tina, tmp_path, asked):
    what, expected = ASKED[asked]
    number = hold(office, tina, asking.game(1, 1, **what))
    publish(office, tina)
    says = register.entry(office, number)["says"]
    receive_again(office, tina, tmp_path, late_entrant())
    assert game(2) == expected
    assert register.entry(office, number)["says"] == says
    numbers = published()
    publish(office, tina)
    assert published() == numbers
    assert not doctor.examine(office)
    hold(office, tina, *corrections.taking_back(number))
    assert game(2) == SENT


def test_a_version_that_has_what_was_corrected_stays_as_it_is(office, tina, tmp_path):
    hold(office, tina, asking.game(1, 1, "0-1", swap=True))
    receive_again(office, tina, tmp_path, late_entrant("1-0", turned=True))
    assert game(2) == ("Bravo, Ben", "Alpha, Anna", 2, "both")


def test_what_is_asked_of_either_version_is_one_thing(office, tina, tmp_path):
    content = asking.game(1, 1, "0-1")
    receive_again(office, tina, tmp_path, late_entrant())
    again = asking.game(1, 1, "0-1")
    assert again["say"]["sides"] != content["say"]["sides"]
    assert mark([again]) == mark([content])
    number = hold(office, tina, content)
    assert game(2) == ("Alpha, Anna", "Bravo, Ben", 0, "both")
    assert not len(Bench(office).preview([again]).rows)
    assert register.entry(office, number)["says"] == [
        "Invented Open, round 1, Alpha, Anna – Bravo, Ben: 0–1 instead of 1–0"
    ]


def test_facts_without_the_order_go_by_numbers_where_these_are_the_same(office, tina, tmp_path):
    """Ledgers keep what was said before: a version that turns the colours is told by numbers."""
    content = asking.game(1, 1, "0-1")
    older = {name: said for name, said in content["say"].items() if name != "first"}
    hold(office, tina, {**content, "say": older})
    receive_again(office, tina, tmp_path, late_entrant())
    assert game(2) == ("Alpha, Anna", "Bravo, Ben", 0, "both")


def test_who_an_entry_is_said_to_be_stays_so(office, tina, tmp_path):
    """By a number of a register the file goes on to say that it is somebody else."""
    names = dict(m.PersonName.objects.values_list("text", "person"))
    other, _ = people.add_person(NewPerson("Hotel, Hal"), "", tina)
    hold(office, tina, asking.player(1, "1", other))
    publish(office, tina)
    receive_again(office, tina, tmp_path, late_entrant())
    links = m.Link.objects.filter(entry__version__number=2, revoked_by__isnull=True)
    who = dict(links.values_list("entry__number", "person"))
    assert who["2"] == other
    assert who["3"] == names["Bravo, Ben"]
    assert "1" not in who


@pytest.mark.parametrize("after", [True, False])
def test_who_an_entry_is_said_to_be_is_taken_back_of_all_versions(office, tina, tmp_path, after):
    """As it is asked for of the version that counted then, whenever it is accepted."""
    other, _ = people.add_person(NewPerson("Hotel, Hal"), "", tina)
    asked = asking.player(1, "1", other)
    if not after:
        number = hold(office, tina, asked)
        publish(office, tina)
    receive_again(office, tina, tmp_path, late_entrant())
    if after:
        assert len(Bench(office).preview([asked]).rows)
        number = hold(office, tina, asked)
    publish(office, tina)
    links = m.Link.objects.filter(revoked_by__isnull=True)
    anna = links.filter(entry__name="Alpha, Anna")
    assert [each.person_id for each in anna] == [other, other]
    back = corrections.taking_back(number)
    assert len(Bench(office).preview(back).rows)
    hold(office, tina, *back)
    assert [each.person_id for each in anna.all()] == [1, 1]
    publish(office, tina)
    assert not doctor.examine(office)


def spelled_otherwise():
    """Without numbers of registers, and a name that another one could have."""
    said = document(results={("1", "2"): "1-0"})
    for each in said["players"]:
        del each["ids"]
    said["players"][0]["name"] = "Alpha-Zulu, Anna"
    return said


def test_a_corrected_game_that_a_version_lacks_is_told(office, tina, tmp_path):
    hold(office, tina, asking.game(1, 1, "0-1"))
    again = receive_again(office, tina, tmp_path, spelled_otherwise())
    told = [each for each in again.findings if each.code == "office.corrected-game-gone"]
    assert [each.message for each in told] == [
        "This version has no game that was corrected: Invented Open, round 1, "
        "Alpha, Anna – Bravo, Ben. What was corrected of it holds no more."
    ]
    assert game(2)[2:] == (2, "both")
    last = receive_again(office, tina, tmp_path, document(results={("1", "2"): "0-1"}))
    assert not [each for each in last.findings if each.code == "office.corrected-game-gone"]
