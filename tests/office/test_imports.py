"""Lists of federations become persons, however long they are."""

from __future__ import annotations

import os

import pytest

from ratingbook.formats.lists import FidePlayer, Rated, source, write_fide_txt
from ratingbook.office.acts import imports, setup
from ratingbook.office.logic.ahead import made_ahead
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.pieces import numbers_and_process

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
