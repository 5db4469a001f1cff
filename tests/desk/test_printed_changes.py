"""A document's change is the difference of its two ratings, to the last digit that it prints."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingbook as rb
from ratingbook.checks.reports import reports
from ratingbook.desk.lists import Moved, as_row
from ratingbook.desk.rows import row_as_dict
from ratingbook.desk.timeline import Change
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Report
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook

FRACTION = st.integers(0, 999).map(lambda thousandths: thousandths / 1000)
RATING = st.decimals(100, 3000, places=3).map(float)


def hold(documents: Iterable[Mapping[str, Any]], before: str, after: str) -> int:
    """Whether each says the difference of what it prints; and how many say one."""
    compared = 0
    for each in documents:
        said = json.loads(json.dumps(each), parse_float=Decimal, parse_int=Decimal)
        if said[before] is None or said[after] is None:
            assert said["change"] is None
            continue
        made = said[after] - said[before]
        # What is not rounded may have more digits than a float; then it is the nearest one.
        assert said["change"] == made or said["change"] == Decimal(repr(float(made)))
        assert made.as_tuple().exponent < -8 or said["change"] == made
        compared += 1
    return compared


def with_decimals(draw: st.DataObject, report: Report, book: RuleBook) -> Report:
    """The report with ratings as lists of the rule book may have them."""
    if book.whole_ratings:
        return report

    def told(entry: Entry) -> Entry:
        if entry.standing is None or entry.standing.rating is None:
            return entry
        rating = round(entry.standing.rating + draw.draw(FRACTION), 3)
        return replace(entry, standing=replace(entry.standing, rating=rating))

    return replace(report, entries=tuple(map(told, report.entries)))


@pytest.mark.parametrize("name", registry.names())
@settings(max_examples=10, deadline=None)
@given(st.data())
def test_of_a_report(name, data):
    book = registry.edition(name)
    report = with_decimals(data, data.draw(reports(book)), book)
    rows = rate(report, book).rows
    hold((row_as_dict(row, {}) for row in rows), "before", "after")


@given(RATING, RATING)
def test_of_a_history(before, after):
    made = Change(date(2026, 1, 1), (), before, after, 1, 1.0, 0.5)
    assert hold([made.as_dict()], "before", "after")


@given(RATING, RATING)
def test_of_two_lists(old, new):
    assert hold([as_row(Moved("1", "Invented", old, new))], "old", "new")


@pytest.mark.parametrize("name", ["egf-2021", "elo", "iecg-1999", "uscf-2025"])
@settings(max_examples=10, deadline=None)
@given(rating=RATING, other=st.integers(100, 2800))
def test_of_a_what_if(name, rating, other):
    if registry.edition(name).whole_ratings:
        rating = float(int(rating))
    answer = rb.whatif(f"{other}=?", rulebook=name, rating=rating, games=40)
    assert hold(answer["outcomes"], "before", "after")
