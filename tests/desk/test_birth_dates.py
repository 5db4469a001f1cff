"""What is sent round says nothing of a birth date; the whole page is in test_report_page."""

from __future__ import annotations

import pytest

from ratingbook.desk.birth_dates import (
    finding_without_birth_date,
    public_steps,
    rates_by_age,
    step_without_birth_year,
)
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Finding, Place, Severity
from ratingbook.rules.registry import edition


def step(inputs: dict[str, object], text: str) -> Step:
    return Step("8.3", "is_junior", inputs, True, text, None, None, 0)


def test_a_year_of_birth_is_not_told():
    told = step({"birth_year": 2009, "year": 2026}, "born in 2009, rated in 2026: K = 40")
    assert step_without_birth_year(told).text == "born in …, rated in 2026: K = 40"


def test_another_step_is_told_as_it_is():
    told = step({"year": 2009}, "the list of 2009")
    assert step_without_birth_year(told) is told


@pytest.mark.parametrize("quoted", ["2009-02-31", "31.2.2009", "'Feb 2009'", '"2009"'])
def test_a_finding_does_not_quote_a_birth_date(quoted):
    found = Finding("x.birth-date", Severity.ERROR, f"Player 7: {quoted} is no date.")
    assert finding_without_birth_date(found).message == "Player 7: … is no date."


def test_the_place_tells_what_a_finding_is_about():
    where = Place(path="players[3].birth_date")
    found = Finding("document.date", Severity.ERROR, "'2009-02-31' is no date.", where)
    assert finding_without_birth_date(found).message == "… is no date."


def test_another_finding_is_told_as_it_is():
    found = Finding("x.date", Severity.ERROR, "The event is of '2009-02-31'.")
    assert finding_without_birth_date(found) is found


def test_a_k_for_which_the_age_is_asked_is_told_without_its_reasons():
    text = "K = 40: 90 rated games, 2400 reached: no, junior: {}"
    told = [
        Step("2c", "k", {"junior": junior}, 40, text.format(word), None, None, 0,
             role="coefficient")
        for junior, word in ((True, "yes"), (False, "no"))
    ]  # fmt: skip
    assert {step.text for step in public_steps(told, "K") or ()} == {
        "K = 40: why is known to the player and the office"
    }
    # Whether somebody is a junior is no number, and goes without a trace.
    assert public_steps([step({"birth_year": 2009}, "born in 2009")], "K") == ()


def test_no_step_is_told_where_a_rating_follows_from_an_age():
    document = {
        "ratingbook": "report/1",
        "event": {"name": "Open", "start": "2025-03-01", "end": "2025-03-02"},
        "players": [
            {"id": "1", "name": "Alpha, Anna", "birth_date": "2012-05-06"},
            {"id": "2", "name": "Bravo, Ben", "standing": {"rating": 1500, "games": 40}},
        ],
        "games": [{"round": n, "white": "1", "black": "2", "result": "1-0"} for n in range(1, 5)],
    }
    made = rate(report_from(document), edition("uscf-2025"), explain=None)
    rows = {row.row.id: row for row in made.rows}
    assert public_steps(rows["1"].explanation, "K") is None
    assert public_steps(rows["2"].explanation, "K") == rows["2"].explanation


@pytest.mark.parametrize(
    ("name", "does"),
    [("uscf-2025", True), ("fide-2024", False), ("egf-2021", False), ("iccf-2009", False)],
)
def test_editions_that_make_ratings_of_ages(name, does):
    assert rates_by_age(edition(name)) is does
