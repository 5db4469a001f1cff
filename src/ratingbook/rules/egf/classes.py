"""Paragraphs 1, 10 and 13: which events and games count, and with what weight."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from ratingbook.model import Colour, Event, Game
from ratingbook.model.patterns import pattern
from ratingbook.rules.bulk import NOT_GIVEN, day_number, score_of, status_of
from ratingbook.rules.egf.columns import Facts, Parameters
from ratingbook.rules.half import Status
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.time_control import Extra
from ratingbook.rules.time_words import parsed_time_control
from ratingbook.rules.units import Day, HalfPoints
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


@paragraph(
    "10",
    "basic {basic}, adjusted {adjusted} minutes: class {value}",
    otherwise="basic {basic}, adjusted {adjusted} minutes: too fast for any class",
)
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


_PREFIX = pattern(r"^\s*T[MA]\b\s*\[?|\]\s*$", re.IGNORECASE)
"""The headers of h9 files: adjusted time."""


def parsed_time(text: str | None) -> TimeLimit | None:
    """Basic time and byo-yomi of a text; None if it is not a time limit of Go.

    ``60``, ``60 + 3x30s byo-yomi``, ``45 + 10s fischer``, ``50 + 15 stones in 5 min``.  What
    comes on top without a name is byo-yomi.
    """
    control = parsed_time_control(_PREFIX.sub("", text or ""))
    if control is None or control.black or control.kind is Extra.DELAY:
        return None
    if len(control.periods) > 1 or control.periods[0].moves or control.since > 1:
        return None
    basic = control.basic / 60
    if control.kind is Extra.INCREMENT:
        return TimeLimit(basic, fischer_seconds=control.extra)
    if control.kind is Extra.CANADIAN:
        return TimeLimit(basic, canadian_seconds=control.extra)
    return TimeLimit(basic, byoyomi_seconds=control.extra)


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
    if not has_classes(p):
        return Facts(p.weight_a, recognised)
    return Facts(class_weight(class_, p) if recognised else 0.0, recognised)


@paragraph("13", "{status}: not rated", silent=True)
def was_played(status: Status) -> bool:
    """Paragraph 13: games that were played; byes and forfeits were not."""
    return status <= Status.TIME or status == Status.ADJUDICATED


@paragraph("13", "no result: not rated", silent=True)
def has_result(score: HalfPoints) -> bool:
    """Paragraph 13: a game without a result does not count."""
    return score != NOT_GIVEN


def is_counted(game: Game) -> bool:
    """Paragraph 13 for a game of a report."""
    return was_played(status_of(game)) and has_result(score_of(game, Colour.WHITE))
