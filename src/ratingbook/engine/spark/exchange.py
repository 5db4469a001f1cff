"""What a period rests on, as it is sent to the workers, and what they send back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ratingbook.engine.history.run import Changes
from ratingbook.engine.spark.packing import Packed, unpacked

Array = np.ndarray[Any, Any]


class Sent(NamedTuple):
    """The standings before a period, of those who play in it, in the order of its players."""

    period: int
    standings: tuple[Packed, ...]
    last: Packed
    in_force: dict[int, Packed]
    """The rows of the numbers in force that a game of the period uses."""
    kept_player: Array
    kept: Array
    """Their kept sides, player by player in their order."""
    decided: tuple[Packed, ...]
    """What the office decided for them; none where it decided nothing at all."""
    events: Array
    """The events of which something is known by those who take part,"""
    facts: Array
    """and what is known of them."""


class Rated(NamedTuple):
    """What a bucket's players come to in a period: those who were rated, and their rows."""

    bucket: int
    player: Array
    rows: tuple[Packed, ...]
    """The columns of :data:`ROWS`; none where no rows are wanted."""
    standings: tuple[Packed, ...]
    last: Packed
    in_force: Packed
    kept_player: Array
    kept: Array
    decided_player: Array
    """Players of whom something was decided,"""
    decided: tuple[Packed, ...]
    """what of it is still to come,"""
    decided_number: Array
    """and the number in force that it gave them."""
    passed_over: int
    """Halves of games that do not count."""
    unsettled: bool
    """Whether nobody's rating changes, since the numbers went on moving."""


ROWS = ("before", "after", "games", "score", "expected")
"""The columns of a row of changes that workers send."""


def replaced(
    kept: tuple[Array, Array], players: int, parts: Sequence[Rated]
) -> tuple[Array, Array]:
    """Kept sides, with those of the players who were rated replaced."""
    rated = np.zeros(players, bool)
    for part in parts:
        rated[part.player] = True
    stays = ~rated[kept[0]]
    owner = np.concatenate([kept[0][stays], *(part.kept_player for part in parts)])
    records = np.concatenate([kept[1][stays], *(part.kept for part in parts)])
    order = np.argsort(owner, kind="stable")
    return owner[order], records[order]


def rows_of(parts: Sequence[Rated], period: int, players: Array, nothing: Changes) -> Changes:
    """The rows of all buckets in the order of the period's players, as a local run has them.

    They do not say what standing they left; that column is the one of ``nothing``.
    """
    player = np.concatenate([part.player for part in parts])
    row_of = np.full(int(players.max(initial=0)) + 1, -1, np.int64)
    row_of[player] = np.arange(len(player))
    places = row_of.take(players)
    places = places[places >= 0]
    columns = {
        name: np.concatenate([unpacked(part.rows[place]) for part in parts]).take(places)
        for place, name in enumerate(ROWS)
    }
    batch = np.full(len(places), period, np.int32)
    return Changes(player=player.take(places), batch=batch, left=nothing.left, **columns)
