"""What is said of files that are not what they are called, or of which a fault is told once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ratingbook.engine.intake import check_report
from ratingbook.formats import read, read_bytes
from ratingbook.model import Finding
from tests.office.reports import document

_PGN = '[White "Golfmike, Mike"]\n[Black ""]\n[Round "2"]\n[Result "1-0"]\n\n1-0\n'
_TRF = (
    "012 Backwards Open\n042 2026/11/20\n052 2026/11/18\n"
    "001    1 m    Alpha, Anna                       1500 GER                          "
    " 1.0    1     2 w 1\n"
    "001    2 m    Bravo, Ben                        1600 GER                          "
    " 0.0    2     1 b 0\n"
)
_CSV = (
    "round,white,black,result,date\n1,Golf,Uniform,1-0,2026-11-01\n"
    "1,Alpha,Bravo,2-0,2026-11-01\n2,Golf,Bravo,,2026-11-02\n"
)


def _all(data: bytes) -> list[Finding]:
    found = read_bytes(data)
    assert found.report is not None
    return [*found.findings, *check_report(found.report, found.findings)]


def test_a_side_without_a_name_is_nobody():
    found = read_bytes(_PGN.encode()).findings
    said = next(each.message for each in found if each.code == "pgn.name")
    assert "Golfmike, Mike and nobody in round 2" in said


def test_an_event_that_ends_before_it_starts_is_told_once():
    said = [each for each in _all(_TRF.encode()) if "before it starts" in each.message]
    assert [each.code for each in said] == ["event.dates"]


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2025/03/16", "2025/03/12", "2025-03-16 to 2025-03-12"),
        ("16.03.2025", "14.03.2025", "2025-03-16 to 2025-03-14"),
    ],
)
def test_days_that_can_be_no_others_are_told_once(start, end, days):
    text = _TRF.replace("2026/11/20", start).replace("2026/11/18", end)
    said = [each.message for each in _all(text.encode()) if each.code == "event.dates"]
    assert f"The event ends before it starts: {days}." in said


def test_a_result_that_was_not_understood_is_no_game_without_a_result():
    found = _all(_CSV.encode())
    of_results = {each.code: each.message for each in found}
    assert "Alpha and Bravo: 2-0" in of_results["game.result"]
    assert of_results["table.open"] == "Games have no result: Golf and Bravo."
    assert "game.unfinished" not in of_results, "told already, with another remedy"


@pytest.mark.parametrize(
    ("text", "what"),
    [('{"a": "b\n"}', "a text has a control character, such as a new line"),
     ('{"a" 1}', "a colon is missing"), ('{"a": 1', "a comma is missing"),
     ('{"a": "\\q"}', "a text has a backslash that means nothing"),
     ('{"a": }', "a value is missing"), ('{"a": "b', "a text does not end")],
)  # fmt: skip
def test_what_is_wrong_with_json_is_a_whole_sentence(text, what):
    (found,) = read_bytes(text.encode()).findings
    assert found.message == f"This is not JSON: {what}."


def test_what_is_called_a_workbook_is_none(tmp_path: Path):
    path = tmp_path / "bad.xlsx"
    path.write_bytes(bytes(range(256)))
    (found,) = read(path).findings
    assert found.message == "The file is called bad.xlsx, and is no workbook."
    assert not str(found.where)
    path = path.rename(tmp_path / "bad.trf")
    (found,) = read(path).findings
    assert found.message == "The file is not a text file."


def test_a_result_that_a_document_may_not_have_is_no_game_without_a_result():
    said = document("Spring Open", "2026-03-28", {})
    said["games"][2]["result"] = "7-0"
    found = [each.code for each in _all(json.dumps(said).encode())]
    assert "report.bad-value" in found
    assert "game.unfinished" not in found, "nobody waits for its end"
