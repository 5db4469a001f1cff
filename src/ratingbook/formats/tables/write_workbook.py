"""Writes a report as an Excel workbook: a sheet each for the event, the players, the games."""

from __future__ import annotations

import io

from ratingbook.formats.tables.cells import number_text
from ratingbook.formats.tables.layout import CellValue, Layout
from ratingbook.formats.tools.notes import Notes
from ratingbook.formats.tools.spreadsheets import guarded
from ratingbook.formats.tools.written import Written
from ratingbook.model import Report


def write_xlsx(report: Report) -> Written:
    """The report as a workbook; every text is marked as text, so that nothing is a formula."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    notes = Notes()
    layout = Layout(notes)
    book = Workbook(write_only=True)
    for page in layout.pages(report):
        sheet = book.create_sheet(page.title)
        if page.header:
            sheet.freeze_panes = "A2"
        for row in [page.header, *page.rows] if page.header else page.rows:
            cells = []
            for value in map(_value, row):
                cell = WriteOnlyCell(sheet, value or None if isinstance(value, str) else value)
                if isinstance(value, str) and value:
                    cell.data_type = "s"
                cells.append(cell)
            sheet.append(cells)
    file = io.BytesIO()
    book.save(file)
    changed = {old: new for old, new in layout.ids.items() if old != new}
    return Written({"": file.getvalue()}, notes.findings(), changed)


def _value(value: CellValue) -> CellValue:
    """A text that is no formula, or a number; as text where a workbook would round it."""
    if isinstance(value, str):
        return guarded(value)
    # openpyxl writes 16 digits.
    return value if float(f"{value:.16g}") == value else number_text(value)
