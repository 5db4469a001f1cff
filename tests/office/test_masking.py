"""Names of suppressed persons in texts that were written before, and in spellings of later."""

from __future__ import annotations

import json

import pytest

from ratingbook.office.acts import masking
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write


@prepared
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


def test_a_receipt_has_the_names_as_the_file_has_them(suppressed, tmp_path):
    """Whoever guesses a name is not told by it who is suppressed."""
    assert "Alpha, Anna says that she lost" in " ".join(suppressed.sees("receipt", 1).split())
    said = document(results={("1", "2"): "1-0"})
    suppressed.does("receive", write(tmp_path, "changed.json", said), "--version-of", 1)
    linked = [each["fact"] for each in suppressed.does("audit", "--kind", "linked")["acts"]]
    suppressed.does("undo", linked[0], "--reason", "who is it?")
    told = suppressed.does("receipt", 1)
    # Of the others a number says who they are.
    assert told["waiting"] == ["Alpha, Anna"]
    assert "Player 1" not in json.dumps(told)


def test_what_is_told_to_the_public_has_nobodys_number(suppressed):
    said = "Alpha, Anna and Anna Alpha met Bravo, Ben"
    assert masking.mask_for_public()(said) == "… and … met Bravo, Ben"
    assert masking.mask_for_public(written=["ALPHA Anna"])(said) == said


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


@prepared
def umlaut(officer: Officer, tmp_path) -> Officer:
    """An office with somebody whose name is spelled in several ways, and named in reasons."""
    people = {**PLAYERS, "1": ("Umlaut, Jörg", "m", "1990-01-05", "701")}
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "open.json", document(players=people)))
    officer.does("link", 1, "all", "new")
    for reason in ("Jörg Umlaut says so", "Umlaut, Jorg's game", "JOERG UMLAUT", "Umlaut lost"):
        officer.does("hold", 1, "--reason", reason)
        officer.does("release", 1, "--reason", "done")
    return officer


def test_other_spellings_of_a_suppressed_person_are_masked(umlaut):
    umlaut.does("hold", 1, "--reason", "by Jörg  Umlaut")
    done = umlaut.does("person", "suppress", 1, "--reason", "asked by Umlaut, and by Jörg Umlaut")
    told = {each["code"]: each["message"] for each in done["findings"]}
    assert told["office.surname-in-reasons"].startswith("1 reason")
    acts = umlaut.does("audit")["acts"]
    said = {each["reason"] for each in acts}
    assert {"Player 1 says so", "Player 1's game", "Player 1", "by Player 1"} <= said
    assert "asked by Player 1, and by Player 1" in said
    shown = json.dumps([acts, umlaut.does("person", "show", 1)], ensure_ascii=False)
    assert "Jörg" not in shown
    assert shown.count("Umlaut") == 1
    assert umlaut.does("reports")["reports"][0]["reason"] == "by Player 1"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Umlaut and Jörg", "Umlaut and Jörg"),
        ("(Jörg Umlaut)", "(Player 1)"),
        ("Jörg Umlauter", "Jörg Umlauter"),
        ("Alfa, Jörg Umlaut, Bravo", "Alfa, Player 1, Bravo"),
        ("Umlaut, Yorg", "Umlaut, Yorg"),
        ("", ""),
    ],
)
def test_what_is_a_spelling_of_a_name(umlaut, text, masked):
    umlaut.does("person", "suppress", 1, "--reason", "x")
    assert masking.mask()(text) == masked


def test_an_entry_of_another_spelling_waits_when_all_others_are_new(umlaut, tmp_path):
    umlaut.does("person", "suppress", 1, "--reason", "x")
    people = {
        "1": ("Jörg Umlaut", "m", "", ""), "2": ("Umlaut, Jorg", "m", "", ""),
        "3": ("Golf, Gus", "m", "1991-01-01", "808"),
    }  # fmt: skip
    said = document("Second Open", "2026-02-10", players=people)
    for each in said["players"][:2]:
        del each["birth_date"], each["ids"]
    umlaut.does("receive", write(tmp_path, "second.json", said))
    done = umlaut.does("link", 2, "all", "new")
    assert len(done["persons"]) == 1
    told = [(each["code"], each["where"]["player"]) for each in done["findings"]]
    assert told == [("office.hidden-name", "1"), ("office.hidden-name", "2")]
    shown = json.dumps([done, umlaut.does("desk")], ensure_ascii=False)
    assert "Umlaut" not in shown
    why = {each["entry"]: each["why"] for each in umlaut.does("desk", 2)["waiting"]}
    assert set(why.values()) == {"called as somebody was who is suppressed"}
    # A namesake is somebody new, when an officer says so.
    assert umlaut.does("link", 2, 1, "new")["person"] > 1


def test_files_of_a_suppressed_person_can_be_deleted_later(umlaut, tmp_path):
    other = document("Second Open", "2026-02-10", players={k: PLAYERS[k] for k in ("2", "3")})
    other["event"]["place"] = "Player 1"
    umlaut.does("receive", write(tmp_path, "second.json", other))
    first = umlaut.does("person", "suppress", 1, "--reason", "x")
    remedy = {each["code"]: each["remedy"] for each in first["findings"]}
    assert "suppress 1 --with-files --reason" in remedy["office.files-name-person"]
    assert "is kept under" in " ".join(umlaut.sees("receipt", 1).split())
    done = umlaut.does("person", "suppress", 1, "--with-files", "--reason", "Jörg asked again")
    assert done["fact"] > first["fact"]
    assert "office.files-deleted" in [each["code"] for each in done["findings"]]
    told = umlaut.does("file", 1, tmp_path / "out.json", status=1)["findings"]
    assert [each["code"] for each in told] == ["office.file-suppressed"]
    told = " ".join(umlaut.sees("receipt", 1).split())
    assert "is kept under" not in told
    assert "was deleted since then" in told
    umlaut.does("file", 2, tmp_path / "other.json")
    (act,) = umlaut.does("audit", "--kind", "files deleted")["acts"]
    assert act["reason"] == "Player 1 asked again"
    assert umlaut.does("doctor")
    told = umlaut.does("person", "suppress", 1, "--with-files", "--reason", "x", status=1)[
        "findings"
    ]
    assert [each["code"] for each in told] == ["office.suppressed"]
