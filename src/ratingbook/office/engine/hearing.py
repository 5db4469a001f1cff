"""Where a run hears of the other pools of its federation: at the places of a history of both."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.heard import Heard, Rows
from ratingbook.engine.history.plan import Plan, plan_of
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules.bulk import EPOCH

Array = np.ndarray[Any, Any]

_BEFORE_ALL = np.iinfo(np.int32).min
"""The day of ratings with which players come in."""


def plan_with(
    others: pa.Table, given: HistoryInput, program: Program, assume: float | None
) -> Plan:
    """The plan of a run; where lists are rated, those of the other pools are lists of it, too.

    What an event of this pool begins with may have been published between two lists of its own.
    """
    own = plan_of(given, program, assume)
    days = _days(others)
    listed = np.unique(days[days > _BEFORE_ALL])
    if program.bulk.calendar is None or not len(own) or not len(listed):
        return own
    return plan_of(given, program, assume, np.union1d(own.keys, listed).astype(own.keys.dtype))


def hear(run: Run, others: pa.Table, keys: Sequence[str]) -> None:
    """Let a run hear of them; ``keys`` are those of its batches."""
    codes = {str(each): code for code, each in enumerate(run.given.players.to_pylist())}
    player = np.array([codes.get(each, -1) for each in others["player"].to_pylist()], np.int32)
    days = _days(others)
    batch = _places(run, days, others["key"].to_pylist(), keys)
    order = np.lexsort((np.arange(len(player)), days, batch))
    order = order[player[order] >= 0]
    rating = others["rating"].fill_null(np.nan).to_numpy()
    columns = batch, days, player, _pools(others), rating, others["games"].to_numpy()
    run.hear_later(Heard(Rows(*(each[order] for each in columns)), run.program, run.players))


def _days(others: pa.Table) -> Array:
    days: Array = others["day"].cast(pa.int32()).fill_null(_BEFORE_ALL).to_numpy()
    return days


def _pools(others: pa.Table) -> Array:
    return np.array(others["pool"].to_pylist(), object)


def _places(run: Run, days: Array, said: Sequence[str], keys: Sequence[str]) -> Array:
    """Before which batch each row is heard."""
    own = run.plan.keys
    first, behind = (np.searchsorted(own, days, side=side) for side in ("left", "right"))
    if run.program.bulk.calendar is not None:
        return behind
    # Sections of one day stand in the order of their keys, in whatever pool they are; what is
    # rated in both at once does not hear of itself.
    found = first.copy()
    for place in np.flatnonzero(behind > first).tolist():
        own_keys = keys[first[place] : behind[place]]
        found[place] = first[place] + bisect_right(own_keys, said[place])
    return found


def day_of(run: Run, batch: int) -> date | None:
    """The day of a batch; none of what is before the first."""
    return None if batch < 0 else EPOCH + timedelta(int(run.plan.keys[batch]))
