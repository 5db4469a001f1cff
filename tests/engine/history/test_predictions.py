"""What was expected before a game: as a report expects it at the ratings of that day."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import ratingbook as rb
from ratingbook.engine.history import rate_history
from ratingbook.engine.history.predictions import PredictsNothing, predict_history
from ratingbook.rules import registry
from ratingbook.rules.book import RatedBy

GAMES: list[dict[str, Any]] = [
    {"event": "E1", "date": "2010-01-04", "white": "A", "black": "B", "score": 1.0},
    {"event": "E1", "date": "2010-01-05", "white": "B", "black": "C", "score": 0.5},
    {"event": "E2", "date": "2010-07-04", "white": "C", "black": "A", "score": 0.0},
    {"event": "E2", "date": "2010-07-05", "white": "B", "black": "A", "score": 1.0},
]
PLAYERS = [
    {"id": "A", "rating": 2050, "games": 100},
    {"id": "B", "rating": 1930, "games": 100},
    {"id": "C", "rating": 2200, "games": 100},
]

RATINGS: dict[Any, Any] = {each["id"]: each["rating"] for each in PLAYERS}


def table(rows):
    return pa.Table.from_pylist(rows)


def predicted(book: str, games=GAMES) -> list[float]:
    made = predict_history(table(games), book, players=table(PLAYERS), compiled=False)
    found: list[float] = made.expected.tolist()
    return found


@pytest.mark.parametrize("book", registry.names())
def test_first_games_are_expected_as_in_a_report(book):
    """The other road rates a report of one drawn game, and reads E from its row."""
    games = GAMES[:2] if registry.load(book).rated_by is not RatedBy.GAME else GAMES[:1]
    for expected, game in zip(predicted(book, games), games, strict=True):
        white, black = (RATINGS[game[side]] for side in ("white", "black"))
        own = rb.predict(book, white, black, game["date"])
        assert expected == pytest.approx(own, abs=1e-9)


def test_by_hand():
    """FIDE's table has 0.66 for 120 points; the formula of Elo and of US Chess 1 / (1 + 10^−0.3).

    US Chess rates at last with what the opponents' ratings became; nobody knows that before.
    """
    assert predicted("fide-2009")[0] == 0.66
    assert predicted("elo")[0] == pytest.approx(1 / (1 + 10 ** (-120 / 400)))
    assert predicted("uscf-2011")[0] == pytest.approx(1 / (1 + 10 ** (-120 / 400)))


def test_later_games_are_expected_at_the_ratings_of_then():
    rated = rate_history(table(GAMES[:2]), "fide-2009", players=table(PLAYERS), compiled=False)
    now = {row["player"]: row["rating"] for row in rated.ratings.to_pylist()}
    assert now["A"] != 2050
    expected = predicted("fide-2009")
    assert expected[2] == pytest.approx(rb.predict("fide-2009", now["C"], now["A"]))


@pytest.mark.parametrize("book", ["fide-2009", "uscf-2011", "egf-2021", "elo"])
def test_no_result_is_known_before(book):
    """Each game with the other result: nothing up to it is expected otherwise."""
    usual = predicted(book)
    turned = {1.0: 0.0, 0.0: 1.0, 0.5: 1.0}
    for place, game in enumerate(GAMES):
        games = [
            *GAMES[:place],
            {**game, "score": turned[float(game["score"])]},
            *GAMES[place + 1 :],
        ]
        assert predicted(book, games)[: place + 1] == usual[: place + 1]


def test_the_order_of_the_input_is_kept():
    games = [GAMES[2], GAMES[0], GAMES[3], GAMES[1]]
    usual = predicted("fide-2009")
    assert predicted("fide-2009", games) == [usual[2], usual[0], usual[3], usual[1]]


def test_nothing_is_expected_of_who_has_no_rating():
    games = [{**GAMES[0], "black": "N"}, GAMES[1]]
    first, second = predicted("fide-2009", games)
    assert math.isnan(first)
    assert not math.isnan(second)


def test_a_rule_book_may_say_nothing():
    plain = pytest.importorskip("plain_elo").plain_elo_2024
    with pytest.raises(PredictsNothing, match="does not say what it expects"):
        predict_history(table(GAMES), plain, players=table(PLAYERS), compiled=False)


def test_predictions_are_shares_of_the_point():
    for name in registry.names():
        bulk = registry.load(name).bulk
        assert bulk is not None
        assert bulk.predicted is not None, name
    assert np.all(np.abs(np.array(predicted("uscf-2025")) - 0.5) <= 0.5)
