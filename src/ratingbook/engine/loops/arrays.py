"""The columns that the loops over games and players work on, as tuples of arrays.

Compiled they are arrays of NumPy; where a report is rated they are lists, and records are
NamedTuples and dictionaries.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ratingbook.rules.event_games import EventGames

Array = Any
"""A column: an array, or a list."""

WHITE_RATED = 1
BLACK_RATED = 2
RATED_SAID = 4
"""The report itself says which of them are rated."""

NO_MARGIN = -(2**15)
"""The margin of a game of which none is said."""

NO_CONDITIONS = 2 * NO_MARGIN
"""No margin, and White at home."""


SEATS = 1 << 32
"""A mark is the number of the batch, from 1, times this, and the seat."""


class Games(NamedTuple):
    """The games in the order of their batches; an empty column is one that says nothing."""

    offsets: Array
    """First game of each batch, and the number of games."""
    white: Array
    black: Array
    score: Array
    handicap: Array
    rated: Array
    event: Array
    start: Array
    """First day of a game; empty: that of its event."""
    end: Array
    slot: Array
    """Row of the numbers in force for a game; empty: always those of the last list."""
    entry_white: Array
    entry_black: Array
    """Grade with which a player entered the event; empty: that of the players file.  Where each
    game is rated by itself: the rating that the office set, or NO_NUMBER."""
    white_number: Array
    black_number: Array
    """Ratings in force that a game itself names; NOT_GIVEN: none, empty: no game does."""
    white_reached: Array
    """The highest number that games of the batch name for White, of events begun by then; 0: none.
    Empty where no rule asks for it."""
    black_reached: Array
    status: Array
    """How a game came to its result; empty: all were played."""
    reported: Array
    """Day on which a result came in; empty: that on which the game ended."""
    white_for: Array
    """Whom White replaces, −1: nobody; empty: no game has a substitute."""
    black_for: Array
    turn: Array
    """What tells a game's section and round; empty: no rule asks for it, or nobody says it."""
    conditions: Array
    """Margins and grounds as :func:`~ratingbook.engine.history.columns.conditions_of` has them."""


def columns_of_players(games: Any) -> list[Array]:
    """The columns that name players; those of substitutes only where there are some."""
    columns = (games.white, games.black, games.white_for, games.black_for)
    return [each for each in columns if each is not None and len(each)]


class Events(NamedTuple):
    """The events, by number."""

    start: Array
    end: Array
    facts: Array


class Batches(NamedTuple):
    """What is known of each batch besides its games."""

    day: Array
    event: Array
    """The event of the batch; of no matter where a batch holds several."""
    whole: Array
    """A number for all events that are sections of one: decisions last for all of these."""


class People(NamedTuple):
    """The players' columns; ``standings`` is what batches change."""

    standings: Array
    work: Array
    """What is worked on in a batch, by seat: who meets sits close together."""
    aside: Array
    """What few players need of that: what is of those whose round is no sum, and what few sides
    change."""
    values: Array
    in_force: Array
    birth: Array
    adult: Array
    grade: Array
    last: Array
    decided: Array
    """What the office decided for the players; empty: nothing."""
    head: Array
    tail: Array


class Room(NamedTuple):
    """Room for the work on one batch."""

    mark: Array
    """The latest batch of each player and the seat in it, as one number."""
    members: Array
    """The players of the batch, by seat."""
    seat_white: Array
    """Seat of White in each game of the batch."""
    seat_black: Array
    solvers: Array
    """Seats of those whose round is no sum."""
    waiting: Array
    """Games with a side that waits for the kernel."""
    sides: Array
    event_games: EventGames
    """The games of the event that is passed, where a rule asks for all of them."""
    kept: Array
    link: Array
    """Next kept side of the same player, or the next free place."""
    free: Array
    """First free place among the kept sides, and how many are free."""
    passed_over: Array
    """How many halves of games are in no row of changes."""
    predicted: Array
    """What was expected of White in each game before it; empty: nobody asks."""
    unsettled: Array
    """How many batches could not be rated since their numbers went on moving, the first of them,
    and the round that did not settle in the last one."""


class Rows(NamedTuple):
    """Rows of changes, one after the other; none without room, ``left`` only if it has some."""

    used: Array
    player: Array
    batch: Array
    before: Array
    after: Array
    games: Array
    score: Array
    expected: Array
    left: Array
