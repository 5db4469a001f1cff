"""What runs and corrections change is told with names beside numbers."""

from __future__ import annotations

import json

import pytest

from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.reports import document, write


@pytest.fixture
def run(officer: Officer, tmp_path) -> Officer:
    """An office with a published run and a second event that is ready."""
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500",
                 "--policy", "marks=1500")  # fmt: skip
    officer.does("receive", write(tmp_path, "1.json", document(day="2010-04-03")))
    officer.does("link", 1, "all", "new")
    officer.does("run", "--pool", "standard", "--until", "2010-07-01")
    return officer


def published(officer: Officer, number: int) -> None:
    officer.does("approve", number)
    officer.does("publish", number)


def test_a_run_names_those_whom_it_changes(run, tmp_path):
    said = run.does("show", 1)["differences"]["firsts"]
    assert dict(zip(said["players"], said["names"], strict=True))["1"] == "Alpha, Anna"
    assert "for the first time: Alpha, Anna (1); Bravo, Ben (2);" in run.sees("show", 1)
    published(run, 1)
    later = document("Second Open", "2010-08-03", {("1", "2"): "1-0"})
    run.does("receive", write(tmp_path, "2.json", later))
    made = run.does("run", "--pool", "standard", "--until", "2010-10-01")
    largest = {each["player"]: each["name"] for each in made["differences"]["largest"]}
    assert largest == {"1": "Alpha, Anna", "2": "Bravo, Ben"}
    page = run.sees("show", 2)
    assert "Bravo, Ben (2) goes from" in page
    assert "to the other side of 1500" in page
    # Names are not kept with a run, so whoever is suppressed is named by none.
    assert "Alpha" not in json.dumps(m.Run.objects.get(id=2).report)
    run.does("person", "suppress", 1, "--reason", "asked for")
    assert "Alpha" not in run.sees("show", 2)
    assert "Player 1" in run.sees("show", 2)


def test_a_correction_names_those_whom_it_changes(run):
    published(run, 1)
    run.does("correct", "--report", 1, "--game", 1, "--result", "1-0", "--reason", "so")
    assert "Alpha, Anna" in run.sees("preview", 1)
    for said in (run.does("preview", 1)["pools"], run.does("preview", 1)["apart"]["1"]["pools"]):
        largest = said["standard"]["differences"]["largest"]
        assert {each["name"] for each in largest} >= {"Alpha, Anna", "Bravo, Ben"}
    run.does("accept", 1)
    told = [each.payload for each in m.Fact.objects.filter(kind__startswith="correction ")]
    assert "Bravo, Ben" not in json.dumps([each.get("reach") for each in told])
