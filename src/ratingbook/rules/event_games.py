"""The games of an event beside each other, for rules that look at all of them."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import Any, NamedTuple

from ratingbook.rules.half import Status
from ratingbook.rules.units import Games, HalfPoints, Number, Player, Rating


class EventGames(NamedTuple):
    """The games of an event as columns, and what :func:`add_up` makes of them.

    The games of a player have his seat: a number below that of all seats.
    """

    white: MutableSequence[Player]
    """The player, by the number that ``Half.other`` has too."""
    black: MutableSequence[Player]
    white_seat: MutableSequence[Number]
    black_seat: MutableSequence[Number]
    white_number: MutableSequence[Rating]
    """The rating in force, or the one that the game names, as the rules of events see it."""
    black_number: MutableSequence[Rating]
    score: MutableSequence[HalfPoints]
    """White's; NOT_GIVEN where the game has no result."""
    status: MutableSequence[Status]
    white_points: MutableSequence[HalfPoints]
    """What White had scored against this opponent before; a forfeit counts."""
    black_points: MutableSequence[HalfPoints]
    meetings: MutableSequence[Games]
    """Games that these two have played up to this one."""
    white_earlier: MutableSequence[Number]
    """Place of White's game before this one; −1: there was no such game."""
    black_earlier: MutableSequence[Number]
    latest: MutableSequence[Number]
    """By seat the place of the player's latest game."""
    first: MutableSequence[Number]
    """By seat the place of the first game that was played; −1: none was."""
    number: MutableSequence[Rating]
    """By seat the number in the latest game that was played."""
    points: MutableSequence[HalfPoints]
    """By seat the score of the games that were played."""
    played: MutableSequence[Games]
    """By seat how many these are."""


def takes_part(games: EventGames, place: Number) -> bool:
    """Whether a game was played, and has a result."""
    return games.status[place] <= Status.TIME and games.score[place] >= 0


def add_up(games: EventGames, count: Games) -> None:
    """Goes over the games once, in the order in which they were played."""
    for place in range(count):
        for seat in (games.white_seat[place], games.black_seat[place]):
            games.latest[seat] = games.first[seat] = -1
            games.number[seat] = games.points[seat] = games.played[seat] = 0
    for place in range(count):
        white, black = games.white_seat[place], games.black_seat[place]
        games.white_earlier[place] = games.latest[white]
        games.black_earlier[place] = games.latest[black]
        games.latest[white] = games.latest[black] = place
        meet_again(games, place, meeting_before(games, place))
        if takes_part(games, place):
            games.meetings[place] += 1
            play(games, place, white, games.white_number[place], games.score[place])
            play(games, place, black, games.black_number[place], 2 - games.score[place])


def play(games: EventGames, place: Number, seat: Number, number: Rating, score: HalfPoints) -> None:
    """One more game that a player has played."""
    if games.first[seat] < 0:
        games.first[seat] = place
    games.number[seat] = number
    games.points[seat] += score
    games.played[seat] += 1


def meet_again(games: EventGames, place: Number, before: Number) -> None:
    """What two players bring along from their game before; −1: they have not met."""
    games.white_points[place] = games.black_points[place] = games.meetings[place] = 0
    if before < 0:
        return
    mine, theirs, score = games.white_points[before], games.black_points[before], 0
    if games.status[before] != Status.LEFT_OUT and games.score[before] >= 0:
        score = games.score[before]
        mine, theirs = mine + score, theirs + 2 - score
    if games.white_seat[before] != games.white_seat[place]:
        mine, theirs = theirs, mine
    games.white_points[place], games.black_points[place] = mine, theirs
    games.meetings[place] = games.meetings[before]


def meeting_before(games: EventGames, place: Number) -> Number:
    """Place of the game before this one between the same two; −1: there is none.

    The games of both are gone through backwards at once, so that it takes no longer than those
    of the one who has fewer.
    """
    white, black = games.white_seat[place], games.black_seat[place]
    of_white, of_black = games.white_earlier[place], games.black_earlier[place]
    while of_white >= 0 and of_black >= 0:
        if black in (games.white_seat[of_white], games.black_seat[of_white]):
            return of_white
        if white in (games.white_seat[of_black], games.black_seat[of_black]):
            return of_black
        of_white = earlier(games, of_white, white)
        of_black = earlier(games, of_black, black)
    return -1


def earlier(games: EventGames, place: Number, seat: Number) -> Number:
    """Place of the game before this one of one of the two."""
    if games.white_seat[place] == seat:
        return games.white_earlier[place]
    return games.black_earlier[place]


def room_for(games: Games, seats: Games, column: Callable[[int], Any]) -> EventGames:
    """Room for so many games, and seats, in columns that ``column`` makes."""
    by_seat = len(EventGames._fields) - EventGames._fields.index("latest")
    by_game = len(EventGames._fields) - by_seat
    return EventGames._make(column(n) for n in [games] * by_game + [seats] * by_seat)


def of_zeros(count: int) -> list[int]:
    """A column in plain Python."""
    return [0] * count
