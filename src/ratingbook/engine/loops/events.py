"""The games of an event, for rules that look at all of them: matches, round robins."""

from __future__ import annotations

from typing import Any

from ratingbook.engine.loops.arrays import Games, People, Room
from ratingbook.engine.loops.names import (
    HAS_IN_FORCE,
    HAS_STATUS,
    code_of,
    event_number,
    load_entered,
    number_at,
    place_of,
    whole,
)
from ratingbook.rules.event_games import add_up


def event_span(game: Any, begin: Any, end: Any, events: Any) -> Any:
    """Where the games of the event of a game begin and end: they stand together."""
    first = game
    while first > begin and events[place_of(first - 1)] == events[place_of(game)]:
        first -= 1
    after = game + 1
    while after < end and events[place_of(after)] == events[place_of(game)]:
        after += 1
    return first, after


def lay_event(
    first: Any, after: Any, base: Any, slot: Any, games: Games, people: People, room: Room, p: Any
) -> None:
    """Puts the games of an event beside each other, with the numbers in force."""
    beside = room.event_games
    for game in range(first, after):
        at = place_of(game)
        seat = place_of(game - base)
        status: Any = 0
        if HAS_STATUS:
            status = code_of(games.status[at])
        place = place_of(game - first)
        beside.white[place] = whole(games.white[at])
        beside.black[place] = whole(games.black[at])
        beside.white_seat[place] = white = room.seat_white[seat]
        beside.black_seat[place] = black = room.seat_black[seat]
        beside.white_number[place] = number_of(0, game, white, slot, games, people, p)
        beside.black_number[place] = number_of(1, game, black, slot, games, people, p)
        beside.score[place] = whole(games.score[at])
        beside.status[place] = status
    add_up(beside, after - first)


def number_of(
    colour: Any, game: Any, seat: Any, slot: Any, games: Games, people: People, p: Any
) -> Any:
    """The number with which a player of a game is in the event."""
    at = place_of(game)
    named = games.black_number if colour else games.white_number
    number = whole(named[at]) if len(named) else 0
    if number <= 0 and HAS_IN_FORCE:
        row = whole(games.slot[at]) if len(games.slot) else slot
        player = games.black[at] if colour else games.white[at]
        number = whole(number_at(people.in_force, place_of(row), place_of(player)))
    entered = load_entered(people.work, people.aside, place_of(seat), p)
    return event_number(entered, number, p)
