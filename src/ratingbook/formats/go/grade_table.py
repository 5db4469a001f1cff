"""A table of even games by grade (CSV), as the EGF published it: data for comparison."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator

from ratingbook.formats.tools.notes import shortened
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import sentence

Counts = dict[tuple[int, int], tuple[int, int]]
"""A grade's number and by how many grades the opponent is stronger → games and half points."""


def looks_like_grade_table(text: str) -> bool:
    """Whether the first line names the columns of such a table."""
    header = text.partition("\n")[0].split(",")
    return header[0].strip() == "grade" and "G+1_Ng" in (name.strip() for name in header)


def read_grade_table(
    text: str, grade_of: Callable[[str | None], int | None], gaps: Iterable[int]
) -> tuple[Counts, Findings]:
    """Games and half points by grade and gap; ``grade_of`` gives the number of a grade."""
    findings = Findings()
    counts: Counts = {}
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    for row in _rows(reader, findings):
        grade = grade_of(row.get("grade"))
        try:
            found = {
                gap: (int(row[f"G+{gap}_Ng"]), int(2 * float(row[f"G+{gap}_Nw"]))) for gap in gaps
            }
        except (KeyError, TypeError, ValueError, OverflowError):
            found = {}
        sound = all(0 <= points <= 2 * games for games, points in found.values())
        if grade is None or not found or not sound:
            findings.add(
                Severity.ERROR,
                "grades.row",
                sentence(
                    "This line is no row of the table: {shortened}.",
                    shortened=shortened(repr(row.get("grade"))),
                ),
                Place(line=reader.line_num),
                sentence(
                    "It needs a grade, and G+1_Nw, G+1_Ng to G+4_Nw, G+4_Ng as numbers, wins not "
                    "above games."
                ),
            )
            continue
        counts |= {(grade, gap): each for gap, each in found.items() if each[0]}
    return counts, findings


def _rows(reader: csv.DictReader[str], findings: Findings) -> Iterator[dict[str, str]]:
    """The rows, as long as the text is CSV."""
    try:
        yield from reader
    except csv.Error as error:
        findings.add(
            Severity.FATAL,
            "grades.csv",
            sentence("The table is not CSV: {error}.", error=error),
            Place(line=reader.line_num + 1),
            sentence("Look for a quotation mark without its pair."),
        )
