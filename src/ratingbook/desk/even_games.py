"""The even games of a file by grade: of a report, or of a table of such games (Go)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ratingbook.engine.intake import check_same_game
from ratingbook.formats import read, read_text
from ratingbook.formats.go.grade_table import looks_like_grade_table, read_grade_table
from ratingbook.model import Findings
from ratingbook.rules.book import RuleBook
from ratingbook.rules.egf.grades import NO_GRADE, grade_index
from ratingbook.rules.egf.statistics import GAPS, Count, count

Counts = dict[tuple[int, int], Count]
"""By the grade of the weaker player and by how many grades the other is stronger."""


def counts_in(
    path: Path, book: RuleBook, columns: Mapping[str, str] | None
) -> tuple[Counts, Findings]:
    """The even games of a report, or of a table of such games."""
    of_table = counts_of_table(path)
    if of_table is not None:
        return of_table
    reading = read(path, book.standing_fields, columns)
    findings = Findings(reading.findings)
    findings.extend(check_same_game(reading.format, reading.game, book))
    if reading.report is None or findings.refused:
        return {}, findings
    return count([reading.report]), findings


def counts_of_table(path: Path) -> tuple[Counts, Findings] | None:
    """The even games of a table by grade; None: the file is none, or cannot be read."""
    if not path.is_file():
        return None
    text, findings = read_text(path)
    if text is None or not looks_like_grade_table(text):
        return None
    counts, more = read_grade_table(text, _grade, GAPS)
    findings.extend(more)
    return {key: Count(*each) for key, each in counts.items()}, findings


def _grade(text: str | None) -> int | None:
    grade = grade_index(text)
    return None if grade == NO_GRADE else grade
