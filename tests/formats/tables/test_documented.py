"""The pages of the documentation name every finding of tables, and no other."""

from __future__ import annotations

import re

from tests.conftest import ROOT

SOURCE = ROOT / "src/ratingbook/formats/tables"
PAGES = [ROOT / "docs/formats/csv.md", ROOT / "docs/formats/xlsx.md"]
CODE = r"(?:table|xlsx|csv|game|player)\.[a-z]+(?:-[a-z]+)*"


def test_every_finding_is_documented():
    written = "".join(path.read_text("utf-8") for path in SOURCE.glob("*.py"))
    made = set(re.findall(rf'"({CODE})"', written))
    told = set(re.findall(rf"`({CODE})`", "".join(page.read_text("utf-8") for page in PAGES)))
    assert len(made) > 50
    assert told == made


def test_the_limits_of_the_page_are_those_of_the_program():
    from ratingbook.formats.tables import cells, layout, package, workbook

    csv, xlsx = (page.read_text("utf-8") for page in PAGES)
    assert f"{cells.MAX_ROWS:,} rows or {cells.MAX_COLUMNS:,} columns" in csv
    assert f"more than {layout.MAX_CELL:,} characters" in csv
    assert f"{workbook.MAX_SHEETS} sheets, {package.MAX_PARTS:,} parts" in xlsx
    assert f"{package.MAX_UNPACKED // 2**20} MiB" in xlsx
    assert f"a {package.MAX_RATIO}th" in xlsx
