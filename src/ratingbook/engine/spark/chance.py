"""Histories made from a history by chance: other events, other results.

What is drawn depends on the seed and the columns alone: whole numbers are compared
with whole numbers, so every machine draws the same.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput

Array = np.ndarray[Any, Any]

ONE = 10**9
"""A probability of 1."""

_WIDEST = 1200
"""Differences of ratings beyond count as this one."""

_MIDDLE = 1500
"""The rating of everybody where nobody has one."""

_EXPECTED = tuple(
    round(ONE / (1 + 10 ** (-difference / 400))) for difference in range(-_WIDEST, _WIDEST + 1)
)
"""Expected score, by the difference of ratings."""

_PER_GAME = (
    "day", "white", "black", "score", "start", "section", "round", "handicap", "rated", "margin",
    "neutral", "status", "reported",
)  # fmt: skip


def resampled(given: HistoryInput, seed: int) -> HistoryInput:
    """A history of as many events, drawn with replacement.

    An event that is drawn twice is held twice, on the same dates, by the same players
    and with the same results; both count, each as an event of its own with a number
    after its id.  Without a column ``event`` a day is an event.  The players stay the
    same, also those whose events were not drawn.
    """
    games = given.games
    codes, count = games.event, len(given.event_ids)
    ids = given.event_ids
    if codes is None:
        days = np.unique(games.day)
        codes = np.searchsorted(days, games.day).astype(np.int32)
        count = len(days)
        ids = pa.array(days).cast(pa.date32())
    rng = np.random.Generator(np.random.PCG64(seed))
    drawn = np.sort(rng.integers(0, count, count)) if count else np.empty(0, np.int64)
    order = np.argsort(codes, kind="stable")
    begins = np.searchsorted(codes[order], np.arange(count + 1))
    sizes = np.diff(begins)[drawn]
    rows = order[_stretches(begins[drawn], sizes)]
    columns = {name: getattr(games, name) for name in _PER_GAME}
    taken: dict[str, Any] = {
        name: None if values is None else values[rows] for name, values in columns.items()
    }
    event = np.repeat(np.arange(len(drawn), dtype=np.int32), sizes)
    nth = np.arange(len(drawn)) - np.searchsorted(drawn, drawn)
    texts = [
        str(name) if turn == 0 else f"{name} ({turn + 1})"
        for name, turn in zip(ids.take(pa.array(drawn)).to_pylist(), nth.tolist(), strict=True)
    ]
    return replace(
        given,
        games=replace(games, event=event, **taken),
        event_ids=pa.array(texts, pa.string()),
        events=_repeated(given.events, drawn, count),
        entries=_repeated(given.entries, drawn, count),
    )


def _stretches(begins: Array, sizes: Array) -> Array:
    """All numbers of several stretches, one after the other."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    numbers: Array = np.arange(total) + np.repeat(begins - (ends - sizes), sizes)
    return numbers


def _repeated(said: pa.Table | None, drawn: Array, count: int) -> pa.Table | None:
    """The rows of a table about events, for the events that were drawn."""
    if said is None:
        return None
    codes = said["event"].to_numpy()
    order = np.argsort(codes, kind="stable")
    begins = np.searchsorted(codes[order], np.arange(count + 1))
    sizes = np.diff(begins)[drawn]
    rows = order[_stretches(begins[drawn], sizes)]
    numbers = np.repeat(np.arange(len(drawn)), sizes)
    taken = said.take(pa.array(rows))
    place = taken.column_names.index("event")
    return taken.set_column(place, "event", pa.array(numbers).cast(said["event"].type))


def simulated(given: HistoryInput, seed: int, assume: float | None = None) -> HistoryInput:
    """The same games with results drawn from the expected scores.

    White's expected score is 1 / (1 + 10^(−d/400)), where d is the difference of the
    ratings with which both players began the history, by the players file, rounded.
    Who has none counts as ``assume``, else as the mean of the others.  Handicaps count
    for nothing.  A draw has the probability 2·q·min(e, 1 − e), with the q (1 at most)
    that lets as many draws be expected as there were.
    """
    games = given.games
    ratings = _at_the_start(given, assume)
    difference = ratings[games.white] - ratings[games.black]
    table = np.array(_EXPECTED, np.int64)
    expected = table[np.clip(difference, -_WIDEST, _WIDEST) + _WIDEST]
    close = 2 * np.minimum(expected, ONE - expected)
    draws, most = int(np.count_nonzero(games.score == 1)), int(close.sum())
    # In thousandths, so that the product fits into 64 bits.
    share = min(1000, draws * ONE * 1000 // most) if most else 0
    drawn = close * share // 1000
    wins = expected - drawn // 2
    luck = np.random.Generator(np.random.PCG64(seed)).integers(0, ONE, len(games))
    score = (luck < wins).astype(np.int8) + (luck < wins + drawn)
    return replace(given, games=replace(games, score=score.astype(np.int8)))


def _at_the_start(given: HistoryInput, assume: float | None) -> Array:
    """The ratings before the first game, as whole numbers."""
    said = given.standings
    known: dict[int, int] = {}
    if said is not None and "rating" in said.column_names:
        for player, rating in zip(
            said["player"].to_pylist(), said["rating"].to_pylist(), strict=True
        ):
            if rating is not None and math.isfinite(rating):
                known[player] = round(rating)
    if assume is not None:
        other = round(assume)
    else:
        other = round(sum(known.values()) / len(known)) if known else _MIDDLE
    ratings = np.full(len(given.players), other, np.int64)
    ratings[list(known)] = list(known.values())
    return ratings
