"""Items 12 and 13: the calendar; and the printed list with its statistics."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.model import Entry, Standing, StandingStatus
from ratingbook.rules.iccf import iccf_2009
from ratingbook.rules.iccf.lists import (
    list_in_force,
    list_taking,
    rating_list,
    registration_deadline,
)
from ratingbook.rules.listing import Member

DAYS = st.dates(date(2009, 1, 1), date(2040, 12, 31))

# The calendar.


@pytest.mark.parametrize(
    ("reported", "taken_by"),
    [
        (date(2009, 12, 5), "2010/2"),
        (date(2011, 8, 31), "2011/4"),
        (date(2011, 9, 1), "2012/1"),
        (date(2011, 11, 30), "2012/1"),
        (date(2011, 12, 1), "2012/2"),
        (date(2011, 12, 31), "2012/2"),
        (date(2012, 1, 1), "2012/2"),
        # 2012 is a leap year: 29 February is the last day.
        (date(2012, 2, 28), "2012/2"),
        (date(2012, 2, 29), "2012/2"),
        (date(2012, 3, 1), "2012/3"),
        (date(2012, 5, 31), "2012/3"),
        (date(2012, 6, 1), "2012/4"),
        (date(2012, 12, 31), "2013/2"),
        (date(2013, 2, 28), "2013/2"),
        (date(2013, 3, 1), "2013/3"),
    ],
)
def test_the_list_that_takes_a_report(reported: date, taken_by: str) -> None:
    assert list_taking(reported).name == taken_by


@pytest.mark.parametrize(
    ("number", "valid", "reports", "published"),
    [
        (1, ("2012-01-01", "2012-03-31"), ("2011-09-01", "2011-11-30"), "2011-12-15"),
        (2, ("2012-04-01", "2012-06-30"), ("2011-12-01", "2012-02-29"), "2012-03-15"),
        (3, ("2012-07-01", "2012-09-30"), ("2012-03-01", "2012-05-31"), "2012-06-15"),
        (4, ("2012-10-01", "2012-12-31"), ("2012-06-01", "2012-08-31"), "2012-09-15"),
    ],
)
def test_the_four_lists_of_2012(
    number: int, valid: tuple[str, str], reports: tuple[str, str], published: str
) -> None:
    quarter = rating_list(2012, number)
    assert (str(quarter.valid_from), str(quarter.valid_until)) == valid
    assert (str(quarter.reports_from), str(quarter.reports_until)) == reports
    assert str(quarter.published) == published
    # Reading A17: two weeks before publication is the last day of reports.
    assert registration_deadline(quarter) == quarter.reports_until
    assert quarter.published - registration_deadline(quarter) >= timedelta(weeks=2)


@given(DAYS)
def test_every_day_belongs_to_one_list(day: date) -> None:
    taking = list_taking(day)
    assert taking.reports_from <= day <= taking.reports_until
    assert taking == rating_list(taking.year, taking.number)
    # Item 12: at least a month before the list.
    assert taking.reports_until.month != taking.valid_from.month
    assert taking.valid_from - day >= timedelta(days=31)
    before = list_taking(taking.reports_from - timedelta(days=1))
    assert before.reports_until + timedelta(days=1) == taking.reports_from
    assert before.valid_until + timedelta(days=1) == taking.valid_from


@given(DAYS)
def test_the_list_in_force(day: date) -> None:
    quarter = list_in_force(day)
    assert quarter.valid_from <= day <= quarter.valid_until
    assert quarter.valid_from.day == 1
    assert quarter.valid_from.month in (1, 4, 7, 10)


# The printed list.


def member(
    player: str,
    rating: float | None,
    games: int | None,
    federation: str | None = "GER",
    *,
    sex: str | None = "m",
    last: date | None = date(2012, 2, 10),
    period_games: int | None = None,
) -> Member:
    standing = None
    if rating is not None or games is not None:
        standing = Standing(
            rating=rating, games=games, status=StandingStatus.ESTABLISHED, last_played=last
        )
    entry = Entry(
        id=player,
        name=player.title(),
        federation=federation,
        title=None,
        sex=sex,
        standing=standing,
    )
    return Member(entry, period_games)


DAY = date(2012, 5, 20)

MEMBERS = [
    member("zoe", 2300, 120, "GER", sex="w", period_games=4),
    member("abe", 2300, 40, "ENG", period_games=2),
    member("eve", 2510, 300, "GER", sex="w", last=date(2010, 3, 31), period_games=0),
    member("tom", 1950, 12, "GER", sex=None, last=date(2010, 4, 1)),
    member("low", 2600, 11, "ENG"),
    member("new", None, None),
    member("old", 2000, None, None, last=None),
]


def test_columns_and_order() -> None:
    listing = iccf_2009.listing(MEMBERS, DAY)
    assert [column.title for column in listing.columns] == [
        "ID", "Country", "Title", "Name", "Games", "Rating", "Gender",
    ]  # fmt: skip
    assert [column.key for column in listing.columns if column.numeric] == ["games", "rating"]
    # By rating, then by name.
    assert [row["id"] for row in listing.rows] == ["eve", "abe", "zoe", "old", "tom"]
    assert listing.rows[0] == {
        "id": "eve",
        "country": "GER",
        "title": None,
        "name": "Eve",
        "games": 300,
        "rating": 2510,
        "gender": "F",
    }
    assert [row["gender"] for row in listing.rows] == ["F", "M", "F", "M", None]
    assert set(listing.rows[0]) == {column.key for column in listing.columns}


def test_the_list_says_its_dates() -> None:
    listing = iccf_2009.listing(MEMBERS, DAY)
    assert listing.title == "ICCF rating list 2012/2"
    assert listing.day == date(2012, 4, 1)
    text = " ".join(listing.facts)
    for day in ("2012-04-01", "2012-06-30", "2011-12-01", "2012-02-29", "2012-03-15"):
        assert day in text


def test_who_is_not_listed_and_why() -> None:
    left = {entry.id: entry.reason for entry in iccf_2009.listing(MEMBERS, DAY).not_listed}
    assert set(left) == {"low", "new"}
    assert "11 rated games" in left["low"]
    assert "12" in left["low"]
    assert "published from" in left["low"]
    assert "item 14" in left["new"]


def test_the_minimum_is_a_setting() -> None:
    def listed(minimum: int) -> set[object]:
        book = iccf_2009.with_parameters({"publication_minimum": str(minimum)})
        return {row["id"] for row in book.listing(MEMBERS, DAY).rows}

    assert listed(11) - listed(12) == {"low"}
    assert listed(12) - listed(13) == {"tom"}
    assert listed(1) == {"zoe", "abe", "eve", "tom", "low", "old"}


def test_statistics_by_country() -> None:
    (statistics,) = iccf_2009.listing(MEMBERS, DAY).statistics
    assert statistics.title == "By country"
    keys = ("country", "listed", "fixed", "provisional", "inactive", "women", "games")
    assert tuple(column.key for column in statistics.columns) == keys
    assert [tuple(row[key] for key in keys) for row in statistics.rows] == [
        ("ENG", 1, 1, 0, 0, 0, 2),
        # Eve's last game was 24 months and a day before 1 April 2012, Tom's 24 months.
        ("GER", 3, 2, 1, 1, 2, 4),
        ("–", 1, 1, 0, 0, 0, None),
    ]
    assert sum(int(str(row["listed"])) for row in statistics.rows) == 5


def test_inactive_months_is_a_setting() -> None:
    def inactive(months: int) -> int:
        book = iccf_2009.with_parameters({"inactive_months": str(months)})
        (statistics,) = book.listing(MEMBERS, DAY).statistics
        return sum(int(str(row["inactive"])) for row in statistics.rows)

    assert [inactive(months) for months in (1, 2, 23, 24, 25)] == [4, 2, 2, 1, 0]


def test_tournament_offices_see_the_same_list() -> None:
    assert iccf_2009.listing(MEMBERS, DAY, office=True) == iccf_2009.listing(MEMBERS, DAY)


def test_an_empty_list() -> None:
    listing = iccf_2009.listing([], DAY)
    assert listing.rows == ()
    assert listing.not_listed == ()
    assert listing.statistics[0].rows == ()
