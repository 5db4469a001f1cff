"""Ratings that games name, and substitutes: what is refused, and what is told."""

from __future__ import annotations

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.engine.history import HistoryRefused, rate_history
from ratingbook.engine.history.named import with_memory
from ratingbook.engine.history.plan import plan_of
from ratingbook.engine.history.program import Program
from ratingbook.rules import registry

PLAYERS = pa.table(
    {"id": ["ann", "ben", "eve"], "rating": [2000.0, 2100.0, 2200.0], "games": [50, 50, 50]}
)


def games(**more):
    columns = {"date": [date(2010, 1, 5)], "white": ["ann"], "black": ["ben"], "score": [1.0]}
    return pa.table(columns | more)


def test_a_game_is_rated_at_the_rating_that_it_names():
    """By table 8.1.2 who is 200 points below scores 0.24: 15 × 0.76 = 11.4."""
    named = games(black_rating=[2200.0])
    history = rate_history(named, "fide-2009", players=PLAYERS, compiled=False)
    assert history.changes.to_pylist()[0]["after"] == 2011


@pytest.mark.parametrize(
    ("rating", "code"), [(20000.0, "history.rating-range"), (2000.5, "history.whole-rating")]
)
def test_what_a_game_names_is_a_rating_of_the_edition(rating, code):
    with pytest.raises(HistoryRefused) as refused:
        rate_history(games(white_rating=[rating]), "fide-2009", players=PLAYERS)
    assert [each.code for each in refused.value.findings if each.severity.refuses] == [code]


def test_substitutes_without_a_rule_are_told():
    plain = rate_history(games(), "fide-2009", players=PLAYERS, compiled=False)
    told = rate_history(games(white_for=["eve"]), "fide-2009", players=PLAYERS, compiled=False)
    assert told.changes.equals(plain.changes)
    assert "history.substitute-unused" in [each.code for each in told.findings]


def test_what_was_named_is_remembered_from_the_start_of_its_event_on():
    """Three events of ann in one list: that of the 5th names 2405, that of the 9th 2450."""
    days = [5, 9, 2]
    table = pa.table(
        {
            "date": [date(2010, 1, 20)] * 3,
            "start": [date(2010, 1, day) for day in days],
            "event": ["a", "b", "c"],
            "white": ["ann"] * 3,
            "black": ["ben", "eve", "eve"],
            "score": [1.0] * 3,
            "white_rating": [2405.0, 2450.0, None],
            "black_rating": [None, None, 2300.0],
        }
    )
    history = rate_history(table, "fide-2009", players=PLAYERS, compiled=False)
    plan = plan_of(history.history.given, Program(registry.load("fide-2009"), compiled=False))
    found = with_memory(plan.games, plan.events.start)
    begun = plan.events.start[plan.games.event]
    assert found.white_reached[np.argsort(begun)].tolist() == [0, 2405, 2450]
    assert found.black_reached[np.argsort(begun)].tolist() == [2300, 0, 2300]


def test_what_was_named_is_not_remembered_beyond_its_list():
    days = [date(2010, 1, 20), date(2010, 1, 20), date(2010, 5, 20)]
    table = pa.table(
        {
            "date": days,
            "event": ["a", "a", "b"],
            "white": ["ben", "ann", "ann"],
            "black": ["eve", "eve", "ben"],
            "score": [1.0] * 3,
            "white_rating": [None, 2405.0, None],
            "black_rating": [None, None, 2300.0],
        }
    )
    history = rate_history(table, "fide-2009", players=PLAYERS, compiled=False)
    plan = plan_of(history.history.given, Program(registry.load("fide-2009"), compiled=False))
    assert plan.games.offsets.tolist() == [0, 2, 3]
    found = with_memory(plan.games, plan.events.start)
    assert found.white_reached.tolist() == [0, 2405, 0]
    assert found.black_reached.tolist() == [0, 0, 2300]
