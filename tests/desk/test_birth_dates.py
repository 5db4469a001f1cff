"""What is sent round says nothing of a birth date; the whole page is in test_report_page."""

from __future__ import annotations

import pytest

from ratingbook.desk.birth_dates import finding_without_birth_date, step_without_birth_year
from ratingbook.engine.explain import Step
from ratingbook.model import Finding, Place, Severity


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
