"""The sides that players keep for later batches, taken out of a state and put back into one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ratingbook.engine.history.state import State

Array = np.ndarray[Any, Any]


def kept_of(state: State, wanted: Array | None = None) -> tuple[Array, Array]:
    """The kept sides of some players, or of all: whose they are, and what they are.

    Player by player, in the order in which they were kept.
    """
    head, link, kept = state.people.head, state.room.link, state.room.kept
    players = np.flatnonzero(head >= 0) if wanted is None else np.sort(wanted[head[wanted] >= 0])
    # All first sides, then all second ones, and so on.
    owners: list[Array] = []
    nodes: list[Array] = []
    node = head[players]
    while len(node):
        owners.append(players)
        nodes.append(node)
        node = link[node]
        goes_on = node >= 0
        players, node = players[goes_on], node[goes_on]
    if not owners:
        return np.empty(0, np.int32), kept[:0].copy()
    owner, all_nodes = np.concatenate(owners), np.concatenate(nodes)
    order = np.argsort(owner, kind="stable")
    return owner[order].astype(np.int32), kept.take(all_nodes[order])


def put_kept(state: State, players: Array, records: Array) -> None:
    """Let players keep these sides and no others."""
    state.people.head[:] = -1
    state.people.tail[:] = -1
    count = len(players)
    state.with_kept_room(count)
    room = state.room
    if not count:
        return
    room.kept[:count] = records
    last = np.r_[players[1:] != players[:-1], True]
    room.link[:count] = np.where(last, -1, np.arange(1, count + 1))
    first = np.r_[True, last[:-1]]
    state.people.head[players[first]] = np.flatnonzero(first)
    state.people.tail[players[last]] = np.flatnonzero(last)
    room.free[0] = count
    room.free[1] = len(room.kept) - count
