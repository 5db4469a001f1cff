"""Earlier games of which only the number is known: what is assumed of them is told."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.model import Severity

BOOKS = {"iccf-2009": date(2011, 2, 5), "iecg-1999": date(2001, 2, 5)}
CODE = "history.earlier-assumed"
SUMS: dict[str, list[object]] = {"earlier_score": [4.0, None], "earlier_opponents": [15000, None]}


def rated(book: str, **more: list[object]) -> RatedHistory:
    """Tea with 9 games, whose rating rests on all of them, plays in two periods."""
    first = BOOKS[book]
    days = [first, first, first.replace(month=8)]
    games = pa.table({
        "date": days, "event": ["m", "m", "n"], "white": ["tea"] * 3, "black": ["sam"] * 3,
        "score": [0.5, 0.0, 1.0],
    })  # fmt: skip
    players = pa.table({
        "id": ["tea", "sam", "una"], "rating": [1800.0, 1900.0, 1700.0], "games": [9, 100, 9],
        **{name: [*values, None] for name, values in more.items()},
    })  # fmt: skip
    events = pa.table({"event": ["m", "n"], "category": ["open_class"] * 2})
    return rate_history(games, book, players=players, events=events, compiled=False)


@pytest.mark.parametrize("book", BOOKS)
def test_it_is_told_of_who_plays(book: str) -> None:
    (finding,) = [each for each in rated(book).findings if each.code == CODE]
    assert finding.severity == Severity.WARNING
    assert "player tea" in finding.message
    assert "1 such player" in finding.message
    assert "earlier_score" in finding.remedy


@pytest.mark.parametrize("book", BOOKS)
def test_it_is_not_told_where_it_is_said_what_they_come_to(book: str) -> None:
    assert CODE not in [each.code for each in rated(book, **SUMS).findings]


@pytest.mark.parametrize("book", BOOKS)
def test_it_is_explained_as_long_as_the_rating_rests_on_them(book: str) -> None:
    for when in (None, 0):
        (row,) = rated(book).explain("tea", when)
        assumed = [each for each in row.explanation if "only the number is known: 9" in each.text]
        assert len(assumed) == 1
        assert "taken as draws with equals" in assumed[0].text
        (row,) = rated(book, **SUMS).explain("tea", when)
        assert not any("is known" in each.text for each in row.explanation)


@pytest.mark.parametrize("book", BOOKS)
def test_it_is_told_of_nobody_whose_rating_does_not_rest_on_them(book: str) -> None:
    (row,) = rated(book).explain("sam", 0)
    assert not any("is known" in each.text for each in row.explanation)
