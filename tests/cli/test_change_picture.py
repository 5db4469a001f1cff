"""The picture of the changes: everybody is in it, in place, and it is told in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.cli.change_picture import change_picture, change_title
from ratingbook.model import Standing
from ratingbook.rules.book import Row


def row(before: float | None, after: float | None, name: str = "Doe, Jo") -> Row:
    return Row("7", name, None, before, after, after, 3, 1.5, 1.0, "established", True, Standing())


RATINGS = st.integers(100, 3000) | st.floats(100, 3000, allow_nan=False).map(lambda x: round(x, 3))
ROWS = st.lists(st.builds(row, st.none() | RATINGS, st.none() | RATINGS), max_size=40)


@given(ROWS)
def test_everybody_with_a_new_rating_is_within_the_picture(rows):
    picture = change_picture(rows)
    rated = [each for each in rows if each.after is not None]
    assert (picture is None) == (not rated)
    if picture is None:
        return
    assert len(picture.marks) == len(rated)
    for mark in picture.marks:
        assert 0 <= mark.x <= 100
        assert 0 <= mark.y <= picture.height
    for places in ([x for x, _ in picture.across], [y for y, _ in picture.up]):
        assert len(places) == len(set(places)) <= 9
    assert len({text for _, text in picture.across}) == len(picture.across)


@given(ROWS)
def test_up_is_gained_and_down_is_lost(rows):
    picture = change_picture(rows)
    for mark in picture.marks if picture else ():
        if mark.row.change is None:
            assert mark.kind == "first"
            continue
        assert picture is not None
        assert picture.zero is not None
        kind = "gain" if mark.row.change > 0 else "loss" if mark.row.change < 0 else "same"
        assert mark.kind == kind
        assert (mark.y <= picture.zero) if kind == "gain" else (mark.y >= picture.zero)


def test_the_place_of_a_change():
    """1500 to 1700 in steps of 50, −20 to +40 in steps of 10; 220 pixels high."""
    picture = change_picture([row(1500, 1540), row(1700, 1680), row(1600, 1600)])
    assert picture is not None
    assert [text for _, text in picture.across] == ["1500", "1550", "1600", "1650", "1700"]
    assert [text for _, text in picture.up] == ["−20", "−10", "0", "+10", "+20", "+30", "+40"]
    assert [(mark.x, mark.y) for mark in picture.marks] == [(0, 0), (100, 220), (50, 146.7)]


def test_first_ratings_that_coincide_are_stacked():
    picture = change_picture([row(None, 1500)] * 3)
    assert picture is not None
    assert picture.zero is None
    assert len({mark.y for mark in picture.marks}) == 3
    assert len({mark.x for mark in picture.marks}) == 1


def test_the_words():
    picture = change_picture(
        [row(1500, 1540), row(1500, 1503), row(1700, 1688, "Roe, Al"), row(None, 1200)]
    )
    assert picture is not None
    assert picture.words == (
        "2 gained, the most Doe, Jo: 1500 → 1540 (+40). "
        "1 lost, the most Roe, Al: 1700 → 1688 (−12). 1 has a first rating."
    )
    assert [mark.row.after for mark in picture.extremes] == [1540, 1688]


@pytest.mark.parametrize(
    ("before", "after", "title"),
    [
        (1500, 1488.5, "Doe, Jo: 1500 → 1488.5 (−11.5)"),
        (None, 1200, "Doe, Jo: first rating 1200"),
        (None, None, "Doe, Jo: –, no new rating"),
    ],
)
def test_a_change_in_one_line(before, after, title):
    assert change_title(row(before, after)) == title
