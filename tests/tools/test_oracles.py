"""The oracles themselves, beside the printed tables and what was published."""

from __future__ import annotations

import csv
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from tools.differential import egf, fide, fide_lists


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_table_8_1_2_as_printed(reference: Path) -> None:
    for row in _rows(reference / "tables" / "fide_8_1_2_D_to_PD.csv"):
        for difference in (int(row["D_min"]), int(row["D_max"] or 2000)):
            assert fide.expected_score(difference) == Fraction(row["PD_higher"])
            if difference:
                assert fide.expected_score(-difference) == Fraction(row["PD_lower"])


def test_table_8_1_1_as_printed(reference: Path) -> None:
    for row in _rows(reference / "tables" / "fide_8_1_1_p_to_dp.csv"):
        assert fide.performance(int(200 * Decimal(row["p"])), 100) == int(row["dp"])


def test_go_grades() -> None:
    nominal = {"20k": 100, "1k": 2000, "1d": 2100, "6d": 2600, "1p": 2700, "2p": 2730, "9p": 2940}
    assert {grade: egf.nominal(grade) for grade in nominal} == nominal


def test_the_top_hundred_of_2009_to_2012_have_halves_up(reference: Path) -> None:
    changes = fide_lists.changes(reference / "vectors")
    ties = [change for change in changes if change.up != change.away]
    assert ties
    assert not [change for change in ties if change.published == change.away]
    assert sum(change.up == change.published for change in changes) > 0.95 * len(changes)


def test_the_count_is_printed(reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes = fide_lists.changes(reference / "vectors")
    assert fide_lists.main([str(reference / "vectors")]) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == f"{len(changes)} published changes"
    assert last.startswith([c.case for c in changes if c.up != c.published][-1])
