"""Workbooks of LibreOffice (.ods) and of old Excel (.xls), read by python-calamine.

The library is an extra.  It holds a sheet at once, so what a workbook may unfold to is
looked at before.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, Final

from ratingbook.formats.tables.cells import MAX_COLUMNS, MAX_ROWS, Row, Sheet
from ratingbook.formats.tables.package import OLE, refuse
from ratingbook.formats.tables.read import read_sheets
from ratingbook.formats.tables.split import too_large
from ratingbook.formats.tables.workbook import HIDDEN, MAX_SHEETS, cell_text
from ratingbook.formats.tools.notes import Notes
from ratingbook.model import Findings, Place, Report
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

EXTRA: Final = "spreadsheets"
"""What installs the library: ``ratingbook[spreadsheets]``."""

_ODS = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_WORKBOOK = "Workbook".encode("utf-16-le")
_MAX_UNPACKED = 64 * 1024**2
_MAX_REPEATED = 1_000
_ROW = pattern(
    rb"<table:table-row\b[^>]*?number-rows-repeated=\"([0-9]+)\"[^>]*>(.*?)</table:table-row>",
    re.DOTALL,
)
_CELL = pattern(
    rb"<table:table-cell\b(?=[^>]*office:value-type)[^>]*?number-columns-repeated=\"([0-9]+)\""
)


def looks_like_other_workbook(data: bytes) -> bool:
    """Whether the bytes are a workbook of LibreOffice or of old Excel."""
    return _ODS in data[:200] or (data.startswith(OLE) and _WORKBOOK in data)


def read_other_workbook(
    data: bytes, columns: Mapping[str, str] | None = None
) -> tuple[Report | None, Findings]:
    """The report of a workbook, with everything that was noticed.

    ``columns`` says which header a field has, as for ``read_csv``.
    """
    findings, notes = Findings(), Notes()
    try:
        import python_calamine
    except ImportError:
        refuse(
            findings,
            "workbook.library",
            sentence(
                "Workbooks of LibreOffice (.ods) and of old Excel (.xls) need a library that is "
                "not installed."
            ),
            f"Install it with `pip install ratingbook[{EXTRA}]`, or save the workbook as .xlsx.",
        )
        return None, findings
    sheets = None
    try:
        if _unfolds_too_far(data):
            findings.extend(too_large(Place()))
        else:
            book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
            sheets = _sheets(book, findings, notes)
    # The library is not made for damaged files: it raises whatever the damage comes to, and
    # where Rust gives up that is no Exception.
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        refuse(
            findings,
            "workbook.damaged",
            sentence("The workbook is damaged: {error}.", error=type(error).__name__),
            sentence("Open it in a spreadsheet program and save it again, as .xlsx or CSV."),
        )
    report, findings = read_sheets(sheets, findings, columns)
    findings.extend(notes.findings())
    return report, findings


def _unfolds_too_far(data: bytes) -> bool:
    """Whether a workbook of LibreOffice is larger than it looks, or repeats cells without end."""
    if data.startswith(OLE):
        return False
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(info.file_size for info in archive.infolist()) > _MAX_UNPACKED:
            return True
        try:
            with archive.open("content.xml") as member:
                content = member.read(_MAX_UNPACKED + 1)
        except (KeyError, zlib.error):
            return False
    repeated = [match[1] for match in _CELL.finditer(content)]
    repeated += [match[1] for match in _ROW.finditer(content) if b"office:value" in match[2]]
    return any(len(number) > 4 or int(number) > _MAX_REPEATED for number in repeated)


def _sheets(book: Any, findings: Findings, notes: Notes) -> list[Sheet] | None:
    found = []
    # The library, and so the type of the book, is not always there.
    told = book.sheets_metadata
    if len(told) > MAX_SHEETS:
        findings.extend(too_large(Place()))
    for sheet in told[:MAX_SHEETS]:
        if str(sheet.visible).rpartition(".")[2] != "Visible":
            notes.add(HIDDEN, sheet.name, Place(path=sheet.name))
            continue
        given = book.get_sheet_by_name(sheet.name)
        if given.height > MAX_ROWS or given.width > MAX_COLUMNS:
            findings.extend(too_large(Place(path=sheet.name)))
            return None
        rows: list[Row] = []
        for number, cells in enumerate(given.to_python(skip_empty_area=False), 1):
            texts = [cell_text(value) for value in cells]
            while texts and not texts[-1]:
                texts.pop()
            if texts or (rows and rows[-1].cells):
                rows.append(Row(number, tuple(texts)))
        found.append(Sheet(tuple(rows), sheet.name))
    return None if findings.refused else found
