"""What runs and corrections change is told with names beside numbers."""

from __future__ import annotations

import json

from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import document, write


@prepared
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


def test_a_correction_in_words_names_persons_beside_their_numbers(run):
    gus = run.does("person", "add", "Golf, Gus")["person"]
    other = run.does("person", "add", "Alpha, A.")["person"]
    asked = run.does("correct", "--report", 1, "--entry", 2, "--player", gus, "--reason", "so")
    assert asked["says"] == [
        "Invented Open: entry 2 (Bravo, Ben) is Golf, Gus (7), not Bravo, Ben (2)"
    ]
    merged = run.does("correct", "--merge", other, 1, "--reason", "so")
    assert merged["says"] == ["Alpha, A. (8) is Alpha, Anna (1)"]
    opened = run.does("correct", "--person", 3, "--pool", "standard", "--opening", "rating=1700",
                      "--reason", "so")  # fmt: skip
    assert opened["says"] == [
        "pool standard: Charlie, Chris (3) comes in with rating 1700, was nothing"
    ]
    for told in (run.sees("corrections"), run.sees("register"), run.sees("register", 1)):
        assert "is Golf, Gus (7), not Bravo, Ben (2)" in " ".join(told.split())
    asked_of = m.Fact.objects.filter(kind="correction asked").order_by("seq")
    assert "Golf" not in json.dumps([each.payload for each in asked_of])
    run.does("person", "suppress", gus, "--reason", "asked for")
    told = " ".join(run.sees("register", 1).split())
    assert "entry 2 (Bravo, Ben) is Player 7 (7), not Bravo, Ben (2)" in told
