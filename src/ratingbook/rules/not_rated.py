"""Why a half of a game that came in is not rated for its player."""

from __future__ import annotations

from enum import Enum, auto


class NotRated(Enum):
    """A reason that a rule book has; what each is in words stands where it is told."""

    FORFEIT = auto()
    """The game was not played."""
    LATE = auto()
    """It was reported when the time for it was over."""
    UNRATED = auto()
    """The opponent has no rating."""
    FIRST_RATING = auto()
    """The player has no rating, and so far too few games or points for the first."""
    WITHOUT_GRADE = auto()
    """One of the two has neither a rating nor a grade."""
    CLASS = auto()
    """The event is none of the classes that are rated, or of before the first day of the system."""
    SYSTEM = auto()
    """The event is of another rating system."""
    MATCH = auto()
    """In a match the players are not both established, or too far apart."""
    DECIDED = auto()
    """A match was won already, or one of its two has no rating."""
    OTHER_LIST = auto()
    """In an event of another federation: the player is not updated by it, or the opponent is on
    no list of it."""
