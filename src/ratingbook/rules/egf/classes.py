"""Paragraphs 1 and 10: which events count, and with what weight."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from ratingbook.model import Event
from ratingbook.rules.bulk import NOT_GIVEN, day_number
from ratingbook.rules.egf.columns import Facts, Parameters
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Day
from ratingbook.rules.wording import kind_of

FIRST_DAY = day_number(date(1996, 1, 1))
"""Events from this day on are rated."""

CLASSES = ("A", "B", "C", "D")

INTERNET = "internet"
"""The kind of event whose class is D."""

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


@paragraph("1", "events before {first} are not rated", silent=True, once=True)
def is_of_our_time(day: Day, first: Day) -> bool:
    """Paragraph 1: events from 1 January 1996 on, and those of which no day is known."""
    return day >= first or day == NOT_GIVEN


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


def has_classes(p: Parameters) -> bool:
    """Whether the edition weighs classes differently; in 1998 there were none."""
    return not p.weight_a == p.weight_b == p.weight_c == p.weight_d


def class_of_event(event: Event, p: Parameters) -> tuple[str, bool]:
    """The class of an event, and whether games of such events count; its day is not looked at."""
    given = (event.class_ or "").strip().upper()
    limit = parsed_time(event.time_control)
    minutes = adjusted_minutes(limit) if limit else None
    if minutes is not None and not is_slow_enough(minutes, p):
        return given or "C", False
    if given:
        return given, given in CLASSES or not has_classes(p)
    if limit is None or minutes is None:
        return "A", True
    internet = kind_of(event) == INTERNET
    found = class_of(limit.basic, minutes, limit.fischer_seconds > 0.0, internet)
    return found or "C", found is not None or not has_classes(p)


def facts_of(event: Event, p: Parameters) -> Facts:
    """The weight of the event's class, the same for all without classes; whether it counts."""
    class_, recognised = class_of_event(event, p)
    return Facts(class_weight(class_, p) if has_classes(p) else p.weight_a, recognised)
