"""The files of the field: one module per format, lenient in, strict out.

:func:`read` finds out what a file is and reads it; what cannot be read becomes a
finding, never an exception.
"""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass
from pathlib import Path

from ratingbook.formats.catalogue import FORMATS, line_formats
from ratingbook.formats.document import read_document
from ratingbook.formats.text import MAX_BYTES, decode
from ratingbook.formats.uschess_2c import looks_like_2c, read_2c
from ratingbook.model import Findings, Place, Report, Severity

__all__ = ["Reading", "read", "read_bytes", "read_text"]

_JSON_STARTS = (b"{", b"[")
_LEGACY = "iso-8859-1"
_MARKS = (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of a file: the report, if there is one, and how it was read."""

    report: Report | None
    findings: Findings
    format: str = "unknown"
    encoding: str = "unknown"
    reason: str = ""
    """By what format and encoding were recognised, in words."""


def read(path: Path, standing_fields: frozenset[str] = frozenset()) -> Reading:
    """Read the report in a file of any known format, or in a folder (2C).

    ``standing_fields`` are keys of a standing that a rule book reads beyond the
    common ones.
    """
    if looks_like_2c(path):
        report, findings = read_2c(path)
        return Reading(report, findings, "2C", "cp1252", FORMATS["2C"].sign)
    data, findings = _bytes_of(path)
    if data is None:
        return Reading(None, findings)
    return read_bytes(data, standing_fields)


def read_bytes(data: bytes, standing_fields: frozenset[str] = frozenset()) -> Reading:
    """Read the report in the contents of a file."""
    if not _is_json(data):
        return _read_lines(data)
    findings = Findings()
    sign = FORMATS["report document"].sign
    text = _utf8(data, findings)
    if text is None:
        return Reading(None, findings, "report document", reason=sign)
    report, more = read_document(text, standing_fields)
    findings.extend(more)
    return Reading(report, findings, "report document", "utf-8", sign)


def read_text(path: Path) -> tuple[str | None, Findings]:
    """The text of a file whose format the caller knows; None where it is refused."""
    data, findings = _bytes_of(path)
    if data is None:
        return None, findings
    if _is_json(data):
        return _utf8(data, findings), findings
    decoded = decode(data)
    findings.extend(decoded.findings)
    if findings.refused:
        return None, findings
    return "\n".join(line.text for line in decoded.lines), findings


def _read_lines(data: bytes) -> Reading:
    decoded = decode(data)
    if decoded.findings.refused:
        return Reading(None, decoded.findings, encoding=decoded.encoding or "unknown")
    for known in line_formats():
        if known.looks_like(decoded.lines):
            # What a file is can be seen in any encoding that has ASCII in it.
            if decoded.encoding == _LEGACY != known.legacy:
                decoded = decode(data, legacy=known.legacy)
            report, findings = known.read(decoded)
            reason = f"{FORMATS[known.name].sign}; {decoded.reason}"
            return Reading(report, findings, known.name, decoded.encoding, reason)
    findings = Findings(decoded.findings)
    findings.add(
        Severity.FATAL,
        "file.unknown-format",
        "The file is of no format that is read here.",
        Place(line=1),
        f"Formats read: {', '.join(FORMATS)}.",
    )
    return Reading(None, findings, encoding=decoded.encoding, reason=decoded.reason)


def _bytes_of(path: Path) -> tuple[bytes | None, Findings]:
    """The bytes of a file, unless it is too large or cannot be opened."""
    findings = Findings()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except IsADirectoryError:
        findings.add(
            Severity.FATAL,
            "file.unreadable",
            "This is a folder, and no US Chess 2C report: that has a THEXPORT.DBF, a "
            "TSEXPORT.DBF and a TDEXPORT.DBF.",
            remedy="Name a file of the event, or the folder of a 2C report.",
        )
        return None, findings
    except OSError as error:
        findings.add(
            Severity.FATAL,
            "file.unreadable",
            f"The file cannot be opened: {error.strerror or error}.",
            remedy="Check the name, and that you may read it.",
        )
        return None, findings
    except ValueError:
        findings.add(
            Severity.FATAL, "file.unreadable", "The name of the file is not possible.",
            remedy="Check the name.",
        )  # fmt: skip
        return None, findings
    if len(data) > MAX_BYTES:
        findings.add(
            Severity.FATAL,
            "file.too-large",
            f"The file has more than {MAX_BYTES:,} bytes.",
            remedy="Send one file for each event.",
        )
        return None, findings
    return data, findings


def _is_json(data: bytes) -> bool:
    """Whether the first character is one with which JSON begins, in whatever encoding."""
    start = data[:1024]
    for mark in _MARKS:
        start = start.removeprefix(mark)
    return start.replace(b"\0", b"").lstrip().startswith(_JSON_STARTS)


def _utf8(data: bytes, findings: Findings) -> str | None:
    offenders = [offset for offset in (data.find(b"\0"),) if offset >= 0]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        offenders.append(error.start)
    if not offenders:
        return text
    offender = min(offenders)
    before = data[:offender]
    findings.add(
        Severity.FATAL,
        "json.encoding",
        "The file is not UTF-8, as JSON must be.",
        Place(line=before.count(b"\n") + 1, column=offender - before.rfind(b"\n")),
        "Save it as UTF-8.",
    )
    return None
