"""What is published is rounded in one way, whoever rounds: as the rule books do."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from ratingbook.office.logic.comparing import moved, published
from ratingbook.office.logic.reach import OnNextList, rows_on_next_list
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.rules.egf.change import published_rating as egf
from ratingbook.rules.uscf.storage import published_rating as us_chess

HAIR = 2.0**-42
"""A special rating is a sum of halves and eighths, and may miss one by this."""
NUMBERS = (
    1296.5, 1296.5 - HAIR, 1296.5 + HAIR, 1296.5 - 1e-6, 1296.25, 1297 - HAIR, 1297.0, -8.5,
    -8.5 - HAIR, 0.0,
)  # fmt: skip


@pytest.mark.parametrize("exact", NUMBERS)
def test_the_office_publishes_what_the_rules_publish(exact):
    assert rounded_one(exact, 0) == us_chess(exact) == egf(exact, 0)


@pytest.mark.parametrize("exact", [1296.545, 1296.545 - HAIR, 1296.544, 1296.0])
def test_so_it_is_with_decimals(exact):
    assert rounded_one(exact, 2) == egf(exact, 2)


@pytest.mark.parametrize("exact", NUMBERS)
@pytest.mark.parametrize("decimals", [0, 1])
def test_rows_and_lists_have_one_number(exact, decimals):
    shown = rounded_one(exact, decimals)
    rows = pa.table({"before": [exact], "after": [exact]})
    assert published(rows, decimals).to_pylist() == [{"before": shown, "after": shown}]
    made = OnNextList(date(2026, 5, 1), {1: 0.0}, (), 1)
    (row,) = rows_on_next_list(1, made, {1: exact}, decimals).to_pylist()
    assert (row["was_after"], row["after"]) == (shown, shown)


def test_nobody_moves_from_a_number_to_the_one_as_which_it_is_published():
    known, other = (
        pa.table({"player": ["1"], "rating": [rating]}) for rating in (1296.5 - HAIR, 1297.0)
    )
    assert moved(other, known, 0) == frozenset()
