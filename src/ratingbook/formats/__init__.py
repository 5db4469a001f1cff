"""The files of the field: one module per format, lenient in, strict out.

:func:`read` finds out what a file is and reads it; what cannot be read becomes a
finding, never an exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ratingbook.formats.catalogue import FORMATS, line_formats
from ratingbook.formats.document.read import read_document
from ratingbook.formats.files import bytes_of, is_json, utf8
from ratingbook.formats.tools.text import decode
from ratingbook.formats.uschess.report_2c import looks_like_2c, read_2c
from ratingbook.model import Findings, Place, Report, Severity

__all__ = ["Read", "read", "read_bytes", "read_text"]

_LEGACY = "iso-8859-1"
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True, slots=True)
class Read:
    """What became of a file: the report, if there is one, and how it was read."""

    report: Report | None
    findings: Findings
    format: str = "unknown"
    encoding: str = "unknown"
    reason: str = ""
    """By what format and encoding were recognised, in words."""


def read(
    path: Path,
    standing_fields: frozenset[str] = frozenset(),
    columns: Mapping[str, str] | None = None,
) -> Read:
    """Read the report in a file of any known format, or in a folder (2C).

    ``standing_fields`` are keys of a standing that a rule book reads beyond the
    common ones; ``columns`` says which header of a table has a field.
    """
    if looks_like_2c(path):
        report, findings = read_2c(path)
        return Read(report, findings, "2C", "cp1252", FORMATS["2C"].sign)
    data, findings = bytes_of(path)
    if data is None:
        return Read(None, findings)
    return read_bytes(data, standing_fields, columns)


def read_bytes(
    data: bytes,
    standing_fields: frozenset[str] = frozenset(),
    columns: Mapping[str, str] | None = None,
) -> Read:
    """Read the report in the contents of a file."""
    if data.startswith((_ZIP, _OLE)):
        from ratingbook.formats.tables import looks_like_xlsx, read_xlsx

        if looks_like_xlsx(data):
            report, findings = read_xlsx(data, columns)
            return Read(report, findings, "XLSX", "utf-8", FORMATS["XLSX"].sign)
    if not is_json(data):
        return _read_lines(data, columns)
    findings = Findings()
    sign = FORMATS["report document"].sign
    text = utf8(data, findings)
    if text is None:
        return Read(None, findings, "report document", reason=sign)
    report, more = read_document(text, standing_fields)
    findings.extend(more)
    return Read(report, findings, "report document", "utf-8", sign)


def read_text(path: Path) -> tuple[str | None, Findings]:
    """The text of a file whose format the caller knows; None where it is refused."""
    data, findings = bytes_of(path)
    if data is None:
        return None, findings
    if is_json(data):
        return utf8(data, findings), findings
    decoded = decode(data)
    findings.extend(decoded.findings)
    if findings.refused:
        return None, findings
    return "\n".join(line.text for line in decoded.lines), findings


def _read_lines(data: bytes, columns: Mapping[str, str] | None) -> Read:
    decoded = decode(data)
    if decoded.findings.refused:
        return Read(None, decoded.findings, encoding=decoded.encoding or "unknown")
    for known in line_formats(columns):
        if known.looks_like(decoded.lines):
            # What a file is can be seen in any encoding that has ASCII in it.
            if decoded.encoding == _LEGACY != known.legacy:
                decoded = decode(data, legacy=known.legacy)
            report, findings = known.read(decoded)
            reason = f"{FORMATS[known.name].sign}; {decoded.reason}"
            return Read(report, findings, known.name, decoded.encoding, reason)
    findings = Findings(decoded.findings)
    findings.add(
        Severity.FATAL,
        "file.unknown-format",
        "The file is of no format that is read here.",
        Place(line=1),
        f"Formats read: {', '.join(FORMATS)}. Of a table of your own, tell which column is what: "
        "--column FIELD=HEADER.",
    )
    return Read(None, findings, encoding=decoded.encoding, reason=decoded.reason)
