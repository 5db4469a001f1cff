"""Names of suppressed persons in texts that were written before, and in spellings of later."""

from __future__ import annotations

import json

import pytest

from ratingbook.office.acts import masking
from tests.office.officers import Officer
from tests.office.reports import PLAYERS, document, write


@pytest.fixture
def suppressed(officer: Officer, tmp_path) -> Officer:
    """An office whose first person is suppressed, after an officer named her in a reason."""
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "open.json", document()))
    officer.does("link", 1, "all", "new")
    officer.does("hold", 1, "--reason", "Alpha, Anna says that she lost")
    officer.does("person", "suppress", 1, "--reason", "Alpha, Anna asked for it")
    return officer


def test_reasons_of_acts_name_nobody_who_is_suppressed(suppressed):
    acts = suppressed.does("audit")["acts"]
    assert "Player 1 says that she lost" in [each["reason"] for each in acts]
    assert "Player 1 asked for it" in [each["reason"] for each in acts]
    assert "Alpha" not in json.dumps(acts)
    assert suppressed.does("audit", "she lost")["acts"]


def test_a_receipt_names_nobody_who_is_suppressed(suppressed, tmp_path):
    assert "Player 1 says that she lost" in " ".join(suppressed.sees("receipt", 1).split())
    said = document(results={("1", "2"): "1-0"})
    suppressed.does("receive", write(tmp_path, "changed.json", said), "--version-of", 1)
    linked = [each["fact"] for each in suppressed.does("audit", "--kind", "linked")["acts"]]
    suppressed.does("undo", linked[0], "--reason", "who is it?")
    told = suppressed.does("receipt", 1)
    assert "Player 1" in told["waiting"]
    assert "Bravo, Ben" in told["waiting"]
    assert "Alpha" not in json.dumps(told)


def test_a_spelling_that_comes_later_is_masked_too(suppressed, tmp_path):
    """In the same process, which has asked for the names before."""
    assert masking.mask()("Alfa, A. and Alpha, Anna") == "Alfa, A. and Player 1"
    said = document("Second Open", "2026-02-10")
    said["players"][0] |= {"name": "Alfa, A.", "ids": {}}
    suppressed.does("receive", write(tmp_path, "second.json", said))
    suppressed.does("link", 2, 1, 1)
    assert masking.mask()("Alfa, A. and Alpha, Anna") == "Player 1 and Player 1"


def test_a_link_of_later_makes_no_name_of_a_suppressed_person_known(suppressed, tmp_path):
    said = document("Second Open", "2026-02-10")
    said["players"][0] |= {"ids": {}}
    suppressed.does("receive", write(tmp_path, "second.json", said))
    suppressed.does("link", 2, 1, 1)
    assert "Alpha" not in json.dumps(suppressed.does("person", "show", 1))
    assert suppressed.does("people", "Alpha")["people"] == []


def test_a_file_that_was_deleted_is_not_said_to_be_damage(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "open.json", document()))
    officer.does("link", 1, "all", "new")
    fact = officer.does("person", "suppress", 1, "--reason", "x", "--with-files")["fact"]
    told = officer.does("file", 1, tmp_path / "out.json", status=1)["findings"]
    assert [each["code"] for each in told] == ["office.file-suppressed"]
    assert f"(fact {fact})" in told[0]["message"]
    assert not (tmp_path / "out.json").exists()


def test_nobody_who_is_suppressed_is_made_anew_with_all_the_others(suppressed, tmp_path):
    strangers = {"1": PLAYERS["1"], "2": ("Golf, Gus", "m", "1991-01-01", "808")}
    said = document("Second Open", "2026-02-10", players=strangers)
    suppressed.does("receive", write(tmp_path, "second.json", said))
    done = suppressed.does("link", 2, "all", "new")
    assert len(done["persons"]) == 1
    (told,) = done["findings"]
    assert (told["code"], told["where"]["player"]) == ("office.hidden-number", "1")
    assert "`ratingbook office link 2 1 1`" in told["remedy"]
    assert suppressed.does("people", "Alpha")["people"] == []
    suppressed.does("link", 2, 1, 1)
    assert suppressed.does("reports")["reports"][1]["state"] == "ready"
    assert "Alpha" not in json.dumps(suppressed.does("people"))
