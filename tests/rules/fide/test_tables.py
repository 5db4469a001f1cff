"""The printed tables 8.1.1 and 8.1.2: as published, symmetric, and off the curve where said."""

from __future__ import annotations

import csv
import math
from itertools import pairwise
from pathlib import Path

from ratingbook.rules.fide.expected import expected_by_table
from ratingbook.rules.fide.tables import (
    TABLE_8_1_1,
    TABLE_8_1_2,
    difference_for,
    probability_of_higher,
)
from ratingbook.rules.units import SCORE_SCALE

SIGMA = 2000 / 7
EXCEPTIONS = (54, 343, 344, 358, 392, 620)
"""Where the printed table 8.1.2 differs from the rounded curve, by the rules text."""


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def hundredths(text: str) -> int:
    return round(100 * float(text))


def curve(difference: int) -> int:
    """The normal curve, in hundredths rounded half up."""
    return math.floor(50 * (1 + math.erf(difference / (SIGMA * math.sqrt(2)))) + 0.5)


def test_table_8_1_1_is_the_published_one(reference: Path) -> None:
    printed = rows(reference, "fide_8_1_1_p_to_dp.csv")
    assert len(printed) == 101
    assert tuple((hundredths(row["p"]), int(row["dp"])) for row in printed) == TABLE_8_1_1


def test_table_8_1_2_is_the_published_one(reference: Path) -> None:
    *printed, last = rows(reference, "fide_8_1_2_D_to_PD.csv")
    assert len(printed) + 1 == 51
    assert (
        tuple(
            (int(row["D_min"]), int(row["D_max"]), hundredths(row["PD_higher"])) for row in printed
        )
        == TABLE_8_1_2
    )
    assert (last["D_min"], last["D_max"], last["PD_higher"]) == ("736", "", "1.00")
    assert probability_of_higher(735) == 99
    assert probability_of_higher(736) == probability_of_higher(4000) == 100


def test_every_printed_range_is_read_at_both_ends(reference: Path) -> None:
    for row in rows(reference, "fide_8_1_2_D_to_PD.csv"):
        higher, lower = hundredths(row["PD_higher"]), hundredths(row["PD_lower"])
        for difference in (int(row["D_min"]), int(row["D_max"] or 3000)):
            assert expected_by_table(difference) * 100 == higher * SCORE_SCALE
            # A difference of 0 has no lower rated player.
            if difference:
                assert expected_by_table(-difference) * 100 == lower * SCORE_SCALE


def test_the_difference_of_every_printed_percentage(reference: Path) -> None:
    for row in rows(reference, "fide_8_1_1_p_to_dp.csv"):
        assert difference_for(hundredths(row["p"])) == int(row["dp"])


def test_table_8_1_1_mirrors_itself_at_one_half() -> None:
    for percentage in range(101):
        assert difference_for(100 - percentage) == -difference_for(percentage)


def test_both_players_share_one_point_at_every_difference() -> None:
    for difference in range(1001):
        assert expected_by_table(difference) + expected_by_table(-difference) == SCORE_SCALE


def test_table_8_1_1_holds_every_hundredth_once_in_order() -> None:
    assert [percentage for percentage, _ in TABLE_8_1_1] == list(range(100, -1, -1))
    assert all(high > low for (_, high), (_, low) in pairwise(TABLE_8_1_1))


def test_the_ranges_of_table_8_1_2_follow_each_other_without_gap() -> None:
    assert TABLE_8_1_2[0][0] == 0
    for (_, last, percentage), (first, _, following) in pairwise(TABLE_8_1_2):
        assert first == last + 1
        assert following == percentage + 1
    assert [percentage for *_, percentage in TABLE_8_1_2] == list(range(50, 100))


def test_table_8_1_2_leaves_the_normal_curve_at_six_differences_only() -> None:
    differ = [d for d in range(1001) if curve(d) != probability_of_higher(d)]
    assert tuple(differ) == EXCEPTIONS


def test_the_exceptions_are_one_hundredth_off() -> None:
    for difference in EXCEPTIONS:
        assert abs(curve(difference) - probability_of_higher(difference)) == 1
