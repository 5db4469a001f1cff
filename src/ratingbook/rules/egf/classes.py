"""Paragraphs 1 and 10: which events count, and with what weight."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from ratingbook.rules.egf.columns import Parameters
from ratingbook.rules.paragraph import paragraph

FIRST_DAY = date(1996, 1, 1)
"""Events from this day on are rated."""

CLASSES = ("A", "B", "C", "D")

BYOYOMI_MOVES = 45
CANADIAN_MOVES = 60
FISCHER_MOVES = 120


class TimeLimit(NamedTuple):
    """A time limit: minutes of basic time, and seconds a move in addition, by system."""

    basic: float
    byoyomi_seconds: float = 0.0
    canadian_seconds: float = 0.0
    """Seconds of a period, divided by its moves."""
    fischer_seconds: float = 0.0


@paragraph("1", "events before {first} are not rated", silent=True)
def is_of_our_time(day: date | None, first: date) -> bool:
    """Paragraph 1: events from 1 January 1996 on."""
    return day is None or day >= first


@paragraph("1", "{minutes} minutes for each player: too fast to be rated", silent=True)
def is_slow_enough(minutes: float, p: Parameters) -> bool:
    """Paragraph 1: fast games (less than 30 minutes each) do not count."""
    return minutes >= p.least_minutes


@paragraph("10", "adjusted time {value} minutes")
def adjusted_minutes(limit: TimeLimit) -> float:
    """Paragraph 10: basic time + 45 moves of byo-yomi, 60 Canadian, or 120 Fischer moves."""
    seconds = (
        BYOYOMI_MOVES * limit.byoyomi_seconds
        + CANADIAN_MOVES * limit.canadian_seconds
        + FISCHER_MOVES * limit.fischer_seconds
    )
    return limit.basic + seconds / 60.0


@paragraph("10", "basic {basic}, adjusted {adjusted} minutes: class {value}")
def class_of(basic: float, adjusted: float, fischer: bool, internet: bool) -> str | None:
    """Paragraph 10: the class of a tournament; None: too fast.

    A: basic at least 60 (Fischer 45), adjusted 75; B: 40 (30) and 50; C: 25 (20)
    and 30; D, on the internet: 40 (30) and 50.
    """
    if internet:
        return "D" if basic >= (30 if fischer else 40) and adjusted >= 50 else None
    if basic >= (45 if fischer else 60) and adjusted >= 75:
        return "A"
    if basic >= (30 if fischer else 40) and adjusted >= 50:
        return "B"
    if basic >= (20 if fischer else 25) and adjusted >= 30:
        return "C"
    return None


@paragraph("10", "class {class_}: weight {value}")
def class_weight(class_: str, p: Parameters) -> float:
    """Paragraph 10: the weight of a class; 0 for a class that the edition does not know."""
    if class_ == "A":
        return p.weight_a
    if class_ == "B":
        return p.weight_b
    if class_ == "C":
        return p.weight_c
    return p.weight_d if class_ == "D" else 0.0


_MINUTES = re.compile(r"(\d+(?:\.\d+)?)\s*(?:minutes\b|min\b|m\b|')?\s*", re.IGNORECASE)
_EXTRA = re.compile(
    r"\+\s*(?:(?P<moves>\d+)\s*(?:stones|moves)\s*in\s*(?P<minutes>\d+)\s*(?:minutes|min|m|')"
    r"|(?:\d+\s*x\s*)?(?P<seconds>\d+)\s*(?:s|sec|seconds|\")?)\s*"
    r"(?P<system>byo-?yomi|canadian|fischer)?\s*",
    re.IGNORECASE,
)


def parsed_time(text: str | None) -> TimeLimit | None:
    """Basic time and byo-yomi of a text; None for what cannot be understood.

    ``60``, ``60 + 3x30s byo-yomi``, ``45 + 10s fischer``, ``50 + 15 stones in 5 min``.
    """
    stripped = re.sub(r"^\s*T[MA]\s*\[?|\]\s*$", "", text or "", flags=re.IGNORECASE).strip()
    match = _MINUTES.match(stripped)
    if match is None:
        return None
    basic, rest = float(match[1]), stripped[match.end() :]
    if not rest:
        return TimeLimit(basic)
    extra = _EXTRA.fullmatch(rest)
    if extra is None:
        return None
    if extra["moves"]:
        if int(extra["moves"]) == 0:
            return None
        return TimeLimit(basic, canadian_seconds=60.0 * int(extra["minutes"]) / int(extra["moves"]))
    system = (extra["system"] or "byo-yomi").lower()
    seconds = float(extra["seconds"])
    if system == "fischer":
        return TimeLimit(basic, fischer_seconds=seconds)
    if system == "canadian":
        return TimeLimit(basic, canadian_seconds=seconds)
    return TimeLimit(basic, byoyomi_seconds=seconds)
