"""Which of the games that a run was fed it rated, for one of the two at least.

Of each player in a batch the rows of the run say how many were rated.  Where these are all, or all
against opponents with a rating, one knows which; else the run is asked, batch by batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.acts import explain
from ratingbook.office.acts.published import table_of
from ratingbook.office.engine.fed import REPLACED, Fed
from ratingbook.office.engine.rules import Rules, never_rated
from ratingbook.office.home import Home
from ratingbook.office.store import models as m

Array = np.ndarray[Any, Any]
_BOARD = ("white", "black")


def rated_games(
    home: Home, run: m.Run, fed: Fed, rules: Rules, batches: tuple[Sequence[str], Sequence[date]]
) -> Array:
    """Of each game that was fed whether it was rated; ``batches`` has key and day of the batch."""
    keys, days = batches
    can_be = _can_be_rated(fed, rules, pa.array(days, pa.date32()), run.until)
    rated, unsure = _by_rows(home, run, fed, keys, can_be)
    of_batch: dict[str, list[int]] = {}
    for game in np.flatnonzero(unsure & ~rated).tolist():
        of_batch.setdefault(keys[game], []).append(game)
    assert fed.ledger is not None
    for key, games in of_batch.items():
        people = _people_of(fed, games)
        told = explain.counted(home, run, people, key).values()
        some = {call for own in told for call in own}
        rated[games] = [fed.ledger[game].as_py() in some for game in games]
    return rated


def _can_be_rated(fed: Fed, rules: Rules, days: pa.Array, until: date) -> Array:
    """The games in batches of the run that came to their results as the rules want it."""
    never = pa.array(sorted(each.value for each in never_rated(rules)), pa.string())
    in_run: Array = np.asarray(pc.less_equal(days, pa.scalar(until, pa.date32())))
    is_never: Array = np.asarray(pc.is_in(fed.games["status"], value_set=never))
    return in_run & ~is_never


def _by_rows(
    home: Home, run: m.Run, fed: Fed, keys: Sequence[str], can_be: Array
) -> tuple[Array, Array]:
    """What the rows tell of the games: which were rated, and which may have been, too."""
    rows = table_of(home, run.file_id or "", ["key", "player", "before", "games"])
    replaced = [each for each in REPLACED if each in fed.games.column_names]
    batch, batch_of_row = _codes(pa.chunked_array([pa.array(keys, pa.string())]), rows["key"])
    *seats, player_of_row = _codes(
        *(fed.games[each] for each in (*_BOARD, *replaced)), rows["player"]
    )
    most = max(int(each.max(initial=-1)) for each in (*seats, player_of_row)) + 1
    # The rows stand by player and turn: the first one of a player has the rating of before.
    places, firsts, place_of_row = np.unique(
        batch_of_row * most + player_of_row, return_index=True, return_inverse=True
    )
    none = len(places)
    counts = np.append(np.bincount(place_of_row, rows["games"].to_numpy(), none), 0)
    has_number = np.append(np.asarray(pc.is_valid(rows["before"]))[firsts], False)
    at = [_found(places, np.where(seat < 0, -1, batch * most + seat)) for seat in seats]
    board, said = np.array(at[:2]), fed.games["rated"].fill_null("both")
    wanted = np.array(
        [can_be & np.asarray(pc.is_in(said, pa.array(["both", side]))) for side in _BOARD]
    )
    met = wanted & has_number[board[::-1]]
    is_all, is_of_met = (
        counts == np.bincount(board[some], minlength=none + 1) for some in (wanted, met)
    )
    # Rules say for whom the game of a substitute is rated.
    substituted = np.zeros(len(keys), bool)
    for seat in seats[2:]:
        substituted |= can_be & (seat >= 0)
    for each in at:
        is_all[each[substituted]] = is_of_met[each[substituted]] = False
    rated = ((wanted & is_all[board]) | (met & is_of_met[board])) & ~substituted
    unsure = wanted & (counts > 0)[board] & ~(is_all | is_of_met)[board]
    return rated.any(axis=0), unsure.any(axis=0) | substituted


def _codes(*columns: pa.ChunkedArray) -> list[Array]:
    """The texts of some columns as numbers that they have in common; -1 for none."""
    every = pa.chunked_array([each for column in columns for each in column.chunks], pa.string())
    codes = every.combine_chunks().dictionary_encode().indices.fill_null(-1)
    ends = np.cumsum([len(each) for each in columns])[:-1]
    return np.split(np.asarray(codes).astype(np.int64), ends)


def _found(places: Array, wanted: Array) -> Array:
    """Where each value stands in an order; behind all of it where it is not there."""
    at = np.searchsorted(places, wanted)
    is_there = np.append(places, -1)[at] == wanted
    return np.where(is_there & (wanted >= 0), at, len(places))


def _people_of(fed: Fed, games: Sequence[int]) -> set[int]:
    """Everybody for whom some games may have been rated."""
    names = [each for each in (*_BOARD, *REPLACED) if each in fed.games.column_names]
    some = fed.games.select(names).take(pa.array(games))
    return {int(each) for name in names for each in some[name].to_pylist() if each is not None}
