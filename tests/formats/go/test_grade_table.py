"""The table of even games by grade: what is no row of it, and what is no table."""

from __future__ import annotations

import pytest

from ratingbook.formats.go.grade_table import looks_like_grade_table, read_grade_table
from ratingbook.model import Severity
from tests.formats.helpers import one

HEADER = "grade," + ",".join(f"G+{gap}_Nw,G+{gap}_Ng" for gap in range(1, 5))
ROW = "16K" + ",1,3" * 4
GAPS = range(1, 5)


def grade_of(text: str | None) -> int | None:
    return 5 if text == "16K" else None


def test_a_row() -> None:
    assert looks_like_grade_table(HEADER)
    counts, findings = read_grade_table(f"{HEADER}\n{ROW}\n", grade_of, GAPS)
    assert counts == {(5, gap): (3, 2) for gap in GAPS}
    assert not len(findings)


@pytest.mark.parametrize(
    "row",
    [
        ROW.replace("1,", "1e400,", 1),
        ROW.replace("1,", "nan,", 1),
        ROW.replace("3", "-3"),
        ROW.replace("1,3", "4,3", 1),
        ROW.replace("16K", "x" * 50_000),
        ROW.replace("16K", ""),
        "16K",
        ROW.replace("3", "9" * 5000, 1),
    ],
)
def test_what_is_no_row(row: str) -> None:
    counts, findings = read_grade_table(f"{HEADER}\n{row}\n{ROW}\n", grade_of, GAPS)
    found = one(findings, "grades.row", Severity.ERROR)
    assert found.where.line == 2
    assert len(found.message) < 300
    assert len(counts) == 4


def test_a_quotation_mark_without_its_pair() -> None:
    rows = f"{ROW}\n" * 10_000
    _, findings = read_grade_table(f'{HEADER}\n{ROW}\n"{rows}', grade_of, GAPS)
    one(findings, "grades.csv", Severity.FATAL)
    assert findings.refused
