"""Days as numbers, beside those of the calendar."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from ratingbook.rules.bulk import (
    NOT_GIVEN,
    birthday,
    day_number,
    day_of_month,
    full_years,
    last_day_of,
    month_number,
    year_number,
)
from ratingbook.rules.units import day_in_words

TWO_YEARS = 2 * 366


@pytest.mark.parametrize("year", [1, 1599, 1899, 1969, 1999, 2023, 2099, 9997])
def test_numbers_are_days_of_the_calendar(year: int):
    """Over a leap year, or one that is none as it ends a century."""
    first = date(year, 1, 1)
    for each in range(TWO_YEARS):
        day = first + timedelta(each)
        number = day_number(day)
        assert month_number(number) == 12 * day.year + day.month - 1
        assert day_of_month(number) == day.day
        assert year_number(number) == day.year
    assert last_day_of(year) == day_number(date(year, 12, 31))


def test_the_first_day_is_the_epoch():
    assert day_number(date(1970, 1, 1)) == 0
    assert day_number(None) == NOT_GIVEN


@pytest.mark.parametrize(
    ("born", "day", "age"),
    [
        (date(2000, 5, 10), date(2010, 5, 9), 9),
        (date(2000, 5, 10), date(2010, 5, 10), 10),
        (date(2000, 5, 10), date(2011, 4, 30), 10),
        (date(2000, 2, 29), date(2001, 2, 28), 0),
        (date(2000, 2, 29), date(2001, 3, 1), 1),
        (date(2000, 2, 29), date(2004, 2, 29), 4),
    ],
)
def test_ages(born: date, day: date, age: int):
    assert full_years(day_number(born), day_number(day)) == age


def test_a_year_stands_for_its_first_day():
    born = day_number(date(1990, 7, 1))
    assert birthday(born, 1991) == born
    assert birthday(NOT_GIVEN, 1991) == day_number(date(1991, 1, 1))
    assert birthday(NOT_GIVEN, 1) == day_number(date(1, 1, 1))
    assert birthday(NOT_GIVEN, 9999) == day_number(date(9999, 1, 1))
    for year in (0, 10_000, NOT_GIVEN):
        assert birthday(NOT_GIVEN, year) == NOT_GIVEN


def test_a_day_in_words_is_the_one_of_the_calendar():
    for year in (1969, 1970, 1996, 2024):
        day = date(year, 2, 28)
        assert day_in_words(day_number(day)) == f"{year}-02-28"
