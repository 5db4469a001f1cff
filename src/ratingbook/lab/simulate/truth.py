"""What true strengths are worth at the board: the chances of White's win, draw and loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.api import History
from ratingbook.engine.history.columns import GameColumns, HistoryInput
from ratingbook.engine.history.predictions import predict_history
from ratingbook.lab.simulate.scenario import Scenario
from ratingbook.rules.book import RuleBook
from ratingbook.rules.bulk import day_number

Array = np.ndarray[Any, Any]

Expected = Callable[[Array, Array], Array]
"""The expected score of the first of two, by their strengths in whole points."""

_WIDEST = 3000
_STEP = 50
"""Points between the strengths of which a rule book is asked; between them on straight lines."""
_GAMES = 100
"""Rated games of those of whom it is asked."""


def logistic(scale: int) -> Expected:
    """10 to 1 at ``scale`` points, out of a table, so that all machines have the same bits."""
    table = np.array([1 / (1 + 10 ** (-d / scale)) for d in range(-_WIDEST, _WIDEST + 1)])

    def expected(own: Array, other: Array) -> Array:
        found: Array = table[np.clip(own - other, -_WIDEST, _WIDEST) + _WIDEST]
        return found

    return expected


def by_rulebook(book: RuleBook, day: int, low: int, high: int) -> Expected:
    """As the rule book expects of players with these ratings, as far as it gives the whole point.

    It is asked by rating a history in which everybody has one game.  Where the two sides
    together are below 1 (the EGF's ε) or the table is not even, the mean of both views holds.
    """
    least, most = book.rating_range
    low = max(least, int(book.floor or least), low) // _STEP * _STEP
    # A rating at the edge is one that the edition may hold.
    low += _STEP * (low < max(least, int(book.floor or least)))
    high = max(low + _STEP, min(most // _STEP, -(-high // _STEP)) * _STEP)
    grid = np.arange(low, high + 1, _STEP)
    white, black = (each.reshape(-1) for each in np.meshgrid(grid, grid, indexing="ij"))
    told = _asked(book, day, white, black).reshape(len(grid), len(grid))
    table = (told + 1 - told.T) / 2

    def expected(own: Array, other: Array) -> Array:
        rows, columns = ((np.clip(each, low, high) - low).astype(np.int64) for each in (own, other))
        i, j = (np.minimum(each // _STEP, len(grid) - 2) for each in (rows, columns))
        x, y = rows / _STEP - i, columns / _STEP - j
        left = table[i, j] * (1 - y) + table[i, j + 1] * y
        right = table[i + 1, j] * (1 - y) + table[i + 1, j + 1] * y
        found: Array = left * (1 - x) + right * x
        return found

    return expected


def _asked(book: RuleBook, day: int, white: Array, black: Array) -> Array:
    """What the rule book expects of White in each of these games, of everybody's only one."""
    count = len(white)
    numbers = np.arange(count, dtype=np.int32)
    ratings = np.r_[white, black].astype(float)
    games = GameColumns(
        day=np.full(count, day, np.int32),
        white=numbers,
        black=numbers + count,
        score=np.ones(count, np.int8),
        event=np.zeros(count, np.int32),
    )
    columns: dict[str, Any] = {
        "player": pa.array(np.arange(2 * count, dtype=np.int32)),
        "rating": pa.array(ratings),
        "games": pa.array(np.full(2 * count, _GAMES)),
    }
    width = len(str(2 * count))
    given = HistoryInput(
        games=games,
        players=pa.array([f"{each:0{width}}" for each in range(2 * count)], pa.string()),
        event_ids=pa.array(["e"], pa.string()),
        section_ids=pa.array([], pa.string()),
        standings=pa.table(columns),
    )
    return predict_history(History(given), book, compiled=False).expected


def truth_of(world: Scenario, book: RuleBook, low: int, high: int) -> Expected:
    """What is expected of strengths in this world, the first move aside."""
    if world.truth == "logistic":
        return logistic(world.scale)
    return by_rulebook(book, day_number(world.start), low, high)


def scores(expected: Array, world: Scenario, luck: Array) -> Array:
    """White's half points: ``luck`` are numbers from 0 to 1, one a game.

    The chance of a draw is ``draws`` between equals and falls with the chances of the weaker
    side, so that the expected score is what was asked for.
    """
    drawn = 2 * world.draws * np.minimum(expected, 1 - expected)
    wins = expected - drawn / 2
    found: Array = ((luck < wins).astype(np.int8) + (luck < wins + drawn)).astype(np.int8)
    return found
