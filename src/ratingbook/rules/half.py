"""One player's half of a game, and how the game came to its result."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ratingbook.rules.units import Day, Games, HalfPoints, Number


class Status(IntEnum):
    """How a game came to its result, as :class:`~ratingbook.model.report.GameStatus` has it."""

    PLAYED = 0
    TIME = 1
    FORFEIT = 2
    WITHDRAWN = 3
    ADJUDICATED = 4
    CANCELLED = 5
    BYE = 6
    LEFT_OUT = 7
    """By a rule that looks at the whole event, or at the day of its report."""


class Part(IntEnum):
    """Whether somebody sat at the board in place of another."""

    ALONE = 0
    SUBSTITUTE = 1
    REPLACED = 2


class Half(NamedTuple):
    """One player's half of a game, as the columns have it.

    ``own`` and ``opponent`` are the numbers in force when the event, or the game,
    started, by the ``in_force`` of the edition, or those that the game of a report names;
    without either they are NOT_GIVEN.
    """

    own: int
    opponent: int
    score: HalfPoints
    """NOT_GIVEN where the game has no result."""
    stones: int
    """Handicap stones that the player receives."""
    opponent_stones: int
    start: Day
    """Day on which the event, or the game, started."""
    day: Day
    """Day on which it ended; either is NOT_GIVEN for a game that goes by its own days, where the
    report does not say it."""
    reported: Day
    """Day on which the result came in: by default ``day``."""
    event: Number
    """Number of the event; the games of an event stand together in their batch."""
    meetings: Games
    """How often the player meets this opponent in the batch."""
    other: int
    """The opponent; −1 never occurs here."""
    game: int
    margin: int
    """Points by which the player won, negative: lost; NOT_GIVEN where none is said."""
    home: int
    """1 at home, −1 at the opponent's, 0 on neutral ground."""
    status: Status
    instead: int
    """What the opponent counts as by the games of the event; 0: as the numbers say."""
    part: Part
    partner: int
    """Number in force of the player's substitute, or of the player who is replaced; NOT_GIVEN where
    nobody is replaced."""
    opponents_partner: int
    """The same on the opponent's side."""
    rated_said: bool
    """Whether the report itself says that the game is rated."""
