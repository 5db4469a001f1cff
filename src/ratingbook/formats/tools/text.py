"""From the bytes of a file to numbered lines of text, for every line format.

Organisers' files come in whatever encoding a program of 1998 or of today wrote.
What had to be assumed is a finding; what cannot be text is refused here, so that
readers need not guard against it.
"""

from __future__ import annotations

import codecs
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ratingbook.formats.tools.encodings import LOOK, USUAL, Guess, guessed, label, named
from ratingbook.formats.tools.packed import ARCHIVE, packed_by
from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

MAX_BYTES = 64 * 1024 * 1024
"""The largest file that is read as text."""
MAX_LINES = 2_000_000
"""The most lines that are read; more is a history, not a report."""
MAX_LINE_LENGTH = 100_000
"""The longest line, in characters."""

_CONTROL = pattern("[\x01-\x08\x0b\x0e-\x1f\x7f-\x9f]")
"""Control characters that no text file needs; tab, form feed and line ends may stand."""
_ODD_BYTES = bytes(range(0x80, 0xA0))
"""Letters in Windows-1252, control characters in the ISO-8859 family."""
_DOS_END_OF_FILE = "\x1a"
_WESTERN = ("iso-8859-1", "iso-8859-15")
"""Of a format that is used to another encoding nothing is guessed."""
_DECLARED = pattern(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_SAMPLE = 1 << 16
"""Bytes that show whether a file without mark is UTF-16."""
_PLAIN = " \t\r\n0123456789.,;:-/+=<>[]()\"'|aeinrst"
_LEAST_PLAIN = 0.2
"""The part of such characters in UTF-16; of the wrong byte order hardly any is one."""


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
    by_letters: bool = False
    """Whether nothing but the letters speaks for the encoding."""


class _Text(NamedTuple):
    content: str
    encoding: str
    reason: str
    by_letters: bool = False


def decode(data: bytes, *, legacy: str = "iso-8859-1") -> Decoded:
    """The lines of ``data``; ``legacy`` is the single-byte encoding that the format is used to.

    An encoding that somebody named holds.  Otherwise a byte order mark decides; without one
    the file is UTF-8 if it can be, or what XML declares, or what its letters say, and at last
    Windows-1252 or ``legacy``.
    """
    findings = Findings()
    if len(data) > MAX_BYTES:
        findings.add(
            Severity.FATAL,
            "file.too-large",
            sentence(
                "The file has {len:,} bytes; at most {MAX_BYTES:,} are read.",
                len=len(data),
                MAX_BYTES=MAX_BYTES,
            ),
            remedy=sentence("Send one file for each event."),
        )
        return Decoded(findings=findings)
    if how := packed_by(data):
        _tell_packed(how, findings)
        return Decoded(findings=findings)
    told = named()
    text = _as_told(data, told, findings) if told else _decoded(data, legacy, findings)
    is_text = Findings()
    content = _without_controls(text.content, is_text)
    # What is no text has no encoding to speak of.
    findings = is_text if is_text.refused else Findings([*findings, *is_text])
    lines = _lines(content, findings) if not findings.refused else ()
    return Decoded(lines, text.encoding, text.reason, findings, text.by_letters)


def _as_told(data: bytes, told: str, findings: Findings) -> _Text:
    """The text in the encoding that somebody named."""
    name = codecs.lookup(told).name
    body = data
    for mark, marked in (
        (BOM_UTF8, "utf-8"),
        (BOM_UTF16_LE, "utf-16-le"),
        (BOM_UTF16_BE, "utf-16-be"),
    ):
        if name == marked:
            body = data.removeprefix(mark)
    try:
        content = body.decode(name)
    except UnicodeDecodeError as error:
        content = body.decode(name, errors="replace")
        findings.add(
            Severity.WARNING,
            "text.encoding",
            sentence(
                "The file is not {told} throughout, as was said; what is not was replaced.",
                told=told,
            ),
            _place(body[: error.start].decode("latin-1"), error.start),
            "Name the right encoding, or leave --encoding out.",
        )
    return _Text(content, name, "as was said")


def _decoded(data: bytes, legacy: str, findings: Findings) -> _Text:
    for mark, encoding in ((BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return _utf_16(data[len(mark) :], encoding, findings)
    if unmarked := unmarked_utf_16(data[:_SAMPLE]):
        findings.add(
            Severity.INFO,
            "text.encoding",
            sentence(
                "The file has no mark of its encoding; by its blanks and digits it "
                "is read as {unmarked}.",
                unmarked=unmarked,
            ),
            Place(line=1),
            LOOK,
        )
        reason = "blanks and digits of two bytes"
        return _Text(data.decode(unmarked, errors="replace"), unmarked, reason)
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
            sentence("The file is marked as UTF-16, but some characters are damaged."),
            _place(content, content.index("\ufffd")),
            sentence("Save the file again as UTF-8."),
        )
    return _Text(content, encoding, "byte order mark")


def _single_byte(
    body: bytes, offender: int, legacy: str, marked: bool, findings: Findings
) -> _Text:
    """Decode what is not UTF-8; ``offender`` is the offset of the first byte that shows it."""
    place = _place(body.decode("latin-1"), offender)
    said = sentence(
        "not UTF-8 from line {line}, column {column} on", line=place.line, column=place.column
    )
    if not marked and (declared := _declared(body)):
        return _Text(
            body.decode(declared), declared, f"{said}; the file says that it is {declared}"
        )
    odd = body.translate(None, bytes(set(range(256)) - set(_ODD_BYTES)))
    encoding = USUAL if odd else legacy
    guess = guessed(body, encoding) if legacy in _WESTERN and b"\0" not in body else None
    if guess is not None and guess.encoding != encoding:
        read_as = sentence(
            "The file is {said}; by its letters it is read as {encoding}",
            said=said,
            encoding=guess.with_example(label(guess.encoding)),
        )
        found = guess._replace(sure=guess.sure and not marked)
        findings.extend([found.finding("text.encoding", read_as, place)])
        content = body.decode(guess.encoding, errors="replace")
        return _Text(content, guess.encoding, f"{said}; its letters", by_letters=True)
    try:
        content = body.decode(encoding)
    except UnicodeDecodeError:
        encoding = legacy
        content = body.decode(encoding, errors="replace")
    found = guess or Guess(encoding, sure=True)
    doubtful = marked or (bool(odd) and encoding == legacy)
    named = encoding if found.sure else found.with_example(encoding)
    read_as = (
        sentence(
            "The file is {said}, though it begins with the mark of UTF-8; it is read as {encoding}",
            said=said,
            encoding=named,
        )
        if marked
        else sentence("The file is {said}; it is read as {encoding}", said=said, encoding=named)
    )
    found = found._replace(sure=found.sure and not doubtful)
    findings.extend([found.finding("text.encoding", read_as, place)])
    return _Text(content, encoding, said, by_letters=True)


def _declared(body: bytes) -> str | None:
    """The encoding that XML declares, if the whole file can be in it."""
    match = _DECLARED.search(body[:1024])
    if match is None:
        return None
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
        body.decode(name)
    # A codec of Python that is none of text is a LookupError when it is used.
    except (LookupError, UnicodeDecodeError, ValueError):
        return None
    return None if name.startswith(("utf", "ascii", "punycode", "idna")) else name


def unmarked_utf_16(start: bytes) -> str | None:
    """The byte order of UTF-16 without a mark; None where it is no UTF-16."""
    whole = start[: len(start) // 2 * 2]
    if b"\0" not in whole:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = whole.decode(encoding)
        except UnicodeDecodeError:
            continue
        plain = sum(text.count(sign) for sign in _PLAIN)
        if "\0" not in text and plain >= _LEAST_PLAIN * len(text):
            return encoding
    return None


def _tell_packed(how: str, findings: Findings) -> None:
    if how == ARCHIVE:
        said = sentence("The file is an archive of files (ZIP).")
        remedy = sentence(
            "Unpack it, and send the report of each event by itself. Only `ratingbook history` "
            "reads archives of reports."
        )
    else:
        said = sentence("The file is packed by {how}.", how=how)
        remedy = sentence("Unpack it, and give the file that is in it.")
    findings.add(Severity.FATAL, "file.binary", said, remedy=remedy)


NO_TEXT = sentence("The file is not a text file.")
_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")


def by_its_name(findings: Iterable[Finding], name: str) -> list[Finding]:
    """Findings of a file that is called so: one that should be a workbook need be no text."""
    if not name.lower().endswith(_WORKBOOKS):
        return list(findings)
    said = sentence("The file is called {name}, and is no workbook.", name=name)
    remedy = sentence("Save it once more as .xlsx or CSV, and look whether it opens.")
    return [
        replace(each, message=said, where=Place(), remedy=remedy)
        if each.message == NO_TEXT
        else each
        for each in findings
    ]


def _without_controls(content: str, findings: Findings) -> str:
    """``content`` with stray control characters blanked, so that columns stay in place."""
    content = content.rstrip(_DOS_END_OF_FILE)
    cleaned, controls = _CONTROL.subn(" ", content)
    if "\0" in content or controls * 100 > len(content):
        findings.add(
            Severity.FATAL,
            "file.binary",
            NO_TEXT,
            _place(content, content.index("\0")) if "\0" in content else Place(),
            sentence(
                "Export the report from the tournament program as text (from "
                "Swiss-Manager, Vega and their like the FIDE report, TRF), or save "
                "a spreadsheet as .xlsx or CSV; pictures and printed pages (PDF) "
                "cannot be read."
            ),
        )
    elif not content.strip():
        findings.add(
            Severity.FATAL,
            "file.empty",
            sentence("The file is empty."),
            remedy=sentence("Export the report again and look at it before sending it."),
        )
    elif match := _CONTROL.search(content):
        findings.add(
            Severity.WARNING,
            "text.control",
            sentence("{controls} control character(s) were read as blanks.", controls=controls),
            _place(content, match.start()),
            sentence("Look at the line; something may have been lost when the file was copied."),
        )
    return cleaned


def _lines(content: str, findings: Findings) -> tuple[Line, ...]:
    content = _one_line_end(content)
    if content.count("\n") > MAX_LINES:
        findings.add(
            Severity.FATAL,
            "file.too-large",
            sentence("The file has more than {MAX_LINES:,} lines.", MAX_LINES=MAX_LINES),
            remedy=sentence("Send one file for each event."),
        )
        return ()
    texts = content.removesuffix("\n").split("\n")
    for number, text in enumerate(texts, 1):
        if len(text) > MAX_LINE_LENGTH:
            findings.add(
                Severity.FATAL,
                "line.too-long",
                sentence(
                    "Line {number} has {len:,} characters; at most {MAX_LINE_LENGTH:,} are read.",
                    number=number,
                    len=len(text),
                    MAX_LINE_LENGTH=MAX_LINE_LENGTH,
                ),
                Place(line=number, column=MAX_LINE_LENGTH + 1),
                sentence("Look whether the line ends were lost when the file was copied."),
            )
            return ()
    return tuple(Line(number, text) for number, text in enumerate(texts, 1))


def _one_line_end(content: str) -> str:
    return content.replace("\r\n", "\n").replace("\r", "\n")


def _place(content: str, offset: int) -> Place:
    """Line and column of the character at ``offset``."""
    before = _one_line_end(content[:offset])
    return Place(line=before.count("\n") + 1, column=len(before) - before.rfind("\n"))
