"""Lists as files: what stands in the cells."""

from __future__ import annotations

from datetime import date

from ratingbook.desk.list_files import as_csv
from ratingbook.rules.listing import Column, Listing


def test_whole_ratings_are_whole_in_csv_as_in_every_other_form():
    """An office rounds to whole points, and keeps them as other ratings."""
    rows = tuple({"id": str(n), "rating": rating} for n, rating in enumerate((2085.0, 2085.5)))
    columns = (Column("id", "ID"), Column("rating", "Rating", numeric=True))
    listing = Listing("A list", date(2026, 1, 1), (), columns, rows, (), ())
    assert as_csv(listing).splitlines() == ["id,rating", "0,2085", "1,2085.5"]


def test_a_rating_of_nought_is_not_taken_for_none_when_it_is_read():
    columns = (Column("rating", "Rating", numeric=True),)
    listing = Listing("A list", date(2026, 1, 1), (), columns, ({"rating": 0.0},), (), ())
    assert as_csv(listing).splitlines()[1] == "0.0"
