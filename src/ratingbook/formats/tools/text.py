"""From the bytes of a file to numbered lines of text, for every line format.

Organisers' files come in whatever encoding a program of 1998 or of today wrote.
What had to be assumed is a finding; what cannot be text is refused here, so that
readers need not guard against it.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, field
from typing import NamedTuple

from ratingbook.model import Findings, Place, Severity

MAX_BYTES = 64 * 1024 * 1024
"""The largest file that is read as text."""
MAX_LINES = 2_000_000
"""The most lines that are read; more is a history, not a report."""
MAX_LINE_LENGTH = 100_000
"""The longest line, in characters."""

_CONTROL = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f-\x9f]")
"""Control characters that no text file needs; tab, form feed and line ends may stand."""
_ODD_BYTES = bytes(range(0x80, 0xA0))
"""Letters in Windows-1252, control characters in the ISO-8859 family."""
_DOS_END_OF_FILE = "\x1a"


class Line(NamedTuple):
    """One line of a file; lines count from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, how it was decoded, and what was noticed on the way.

    ``lines`` is empty where the findings refuse the file.
    """

    lines: tuple[Line, ...] = ()
    encoding: str = ""
    """Python's name of the encoding."""
    reason: str = ""
    """Why this encoding, in words."""
    findings: Findings = field(default_factory=Findings)


class _Text(NamedTuple):
    content: str
    encoding: str
    reason: str


def decode(data: bytes, *, legacy: str = "iso-8859-1") -> Decoded:
    """The lines of ``data``; ``legacy`` is the single-byte encoding that the format is used to.

    A byte order mark decides; without one the file is UTF-8 if it can be, and
    otherwise Windows-1252 or ``legacy``.
    """
    findings = Findings()
    if len(data) > MAX_BYTES:
        findings.add(
            Severity.FATAL,
            "file.too-large",
            f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} are read.",
            remedy="Send one file for each event.",
        )
        return Decoded(findings=findings)
    text = _decoded(data, legacy, findings)
    content = _without_controls(text.content, findings)
    lines = _lines(content, findings) if not findings.refused else ()
    return Decoded(lines, text.encoding, text.reason, findings)


def _decoded(data: bytes, legacy: str, findings: Findings) -> _Text:
    for mark, encoding in ((BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return _utf_16(data[len(mark) :], encoding, findings)
    marked = data.startswith(BOM_UTF8)
    body = data.removeprefix(BOM_UTF8)
    try:
        content = body.decode("utf-8")
    except UnicodeDecodeError as error:
        return _single_byte(body, error.start, legacy, marked, findings)
    if marked:
        return _Text(content, "utf-8-sig", "byte order mark")
    reason = "ASCII characters only" if content.isascii() else "valid UTF-8"
    return _Text(content, "utf-8", reason)


def _utf_16(body: bytes, encoding: str, findings: Findings) -> _Text:
    content = body.decode(encoding, errors="replace")
    if "\ufffd" in content:
        findings.add(
            Severity.WARNING,
            "text.encoding",
            "The file is marked as UTF-16, but some characters are damaged.",
            _place(content, content.index("\ufffd")),
            "Save the file again as UTF-8.",
        )
    return _Text(content, encoding, "byte order mark")


def _single_byte(
    body: bytes, offender: int, legacy: str, marked: bool, findings: Findings
) -> _Text:
    """Decode what is not UTF-8; ``offender`` is the offset of the first byte that shows it."""
    odd = body.translate(None, bytes(set(range(256)) - set(_ODD_BYTES)))
    encoding = "cp1252" if odd else legacy
    try:
        content = body.decode(encoding)
    except UnicodeDecodeError:
        encoding = legacy
        content = body.decode(encoding, errors="replace")
    doubtful = marked or (bool(odd) and encoding == legacy)
    place = _place(body.decode("latin-1"), offender)
    reason = f"not UTF-8 from line {place.line}, column {place.column} on"
    findings.add(
        Severity.WARNING if doubtful else Severity.INFO,
        "text.encoding",
        f"The file is {reason}"
        + (", though it begins with the mark of UTF-8" if marked else "")
        + f"; it is read as {encoding}.",
        place,
        "Look at the names with accents; if they are wrong, save the file as UTF-8.",
    )
    return _Text(content, encoding, reason)


def _without_controls(content: str, findings: Findings) -> str:
    """``content`` with stray control characters blanked, so that columns stay in place."""
    content = content.rstrip(_DOS_END_OF_FILE)
    cleaned, controls = _CONTROL.subn(" ", content)
    if "\0" in content or controls * 100 > len(content):
        findings.add(
            Severity.FATAL,
            "file.binary",
            "The file is not a text file.",
            _place(content, content.index("\0")) if "\0" in content else Place(),
            "Export the report from the tournament program as text, or save a spreadsheet as .xlsx "
            "or CSV; pictures and printed pages (PDF) cannot be read.",
        )
    elif not content.strip():
        findings.add(
            Severity.FATAL,
            "file.empty",
            "The file is empty.",
            remedy="Export the report again and look at it before sending it.",
        )
    elif match := _CONTROL.search(content):
        findings.add(
            Severity.WARNING,
            "text.control",
            f"{controls} control character(s) were read as blanks.",
            _place(content, match.start()),
            "Look at the line; something may have been lost when the file was copied.",
        )
    return cleaned


def _lines(content: str, findings: Findings) -> tuple[Line, ...]:
    content = _one_line_end(content)
    if content.count("\n") > MAX_LINES:
        findings.add(
            Severity.FATAL,
            "file.too-large",
            f"The file has more than {MAX_LINES:,} lines.",
            remedy="Send one file for each event.",
        )
        return ()
    texts = content.removesuffix("\n").split("\n")
    for number, text in enumerate(texts, 1):
        if len(text) > MAX_LINE_LENGTH:
            findings.add(
                Severity.FATAL,
                "line.too-long",
                f"Line {number} has {len(text):,} characters; "
                f"at most {MAX_LINE_LENGTH:,} are read.",
                Place(line=number, column=MAX_LINE_LENGTH + 1),
                "Look whether the line ends were lost when the file was copied.",
            )
            return ()
    return tuple(Line(number, text) for number, text in enumerate(texts, 1))


def _one_line_end(content: str) -> str:
    return content.replace("\r\n", "\n").replace("\r", "\n")


def _place(content: str, offset: int) -> Place:
    """Line and column of the character at ``offset``."""
    before = _one_line_end(content[:offset])
    return Place(line=before.count("\n") + 1, column=len(before) - before.rfind("\n"))
