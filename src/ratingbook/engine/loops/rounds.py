"""The rounds of a batch for those whose round is no sum: sides laid out, kernels over them."""

from __future__ import annotations

from typing import Any

from ratingbook.engine.loops.arrays import SEATS, People, Room
from ratingbook.engine.loops.names import (
    EVERYBODY,
    EXPLAINS,
    GROWS,
    HAS_BETWEEN,
    HAS_CARRIED,
    HAS_REPEATS,
    NOBODY,
    about,
    between,
    carried_side,
    grown,
    kernel_at,
    kernel_of,
    lasts,
    load_entered,
    load_kept,
    load_side,
    load_value,
    moved,
    other_of,
    place_of,
    round_at,
    set_meetings,
    store_side,
    store_value,
    turn_begins,
    view,
    wants,
    whole,
)


def lay_out(solvers: int, room: Room, people: People, p: Any) -> None:
    """Gives each player a stretch of the sides, and puts the kept ones at its beginning.

    Afterwards ``first`` is where the stretch begins and ``end`` where the next side goes.
    """
    work, aside, solving, sides = people.work, people.aside, room.solvers, room.sides
    everybody = room.members
    head, kept, link = people.head, room.kept, room.link
    place = 0
    for number in range(solvers):
        seat = place_of(solving[place_of(number)])
        aside[seat]["first"] = place
        waiting = whole(aside[seat]["sides"])
        if (waiting or EVERYBODY) and HAS_CARRIED:
            if EXPLAINS:
                about(everybody[seat])
            entered = load_entered(work, aside, seat, p)
            until = whole(aside[seat]["until"])
            node = whole(head[place_of(everybody[seat])])
            while node >= 0:
                carried = load_kept(kept, node)
                if lasts(carried, until, p):
                    store_side(sides, place, carried_side(carried, entered, p))
                    place += 1
                node = whole(link[node])
        aside[seat]["end"] = place
        if GROWS:
            grown(aside, seat, sides, place)
            aside[seat]["end"] = place + waiting
        place += waiting


def count_meetings(batch: int, solvers: int, room: Room, people: People) -> None:
    """How often everybody meets each opponent, counted at the opponents' seats."""
    aside, solving, sides = people.aside, room.solvers, room.sides
    mark, now = room.mark, (batch + 1) * SEATS
    for number in range(solvers):
        seat = place_of(solving[place_of(number)])
        first, end = whole(aside[seat]["first"]), whole(aside[seat]["end"])
        for place in range(first, end):
            aside[place_of(mark[place_of(other_of(sides, place))] - now)]["met"] = 0
        for place in range(first, end):
            aside[place_of(mark[place_of(other_of(sides, place))] - now)]["met"] += 1
        for place in range(first, end):
            met = aside[place_of(mark[place_of(other_of(sides, place))] - now)]["met"]
            set_meetings(sides, place, whole(met))


def play_rounds(solvers: int, room: Room, people: People, facts: Any, p: Any) -> None:
    """The rounds: everybody's value, from the opponents' values of the round before."""
    turn = 0
    kernel = kernel_at(facts, turn, p)
    while kernel >= 0:
        if EXPLAINS:
            turn_begins(0, False)
        play_turn(kernel, turn > 0, False, solvers, room, people, p)
        turn += 1
        kernel = kernel_at(facts, turn, p)


def play_repeated(solvers: int, room: Room, people: People, p: Any) -> bool:
    """The same where rounds are repeated until nothing moves; whether all settled that must."""
    played = False
    number = 0
    turns = round_at(number, p)
    while turns.kernel >= 0:
        if not turns.wanted or somebody_wants(solvers, room, people):
            moves = True
            turn = 0
            while moves and turn < turns.at_most:
                if EXPLAINS:
                    turn_begins(turn, turns.still >= 0)
                most = play_turn(turns.kernel, played, turns.in_turn, solvers, room, people, p)
                if turn > 0 or (turns.goes_on and played):
                    moves = most >= turns.still
                played = True
                turn += 1
            if moves and turns.must_settle:
                room.unsettled[2] = number
                return False
        number += 1
        turns = round_at(number, p)
    return True


def somebody_wants(solvers: int, room: Room, people: People) -> bool:
    """Whether a value of the round before wants the next round."""
    values, solving, everybody = people.values, room.solvers, room.members
    for number in range(solvers):
        if wants(load_value(values, place_of(everybody[place_of(solving[place_of(number)])]))):
            return True
    return False


def play_turn(
    kernel: int, played: bool, in_turn: bool, solvers: int, room: Room, people: People, p: Any
) -> float:
    """One turn of a round; gives by how much a value moved at most, where a round is repeated.

    ``played`` says whether there was a round before.
    """
    work, aside, sides, values = people.work, people.aside, room.sides, people.values
    solving, everybody = room.solvers, room.members
    most = 0.0
    for number in range(solvers if played and not in_turn else 0):
        seat = place_of(solving[place_of(number)])
        move_sides(whole(aside[seat]["first"]), whole(aside[seat]["end"]), sides, values)
    for number in range(solvers):
        seat = place_of(solving[place_of(number)])
        first, end = whole(aside[seat]["first"]), whole(aside[seat]["end"])
        player = place_of(everybody[seat])
        if HAS_REPEATS and in_turn and played:
            move_sides(first, end, sides, values)
        if EXPLAINS:
            about(player)
        entered = load_entered(work, aside, seat, p)
        if HAS_BETWEEN and played:
            entered = between(entered, load_value(values, player))
        value = kernel_of(kernel, entered, view(sides, first, end), p)
        if HAS_REPEATS and played:
            most = max(most, float(abs(value.value - load_value(values, player).value)))
        store_value(values, player, value)
    if EXPLAINS:
        about(NOBODY)
    return most


def move_sides(first: int, end: int, sides: Any, values: Any) -> None:
    """The sides of a player with the opponents' values of now."""
    for place in range(first, end):
        side = load_side(sides, place)
        if side.other >= 0:
            store_side(sides, place, moved(side, load_value(values, side.other)))
