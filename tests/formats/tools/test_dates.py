"""Dates as people write them, and the calendar of an event."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.formats.tools.dates import (
    Order,
    calendar,
    days_of,
    has_no_such_month,
    only_day,
)

DAY = date(2005, 7, 28)


@pytest.mark.parametrize(
    "text",
    [
        "2005/07/28",
        "2005-07-28",
        "2005.7.28",
        "20050728",
        "28. 07. 2005",
        "28/07/2005",
        "28.7.2005",
        "07/28/2005",
        "July 28, 2005",
        "Jul 28, 2005",
        "28 July 2005",
        "28th Jul. 2005",
        "28-Jul-2005",
        "2005-07-28T10:00",
        "2005/07/28 18:30",
    ],
)
def test_unmistakable_dates(text: str) -> None:
    assert set(days_of(text).values()) == {DAY}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        ".  .",
        "1978",
        "1978/00/00",
        "31.02.2010",
        "Jly 28, 2005",
        "12",
        "1.2.345",
        "123.4.5",
        "0001-01-01",
        "0205/03/04",
        "31.12.9999",
        "a" * 100_000,
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert days_of(text) == {}


def test_an_ambiguous_date_has_several_readings() -> None:
    assert days_of("10.09.13") == {
        Order.YMD: date(2010, 9, 13),
        Order.DMY: date(2013, 9, 10),
        Order.MDY: date(2013, 10, 9),
    }


def test_two_digit_years_of_the_last_century() -> None:
    assert days_of("98/05/31")[Order.YMD] == date(1998, 5, 31)


def test_the_end_settles_the_order_of_the_start() -> None:
    dates = calendar("02/10/2010", "24/10/2010", {})
    assert (dates.start, dates.end) == (date(2010, 10, 2), date(2010, 10, 24))
    assert dates.others == ()


def test_start_and_end_may_have_different_orders() -> None:
    dates = calendar("24/09/2010", "10/13/2010", {})
    assert (dates.start, dates.end) == (date(2010, 9, 24), date(2010, 10, 13))


def test_the_rounds_settle_the_order_of_the_event() -> None:
    alone = calendar("10.09.13", "11.03.13", {})
    assert (alone.start, alone.end) == (date(2010, 9, 13), date(2011, 3, 13))
    assert (date(2013, 10, 9), date(2013, 11, 3)) in alone.others
    with_rounds = calendar("10.09.13", "11.03.13", {1: "10.09.13", 2: "10.12.25"})
    assert (with_rounds.start, with_rounds.end) == (alone.start, alone.end)
    assert with_rounds.others == ()


def test_the_event_settles_the_order_of_the_rounds() -> None:
    dates = calendar("25.02.2011", "27.02.2011", {1: "11.25.02", 2: "11.26.02"})
    assert dates.rounds == {1: date(2011, 2, 25), 2: date(2011, 2, 26)}


def test_an_event_that_ends_before_it_starts() -> None:
    assert calendar("2011/07/03", "2011/07/02", {}).backwards


def test_a_round_outside_of_the_event_is_named() -> None:
    dates = calendar("2011/07/02", "2011/07/03", {1: "11/07/02", 2: "11/07/03", 3: "11/07/09"})
    assert dates.outside == (3,)


def test_unknown_dates_stay_unknown() -> None:
    assert calendar("", "", {}).start is None
    assert calendar("2008-06-07", "", {}).end is None
    assert calendar("", "", {1: "08/06/07"}).rounds == {1: date(2008, 6, 7)}


@given(
    start=st.dates(date(1970, 1, 1), date(2069, 1, 1)),
    days=st.integers(0, 360),
    form=st.sampled_from(["%Y/%m/%d", "%Y.%m.%d", "%d. %m. %Y", "%b %d, %Y"]),
    rounds_form=st.sampled_from(["%y/%m/%d", "%y.%d.%m", "%d.%m.%y"]),
)
def test_what_is_written_is_among_the_readings(
    start: date, days: int, form: str, rounds_form: str
) -> None:
    end = start + timedelta(days)
    rounds = {1: start.strftime(rounds_form), 2: end.strftime(rounds_form)}
    dates = calendar(start.strftime(form), end.strftime(form), rounds)
    assert (start, end) in {(dates.start, dates.end), *dates.others}
    assert not dates.backwards
    assert not dates.outside


@pytest.mark.parametrize(
    ("start", "end", "read", "in_no_order"),
    [
        # A year in front is followed by the month: a month of 13 turns no other date round.
        ("2024/05/06", "2024/13/06", (date(2024, 5, 6), None), False),
        ("2024/13/05", "2024/14/05", (None, None), False),
        ("2024/13/05", "2024/05/14", (None, date(2024, 5, 14)), False),
        ("24/05/06", "24/13/06", (date(2024, 5, 6), None), False),
        # Each can mean one day only, but not in one order.
        ("24/09/2010", "10/13/2010", (date(2010, 9, 24), date(2010, 10, 13)), True),
        ("05/13/2024", "05/15/2024", (date(2024, 5, 13), date(2024, 5, 15)), False),
        ("2024/05/06", "2024/05/07", (date(2024, 5, 6), date(2024, 5, 7)), False),
    ],
)
def test_one_order_for_the_whole_file(
    start: str, end: str, read: tuple[date | None, date | None], in_no_order: bool
) -> None:
    dates = calendar(start, end, {})
    assert ((dates.start, dates.end), dates.in_no_order) == (read, in_no_order)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2024/13/05", True),
        ("2024-13-04", True),
        ("2024-13-04T10:00", True),
        ("2024-12-04", False),
        ("2024-02-30", False),
        ("13/13/2024", False),
        ("soon", False),
    ],
)
def test_a_month_that_there_is_not(text: str, wrong: bool) -> None:
    assert has_no_such_month(text) is wrong


def test_an_odd_order_alone_is_no_day() -> None:
    assert only_day("2024/13/05") is only_day("24/13/05") is None
    assert only_day("05/13/2024") == only_day("2024/05/13") == date(2024, 5, 13)
