"""Which edition rates what around the days of change: by the start of an event (0.1)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries

RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}


@dataclass(frozen=True)
class Played:
    """A game of the player ``a``, who has White, in an event with these days."""

    event: str
    start: date
    end: date
    opponent: float
    score: float


def exact_change(
    games: list[Played], rating: float | None, book: BookOrSeries, *, rated_games: int = 100
) -> float | None:
    """The new rating by one report of the period; it is that of a history too."""
    pool = {"pool": book.parameters.pool.name.lower()}
    own = Standing(rating=rating, games=rated_games) if rating else None
    opponents = [
        Entry(f"o{n}", standing=Standing(rating=game.opponent, games=500))
        for n, game in enumerate(games)
    ]
    report = Report(
        Event(start=min(game.start for game in games), **pool),
        (Entry("a", standing=own, birth_year=1980), *opponents),
        tuple(
            Game("a", f"o{n}", RESULTS[g.score], event=g.event, start=g.start, end=g.end)
            for n, g in enumerate(games)
        ),
    )
    row = rate(report, book).rows[0].row
    history = rate_history(
        pa.table(
            {
                "date": [game.end for game in games],
                "start": [game.start for game in games],
                "event": [game.event for game in games],
                "white": ["a"] * len(games),
                "black": [f"o{n}" for n in range(len(games))],
                "score": [game.score for game in games],
            }
        ),
        book,
        players=pa.table(
            {
                "id": ["a", *(entry.id for entry in opponents)],
                "rating": [rating, *(game.opponent for game in games)],
                "games": [rated_games if rating else 0, *([500] * len(games))],
            }
        ),
        compiled=False,
    )
    mine = [line["after"] for line in history.changes.to_pylist() if line["player"] == "a"]
    assert mine == ([row.after] if row.games else [])
    return row.exact


TOP = {"reached_2400": True}
SERIES = registry.load("fide")
RAPID = SERIES.with_parameters({"pool": "rapid"})


@pytest.mark.parametrize(
    ("start", "by_start", "by_list"),
    [
        # A win against an equal: half of K. Events that end in July 2014 count for August.
        (date(2014, 6, 30), 2007.5, 2010),
        (date(2014, 7, 1), 2010, 2010),
    ],
)
def test_k_around_july_2014(start, by_start, by_list):
    games = [Played("e", start, date(2014, 7, 10), 2000, 1.0)]
    assert exact_change(games, 2000, SERIES) == by_start
    assert exact_change(games, 2000, SERIES.with_parameters({"edition_by": "list"})) == by_list


def test_two_events_of_a_period_have_each_their_edition():
    games = [
        Played("old", date(2014, 6, 28), date(2014, 7, 4), 2000, 1.0),
        Played("new", date(2014, 7, 5), date(2014, 7, 12), 2000, 1.0),
    ]
    assert exact_change(games, 2000, SERIES) == 2000 + 7.5 + 10


@pytest.mark.parametrize(
    ("start", "exact"), [(date(2024, 11, 30), 2710.8), (date(2024, 12, 1), 2710)]
)
def test_too_far_apart_from_december_2024(start, exact):
    games = [
        Played("e", start, date(2024, 12, 2), 2700, 1.0),
        Played("e", start, date(2024, 12, 2), 2100, 1.0),
    ]
    # K 20: a win against an equal and one that counts as 400 (0.92) or is not rated.
    assert exact_change(games, 2700, RAPID.with_parameters({"k_top": "20"})) == pytest.approx(
        exact if exact == 2710 else 2711.6
    )


@pytest.mark.parametrize(
    ("start", "exact"), [(date(2025, 9, 30), 2700.8), (date(2025, 10, 1), 2700.0)]
)
def test_no_cap_from_october_2025(start, exact):
    games = [Played("e", start, date(2025, 10, 5), 1900, 1.0)]
    # The end of the table: 735 and more is 1.00.
    assert exact_change(games, 2700, SERIES) == exact


@pytest.mark.parametrize(
    ("start", "exact"),
    [
        # Six of nine against 2000: 2000 + 3 × 15 before July 2014, + 3 × 20 from then on.
        (date(2014, 6, 28), 2045),
        (date(2014, 7, 1), 2060),
    ],
)
def test_first_ratings_around_july_2014(start, exact):
    scores = [1.0] * 6 + [0.0] * 3
    games = [Played("e", start, date(2014, 7, 10), 2000, score) for score in scores]
    assert exact_change(games, None, SERIES) == exact


@pytest.mark.parametrize("book", ["fide-2011", "fide-2012"])
def test_an_event_needs_three_rated_opponents_until_2014(book):
    edition = registry.load(book)
    assert edition.parameters.first_event_games == 3
    day = date(2012, 7, 5)
    two = [Played("e", day, day, 2000, 1.0), Played("e", day, day, 2000, 1.0)]
    assert exact_change(two, None, edition) is None
    assert exact_change([*two, Played("e", day, day, 2000, 0.5)], None, edition) == 2030


@pytest.mark.parametrize("names", [("x", "y"), ("y", "x")])
def test_the_first_event_is_the_earlier_one_whatever_its_name(names):
    """From 2014 on half a point is needed in the first event only."""
    first, second = names
    day, later = date(2016, 5, 3), date(2016, 5, 20)
    zero = [Played(first, day, day, 2000, 0.0)] * 2
    games = [*zero, *[Played(second, later, later, 2000, 1.0)] * 5]
    # The first event brought nothing and is disregarded: five wins, 5 × 20 above 2000.
    assert exact_change(games, None, registry.load("fide-2014")) == 2100
    turned = [Played(first, later, later, 2000, 0.0)] * 2
    games = [*turned, *[Played(second, day, day, 2000, 1.0)] * 5]
    # Now it is not the first: 5 of 7, three half points above one half.
    assert exact_change(games, None, registry.load("fide-2014")) == 2060


def test_dropped_games_do_not_count_towards_thirty():
    """Two games of 2014 are too old in 2017: a first rating of five games is five games."""
    book = registry.load("fide-2014")
    old, now = date(2014, 8, 1), date(2017, 5, 3)
    games = [Played("old", old, old, 2000, 0.5)] * 2 + [Played("new", now, now, 2000, 0.5)] * 5
    history = rate_history(
        pa.table(
            {
                "date": [game.end for game in games],
                "event": [game.event for game in games],
                "white": ["a"] * len(games),
                "black": [f"o{n}" for n in range(len(games))],
                "score": [game.score for game in games],
            }
        ),
        book,
        players=pa.table({"id": [f"o{n}" for n in range(7)], "rating": [2000.0] * 7}),
        compiled=False,
    )
    ratings = {row["player"]: row for row in history.ratings.to_pylist()}
    assert (ratings["a"]["rating"], ratings["a"]["games"]) == (2000, 5)


def test_rapid_starts_from_the_standard_rating_and_is_drawn_up_in_october_2022():
    games = pa.table(
        {
            "date": [date(2022, 8, 5), date(2022, 11, 5)],
            "event": ["e1", "e2"],
            "white": ["new", "weak"],
            "black": ["known", "known"],
            "score": [1.0, 0.5],
        }
    )
    players = pa.table(
        {
            "id": ["new", "known", "weak"],
            "rating": [None, 2000.0, 1500.0],
            "games": [0, 300, 300],
            "standard": [2000.0, 2000.0, 2100.0],
        }
    )
    history = rate_history(games, RAPID, players=players, compiled=False)
    rows = {(row["player"], row["batch"]): row for row in history.changes.to_pylist()}
    # No rapid rating: the standard one, and K 20 for everybody until September 2022.
    assert (rows["new", 0]["before"], rows["new", 0]["after"]) == (None, 2010)
    # 1500 is more than 100 below 2100: 2000 from October 2022 on.
    # The list of that day comes out between the two, without a game.
    assert rows["weak", 2]["before"] == 2000
    codes = {finding.code for finding in history.findings}
    assert "history.reform" in codes
    assert "history.unknown-column" not in codes


def test_k_is_that_of_the_list_before_the_new_one():
    """Who has once reached 2400 has K 10 in an event that started with 2395 (F-P02)."""
    day = date(2025, 10, 31)
    report = Report(
        Event(start=day),
        (
            Entry("a", standing=Standing(rating=2400, games=100, extra=TOP)),
            Entry("b", standing=Standing(rating=2395, games=100)),
        ),
        (Game("a", "b", Result.WHITE_WINS, start=day, end=date(2025, 11, 2), white_rating=2395),),
    )
    assert rate(report, SERIES).rows[0].row.exact == 2405
