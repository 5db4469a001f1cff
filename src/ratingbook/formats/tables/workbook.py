"""Excel workbooks: checked before anything is unpacked, then read sheet by sheet.

openpyxl reads the cells; with defusedxml installed it refuses entities.  It is not made
for hostile files, so what a workbook may cost is limited here before it begins.
"""

from __future__ import annotations

import io
import posixpath
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, Final

from ratingbook.formats.tables.cells import (
    MAX_COLUMNS,
    MAX_ROWS,
    Row,
    Sheet,
    number_text,
)
from ratingbook.formats.tables.package import OLE, Checked, check, refuse
from ratingbook.formats.tables.read import read_sheets
from ratingbook.formats.tables.split import too_large
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.spreadsheets import unguarded
from ratingbook.model import Findings, Place, Report, Severity
from ratingbook.model.sentences import sentence

if TYPE_CHECKING:
    from openpyxl import Workbook

MAX_SHEETS: Final = 100
"""A workbook with more is no report."""
MAX_MERGED: Final = 200_000
"""The most cells of a sheet that share the text of another one."""
_PATIENCE: Final = 10_000
"""After so many empty rows the sheet is over."""

_ZIP = b"PK\x03\x04"

HIDDEN = Remark(
    "xlsx.hidden",
    Severity.WARNING,
    "Hidden sheets were not read",
    "If a sheet belongs to the report, make it visible.",
)
HIDDEN_ROWS = Remark(
    "xlsx.hidden-rows",
    Severity.WARNING,
    "Sheets have hidden rows; they were read like the others",
    "Show all rows, and delete those that do not belong to the report.",
)
FORMULA = Remark(
    "xlsx.formula",
    Severity.ERROR,
    "Cells have formulas whose values are not in the file",
    "Open the workbook in a spreadsheet program and save it, so that the values are saved too.",
)
MERGED = Remark(
    "xlsx.merged",
    Severity.INFO,
    "Cells merged over several rows were read as if each of them held the text",
    "Nothing to do.",
)
GAP = Remark(
    "xlsx.gap",
    Severity.WARNING,
    f"After {_PATIENCE:,} empty rows the rest of a sheet was not read",
    "If more follows, move it up.",
)
CHARTS = Remark(
    "xlsx.chart",
    Severity.INFO,
    "Sheets that hold a chart were not read",
    "Nothing to do.",
)


def looks_like_xlsx(data: bytes) -> bool:
    """Whether the bytes are a workbook, also of a kind that is refused with a word about it."""
    return data.startswith(OLE) or (
        data.startswith(_ZIP) and (b"xl/" in data or b"opendocument" in data[:200])
    )


def read_xlsx(
    data: bytes, columns: Mapping[str, str] | None = None
) -> tuple[Report | None, Findings]:
    """The report of a workbook, with everything that was noticed.

    ``columns`` says which header a field has, as for :func:`read_csv`.
    """
    findings, notes = Findings(), Notes()
    sheets = _sheets(data, findings, notes)
    report, findings = read_sheets(sheets, findings, columns)
    findings.extend(notes.findings())
    return report, findings


def _sheets(data: bytes, findings: Findings, notes: Notes) -> list[Sheet] | None:
    try:
        checked = check(data, findings, notes)
        return None if checked is None else _read(data, checked, findings, notes)
    # Neither library is made for damaged files: they raise whatever the damage comes to.
    except Exception as error:
        refuse(
            findings,
            "xlsx.damaged",
            sentence("The workbook is damaged: {error}.", error=type(error).__name__),
            sentence("Open it in a spreadsheet program and save it again, as .xlsx or CSV."),
        )
        return None


def _read(data: bytes, checked: Checked, findings: Findings, notes: Notes) -> list[Sheet] | None:
    from openpyxl import load_workbook

    parts = _parts_of_sheets(data)
    sheets = []
    with warnings.catch_warnings():
        # It warns of what it does not support: pictures, validation, conditional formats.
        warnings.simplefilter("ignore")
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        try:
            if len(book.sheetnames) > MAX_SHEETS:
                findings.extend(too_large(Place()))
            for name in book.sheetnames[:MAX_SHEETS]:
                sheet = _sheet(book, name, parts.get(name, ""), checked, findings, notes)
                if sheet is not None:
                    sheets.append(sheet)
        finally:
            book.close()
    return None if findings.refused else sheets


