"""What a workbook is and what it would cost, found out before a library opens it.

A workbook is an archive of parts in XML.  Archives can unpack to a thousand times their
size, and XML can name itself over and over; neither comes from a spreadsheet program.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import Final

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

MAX_UNPACKED: Final = 100 * 1024 * 1024
"""The most bytes that all parts of a workbook may have once unpacked."""
MAX_RATIO: Final = 200
"""How much smaller than its contents a large part may be; sheets are at about 10 to 50."""
MAX_PARTS: Final = 2_000
MAX_TAGS: Final = 8_000_000
"""The most tags in one part; each costs memory beyond its bytes."""
_LARGE: Final = 1024 * 1024
OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""With this begin old and encrypted workbooks."""
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")
_FORMULA = pattern(
    rb'<(?:\w+:)?c\b[^>]{0,500}?\br="([A-Z]{1,3}[0-9]{1,7})"[^>]{0,500}>\s*'
    rb"<(?:\w+:)?f\b[^>]*(?:/>|>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
"""A cell with a formula and no value beside it."""
_MERGED = pattern(rb'<(?:\w+:)?mergeCell\b[^>]{0,200}?\bref="([A-Z]+)([0-9]+):([A-Z]+)([0-9]+)"')
_HIDDEN_ROW = pattern(rb'<(?:\w+:)?row\b[^>]{0,500}?\bhidden="(?:1|true)"')

MACROS = Remark(
    "xlsx.macros",
    Severity.INFO,
    "The workbook has macros, which were not run",
    "Nothing to do.",
)
LINKS = Remark(
    "xlsx.links",
    Severity.WARNING,
    "The workbook refers to other files, which were not opened; their values are those of when "
    "it was saved",
    "Look whether these values are right.",
)


@dataclass(slots=True)
class Checked:
    """What was seen in a workbook before it was read."""

    formulas: dict[str, list[str]] = field(default_factory=dict)
    """Part → cells with a formula that has no value."""
    merged: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    """Part → column, first and last row of what is merged over several rows."""
    hidden_rows: set[str] = field(default_factory=set)


def check(data: bytes, findings: Findings, notes: Notes) -> Checked | None:
    """What stands in the parts of the workbook; None where it is refused."""
    if data.startswith(OLE):
        encrypted = _ENCRYPTED in data
        refuse(
            findings,
            "xlsx.encrypted" if encrypted else "xlsx.old",
            sentence("This is an encrypted workbook.")
            if encrypted
            else sentence("This is a workbook of the old kind (.xls)."),
            sentence("Take off the password, and save it as .xlsx or CSV.")
            if encrypted
            else sentence("Open it, and save it as .xlsx or CSV."),
        )
        return None
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        refuse(
            findings,
            "xlsx.damaged",
            sentence("This is no workbook, or one that is not complete."),
            sentence("Send the file again, as .xlsx or CSV."),
        )
        return None
    with archive:
        parts = archive.infolist()
        if _is_too_costly(parts, findings) or not _is_xlsx(archive, findings):
            return None
        names = [part.filename for part in parts]
        if any(name.endswith("vbaProject.bin") for name in names):
            notes.add(MACROS, "vbaProject.bin", Place())
        if any(name.startswith("xl/externalLinks/") for name in names):
            notes.add(LINKS, sentence("external links"), Place())
        checked = Checked()
        for part in parts:
            try:
                content = archive.read(part)
            except (zipfile.BadZipFile, zlib.error, EOFError):
                refuse(
                    findings,
                    "xlsx.damaged",
                    sentence("The part {part} is damaged.", part=part.filename),
                    sentence("Send the file again, as .xlsx or CSV."),
                )
                return None
            # Any name may be that of a sheet; pictures may declare what they like.
            picture = part.filename.startswith("xl/media/")
            if not picture and not _is_harmless(part.filename, content, findings):
                return None
            _look_at(part.filename, content, checked)
    return checked


def _is_too_costly(parts: list[zipfile.ZipInfo], findings: Findings) -> bool:
    """Whether unpacking is refused; no part gives more than the size that it declares."""
    total = sum(part.file_size for part in parts)
    dense = [
        part
        for part in parts
        if part.file_size > _LARGE and part.file_size > MAX_RATIO * max(part.compress_size, 1)
    ]
    if len(parts) <= MAX_PARTS and total <= MAX_UNPACKED and not dense:
        return False
    reason = (
        sentence("it has {n:,} parts", n=len(parts))
        if len(parts) > MAX_PARTS
        else sentence("it would take {n:,} bytes", n=total)
    )
    refuse(
        findings,
        "xlsx.too-large",
        sentence("The workbook was not unpacked: {reason}.", reason=reason),
        sentence("Copy the tables of one event into a new workbook, or save them as CSV."),
    )
    return True


def _is_xlsx(archive: zipfile.ZipFile, findings: Findings) -> bool:
    names = set(archive.namelist())
    if any(part.flag_bits & 1 for part in archive.infolist()):
        refuse(
            findings,
            "xlsx.encrypted",
            sentence("The file is an encrypted archive."),
            sentence("Take off the password, and save it as .xlsx or CSV."),
        )
    elif "[Content_Types].xml" in names and "xl/workbook.bin" not in names:
        return True
    else:
        kind = (
            sentence("an OpenDocument file (.ods)")
            if "mimetype" in names
            else sentence("a binary workbook (.xlsb)")
            if "xl/workbook.bin" in names
            else sentence("an archive and no workbook")
        )
        refuse(
            findings,
            "xlsx.other",
            sentence("This is {kind}.", kind=kind),
            sentence("Open it in a spreadsheet program, and save it as .xlsx or CSV."),
        )
    return False


def _is_harmless(name: str, content: bytes, findings: Findings) -> bool:
    """Whether a part declares no entities and is of a bearable size for a parser."""
    # In UTF-16 every other byte is 0.
    plain = content.replace(b"\0", b"")
    if any(word in plain for word in _DECLARATIONS):
        refuse(
            findings,
            "xlsx.entities",
            sentence(
                "The part {name} declares entities, which no spreadsheet program writes.", name=name
            ),
            sentence("Copy the tables into a new workbook, or save them as CSV."),
        )
        return False
    if plain.count(b"<") > MAX_TAGS:
        refuse(
            findings,
            "xlsx.too-large",
            sentence("The part {name} has more than {most:,} tags.", name=name, most=MAX_TAGS),
            sentence("Copy the tables of one event into a new workbook, or save them as CSV."),
        )
        return False
    return True


def _look_at(name: str, content: bytes, checked: Checked) -> None:
    if not name.startswith("xl/worksheets/"):
        return
    if formulas := [match[1].decode() for match in _FORMULA.finditer(content)]:
        checked.formulas[name] = formulas
    spans = [
        (_column(match[1]), int(match[2]), int(match[4])) for match in _MERGED.finditer(content)
    ]
    if tall := [(column, first, last) for column, first, last in spans if last > first]:
        checked.merged[name] = tall
    if _HIDDEN_ROW.search(content):
        checked.hidden_rows.add(name)


def _column(letters: bytes) -> int:
    """The number of a column from 0."""
    value = 0
    for letter in letters[:4]:
        value = value * 26 + letter - ord("A") + 1
    return value - 1


def refuse(findings: Findings, code: str, message: str, remedy: str) -> None:
    """Add the finding for which a workbook is not read."""
    findings.add(Severity.FATAL, code, message, remedy=remedy)
