"""A list as a document: an Excel workbook, or a PDF to be printed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ratingbook.formats.tools.characters import latin
from ratingbook.formats.tools.spreadsheets import guarded, printable
from ratingbook.model import Findings, Severity
from ratingbook.rules.listing import Column, Listing

_ROWS_AT_ONCE = 500
"""Rows of a PDF that are laid out together: one table of a long list would take minutes."""
_WIDE = 8
"""Columns from which a page lies on its side."""
_SHEET_NAME = 31
"""Characters that the name of a sheet may have."""


def xlsx(listing: Listing) -> tuple[bytes, Findings]:
    """The list as a workbook: a sheet each for the list, what is said of it, and statistics."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)

    def sheet(name: str, rows: Iterable[Sequence[object]], *, headed: bool) -> None:
        page = book.create_sheet(name[:_SHEET_NAME])
        if headed:
            page.freeze_panes = "A2"
        for row in rows:
            cells = []
            for value in row:
                plain = value if isinstance(value, int | float) else printable(_text(value))
                cell = WriteOnlyCell(page, guarded(plain) if isinstance(plain, str) else plain)
                if isinstance(plain, str):
                    # Marked as text, so that no name is a formula.
                    cell.data_type = "s"
                cells.append(cell)
            page.append(cells)

    sheet("List", _table(listing.columns, listing.rows), headed=True)
    said = [[listing.title], [listing.day.isoformat()], *([each] for each in listing.facts)]
    sheet("About", said, headed=False)
    for at, each in enumerate(listing.statistics, 1):
        sheet(f"Statistics {at}", [[each.title], *_table(each.columns, each.rows)], headed=False)
    if listing.not_listed:
        rows = ([each.id, each.name, each.reason] for each in listing.not_listed)
        sheet("Not listed", [["Id", "Name", "Reason"], *rows], headed=True)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue(), Findings()


def _table(
    columns: Sequence[Column], rows: Iterable[Mapping[str, object]]
) -> Iterator[list[object]]:
    yield [column.title for column in columns]
    for row in rows:
        yield [row.get(column.key) for column in columns]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def pdf(listing: Listing, font: Path | None = None) -> tuple[bytes, Findings]:
    """The list as a PDF: headings on every page, and its number.

    ``font`` is a TrueType file; else the one that comes along, which has Latin letters only.
    """
    findings = Findings()
    try:
        from reportlab.lib.pagesizes import A4, landscape
        from reportlab.lib.units import mm
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFError, TTFont
        from reportlab.platypus import SimpleDocTemplate
    except ImportError as error:
        findings.add(
            Severity.ERROR, "list.no-pdf", f"Nothing here writes PDF: {error}.",
            remedy='Install it: pip install "ratingbook[pdf]".',
        )  # fmt: skip
        return b"", findings
    try:
        face = TTFont("ratingbook", str(font) if font else "Vera.ttf")
    except (TTFError, OSError) as error:
        findings.add(
            Severity.ERROR, "list.font", f"The font cannot be read: {error}.",
            remedy="Name a TrueType file (.ttf).",
        )  # fmt: skip
        return b"", findings
    pdfmetrics.registerFont(face)
    spelled = _Spelling(face.face.charToGlyph)
    shown = [c for c in listing.columns if any(r.get(c.key) is not None for r in listing.rows)]
    columns = shown or list(listing.columns)
    size = landscape(A4) if len(columns) > _WIDE else A4
    file = io.BytesIO()
    document = SimpleDocTemplate(
        file, pagesize=size, title=spelled(listing.title), invariant=1, leftMargin=15 * mm,
        rightMargin=15 * mm, topMargin=15 * mm, bottomMargin=18 * mm,
    )  # fmt: skip
    foot = partial(_foot, text=spelled(listing.title), width=size[0])
    document.build(list(_pages(listing, columns, spelled)), onFirstPage=foot, onLaterPages=foot)
    if spelled.others:
        findings.add(
            Severity.WARNING, "list.letters",
            f"The font lacks {len(spelled.others)} characters of the list, the first is "
            f"{min(spelled.others)!r}; they are printed in Latin letters.",
            remedy="Name a font that has them with --font.",
        )  # fmt: skip
    return file.getvalue(), findings


class _Spelling:
    """Texts in characters that a font has."""

    def __init__(self, glyphs: Mapping[int, Any]) -> None:
        self._glyphs = glyphs
        self.others: set[str] = set()

    def __call__(self, value: object) -> str:
        text = _text(value)
        return "".join(char if ord(char) in self._glyphs else self._other(char) for char in text)

    def _other(self, char: str) -> str:
        self.others.add(char)
        return "".join(each for each in latin(char) if ord(each) in self._glyphs) or "?"


def _foot(canvas: Any, document: Any, text: str, width: float) -> None:
    canvas.setFont("ratingbook", 7)
    canvas.drawString(document.leftMargin, 24, text)
    canvas.drawRightString(width - document.rightMargin, 24, str(canvas.getPageNumber()))


def _pages(listing: Listing, columns: Sequence[Column], spelled: _Spelling) -> Iterator[Any]:
    from xml.sax.saxutils import escape

    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph, Spacer

    head = ParagraphStyle("head", fontName="ratingbook", fontSize=14, leading=18)
    plain = ParagraphStyle("plain", fontName="ratingbook", fontSize=8, leading=11)
    yield Paragraph(escape(spelled(listing.title)), head)
    for fact in listing.facts:
        yield Paragraph(escape(spelled(fact)), plain)
    yield Spacer(1, 8)
    yield from _grid(columns, listing.rows, spelled)
    for each in listing.statistics:
        yield Spacer(1, 12)
        yield Paragraph(escape(spelled(each.title)), plain)
        yield from _grid(each.columns, each.rows, spelled)


def _grid(
    columns: Sequence[Column], rows: Sequence[Mapping[str, object]], spelled: _Spelling
) -> Iterator[Any]:
    """The table in pieces of equal widths, each with the headings."""
    from reportlab.lib.colors import Color
    from reportlab.pdfbase.pdfmetrics import stringWidth
    from reportlab.platypus import Table

    cells = [[spelled(value) for value in row] for row in _table(columns, rows)]
    widths = [
        8 + max(stringWidth(row[at], "ratingbook", 7) for row in cells)
        for at in range(len(columns))
    ]
    style: list[Any] = [
        ("FONT", (0, 0), (-1, -1), "ratingbook", 7),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, Color(0, 0, 0)),
        ("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
        ("LEFTPADDING", (0, 0), (-1, -1), 4), ("RIGHTPADDING", (0, 0), (-1, -1), 4),
    ]  # fmt: skip
    style += [("ALIGN", (at, 0), (at, -1), "RIGHT") for at, c in enumerate(columns) if c.numeric]
    for first in range(1, len(cells), _ROWS_AT_ONCE):
        piece = cells[first : first + _ROWS_AT_ONCE]
        # Only the first piece begins under its headings; the others go on where it ended.
        rows_of = [cells[0], *piece] if first == 1 else piece
        yield Table(
            rows_of, colWidths=widths, style=style if first == 1 else [
                each for each in style if each[0] != "LINEBELOW"
            ], repeatRows=1 if first == 1 else 0,
        )  # fmt: skip
