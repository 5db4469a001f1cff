"""The text of a CSV file in rows: the separator is found, the quotation marks are undone."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from ratingbook.formats.tables.cells import MAX_COLUMNS, MAX_ROWS, Row, Sheet
from ratingbook.formats.tools.spreadsheets import unguarded
from ratingbook.formats.tools.text import Line
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import sentence

SYNTAX = "csv.syntax"

_SEPARATORS = ",;\t|"
_LOOKED_AT = 200
"""How many lines settle the separator."""
_SAID = "sep="
"""With this word spreadsheets are told the separator in the first line."""


def split(lines: Sequence[Line], findings: Findings) -> Sheet | None:
    """The rows of the file; None, with a finding, where it is no CSV or too large."""
    rest, mark = _separated(lines)
    return _rows(rest, mark, findings)


def split_to_look(lines: Sequence[Line]) -> Sheet:
    """The rows of lines that may be a table, whatever its quotation marks are.

    A mark without a pair, or the end of the lines within a quoted cell, must not hide what the
    file is; whoever reads it is told of the mark.
    """
    findings = Findings()
    sheet = split(lines, findings)
    if sheet is not None or any(each.code != SYNTAX for each in findings):
        return sheet or Sheet(())
    rest, mark = _separated(lines)
    rows = (
        Row(line.number, tuple(
            unguarded(cell.strip('"')) for cell in line.text.split(mark, MAX_COLUMNS)
        ))
        for line in rest
    )  # fmt: skip
    return Sheet(tuple(islice(rows, MAX_ROWS)))


def _separated(lines: Sequence[Line]) -> tuple[Sequence[Line], str]:
    """The lines of the table, and its separator."""
    said = lines[0].text.strip().strip('"') if lines else ""
    if said.startswith(_SAID) and len(said) == len(_SAID) + 1:
        return lines[1:], said[-1]
    return lines, separator(lines)


def separator(lines: Sequence[Line]) -> str:
    """The separator with which the most rows have as many cells as most."""
    return max(_SEPARATORS, key=lambda mark: _regularity(lines[:_LOOKED_AT], mark))


def _regularity(lines: Iterable[Line], mark: str) -> int:
    try:
        widths = Counter(len(row) for row in csv.reader((x.text for x in lines), delimiter=mark))
    except csv.Error:
        return 0
    return max((count * (width - 1) for width, count in widths.items()), default=0)


def _rows(lines: Sequence[Line], mark: str, findings: Findings) -> Sheet | None:
    if not lines:
        return Sheet(())
    # Quoted cells may hold line ends, so the lines are joined again.
    text = io.StringIO("\n".join(line.text for line in lines), newline="")
    reader = csv.reader(text, delimiter=mark, strict=True)
    before = lines[0].number - 1
    rows: list[Row] = []
    start = before + 1
    try:
        for cells in reader:
            rows.append(Row(start, tuple(unguarded(cell) for cell in cells)))
            start = before + reader.line_num + 1
            if len(rows) > MAX_ROWS or len(cells) > MAX_COLUMNS:
                findings.extend(too_large(Place(line=rows[-1].number)))
                return None
    except csv.Error as error:
        findings.add(
            Severity.FATAL,
            SYNTAX,
            sentence("The row that begins here is not CSV: {error}.", error=error),
            Place(line=start),
            sentence(
                "Look for a quotation mark without its pair; write the file with a program that "
                "writes CSV."
            ),
        )
        return None
    return Sheet(tuple(rows))


def too_large(place: Place) -> Findings:
    """The refusal of a table with too many rows or columns."""
    findings = Findings()
    findings.add(
        Severity.FATAL,
        "table.too-large",
        sentence(
            "The table has more than {rows:,} rows or {columns:,} columns.",
            rows=MAX_ROWS,
            columns=MAX_COLUMNS,
        ),
        place,
        sentence("Send one table for each event; games of many years are a history."),
    )
    return findings
