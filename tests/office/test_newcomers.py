"""With what a file lets players into a pool: runs rate by all that the rules read of a newcomer."""

from __future__ import annotations

from typing import Any

import pytest

import ratingbook as rb
from ratingbook.office.acts import decisions, imports, setup
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from tests.office.reports import write
from tests.office.test_beyond import numbers, published
from tests.office.test_unused import game, report

GAMES = [game(result="1/2-1/2"), game("2", "1", "1/2-1/2", round=2)]
HELD = {"id": "2", "name": "Bravo, Ben", "standing": {"rating": 1800, "games": 100}}
PERIOD = {"start": "2009-01-01", "end": "2009-03-01"}
NEWCOMERS: dict[str, tuple[str, dict[str, Any]]] = {
    "a rating elsewhere": ("uscf-2011", {"foreign": {"fide": 2300}}),
    "another system": ("uscf-2011", {"pools": {"quick": {"rating": 2100, "games": 40}}}),
    "an adult": ("uscf-2011", {"adult": True}),
    "a tutor": ("iecg-1999", {"decisions": {"tutor_rating": 1500, "reason": "x"}}),
    "another list": ("iecg-1999", {"foreign": {"iccf": 2050, "iccf_games": 40}}),
}
COLUMNS = {
    "a rating elsewhere": ("uscf-2011", "fide", "2300"),
    "another system": ("uscf-2011", "quick,quick_games", "2100,40"),
    "an adult": ("uscf-2011", "adult", "yes"),
    "a tutor": ("iecg-1999", "tutor_rating", "1500"),
    "who was class M": ("iecg-1999", "class_m_winner", "true"),
    "another list": ("iecg-1999", "iccf,iccf_games", "2050,40"),
}


def rated(officer, tmp_path, rulebook, known):
    """The import, and the numbers of a run; the report says nothing but names and numbers."""
    officer.does("pool", "add", "main", "--rulebook", rulebook)
    found = officer.does("import", known, "--register", "national", "--pool", "main")
    said = report(
        [{"id": number, "name": name, "ids": {"national": number}}
         for number, name in (("1", "Alpha, Anna"), ("2", "Bravo, Ben"))],
        [{**each, **PERIOD} for each in GAMES], time_control="G/120", **PERIOD,
    )  # fmt: skip
    officer.does("receive", write(tmp_path, "cup.json", said))
    officer.does("run", "--pool", "main", "--until", "2013-01-01")
    return found, numbers(officer)


def by_report(tmp_path, rulebook, players):
    rows = rb.rate(tmp_path / "cup.json", rulebook, players=players).players
    return {row["name"]: row["after"] for row in rows}


@pytest.mark.parametrize("case", NEWCOMERS)
def test_an_office_rates_by_all_that_a_file_says_of_a_newcomer(officer, tmp_path, case):
    rulebook, said = NEWCOMERS[case]
    anna = {"id": "1", "name": "Alpha, Anna"}
    known = write(tmp_path, "known.json", [{**anna, **said}, HELD])
    found, office = rated(officer, tmp_path, rulebook, known)
    assert office == by_report(tmp_path, rulebook, known)
    bare = write(tmp_path, "bare.json", [anna, HELD])
    assert office != by_report(tmp_path, rulebook, bare)
    assert not {each["code"] for each in found["findings"]} & {"office.no-opening"}
    published(officer, 1)
    assert officer.does("replay")["findings"] == []
    assert officer.does("doctor")["findings"] == []


@pytest.mark.parametrize("case", COLUMNS)
def test_columns_of_a_players_file_say_it_too(officer, tmp_path, case):
    rulebook, names, cells = COLUMNS[case]
    known = tmp_path / "known.csv"
    known.write_text(
        f'id,name,rating,games,{names}\n1,"Alpha, Anna",,,{cells}\n'
        f'2,"Bravo, Ben",1800,100{"," * (names.count(",") + 1)}\n'
    )
    found, office = rated(officer, tmp_path, rulebook, known)
    assert "players.unknown-column" not in {each["code"] for each in found["findings"]}
    of_anna = decisions.openings_held(m.Pool.objects.get())[1]
    value = {key: of_anna[key] for key in names.split(",")}
    assert len(value) == len(names.split(","))
    entry: dict[str, Any] = {"id": "1", "name": "Alpha, Anna"}
    if "tutor_rating" in value or "class_m_winner" in value:
        entry["decisions"] = {**value, "reason": "x"}
    elif "quick" in value:
        entry["pools"] = {"quick": {"rating": value["quick"], "games": value["quick_games"]}}
    elif "adult" in value:
        entry |= value
    else:
        entry["foreign"] = value
    same = write(tmp_path, "same.json", [entry, HELD])
    assert office == by_report(tmp_path, rulebook, same) == by_report(tmp_path, rulebook, known)


def test_what_is_not_taken_in_is_told(home, tina, tmp_path):
    setup.add_pool("main", "uscf-2011", tina)
    anna = {
        "id": "1", "name": "Alpha, Anna", "decisions": {"initial_rating": 2000, "reason": "x"},
        "history": [{"opponent": 1900, "score": 1}],
    }  # fmt: skip
    found = imports.import_file(home, write(tmp_path, "p.json", [anna]), "uscf", tina, "main")
    told = {each.code: each for each in found.findings}
    assert {"office.import-decisions", "office.import-history"} <= told.keys()
    assert "initial_rating" in str(told["office.import-decisions"].message)
    assert not m.Decision.objects.exists()
    setup.add_pool("go", "egf-2021", tina)
    ben = {"id": "2", "name": "Bravo, Ben", "grade": "5k", "foreign": {"fide": 2000}}
    found = imports.import_file(home, write(tmp_path, "g.json", [ben]), "egd", tina, "go")
    codes = {each.code for each in found.findings}
    assert "office.import-grade" in codes
    assert not codes & {"office.import-decisions", "office.import-history"}
    # What the rules do not read lets nobody in.
    assert not m.Decision.objects.exists()


def test_a_number_in_the_column_of_a_rating_is_refused(home, tina, tmp_path):
    setup.add_pool("main", "uscf-2011", tina)
    path = tmp_path / "p.csv"
    path.write_text('id,name,fide\n12345001,"Alpha, Anna",30911370\n')
    with pytest.raises(OfficeRefused, match="30911370"):
        imports.import_file(home, path, "uscf", tina, "main")
    assert not m.Person.objects.exists()


def test_a_correction_says_what_an_import_of_before_left_out(officer, tmp_path, monkeypatch):
    """Openings of before stay as they are, and what was published by them."""
    players = [{"id": "1", "name": "Alpha, Anna", "pools": {"quick": {"rating": 2100, "games": 9}}},
               HELD]  # fmt: skip
    known = write(tmp_path, "known.json", players)
    with monkeypatch.context() as before:
        before.setattr("ratingbook.office.logic.newcomers.columns_of", lambda entry: {})
        _, office = rated(officer, tmp_path, "uscf-2011", known)
        published(officer, 1)
    assert officer.does("replay")["findings"] == []
    assert officer.does("doctor")["findings"] == []
    officer.does(
        "correct", "--pool", "main", "--openings", known, "--register", "national", "--reason", "x"
    )
    officer.does("accept", 1, "--reason", "x")
    officer.does("run", "--pool", "main", "--until", "2013-02-01")
    assert numbers(officer) == by_report(tmp_path, "uscf-2011", known) != office
