"""What a report says, the rules use, and the office does not rate by is told, and nothing else."""

from __future__ import annotations

import pytest

from ratingbook.office.logic.doubts import FOR_OFFICERS
from tests.office.reports import write


def player(number, name, **said):
    return {"id": number, "name": name, **said}


def report(players, games, **event):
    head = {"name": "Invented Cup", "start": "2012-01-01", "end": "2012-01-02"}
    return {
        "ratingbook": "report/1", "event": {**head, **event},
        "players": players, "games": games,
    }  # fmt: skip


def game(white="1", black="2", result="1-0", **said):
    return {"round": 1, "white": white, "black": black, "result": result, **said}


TWO = [player("1", "Alpha, Anna"), player("2", "Bravo, Ben")]
RATED = [{**each, "standing": {"rating": 2000, "games": 40}} for each in TWO]
LONG = {"time_control": "G/120"}


def received(officer, tmp_path, rulebook, said, *settings):
    officer.does("pool", "add", "main", "--rulebook", rulebook, *settings)
    return officer.does("receive", write(tmp_path, "cup.json", said))


def unused(found):
    return {
        each["code"].removeprefix("office.unused-"): each
        for each in found["findings"] if each["code"].startswith("office.unused-")
    }  # fmt: skip


CASES = {
    "a rating that nobody has here": (
        "uscf-2011", report(RATED, [game()], **LONG), {"standing"}, ()
    ),
    "decisions": (
        "uscf-2011",
        report([{**TWO[0], "decisions": {"initial_rating": 1406, "reason": "x"}}, TWO[1]],
               [game()], **LONG),
        {"decisions"}, (),
    ),
    "a decision that the rules do not know": (
        "fide-2009",
        report([{**TWO[0], "decisions": {"initial_rating": 1406, "reason": "x"}}, TWO[1]],
               [game()]),
        set(), (),
    ),
    "the other system": (
        "uscf-2011",
        report([{**TWO[0], "pools": {"quick": {"rating": 1500, "games": 12}}}, TWO[1]], [game()],
               **LONG),
        set(), (),
    ),
    "earlier games": (
        "fide-2009",
        report([{**TWO[0], "history": [{"opponent": 2000, "score": 0.5}]}, TWO[1]], [game()]),
        {"history"}, (),
    ),
    "earlier games of no use": (
        "egf-2013",
        report([{**TWO[0], "history": [{"opponent": 2000, "score": 0.5}]}, TWO[1]], [game()]),
        set(), (),
    ),
    "a substitute": (
        "iccf-2009",
        report([*TWO, player("3", "Charlie, Chris")], [game(white_for="3")]), set(), (),
    ),
    "a substitute where there is no rule": (
        "fide-2009",
        report([*TWO, player("3", "Charlie, Chris")], [game(white_for="3")]), set(), (),
    ),
    "nothing more": ("fide-2024", report(TWO, [game()]), set(), ()),
    "a year of birth": (
        "fide-2024", report([{**TWO[0], "birth_year": 2001}, TWO[1]], [game()]), set(), ()
    ),
    "a year of birth where the day is asked for": (
        "uscf-2011", report([{**TWO[0], "birth_year": 2001}, TWO[1]], [game()], **LONG),
        {"birth"}, (),
    ),
    "a date of birth of somebody new": (
        "fide-2024", report([{**TWO[0], "birth_date": "2001-02-03"}, TWO[1]], [game()]), set(), (),
    ),
    "a date of birth where nobody asks": (
        "iccf-2009", report([{**TWO[0], "birth_year": 2001}, TWO[1]], [game()]), set(), ()
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_rated_by_is_told_at_receipt(officer, tmp_path, case):
    rulebook, said, kinds, settings = CASES[case]
    found = received(officer, tmp_path, rulebook, said, *settings)
    told = unused(found)
    assert set(told) == kinds
    for each in told.values():
        assert each["severity"] == "warning"
        assert each["remedy"]
        assert each["where"]
    kept = {each["code"] for each in officer.does("receipt", 1)["said"]}
    assert {f"office.unused-{kind}" for kind in kinds} - FOR_OFFICERS <= kept


def test_of_many_one_finding_says_how_many(officer, tmp_path):
    told = unused(received(officer, tmp_path, "fide-2009", report(RATED, [game()])))
    assert "2 players" in told["standing"]["message"]
    assert [each["player"] for each in told["standing"]["places"]] == ["1", "2"]


def test_who_has_a_rating_here_is_not_asked_for_another(officer, tmp_path):
    officer.does("pool", "add", "main", "--rulebook", "fide-2009")
    (tmp_path / "players.csv").write_text('id,name,rating,games\n71,"Alpha, Anna",2010,40\n')
    officer.does("import", tmp_path / "players.csv", "--register", "fide", "--pool", "main")
    said = report([{**RATED[0], "ids": {"fide": "71"}}, RATED[1]], [game()])
    told = unused(officer.does("receive", write(tmp_path, "cup.json", said)))
    assert "1 player" in told["standing"]["message"]
    assert told["standing"]["where"]["player"] == "2"


def test_what_an_earlier_report_said_of_a_player_elsewhere_holds(officer, tmp_path):
    officer.does("pool", "add", "main", "--rulebook", "uscf-2011")
    people = [{**TWO[0], "ids": {"uscf": "71"}, "foreign": {"fide": 2100}}, TWO[1]]
    first = officer.does("receive", write(tmp_path, "one.json", report(people, [game()], **LONG)))
    officer.does("link", 1, "all", "new")
    assert not unused(first)
    again = [{**people[0], "foreign": {"fide": 2150}}, TWO[1]]
    days = {"start": "2012-02-01", "end": "2012-02-02"}
    said = report(again, [game()], kind="fide", name="Elsewhere", **LONG, **days)
    told = unused(officer.does("receive", write(tmp_path, "two.json", said)))
    assert set(told) == {"foreign"}


def test_a_birth_date_that_a_person_has_not_is_for_officers(officer, tmp_path):
    officer.does("pool", "add", "main", "--rulebook", "fide-2024")
    (tmp_path / "players.csv").write_text('id,name,rating,games\n71,"Alpha, Anna",1800,40\n')
    officer.does("import", tmp_path / "players.csv", "--register", "fide", "--pool", "main")
    said = report([{**TWO[0], "ids": {"fide": "71"}, "birth_date": "2001-02-03"}, TWO[1]], [game()])
    told = unused(officer.does("receive", write(tmp_path, "cup.json", said)))
    assert set(told) == {"birth"}
    assert "2001" not in told["birth"]["message"]
    assert officer.does("receipt", 1)["said"] == []


def test_a_birth_that_is_known_of_whoever_was_merged_is_known(officer, tmp_path):
    """Runs rate by the birth of either number, so that nothing is left to say."""
    officer.does("pool", "add", "main", "--rulebook", "fide-2024")
    officer.does("person", "add", "Alpha, Anna", "--born", "1990-01-05")
    for name in ("Alpha, A.", "Bravo, Ben"):
        officer.does("person", "add", name, "--id", f"national={name[0]}")
    officer.does("merge", 1, 2, "--reason", "two cards")
    said = report(
        [{**each, "birth_date": "1990-01-05", "ids": {"national": each["name"][0]}}
         for each in TWO],
        [game()],
    )  # fmt: skip
    found = officer.does("receive", write(tmp_path, "cup.json", said))
    assert found["reports"][0]["linked"] == 2
    assert unused(found)["birth"]["where"]["player"] == "2"
