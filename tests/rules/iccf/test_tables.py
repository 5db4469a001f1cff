"""Tables 3 and 4: as printed, row by row, without gaps, and mirrored."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path

import pytest

from ratingbook.rules.iccf.change import expectation, expected_result
from ratingbook.rules.iccf.columns import Parameters
from ratingbook.rules.iccf.tables import (
    TABLE_3,
    TABLE_4,
    difference_for,
    probability_of_higher,
)


def printed(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def hundredths(text: str) -> int:
    whole, _, decimals = text.partition(".")
    return 100 * int(whole) + int(decimals)


def test_table_3_is_the_printed_one(reference: Path) -> None:
    rows = printed(reference, "iccf_table3_P_to_Dp.csv")
    assert len(rows) == len(TABLE_3) == 101
    assert {hundredths(row["P"]): int(row["Dp"]) for row in rows} == dict(TABLE_3)
    for row in rows:
        assert difference_for(hundredths(row["P"])) == int(row["Dp"]), row


def test_table_4_is_the_printed_one(reference: Path) -> None:
    rows = printed(reference, "iccf_table4_D_to_PH_PL.csv")
    assert len(rows) == 50
    assert len(TABLE_4) == 49, "the last printed row, 620 and more, is what lies beyond"
    for row in rows:
        first = int(row["D_min"])
        last = int(row["D_max"] or 4000)
        higher, lower = hundredths(row["PH"]), hundredths(row["PL"])
        assert higher + lower == 100
        for difference in (first, (first + last) // 2, last):
            assert probability_of_higher(difference) == higher, row
            assert expected_result(difference) == higher, row
            assert expected_result(-difference) == (lower if difference > 3 else 50), row


def test_table_4_has_no_gap(reference: Path) -> None:
    rows = printed(reference, "iccf_table4_D_to_PH_PL.csv")
    assert rows[0]["D_min"] == "0"
    for row, following in pairwise(rows):
        assert int(row["D_max"]) + 1 == int(following["D_min"])


def test_table_3_is_mirrored_and_never_falls() -> None:
    assert [percent for percent, _ in TABLE_3] == list(range(100, -1, -1))
    for percent in range(101):
        assert difference_for(100 - percent) == -difference_for(percent)
    for percent in range(100):
        assert difference_for(percent) <= difference_for(percent + 1)


@pytest.mark.parametrize(
    ("own", "opponent", "expected"),
    [
        (2000, 2000, 50),
        (2003, 2000, 50),
        (2004, 2000, 51),
        (2000, 2004, 49),
        (2344, 2000, 88),
        (2345, 2000, 89),
        (2350, 2000, 89),
        # Table 4 has .90 from 358 on, and .99 from 620: item 8 stops at 350.
        (2358, 2000, 89),
        (2620, 2000, 89),
        (2000, 2358, 11),
        (1000, 2800, 11),
    ],
)
def test_item_8_stops_table_4_at_350(own: int, opponent: int, expected: int) -> None:
    assert expectation(own, opponent, Parameters()) == expected
