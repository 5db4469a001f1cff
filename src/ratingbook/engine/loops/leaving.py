"""The end of a batch: new standings, rows of changes, and the sides that later batches need."""

from __future__ import annotations

from typing import Any

from ratingbook.engine.loops.arrays import Events, Games, People, Room, Rows
from ratingbook.engine.loops.names import (
    AHEAD,
    CHOOSES,
    EVERYBODY,
    EXPLAINS,
    FOLDS_ALL,
    HAS_DECISIONS,
    HAS_FOLD,
    HAS_IN_FORCE,
    HAS_KEPT,
    HAS_MEMORY,
    HAS_RENEWAL,
    NOBODY,
    about,
    chosen_sides,
    copy_numbers,
    fold_rare,
    fold_value,
    in_force,
    keeps,
    kept_side,
    lasts,
    leave,
    load_entered,
    load_kept,
    load_side,
    load_standing,
    load_tally,
    load_value,
    outcome,
    place_of,
    prefetch,
    remembers,
    renewed,
    set_number,
    store_kept,
    store_standing,
    turn_begins,
    use_up,
    view,
    whole,
)
from ratingbook.engine.loops.rows import write_row


def settle(
    batch: int,
    members: int,
    people: People,
    room: Room,
    rows: Rows,
    low: int,
    high: int,
    day: int,
    p: Any,
) -> None:
    """Everybody with a game that counted leaves with a new standing."""
    numbers, standings, values = people.in_force, people.standings, people.values
    work, aside = people.work, people.aside
    everybody, last = room.members, people.last
    if EXPLAINS:
        turn_begins(0, False)
    row, has_rows = whole(rows.used[0]), len(rows.player) > 0
    rated = 0
    now = (batch + 1) % len(numbers)
    if HAS_IN_FORCE and len(numbers) > 1:
        copy_numbers(numbers, batch % len(numbers), now)
    row_numbers = numbers[place_of(now)]
    for number in range(members):
        seat = place_of(number)
        player = place_of(everybody[seat])
        coming = place_of(everybody[place_of(min(number + AHEAD, members - 1))])
        prefetch(standings, coming)
        prefetch(last, coming)
        if HAS_IN_FORCE:
            prefetch(row_numbers, coming)
        if HAS_KEPT and HAS_FOLD:
            prefetch(people.head, coming)
        if not low <= whole(player) < high:
            continue
        folds = FOLDS_ALL or (HAS_FOLD and bool(work[seat]["folds"]))
        if not (EVERYBODY or folds) and whole(aside[seat]["sides"]) == 0:
            continue
        if EXPLAINS:
            about(player)
        entered = load_entered(work, aside, seat, p)
        if folds:
            value = fold_value(entered, load_tally(work, aside, seat, fold_rare(p)), p)
        else:
            value = load_value(values, player)
        stored = load_standing(standings, player)
        left = leave(entered, value, p)
        if HAS_MEMORY:
            left = remembers(left, whole(aside[seat]["reached"]), p)
        made = outcome(stored, entered, value, left, p)
        if EXPLAINS:
            about(NOBODY)
        if made.games > 0:
            rated += whole(made.games)
            store_standing(standings, player, left)
            last[player] = day
            if HAS_KEPT and HAS_FOLD and folds and whole(people.head[player]) >= 0:
                # Whose round is a sum needs no earlier sides any more.
                forget(seat, player, left, False, people, room, p)
            if HAS_DECISIONS:
                use_up(people.decided, player, batch)
            if HAS_IN_FORCE:
                set_number(numbers, place_of(now), player, in_force(left, p))
        elif EVERYBODY:
            pass
        else:
            aside[seat]["sides"] = 0
            continue
        if not has_rows:
            continue
        write_row(rows, place_of(row), player, batch, made, left, entered, value)
        row += 1
    rows.used[0] = row
    room.passed_over[0] -= rated


def keep(solvers: int, games: Games, events: Events, people: People, room: Room, p: Any) -> None:
    """What later batches need of those who have left this one; who is summed up keeps nothing."""
    aside, standings, head = people.aside, people.standings, people.head
    solving, everybody = room.solvers, room.members
    for number in range(solvers):
        seat = place_of(solving[place_of(number)])
        if whole(aside[seat]["sides"]) == 0:
            continue
        player = place_of(everybody[seat])
        left = load_standing(standings, player)
        stays = keeps(left, p)
        if whole(head[player]) >= 0:
            forget(seat, player, left, stays, people, room, p)
        if stays:
            keep_sides(seat, player, left, games, events, people, room, p)


def keep_sides(
    seat: Any,
    player: Any,
    left: Any,
    games: Games,
    events: Events,
    people: People,
    room: Room,
    p: Any,
) -> None:
    """Keeps the sides of this batch that the player's later ones need."""
    aside = people.aside
    entered = load_entered(people.work, aside, seat, p)
    first, end = whole(aside[seat]["first"]), whole(aside[seat]["end"])
    sides = view(room.sides, first, end)
    if CHOOSES:
        chosen = chosen_sides(sides, entered, left, p)
    for index in range(end - first):
        side = load_side(room.sides, first + index)
        if CHOOSES and not chosen[index]:
            continue
        if side.game >= 0:
            event = whole(games.event[side.game])
            start = (
                whole(games.start[side.game]) if len(games.start) else whole(events.start[event])
            )
            node = whole(room.free[0])
            room.free[0] = room.link[node]
            room.free[1] -= 1
            store_kept(room.kept, node, kept_side(side, start, entered, left, p))
            room.link[node] = NOBODY
            if people.head[player] < 0:
                people.head[player] = node
            else:
                room.link[people.tail[player]] = node
            people.tail[player] = node


def forget(
    seat: Any, player: Any, left: Any, stays: bool, people: People, room: Room, p: Any
) -> None:
    """Frees the places of kept sides that are not needed any more."""
    until = whole(people.aside[seat]["until"])
    node = whole(people.head[player])
    before = NOBODY
    while node >= 0:
        following = whole(room.link[node])
        kept = load_kept(room.kept, node)
        if HAS_RENEWAL:
            kept = renewed(kept, load_entered(people.work, people.aside, seat, p), left, p)
            store_kept(room.kept, node, kept)
        if stays and lasts(kept, until, p):
            before = node
        else:
            if before < 0:
                people.head[player] = following
            else:
                room.link[before] = following
            room.link[node] = room.free[0]
            room.free[0] = node
            room.free[1] += 1
        node = following
    people.tail[player] = before
