"""One result: ``12+/w3`` is a win against place 12, as White, who gave three stones."""

from __future__ import annotations

import re
from typing import NamedTuple

from ratingbook.model.patterns import pattern

WIN, LOSS, JIGO, OPEN = "+", "-", "=", "?"
MIRROR = {WIN: LOSS, LOSS: WIN, JIGO: JIGO, OPEN: OPEN}
"""What stands in the opponent's line."""

_CELL = pattern(
    r"(?P<opponent>[0-9]{1,4})(?P<symbol>[-+=?])(?P<mark>[/!]?)"
    r"(?:(?P<colour>[wb?])(?P<handicap>[0-9]{1,2})?)?",
    re.IGNORECASE,
)
_FORFEIT = "!"
UNKNOWN = "?"
"""A round of which nothing is known; some tables have it alone."""
_HALF_POINTS = pattern(r"[0-9]{1,5}(?:[=½œ]|[.,]5)")
"""½ stands at the place of œ in ISO-8859-15; programs write one and mean the other."""


class Cell(NamedTuple):
    """What a player's line says of one round."""

    opponent: int
    """Place of the opponent; 0: none."""
    symbol: str
    colour: str
    """``w``, ``b``, or nothing."""
    handicap: int | None
    """Stones; None where the result does not say."""
    forfeit: bool
    text: str
    column: int
    """Where the result stands, counting from 1."""


def read_cell(text: str, column: int) -> Cell | None:
    """The result that ``text`` is; None where it is none.

    >>> read_cell("12+/w3", 1)[:5]
    (12, '+', 'w', 3, False)
    """
    if text == UNKNOWN:
        return Cell(0, OPEN, "", None, False, text, column)
    match = _CELL.fullmatch(text)
    if match is None:
        return None
    return Cell(
        opponent=int(match["opponent"]),
        symbol=match["symbol"],
        colour=(match["colour"] or "").lower().strip("?"),
        handicap=int(match["handicap"]) if match["handicap"] else None,
        forfeit=match["mark"] == _FORFEIT,
        text=text,
        column=column,
    )


def is_result(text: str) -> bool:
    """Whether ``text`` is a result, or looks like one."""
    return text == UNKNOWN or _CELL.fullmatch(text) is not None


def is_criterion(text: str) -> bool:
    """Whether ``text`` may be half points in a criterion (``195=``)."""
    return _HALF_POINTS.fullmatch(text) is not None


def is_certain(text: str) -> bool:
    """Whether ``text`` is a result and cannot be a criterion; ``?`` may be either."""
    return text != UNKNOWN and is_result(text) and not is_criterion(text)
