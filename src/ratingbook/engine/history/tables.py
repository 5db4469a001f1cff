"""The tables of a run: rows of changes, and what the numbers of its batches stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.intake.arrays import as_table, to_arrow
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.signatures import rows_of_input
from ratingbook.rules.book import RatedBy

Array = np.ndarray[Any, Any]


def changes_table(run: Run, some: Changes) -> pa.Table:
    """Rows of changes with the players' ids; a number that does not exist is null.

    Rows of a batch stand together.  ``batch`` is its number in this run, ``date`` what it
    is known by in every run: the day of the list, or the last one of the event.  ``before`` is
    exact: the rating that entered the batch.
    """
    columns = {
        "player": run.given.players.take(to_arrow(some.player)),
        "batch": some.batch,
        "before": or_null(some.before),
        "after": or_null(some.after),
        "games": some.games,
        "score": some.score,
        "expected": or_null(some.expected),
        "date": _days(run, some),
    }
    if run.program.book.rated_by is RatedBy.GAME:
        games = games_of_rows(run, some)
        columns["game"] = to_arrow(games, games == 0)
    return as_table(columns)


def _days(run: Run, some: Changes) -> pa.Array:
    return to_arrow(run.plan.keys[some.batch].astype(np.int32, copy=False)).cast(pa.date32())


def named(run: Run, some: Changes) -> pa.Table:
    """What rows are about, whatever run they are of: day, event and section, and player."""
    columns = {"date": _days(run, some)}
    columns |= _events(run, some.batch)
    columns["player"] = run.given.players.take(to_arrow(some.player))
    return as_table(columns)


def games_of_rows(run: Run, some: Changes) -> Array:
    """The game of each row, where each is rated by itself: its row in the input, from 1.

    The rows must be all those of their batches.  0: not known, as the edition passed over
    some of the games of the player's day.
    """
    plan = run.plan
    found = np.zeros(len(some), np.int64)
    if not len(some):
        return found
    first = int(plan.games.offsets[some.batch[0]])
    part = slice(first, int(plan.games.offsets[some.batch[-1] + 1]))
    games = plan.games
    sides = np.stack([games.white[part], games.black[part]], 1).reshape(-1)
    numbers = np.repeat(np.arange(part.start, part.stop), 2)
    if len(games.rated):
        is_rated = np.stack([games.rated[part] & bit != 0 for bit in (1, 2)], 1).reshape(-1)
        sides, numbers = sides[is_rated], numbers[is_rated]
    if len(sides) != len(some) or (sides != some.player).any():
        days = np.searchsorted(plan.games.offsets, numbers, side="right") - 1
        numbers, at = _without_doubt(sides, days, numbers, some)
    else:
        at = np.arange(len(some))
    rows = numbers if plan.moved is None else plan.moved[numbers]
    found[at] = 1 + rows_of_input(run.given, rows)
    return found


def _without_doubt(sides: Array, days: Array, numbers: Array, some: Changes) -> tuple[Array, Array]:
    """The games of the rows of players who have a row for each game of their day."""
    width = 1 + int(max(sides.max(initial=0), some.player.max(initial=0)))
    keys, row_keys = days * width + sides, some.batch.astype(np.int64) * width + some.player
    order, row_order = np.argsort(keys, kind="stable"), np.argsort(row_keys, kind="stable")
    known, counts = np.unique(keys, return_counts=True)
    row_known, row_counts = np.unique(row_keys, return_counts=True)
    complete = row_known[counts[np.searchsorted(known, row_known)] == row_counts]
    order = order[np.isin(keys[order], complete)]
    row_order = row_order[np.isin(row_keys[row_order], complete)]
    return numbers[order], row_order


def or_null(numbers: Array) -> pa.Array:
    """A column of numbers; one that does not exist is null."""
    missing = np.isnan(numbers)
    return to_arrow(numbers, missing if missing.any() else None)


def batch_table(run: Run) -> pa.Table:
    """What the numbers of the batches stand for."""
    plan = run.plan
    numbers = np.arange(len(plan), dtype=np.int32)
    columns: dict[str, Any] = {
        "batch": numbers,
        "day": to_arrow(plan.keys.astype(np.int32)).cast(pa.date32()),
        "games": np.diff(plan.games.offsets),
    }
    return as_table(columns | _events(run, numbers))


def _events(run: Run, batches: Array) -> dict[str, Any]:
    """The event and section of each of these batches, where one is rated by itself."""
    plan, columns = run.plan, dict[str, Any]()
    if run.program.bulk.calendar is not None or run.program.book.rated_by is RatedBy.GAME:
        return columns
    if len(run.given.event_ids):
        events = plan.event_order[plan.batches.event[batches]]
        columns["event"] = run.given.event_ids.take(to_arrow(events))
    if plan.sections is not None:
        columns["section"] = run.given.section_ids.take(to_arrow(plan.sections[batches]))
    return columns
