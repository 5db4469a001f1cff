"""Writes a report as CSV: event, players and games, each below the other."""

from __future__ import annotations

import csv
import io

from ratingbook.formats.tables.cells import number_text
from ratingbook.formats.tables.layout import CellValue, Layout
from ratingbook.formats.tools.notes import Notes
from ratingbook.formats.tools.spreadsheets import guarded
from ratingbook.formats.tools.written import Written
from ratingbook.model import Report


def write_csv(report: Report) -> Written:
    """The report as CSV in UTF-8, with the mark by which spreadsheets know the encoding."""
    notes = Notes()
    layout = Layout(notes)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    for number, page in enumerate(layout.pages(report)):
        if number:
            writer.writerow(())
        if page.header:
            writer.writerow((page.title,))
            writer.writerow([guarded(name) for name in page.header])
        writer.writerows([_cell(value) for value in row] for row in page.rows)
    changed = {old: new for old, new in layout.ids.items() if old != new}
    return Written({"": text.getvalue().encode("utf-8-sig")}, notes.findings(), changed)


def _cell(value: CellValue) -> str:
    return guarded(value) if isinstance(value, str) else number_text(value)
