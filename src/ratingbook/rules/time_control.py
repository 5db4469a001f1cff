"""Time controls as reports write them."""

from __future__ import annotations

import re
from typing import NamedTuple


class TimeControl(NamedTuple):
    """Minutes of a game for each player, and seconds of delay or increment a move."""

    minutes: int
    seconds: int


_PERIOD = re.compile(r"(?:(?:g|sd|game)\s*/?\s*|\d+\s*/\s*)?(\d+)", re.IGNORECASE)
_EXTRA = re.compile(r"(?:d|td|i|inc|\+)\s*/?\s*(\d+)", re.IGNORECASE)


def parsed_time_control(text: str | None) -> TimeControl | None:
    """A time control such as G/45;d5, G/90;+30, 40/90,SD/30;d5 or 90+30; None for no such text."""
    minutes = 0
    seconds = 0
    parts = [part for part in re.split(r"[;,\s]+|(?=\+)", (text or "").strip()) if part]
    for part in parts:
        period, extra = _PERIOD.fullmatch(part), _EXTRA.fullmatch(part)
        if period:
            minutes += int(period[1])
        elif extra:
            seconds += int(extra[1])
        else:
            return None
    return TimeControl(minutes, seconds) if minutes else None
