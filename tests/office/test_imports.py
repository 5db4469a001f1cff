"""Lists of federations become persons, however long they are."""

from __future__ import annotations

import os
import time

import pytest

from ratingbook.formats.lists import FidePlayer, Rated, source, write_fide_txt
from ratingbook.model import Findings
from ratingbook.office.acts import imports, setup
from ratingbook.office.logic.ahead import made_ahead
from ratingbook.office.logic.newcomers import (
    name_keys,
    packed_of_a_list,
    unpacked,
    with_keys,
)
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.pieces import less, many_numbers, numbers_and_process

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


def test_further_work_is_done_ahead_with_what_would_have_to_wait():
    given = made_ahead(many_numbers, 9, further=less)
    first = next(given)
    time.sleep(2)
    numbers = [first, *given]
    assert [abs(each) for each in numbers] == list(range(1, 10))
    assert first == 1
    assert min(numbers) < 0


def test_who_is_looked_up_is_found_whoever_made_the_keys(tmp_path, home, tina, monkeypatch):
    *pieces, _ = packed_of_a_list(fide_list(tmp_path), "fide", 10)
    made = []
    for piece in pieces:
        further = with_keys(piece)
        assert not isinstance(piece, Findings)
        assert not isinstance(further, Findings)
        plain, keyed = unpacked(piece), unpacked(further)
        assert not any(each.person.made_keys for each in plain)
        assert [each.person.made_keys for each in keyed] == [each.person.keys for each in plain]
        assert all("y:1980:inve" in each.person.made_keys for each in keyed)

        made.append(keyed)
    monkeypatch.setattr(imports, "of_a_list", lambda *_: iter(made))
    imports.import_file(home, fide_list(tmp_path), "fide", tina)
    names = m.PersonName.objects.values_list("person", "text")
    expected = {(key, person) for person, text in names for key in name_keys([text], 1980)}
    assert set(m.NameKey.objects.values_list("key", "person")) == expected
