"""What the correction of old results changes, without rating everything anew.

The batches are replayed from the last snapshot before the first corrected game, and
each row is compared with what it was.  Where all standings coincide again, and no later
game uses a number that differs, everything after stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.plan import Plan, with_decisions
from ratingbook.engine.history.run import Changes, Run, Snapshot
from ratingbook.engine.loops.arrays import Games
from ratingbook.model import Findings

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, repr=False)
class Correction:
    """What a correction does: the preview of what would be published."""

    first_batch: int
    """The first batch with a corrected game."""
    next_batch: int
    """The first batch after all of them that nothing reaches any more."""
    batches: int
    """Batches with a row that differs."""
    players: int
    """Players with a row that differs."""
    old: Changes
    new: Changes
    """The rows that differ, as they were and as they are."""
    replayed: Changes
    """All rows of the batches that were replayed."""
    end: Snapshot | None
    """The standings at the end, where they differ from those of before."""


def corrected_plan(
    plan: Plan, scores: Mapping[int, int | None], given: HistoryInput
) -> tuple[Plan, int, int]:
    """The plan with other results, and the first and last batch that hold one of the games.

    ``scores`` gives White's half points by the row of the file; None takes a game out.
    """
    rows = np.array(list(scores), np.int64)
    if len(rows) == 0 or rows.min() < 0 or rows.max() >= len(plan.games.white):
        raise IndexError(f"corrections name games from 0 to {len(plan.games.white) - 1}")
    places = rows
    if plan.moved is not None:
        inverse = np.empty(len(plan.moved), np.int64)
        inverse[plan.moved] = np.arange(len(plan.moved))
        places = inverse[rows]
    score = plan.games.score.copy()
    rated = plan.games.rated.copy()
    for place, half_points in zip(places, scores.values(), strict=True):
        if half_points is None:
            if not len(rated):
                rated = np.full(len(score), 3, np.uint8)
            rated[place] = 0
        elif half_points in (0, 1, 2):
            score[place] = half_points
        else:
            raise ValueError(f"a score in half points is 0, 1 or 2, not {half_points}")
    games = plan.games._replace(score=score, rated=rated)
    if len(games.entry_white) and games.entry_white.dtype.kind == "f":
        # Where a game was taken out, the next one is the first with the rating of the office.
        games = with_decisions(games, given, Findings())
        places = np.concatenate([places, _others(plan.games, games)])
    ends = [places.min(), places.max()]
    first, last = np.searchsorted(plan.games.offsets, ends, side="right") - 1
    return replace(plan, games=games), int(first), int(last)


def _others(was: Games, games: Games) -> Array:
    """The games that are told another rating of the office than before."""
    return np.flatnonzero(
        ~_same_numbers(was.entry_white, games.entry_white)
        | ~_same_numbers(was.entry_black, games.entry_black)
    )


def _same_numbers(one: Array, other: Array) -> Array:
    same: Array = (one == other) | (np.isnan(one) & np.isnan(other))
    return same


def follow(
    run: Run, first: int, last: int, old: Changes, row_offsets: Array, last_use: Array | None
) -> Correction:
    """Replay a run that stands before batch ``first``, as far as the correction reaches.

    ``first`` and ``last`` are the first and the last batch with a corrected game, ``old``
    are the rows of before, ``row_offsets`` where those of each batch begin.  The stretches
    that are compared at once grow, so that a correction that reaches far costs no more
    than a replay.
    """
    count = len(run.plan)
    kept_matters = run.program.bulk.keeping is not None
    differs = np.zeros(run.players, bool)
    touched = np.zeros(run.players, bool)
    batches = 0
    open_until = last + 1
    news: list[Changes] = []
    olds: list[Changes] = []
    replayed: list[Changes] = []
    stretch = 1
    while run.next_batch < count:
        begin = run.next_batch
        end = min(count, begin + stretch)
        made = joined([run.no_changes(), *run.batches(end)])
        replayed.append(made)
        was = cut(old, int(row_offsets[begin]), int(row_offsets[end]))
        is_other, was_other = _differences(was, made)
        some_new, some_old = taken(made, is_other), taken(was, was_other)
        news.append(some_new)
        olds.append(some_old)
        numbers = np.concatenate([some_new.batch, some_old.batch])
        batches += len(np.unique(numbers))
        touched[some_new.player] = True
        touched[some_old.player] = True
        # The last row of a player in this stretch tells how he stands after it.
        differs[made.player] = _last_wins(differs, made, is_other)[made.player]
        gone = np.setdiff1d(some_old.player, some_new.player)
        differs[gone] = True
        if kept_matters:
            differs |= touched & (run.people.head >= 0)
        if len(numbers) and last_use is not None:
            lists = np.arange(int(numbers.min()) + 1, int(numbers.max()) + 2)
            open_until = max(open_until, int(last_use[lists].max()) + 1)
        elif len(numbers):
            open_until = max(open_until, int(numbers.max()) + 1)
        if not differs.any() and run.next_batch >= open_until:
            break
        stretch *= 2
    reached_end = run.next_batch >= count and bool(differs.any())
    return Correction(
        first,
        run.next_batch,
        batches,
        int(touched.sum()),
        joined(olds),
        joined(news),
        joined(replayed),
        run.snapshot() if reached_end else None,
    )


def _last_wins(differs: Array, made: Changes, is_other: Array) -> Array:
    state = differs.copy()
    state[made.player] = is_other
    return state


def _differences(was: Changes, made: Changes) -> tuple[Array, Array]:
    """Which of the new rows differ from the old, and which of the old from the new."""
    same_keys = len(was) == len(made) and bool(
        np.array_equal(was.player, made.player) and np.array_equal(was.batch, made.batch)
    )
    if same_keys:
        other = ~_equal(was, made, slice(None), slice(None))
        return other, other
    _, at_old, at_new = np.intersect1d(row_keys(was), row_keys(made), return_indices=True)
    equal = _equal(was, made, at_old, at_new)
    is_other, was_other = np.ones(len(made), bool), np.ones(len(was), bool)
    is_other[at_new[equal]] = False
    was_other[at_old[equal]] = False
    return is_other, was_other


def row_keys(rows: Changes) -> Array:
    """A number for each row: its batch, its player, and the how manieth of them it is."""
    keys: Array = (rows.batch.astype(np.int64) << 31) + rows.player
    order = np.argsort(keys, kind="stable")
    again = np.r_[False, keys[order][1:] == keys[order][:-1]][: len(keys)]
    if not again.any():
        return keys
    # Several rows of a player in a batch: counted from the first of them.
    first = np.flatnonzero(~again)
    nth = np.arange(len(keys)) - np.repeat(first, np.diff(np.r_[first, len(keys)]))
    counted = np.empty(len(keys), np.int64)
    counted[order] = nth
    keys += counted << 52
    return keys


def _equal(was: Changes, made: Changes, old: Any, new: Any) -> Array:
    """Whether rows leave the same standing and say the same."""
    equal: Array = was.left[old] == made.left[new]
    for name in ("before", "after", "games", "score", "expected"):
        equal &= _same_numbers(getattr(was, name)[old], getattr(made, name)[new])
    return equal


def joined(parts: list[Changes]) -> Changes:
    """Several stretches of rows as one."""
    names = Changes.__dataclass_fields__
    return Changes(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def taken(rows: Changes, which: Array) -> Changes:
    """Some of the rows."""
    return Changes(*(getattr(rows, name)[which] for name in Changes.__dataclass_fields__))


def cut(rows: Changes, begin: int, end: int) -> Changes:
    """A stretch of rows."""
    names = Changes.__dataclass_fields__
    return Changes(*(getattr(rows, name)[begin:end] for name in names))


def preview(correction: Correction, players: pa.Array) -> pa.Table:
    """The rows that differ, old beside new, by batch and player."""
    old, new = correction.old, correction.new
    old_keys, new_keys = row_keys(old), row_keys(new)
    keys = np.union1d(old_keys, new_keys)
    keys = keys[np.argsort(keys & ((1 << 52) - 1), kind="stable")]
    sorter = np.argsort(keys)
    columns: dict[str, Any] = {
        "batch": ((keys >> 31) & ((1 << 21) - 1)).astype(np.int32),
        "player": players.take(pa.array(keys & ((1 << 31) - 1))),
    }
    for title, rows, numbers in (("old", old, old_keys), ("new", new, new_keys)):
        at = sorter[np.searchsorted(keys, numbers, sorter=sorter)]
        for name in ("before", "after", "score"):
            values = np.full(len(keys), np.nan)
            values[at] = getattr(rows, name)
            columns[f"{name}_{title}"] = pa.array(values, mask=np.isnan(values))
    return pa.table(columns)
