"""The words of the format: what the values of tags mean, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from ratingbook.formats.tools.dates import only_day
from ratingbook.model import GameStatus, Result
from ratingbook.model.patterns import pattern

ROSTER: Final = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that every game has, in the order of the standard."""
UNKNOWN: Final = "?"
UNKNOWN_DATE: Final = "????.??.??"
LONGEST: Final = 255
"""The characters that a string may have."""
NOBODY: Final = frozenset({"", "?", "-", "nn", "n.n.", "n.n", "n n", "unknown"})
"""Names that name nobody."""
_NO_OPPONENT = frozenset({"bye", "spielfrei", "freilos", "exempt", "exempté", "descansa"})

UNFINISHED: Final = "*"
RESULTS: Final = {
    "1-0": (Result.WHITE_WINS, False),
    "0-1": (Result.BLACK_WINS, False),
    "1/2-1/2": (Result.DRAW, False),
    "1/2": (Result.DRAW, False),
    "½-½": (Result.DRAW, False),
    "½": (Result.DRAW, False),
    "0.5-0.5": (Result.DRAW, False),
    "=-=": (Result.DRAW, False),
    "*": (Result.NONE, False),
    "+--": (Result.WHITE_WINS, True),
    "--+": (Result.BLACK_WINS, True),
    "+-": (Result.WHITE_WINS, True),
    "-+": (Result.BLACK_WINS, True),
    "---": (Result.NONE, True),
    "0-0": (Result.NONE, True),
}
"""Result, and whether it is a forfeit; the first three and ``*`` are the standard's."""

_TERMINATIONS = {
    "normal": GameStatus.PLAYED,
    "rules infraction": GameStatus.PLAYED,
    "death": GameStatus.PLAYED,
    "emergency": GameStatus.PLAYED,
    "resignation": GameStatus.PLAYED,
    "checkmate": GameStatus.PLAYED,
    "stalemate": GameStatus.PLAYED,
    "agreement": GameStatus.PLAYED,
    "unterminated": GameStatus.PLAYED,
    "time": GameStatus.TIME,
    "time forfeit": GameStatus.TIME,
    "time exceeded": GameStatus.TIME,
    "forfeit": GameStatus.FORFEIT,
    "default": GameStatus.FORFEIT,
    "walkover": GameStatus.FORFEIT,
    "no show": GameStatus.FORFEIT,
    "unplayed": GameStatus.FORFEIT,
    "adjudication": GameStatus.ADJUDICATED,
    "adjudicated": GameStatus.ADJUDICATED,
    "abandoned": GameStatus.WITHDRAWN,
    "withdrawal": GameStatus.WITHDRAWN,
    "withdrawn": GameStatus.WITHDRAWN,
    "cancelled": GameStatus.CANCELLED,
    "canceled": GameStatus.CANCELLED,
    "aborted": GameStatus.CANCELLED,
}
_PHRASES = (
    ("on time", GameStatus.TIME),
    ("abandoned", GameStatus.WITHDRAWN),
    ("won by", GameStatus.PLAYED),
    ("drawn by", GameStatus.PLAYED),
)
"""What servers write in sentences (``Doe won on time``)."""
TERMINATION_OF: Final = {
    GameStatus.TIME: "time forfeit",
    GameStatus.FORFEIT: "forfeit",
    GameStatus.ADJUDICATED: "adjudication",
    GameStatus.WITHDRAWN: "abandoned",
    GameStatus.CANCELLED: "cancelled",
}
UNTERMINATED: Final = "unterminated"

KINDS: Final = {
    "swiss": "swiss",
    "tourn": "round_robin",
    "round robin": "round_robin",
    "match": "match",
    "team": "team",
    "k.o.": "knockout",
    "schev": "scheveningen",
}
"""The words of the tag EventType, and ours."""
TYPE_OF: Final = {kind: word for word, kind in reversed(KINDS.items())}
SLOW: Final = "others"
"""What is said of games whose event names no list, beside others that do."""
SPEEDS: Final = frozenset({"standard", "rapid", "blitz"})
"""The lists that EventType may name in brackets."""
_CHAPTER = pattern(
    r"(?:round|board|game|runde|ronde|тур) *[0-9.]+ *[:,-] *.+ +(?:-|vs\.?|–) +.+", re.IGNORECASE
)
"""What studies have for the event: the game of the chapter."""
_BRACKETS = pattern(r"\([^()]*\)")

_DATE = pattern(r"([0-9]{4}|\?+)[./-]([0-9]{1,2}|\?+)[./-]([0-9]{1,2}|\?+)")
_ROUND = pattern(r"0*([1-9][0-9]{0,3})(?:[.\-][0-9.\-]*)?")
_UNRATED = frozenset({"", "?", "-", "0", "unr", "unr.", "unrated", "----", "++++", "none"})
_RATING = pattern(r"([1-9][0-9]{1,3})[?*PpEe]?")
"""Servers mark ratings that rest on few games."""
_ORDER = pattern("[1-9]")


def event_of(names: Sequence[str], event: str) -> str:
    """The name of the event; servers have it in other tags, and in Event that of a chapter."""
    return next(filter(None, names), "") or ("" if _CHAPTER.fullmatch(event) else event)


def is_bye(name: str) -> bool:
    """Whether the name of a player says that there was none."""
    return name.strip(" *()-").casefold() in _NO_OPPONENT


class Day(NamedTuple):
    """A date as far as it is known."""

    day: date | None
    clear: bool = True
    """False where more is written than was understood."""


def day_of(text: str) -> Day:
    """The date in a tag; question marks stand for what is not known."""
    match = _DATE.fullmatch(text)
    if match and "?" not in text:
        day = only_day("/".join(match.groups()))
    elif not text.strip("?.-/ "):
        return Day(None)
    else:
        day = None if match else only_day(text)
    return Day(day, clear=day is not None)


def round_of(text: str) -> tuple[int | None, bool]:
    """The round without game and board (``3.12``), and whether that is all that is said."""
    if text in ("", UNKNOWN, "-", "0"):
        return None, True
    match = _ROUND.fullmatch(text)
    return (int(match[1]), True) if match else (None, False)


def rating_of(text: str) -> tuple[int | None, bool]:
    """The rating, and whether the text is a rating or says that there is none."""
    if text.casefold() in _UNRATED:
        return None, True
    match = _RATING.fullmatch(text)
    return (int(match[1]), True) if match else (None, False)


def is_order(text: str) -> bool:
    """Whether this is a digit by which an arbiter sorts players without a rating."""
    return _ORDER.fullmatch(text) is not None


def result_of(text: str) -> tuple[Result, bool] | None:
    """The result and whether it is a forfeit; None for what is no result."""
    plain = text.replace(" ", "").replace(":", "-").replace(",", ".").replace("+/-", "+--")
    return RESULTS.get(plain.replace("-/+", "--+"))


def status_of(text: str) -> GameStatus | None:
    """How the game ended; None for a word that is not known."""
    plain = " ".join(text.casefold().replace("-", " ").split())
    if plain in ("", UNKNOWN):
        return GameStatus.PLAYED
    if plain in _TERMINATIONS:
        return _TERMINATIONS[plain]
    return next((status for phrase, status in _PHRASES if phrase in plain), None)


def kind_of(text: str) -> str | None:
    """Our word for the type of the event; None if there is none."""
    return KINDS.get(" ".join(_BRACKETS.sub(" ", text).casefold().split()))
