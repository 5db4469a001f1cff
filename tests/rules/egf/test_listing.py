"""Paragraph 7: the list, its columns and order, and who is left out of it."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.model import Entry, Standing, StandingStatus
from ratingbook.rules.egf import egf_1998, egf_2013, egf_2021
from ratingbook.rules.egf.grades import grade_index, grade_of_rating, rating_of_grade
from ratingbook.rules.egf.listing import is_inactive, reason_left_out
from ratingbook.rules.listing import Member

RATED = StandingStatus.ESTABLISHED


def member(
    name: str, rating: float, last: date | None = date(2001, 3, 15), grade: str | None = None
) -> Member:
    standing = Standing(rating, 40, status=RATED, last_played=last)
    return Member(Entry(name, name=name, federation="CZ", grade=grade, standing=standing))


def is_listed(rating: float, last: date, day: date) -> bool:
    return reason_left_out(member("P", rating, last), day) is None


# Each: rating, last event, last day on the list, first day off it.
BORDERS = [
    # Dan: two whole calendar years, the current one not counted.
    (2100, date(2001, 1, 1), date(2003, 12, 31), date(2004, 1, 1)),
    (2100, date(2001, 12, 31), date(2003, 12, 31), date(2004, 1, 1)),
    (2700, date(2001, 6, 30), date(2003, 12, 31), date(2004, 1, 1)),
    # 1 to 10 kyu: twelve whole months.
    (2000, date(2001, 3, 1), date(2002, 3, 31), date(2002, 4, 1)),
    (2000, date(2001, 3, 31), date(2002, 3, 31), date(2002, 4, 1)),
    (1100, date(2001, 12, 5), date(2002, 12, 31), date(2003, 1, 1)),
    # 11 to 20 kyu: six.
    (1000, date(2001, 3, 1), date(2001, 9, 30), date(2001, 10, 1)),
    (1000, date(2001, 3, 31), date(2001, 9, 30), date(2001, 10, 1)),
    (100, date(2001, 9, 15), date(2002, 3, 31), date(2002, 4, 1)),
]


@pytest.mark.parametrize(("rating", "last", "on", "off"), BORDERS)
def test_the_last_day_on_the_list(rating: float, last: date, on: date, off: date) -> None:
    assert is_listed(rating, last, on)
    assert not is_listed(rating, last, off)
    assert is_listed(rating, last, last)


@pytest.mark.parametrize(
    ("grade", "years", "months", "inactive"),
    [
        (0, 2, 35, False),
        (0, 3, 25, True),
        (-1, 1, 12, False),
        (-1, 2, 13, True),
        (-10, 1, 12, False),
        (-10, 1, 13, True),
        (-11, 0, 6, False),
        (-11, 1, 7, True),
        (-20, 0, 7, True),
        (-30, 0, 7, True),
    ],
)
def test_is_inactive(grade: int, years: int, months: int, inactive: bool) -> None:
    assert is_inactive(grade, years, months) is inactive


@pytest.mark.parametrize("grade", ["20k", "11k", "10k", "1k", "1d", "6d"])
def test_the_scale_and_back(grade: str) -> None:
    rating = rating_of_grade(grade)
    for near in (rating - 50, rating, rating + 49.9):
        assert grade_of_rating(near) == grade_index(grade)
    assert grade_of_rating(rating - 50.1) == grade_of_rating(rating) - 1


MEMBERS = [
    member("Ada", 2149.6, date(2003, 2, 1), "1d"),
    member("Ben", 2300, date(2000, 2, 1), "3d"),
    member("Cem", 2149.6, date(2003, 1, 31), "2d"),
    member("Dan", 1800, date(2001, 12, 31)),
    member("Eva", 1800.5, date(2002, 2, 1)),
    member("Fay", 900, date(2002, 7, 31)),
    member("Gil", 901.4, date(2002, 8, 1)),
    member("Hal", 150, None),
    Member(Entry("Ida", name="Ida", grade="5k")),
    Member(Entry("Jan", name="Jan", standing=Standing(status=StandingStatus.UNRATED))),
]
DAY = date(2003, 2, 28)


def test_the_list() -> None:
    found = egf_1998.listing(MEMBERS, DAY)
    assert found.day == DAY
    assert str(DAY) in found.title
    assert [(row["position"], row["id"], row["rating"], row["grade"]) for row in found.rows] == [
        (1, "Ada", 2150, "1d"),
        (1, "Cem", 2150, "2d"),
        (3, "Eva", 1801, "3k"),
        (4, "Gil", 901, "12k"),
        (5, "Hal", 150, "19k"),
    ]
    assert {column.key for column in found.columns} == set(found.rows[0])
    assert [left.id for left in found.not_listed] == ["Ben", "Dan", "Fay", "Ida", "Jan"]


def test_who_is_left_out_is_told_why() -> None:
    reasons = {left.id: left.reason for left in egf_1998.listing(MEMBERS, DAY).not_listed}
    assert reasons["Ida"] == reasons["Jan"] == "has no rating"
    for name, last, grade in (
        ("Ben", "2000-02-01", "3d"),
        ("Dan", "2001-12-31", "3k"),
        ("Fay", "2002-07-31", "12k"),
    ):
        assert last in reasons[name]
        assert grade in reasons[name]
        assert "paragraph 7" in reasons[name]


def test_the_rating_of_who_is_left_out_is_kept() -> None:
    """Being left out changes no standing: on return the player is listed with the same rating."""
    ben = MEMBERS[1]
    assert ben.entry.standing is not None
    assert ben.entry.standing.rating == 2300
    back = member("Ben", 2300, date(2003, 2, 20), "3d")
    assert [row["rating"] for row in egf_1998.listing([back], DAY).rows] == [2300]


def test_decimals_of_each_edition() -> None:
    ada = [MEMBERS[0]]
    ratings = [book.listing(ada, DAY).rows[0]["rating"] for book in (egf_1998, egf_2013, egf_2021)]
    assert ratings == [2150, 2150, 2149.6]


def test_an_empty_list() -> None:
    found = egf_1998.listing([], DAY)
    assert (found.rows, found.not_listed) == ((), ())
