"""Paragraph 14: the rates of play at which games are rated."""

from __future__ import annotations

from ratingbook.rules.fide.columns import NO_RATING, Parameters, Pool, Tempo
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.time_control import TimeControl
from ratingbook.rules.units import Rating

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