def _parts_of_sheets(data: bytes) -> dict[str, str]:
    """Name of a sheet → the part that holds it."""
    from defusedxml.ElementTree import fromstring

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        try:
            book = fromstring(archive.read("xl/workbook.xml"))
            links = fromstring(archive.read("xl/_rels/workbook.xml.rels"))
        except KeyError:
            return {}
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    found = {}
    for element in book.iter():
        if element.tag.endswith("}sheet"):
            id_ = next((value for key, value in element.items() if key.endswith("}id")), None)
            found[element.get("name", "")] = posixpath.normpath(
                posixpath.join("/xl", targets.get(id_, ""))
            ).lstrip("/")
    return found


def _sheet(
    book: Workbook, name: str, part: str, checked: Checked, findings: Findings, notes: Notes
) -> Sheet | None:
    """One sheet; None where it is not to be read, or is refused."""
    worksheet: Any = book[name]
    where = Place(path=name)
    if worksheet in book.chartsheets:
        notes.add(CHARTS, name, where)
        return None
    if worksheet.sheet_state != "visible":
        notes.add(HIDDEN, name, where)
        return None
    if part in checked.hidden_rows:
        notes.add(HIDDEN_ROWS, name, where)
    for cell in checked.formulas.get(part, ()):
        notes.add(FORMULA, f"{name}!{cell}", Place(path=f"{name}!{cell}"))
    # What a sheet declares as its size need not be true.
    worksheet.reset_dimensions()
    rows: list[Row] = []
    for row in _rows(worksheet.iter_rows(values_only=True), name, notes):
        if len(rows) >= MAX_ROWS or len(row.cells) > MAX_COLUMNS:
            findings.extend(too_large(Place(line=row.number, path=name)))
            return None
        rows.append(row)
    merged = checked.merged.get(part, [])
    if sum(min(last, MAX_ROWS) - first for _, first, last in merged) > MAX_MERGED:
        findings.extend(too_large(Place(path=name)))
        return None
    _fill_merged(rows, merged, name, notes)
    return Sheet(tuple(rows), name)


def _rows(values: Iterator[tuple[object, ...]], name: str, notes: Notes) -> Iterator[Row]:
    """The rows as text; of several empty ones only the first."""
    empty = 0
    for index, cells in enumerate(values, 1):
        texts = [cell_text(value) for value in cells]
        while texts and not texts[-1]:
            texts.pop()
        empty = 0 if texts else empty + 1
        if empty <= 1:
            yield Row(index, tuple(texts))
        if empty >= _PATIENCE:
            notes.add(
                GAP,
                sentence("{name} after row {index}", name=name, index=index - empty),
                Place(line=index, path=name),
            )
            return


def cell_text(value: object) -> str:
    """The text of a cell, in the form in which it would stand in a CSV file."""
    if value is None:
        return ""
    if isinstance(value, str):
        return unguarded(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value) if abs(value) < 1e300 else str(value)
    if isinstance(value, datetime):
        day, clock = value.date(), value.time()
        return f"{day}" if clock == time() else f"{day} {clock:%H:%M}"
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def _fill_merged(
    rows: list[Row], merged: list[tuple[int, int, int]], name: str, notes: Notes
) -> None:
    """Give the text of cells that are merged over several rows to each of these rows."""
    index_of = {row.number: index for index, row in enumerate(rows)}
    for column, first, last in merged:
        top = index_of.get(first)
        text = rows[top].cell(column) if top is not None else ""
        if not text or column >= MAX_COLUMNS:
            continue
        notes.add(MERGED, text[:60], Place(line=first, column=column + 1, path=name))
        for index in range(top or 0, len(rows)):
            row = rows[index]
            if row.number > last:
                break
            if not row.blank:
                cells = [*row.cells, *[""] * (column + 1 - len(row.cells))]
                cells[column] = text
                rows[index] = Row(row.number, tuple(cells))
