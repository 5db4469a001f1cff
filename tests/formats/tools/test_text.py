"""Bytes become numbered lines, or one finding says why not."""

from __future__ import annotations

import bz2
import gzip
import lzma
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.formats.tools import text
from ratingbook.formats.tools.text import Decoded, decode
from ratingbook.model import Finding, Severity


def lines(decoded: Decoded) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in decoded.lines]


def only_finding(decoded: Decoded) -> Finding:
    (finding,) = decoded.findings
    assert finding.message
    assert finding.remedy
    return finding


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    decoded = decode(f"012 Öpen{end}{end}022 Zürich{end}".encode())
    assert lines(decoded) == [(1, "012 Öpen"), (2, ""), (3, "022 Zürich")]
    assert not decoded.findings.refused


def test_the_last_line_needs_no_end() -> None:
    assert lines(decode(b"a\nb")) == lines(decode(b"a\nb\n")) == [(1, "a"), (2, "b")]


def test_only_line_ends_separate_lines() -> None:
    assert [text for _, text in lines(decode("a\x0cb\u2028c".encode()))] == ["a\x0cb\u2028c"]


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"012 Open", "utf-8"),
        ("012 Öpen".encode(), "utf-8"),
        ("012 Öpen".encode("utf-8-sig"), "utf-8-sig"),
        ("\ufeff012 Öpen".encode("utf-16-le"), "utf-16-le"),
        ("\ufeff012 Öpen".encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_encodings_without_doubt_need_no_finding(data: bytes, encoding: str) -> None:
    decoded = decode(data)
    assert decoded.encoding == encoding
    assert decoded.reason
    assert len(decoded.findings) == 0
    assert decoded.lines[0].text in ("012 Open", "012 Öpen")


def test_latin_1_is_told_with_the_first_place_that_shows_it() -> None:
    decoded = decode("012 Open\r\n022 Zürich\r\n".encode("latin-1"))
    assert lines(decoded)[1] == (2, "022 Zürich")
    assert decoded.encoding == "iso-8859-1"
    finding = only_finding(decoded)
    assert (finding.code, finding.severity) == ("text.encoding", Severity.INFO)
    assert (finding.where.line, finding.where.column) == (2, 6)


def test_damaged_utf_16_is_a_warning() -> None:
    decoded = decode("\ufeff012 Öpen\n".encode("utf-16-le") + b"\x00\xd8")
    finding = only_finding(decoded)
    assert (finding.code, finding.severity) == ("text.encoding", Severity.WARNING)
    assert finding.where.line == 2


def test_letters_that_only_windows_has() -> None:
    decoded = decode("001 Škoda – “x”".encode("cp1252"))
    assert lines(decoded) == [(1, "001 Škoda – “x”")]
    assert decoded.encoding == "cp1252"


def test_a_format_may_be_used_to_another_encoding() -> None:
    data = "Škoda".encode("iso-8859-15")
    assert lines(decode(data, legacy="iso-8859-15")) == [(1, "Škoda")]


def test_a_mark_of_utf_8_on_another_encoding_is_a_warning() -> None:
    decoded = decode(b"\xef\xbb\xbf" + "Zürich".encode("latin-1"))
    assert lines(decoded) == [(1, "Zürich")]
    assert only_finding(decoded).severity is Severity.WARNING


def test_a_stray_control_character_keeps_the_columns() -> None:
    decoded = decode(b"012 Open\n022 Zu\x07rich" + b" " * 200)
    assert decoded.lines[1].text.startswith("022 Zu rich")
    finding = only_finding(decoded)
    assert (finding.code, finding.severity) == ("text.control", Severity.WARNING)
    assert (finding.where.line, finding.where.column) == (2, 7)


def test_the_end_mark_of_dos_is_no_control_character() -> None:
    assert len(decode(b"012 Open\r\n\x1a").findings) == 0


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04\x14\x00\x06\x00",
        b"012 Open\n\x00\x00\x00",
        bytes(range(1, 32)) * 4,
        "\ufeffa".encode("utf-32-le"),
    ],
)
def test_binary_files_are_refused(data: bytes) -> None:
    decoded = decode(data)
    # One cause, one finding: what is no text has no encoding to speak of.
    assert [f.code for f in decoded.findings] == ["file.binary"]
    assert decoded.lines == ()


def test_an_archive_is_called_one() -> None:
    finding = only_finding(decode(b"PK\x03\x04\x14\x00\x06\x00"))
    assert "archive" in finding.message
    assert "Unpack it" in finding.remedy


def test_a_null_byte_is_placed() -> None:
    finding = only_finding(decode(b"012 Open\n02\x00"))
    assert (finding.where.line, finding.where.column) == (2, 3)


@pytest.mark.parametrize("data", [b"", b" \r\n\t\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1a"])
def test_empty_files_are_refused(data: bytes) -> None:
    decoded = decode(data)
    assert only_finding(decoded).code == "file.empty"
    assert decoded.findings.refused


def test_a_file_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MAX_BYTES", 10)
    assert len(decode(b"0123456789").findings) == 0
    assert only_finding(decode(b"0123456789a")).code == "file.too-large"


def test_too_many_lines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MAX_LINES", 3)
    assert only_finding(decode(b"a\n" * 4)).code == "file.too-large"


def test_a_line_over_the_limit_is_named() -> None:
    decoded = decode(b"a\n" + b"b" * (text.MAX_LINE_LENGTH + 1) + b"\nc")
    finding = only_finding(decoded)
    assert (finding.code, finding.severity) == ("line.too-long", Severity.FATAL)
    assert finding.where.line == 2
    assert decoded.lines == ()
    assert len(decode(b"b" * text.MAX_LINE_LENGTH).findings) == 0


@pytest.mark.parametrize("size", [60_000_000, 100_000_000])
def test_huge_lines_are_refused_quickly(size: int) -> None:
    data = b"x" * size
    start = time.process_time()
    assert decode(data).findings.refused
    assert time.process_time() - start < 5


@given(st.binary(max_size=300))
def test_any_bytes_become_lines_or_a_fatal_finding(data: bytes) -> None:
    decoded = decode(data)
    assert bool(decoded.lines) != decoded.findings.refused
    assert all("\n" not in line.text and "\0" not in line.text for line in decoded.lines)


@given(st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=100))
def test_utf_8_comes_back_as_it_was(written: str) -> None:
    decoded = decode(written.encode())
    assert decoded.findings.refused or "".join(line.text for line in decoded.lines) == written


@pytest.mark.parametrize(
    ("pack", "how"),
    [(gzip.compress, "gzip"), (bz2.compress, "bzip2"), (lzma.compress, "xz")],
)
def test_a_packed_file_is_told_as_that(pack: Callable[[bytes], bytes], how: str) -> None:
    finding = only_finding(decode(pack(b"date;white;black;score")))
    assert (finding.code, finding.message) == ("file.binary", f"The file is packed by {how}.")
    assert "Unpack" in finding.remedy
