"""Files of any kind: what they are found to be, and that none of them is an exception."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingbook.formats import Read, files, read, read_bytes, read_text
from ratingbook.formats.fide.trf.read import read_trf
from ratingbook.formats.go.h9 import read_h9
from ratingbook.formats.go.macmahon import read_macmahon
from ratingbook.formats.go.opengotha import read_opengotha
from ratingbook.formats.go.tou import read_tou
from ratingbook.formats.tools.text import decode
from ratingbook.formats.uschess.cross_table import read_cross_table
from ratingbook.model import Finding
from tests.formats.helpers import refusal

DOCUMENT = {
    "ratingbook": "report/1",
    "event": {"name": "Größe"},
    "players": [{"id": "1", "name": "Müller"}, {"id": "2"}],
    "games": [{"white": "1", "black": "2", "result": "1-0"}],
}
JSON = json.dumps(DOCUMENT, ensure_ascii=False, indent=1)
MANY_MEGABYTES = 100 * 1024 * 1024
SECONDS = 5


def file(tmp_path: Path, data: bytes, name: str = "report") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def refused(path: Path, code: str) -> Finding:
    """The finding that refuses the file."""
    reading = read(path)
    return refusal((reading.report, reading.findings), code)


def is_document(reading: Read) -> bool:
    return (
        reading.format == "report document"
        and reading.report is not None
        and reading.report.event.name == "Größe"
        and not len(reading.findings)
    )


# What it is


@pytest.mark.parametrize("name", ["report.json", "report.txt", "report.trf", "report"])
def test_the_content_tells_the_format(tmp_path, name):
    assert is_document(read(file(tmp_path, JSON.encode(), name)))


@pytest.mark.parametrize("before", ["\ufeff", " \n\t ", "\ufeff\r\n"], ids=repr)
def test_a_document_after_a_mark_or_blanks(tmp_path, before):
    assert is_document(read(file(tmp_path, (before + JSON).encode())))


def test_a_document_says_its_encoding(tmp_path):
    assert read(file(tmp_path, JSON.encode())).encoding == "utf-8"


def test_a_tournament_file(reference: Path):
    reading = read(reference / "samples" / "trf" / "bunratty_masters_2011.tab")
    assert reading.format == "TRF"
    assert reading.report is not None
    assert reading.report.entries


def test_a_rule_book_may_read_more_of_a_standing(tmp_path):
    document = {**DOCUMENT, "players": [{"id": "1", "standing": {"league": "north"}}], "games": []}
    path = file(tmp_path, json.dumps(document).encode())
    assert [finding.code for finding in read(path).findings] == ["report.unknown-key"]
    assert len(read(path, {"league": object}).findings) == 0


# What cannot be opened


def test_no_such_file(tmp_path):
    finding = refused(tmp_path / "missing.json", "file.unreadable")
    assert "no file of this name" in finding.message


def test_a_folder(tmp_path):
    refused(tmp_path, "file.unreadable")


def test_a_file_that_may_not_be_read(tmp_path, forbid):
    path = file(tmp_path, JSON.encode())
    forbid(path)
    assert "Permission denied" in refused(path, "file.unreadable").message


@pytest.mark.parametrize("name", ["a\0b", "x" * 5_000, ""], ids=["nul", "long", "empty"])
def test_an_impossible_name(name):
    refused(Path(name), "file.unreadable")
    refusal(read_text(Path(name)), "file.unreadable")


# What cannot be read


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file.empty"),
        (b"\n\r\n \t", "file.empty"),
        (b"\xef\xbb\xbf", "file.empty"),
        (b"\0", "file.binary"),
        (bytes(range(256)) * 50, "file.binary"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "file.binary"),
        (b"PK\x03\x04" + bytes(100), "file.binary"),
        (b"Dear arbiter,\nthe results follow by post.\n", "file.unknown-format"),
        (b"<html><body>1-0</body></html>", "file.page"),
        (b"\n<!-- saved --><!DOCTYPE HTML>\n<p>1-0", "file.page"),
        (b"name,rating\nAnna,1500\n", "file.players"),
        (b'[Event "Open"]\n\n1. e4 e5 1-0\n', "pgn.no-players"),
        (b'["Event"]\n', "report.version"),
        (b"{\\rtf1 Report}", "json.syntax"),
        (b"[]", "report.version"),
    ],
)
def test_what_is_no_report(tmp_path, data, code):
    refused(file(tmp_path, data), code)


@pytest.mark.parametrize(
    ("encoding", "line", "column"),
    [("latin-1", 4, 14), ("cp1252", 4, 14), ("utf-16", 1, 1), ("utf-16-le", 1, 2),
     ("utf-32", 1, 1)],
)  # fmt: skip
def test_json_that_is_not_utf_8(tmp_path, encoding, line, column):
    """The place is that of the first byte that shows it; in Latin-1 that is the ö of Größe."""
    finding = refused(file(tmp_path, JSON.encode(encoding)), "json.encoding")
    assert finding.where.line == line
    assert finding.where.column == column
    assert "UTF-8" in finding.remedy


# How much is read


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    path = file(tmp_path, JSON.encode())
    monkeypatch.setattr(files, "MAX_BYTES", len(JSON.encode()))
    assert is_document(read(path))
    monkeypatch.setattr(files, "MAX_BYTES", len(JSON.encode()) - 1)
    refused(path, "file.too-large")
    refusal(read_text(path), "file.too-large")


@pytest.mark.parametrize(
    "data", [JSON.encode(), JSON.encode("utf-16"), b"name,1,2\nAnn,2w1,3b0\n", b"012 Open\n001"]
)
def test_more_text_than_a_report_has(tmp_path, monkeypatch, data):
    path = file(tmp_path, data)
    monkeypatch.setattr(files, "LARGE", len(data) // 2)
    monkeypatch.setattr(files, "MOST_IN_MEMORY", len(data))
    assert "file.too-large" not in {each.code for each in read(path).findings}
    monkeypatch.setattr(files, "MOST_IN_MEMORY", len(data) - 1)
    finding = refused(path, "file.too-large")
    assert f"{len(data) - 1:,} bytes" in finding.message
    assert "history" in finding.remedy


def test_a_large_list_is_called_one(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGE", 5)
    monkeypatch.setattr(files, "MOST_IN_MEMORY", 10)
    path = file(tmp_path, b"<playerslist><player><fideid>1000</fideid></player></playerslist>")
    refused(path, "file.players")


@pytest.mark.parametrize("start", [b"", b"{", b"[", b"\xef\xbb\xbf"], ids=repr)
@pytest.mark.parametrize("fill", [b"a", b"\0", b"[", b" ", b"\xff"], ids=repr)
def test_a_line_of_100_megabytes_is_refused_soon(tmp_path, start, fill):
    path = file(tmp_path, start + fill * (MANY_MEGABYTES - len(start)))
    begun = time.process_time()
    refused(path, "file.too-large")
    assert time.process_time() - begun < SECONDS
    path.unlink()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"a" * 33_000_000, "line.too-long"),
        (b'{"a": "' + b"a" * 33_000_000, "json.syntax"),
        (b"[" * 33_000_000, "json.syntax"),
        (b'{"ratingbook": "' + b"a" * 33_000_000 + b'"}', "report.version"),
    ],
    ids=["text", "string", "brackets", "version"],
)
def test_the_longest_line_that_is_read_at_all_is_refused_soon(tmp_path, data, code):
    path = file(tmp_path, data)
    begun = time.process_time()
    refused(path, code)
    assert time.process_time() - begun < SECONDS
    path.unlink()


@pytest.mark.parametrize(
    "reader", [read_trf, read_cross_table, read_opengotha, read_macmahon, read_h9, read_tou]
)
def test_what_is_no_text_is_refused_with_the_findings_of_the_text(reader):
    refusal(reader(decode(b"\x00\x01")), "file.binary")


# Text of a known format


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_text_in_any_encoding(tmp_path, encoding):
    text, findings = read_text(file(tmp_path, "id;name\r\n1;Müller\r\n".encode(encoding)))
    assert text == "id;name\n1;Müller"
    assert not findings.refused


def test_text_that_is_json_must_be_utf_8(tmp_path):
    assert read_text(file(tmp_path, b'\xef\xbb\xbf["\xc3\xbc"]'))[0] == '["ü"]'
    refusal(read_text(file(tmp_path, b'["\xfc"]')), "json.encoding")


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_read_without_an_exception(tmp_path, data):
    path = file(tmp_path, data)
    reading = read(path)
    assert reading.report or reading.findings.refused
    text, findings = read_text(path)
    assert text is not None or findings.refused


def test_a_table_of_players_alone_is_named() -> None:
    reading = read_bytes(b"id,name,rating\n1,Nobody,1500\n2,Nemo,1600\n")
    refusal((reading.report, reading.findings), "file.players")


@pytest.mark.parametrize("comment", ["{ Games of the club, all of them. }", "{\n  1907\n}\n"])
def test_a_comment_above_the_games_is_no_json(comment: str) -> None:
    game = '[Event "E"]\n[White "Doe"]\n[Black "Roe"]\n[Result "1-0"]\n\n1. e4 1-0\n'
    for text in (f"{comment}\n{game}", f"\ufeff{comment}{game}"):
        reading = read_bytes(text.encode())
        assert reading.format == "PGN"
        assert reading.report is not None
        assert [each.name for each in reading.report.entries] == ["Doe", "Roe"]


def test_json_with_a_list_in_braces_stays_json() -> None:
    assert read_bytes(b'{ } [Event "E"]').format != "report document"
    assert read_bytes(b'{"games": {}, "x": [1]}').format == "report document"


def test_points_of_white_and_the_winners_number_are_known() -> None:
    for text in ("White ID,White Point,Black ID\nN1,1,N2\nN3,0.5,N1\n",
                 "black_player_id,white_player_id,winner_id\nN2,N1,N1\nN1,N3,\n"):  # fmt: skip
        report = read_bytes(text.encode()).report
        assert report is not None
        first = report.games[0]
        assert (first.white, first.black, first.result.value) == ("N1", "N2", "1-0")
