"""Paragraph 14, and which list an event belongs to: what it says, its name, its time control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ratingbook.model import Event
from ratingbook.rules.bulk import NO_NUMBER
from ratingbook.rules.fide.columns import (
    NO_RATING,
    Parameters,
    Pool,
    Standing,
    Tempo,
    pool_named,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.pool_words import speed_named
from ratingbook.rules.pooling import Pools
from ratingbook.rules.time_control import TimeControl
from ratingbook.rules.time_words import parsed_time_controls
from ratingbook.rules.units import FloatRating, Rating

MOVES = 60
"""A game is taken to last so many moves."""
STANDARD_LEAST = 60
"""Fewer minutes are rapid or blitz for everybody."""


@paragraph("14", "{control.minutes} minutes and {control.seconds} seconds a move: {value} in all")
def minutes_of_game(control: TimeControl) -> int:
    """Paragraph 14: the minutes in which a player has to complete 60 moves."""
    return control.seconds_for(MOVES) // 60


@paragraph("14", "rated {highest} at most: at least {value} minutes")
def least_minutes(highest: Rating, p: Parameters) -> int:
    """Paragraph 14, standard: more time where one of the players is strong."""
    strong, middle = (2400, 1800) if p.tempo >= Tempo.YEAR_2022 else (2200, 1600)
    if highest >= strong:
        return 120
    return 90 if highest >= middle else 60


@paragraph("14", "{minutes} minutes: rated", otherwise="{minutes} minutes: not rated on this list")
def is_admitted(minutes: int, highest: Rating, p: Parameters) -> bool:
    """Paragraph 14: whether games at this rate belong to the list that is rated.

    Rapid from 15 minutes to less than 60, blitz from 5 to less than 15; from 2024
    rapid above 10 and blitz above 3 up to 10.
    """
    if p.pool == Pool.STANDARD:
        return minutes >= least_minutes(max(highest, NO_RATING), p)
    return pool_of_minutes(minutes, p) == p.pool


def pool_of_minutes(minutes: int, p: Parameters) -> Pool | None:
    """Paragraph 14: the list of games at this rate, whoever plays; None: too fast for any."""
    if minutes >= STANDARD_LEAST:
        return Pool.STANDARD
    rapid, blitz = (11, 4) if p.tempo >= Tempo.YEAR_2024 else (15, 5)
    if minutes >= rapid:
        return Pool.RAPID
    return Pool.BLITZ if minutes >= blitz else None


@dataclass(frozen=True, slots=True)
class PoolsOfEvent:
    """The list by each of the three things that can tell it; None where one does not."""

    said: Pool | None
    named: Pool | None
    """By a word in the name of the event, or in its time control."""
    control: TimeControl | None
    minutes: int
    """For a game, where the control is understood."""
    timed: Pool | None
    mixed: bool = False
    """Whether the event has several time controls, of different lists; the others are of the
    fastest."""

    @property
    def found(self) -> Pool | None:
        """The list: what is said goes before the name, and that before the time control."""
        return next(
            (pool for pool in (self.said, self.named, self.timed) if pool is not None), None
        )


def pools_of(event: Event, p: Parameters) -> PoolsOfEvent:
    """What an event tells of its list, by the limits of the edition."""
    controls = sorted(parsed_time_controls(event.time_control), key=minutes_of_game)
    control = controls[0] if controls else None
    minutes = minutes_of_game(control) if control else 0
    word = speed_named(event.name) or speed_named(event.time_control)
    timed = [pool_of_minutes(minutes_of_game(each), p) for each in controls]
    return PoolsOfEvent(
        said=pool_named(event.pool),
        named=pool_named(word),
        control=control,
        minutes=minutes,
        timed=timed[0] if timed else None,
        mixed=len(set(timed)) > 1,
    )


class Others(NamedTuple):
    """What the rapid and the blitz list read."""

    standard: FloatRating = NO_NUMBER
    """Published standard rating."""


def counting_pools(event: Event, p: Parameters) -> Sequence[str] | None:
    """The list of an event; none where the edition does not have it, None if nothing tells."""
    told = pools_of(event, p)
    found = told.found
    if event.pool and told.said is None:
        # A word for another list than the three.
        return ()
    if found is None:
        # A control that is understood and of no list is too fast for any.
        return None if told.control is None else ()
    is_kept = found == Pool.STANDARD or p.tempo != Tempo.YEAR_2009
    return (found.name.lower(),) if is_kept else ()


def with_standard(standing: Standing, others: Others, p: Parameters) -> Standing:
    """A standing with the standard rating of now, from which those without a rating start (12)."""
    if p.pool == Pool.STANDARD:
        return standing
    standard = int(others.standard) if others.standard > 0.0 else NO_RATING
    return standing._replace(standard=standard)


POOLS = Pools(
    settings={pool.name.lower(): {"pool": pool} for pool in Pool},
    of_event=counting_pools,
    others=Others,
    told=with_standard,
)
"""Standard, rapid and blitz."""
