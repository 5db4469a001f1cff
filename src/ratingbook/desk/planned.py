"""Games of a what-if as one writes them: ``1900=1``, ``3k/give2=0``, ``2200=?``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from ratingbook.formats.tools.nearby import not_there
from ratingbook.model import BadArgument, Entry, Game, Result, Standing
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import RuleBook

ME = "me"
_ESTABLISHED = 100
"""Games of an opponent of whom nothing else is said."""
MOST_STONES = 9
"""More are no handicap that a game has."""
_SCORES = {
    "1": 2, "w": 2, "win": 2, "0.5": 1, "0,5": 1, "½": 1, "1/2": 1, "=": 1, "d": 1, "draw": 1,
    "0": 0, "l": 0, "loss": 0,
}  # fmt: skip
OPEN = "?"
SCORES = ("1", "0.5", "0", OPEN)
"""As which all of these are understood, the best first, and an open game."""
RESULTS = {2: Result.WHITE_WINS, 1: Result.DRAW, 0: Result.BLACK_WINS}
_MARGIN = pattern(r"(?P<score>[^:]+):(?P<margin>\d{1,4})")
_OPPONENT = pattern(
    r"(?P<who>-?[\d.]+|unrated|\d{1,2}[kdp])(?:/(?P<games>\d+))?"
    r"(?:/(?P<stones>h-?|give|take)(?P<count>\d))?(?:/(?P<ground>home|away))?",
    re.IGNORECASE,
)


def _no_file(text: str) -> str:
    """That it is no file either, for what is none of the games that are written so."""
    missing = None if "=" in text else not_there(Path(text))
    return "" if missing is None else f", and there{missing.removeprefix('There').rstrip('.')}"


def scored(text: str) -> tuple[str, int | None] | None:
    """A score, one of ``SCORES``, with the margin that was said; None: it is none.

    ``½`` and ``draw`` are ``0.5``; ``0:7`` was lost by 7 points.
    """
    score, margin = text.strip().lower(), None
    if match := _MARGIN.fullmatch(score):
        score, margin = match["score"], int(match["margin"])
    half_points = _SCORES.get(score)
    if half_points is None:
        return (OPEN, margin) if score == OPEN else None
    return SCORES[2 - half_points], margin


class BadGame(BadArgument):
    """A game of the command line that cannot be understood."""


class BadOpponent(BadGame):
    """One of which it is not even clear what was meant."""


class Planned(NamedTuple):
    """One game: the opponent, and the score in half points; None: open."""

    opponent: Entry
    half_points: int | None
    stones: int = 0
    """Go: stones that the opponent takes; negative: that the player takes."""
    ground: str | None = None
    """``home`` or ``away``; None: on neutral ground."""
    margin: int | None = None
    """By how many points it was won or lost."""
    weaker_takes: bool = False
    """Whether the stones go to the weaker of both, whoever that is."""


def planned(text: str, index: int, book: RuleBook) -> Planned:
    """A game such as ``1900=1``, ``2050/12=½``, ``3k/give2=0``, ``1600/away=0:7`` or ``2200=?``.

    Raises :class:`BadGame` with a sentence that says what is expected.
    """
    who, equals, said = text.strip().partition("=")
    match = _OPPONENT.fullmatch(who.strip())
    outcome = scored(said)
    if not equals or match is None or outcome is None:
        raise BadOpponent(
            "a game is OPPONENT=SCORE, such as 1900=1, 2050/12=½ (against a player of 12 games), "
            "5k/give2=0 (you give 2 stones), 1d/take3=1 (you take 3), 1600/away=0:7 (lost there "
            f"by 7 points) or 2200=?; not {text!r}" + _no_file(text)
        )
    stones = int(match["count"] or 0)
    if stones and not book.handicaps:
        raise BadGame(sentence("{book} knows no handicap: {text!r}", book=book.name, text=text))
    how = (match["stones"] or "").lower()
    name = match["who"].lower()
    games = int(match["games"]) if match["games"] else _ESTABLISHED
    player = f"opponent {index}"
    if name[-1] in "kdp" and name != "unrated":
        if not book.domain.grades:
            raise BadGame(sentence("{book} knows no grades: {text!r}", book=book.name, text=text))
        entry = Entry(player, name=f"({name})", grade=name)
    elif name == "unrated":
        entry = Entry(player, name=f"({name})")
    else:
        entry = Entry(player, name=f"({name})", standing=_standing(name, games))
    ground = match["ground"].lower() if match["ground"] else None
    if stones and ground:
        raise BadGame(f"a game is with stones, or at somebody's home: {text!r}")
    score, margin = outcome
    half_points = _SCORES.get(score)
    if margin is not None and half_points in (None, 1):
        raise BadGame(f"a margin goes with a game that was won or lost: {text!r}")
    taken_by_me = how in ("take", "h-")
    return Planned(
        entry, half_points, -stones if taken_by_me else stones, ground, margin, how == "h"
    )


def _standing(rating: str, games: int) -> Standing:
    try:
        value = float(rating)
    except ValueError:
        raise BadGame(sentence("{rating!r} is no rating", rating=rating)) from None
    return Standing(rating=int(value) if value.is_integer() else value, games=games)


def game_of(game: Planned, half_points: int | None, round_: int) -> Game:
    """The game as a report holds it: Black takes the stones, White is at home."""
    has_black = game.stones < 0 or game.ground == "away"
    margin = None
    if game.margin is not None and half_points is not None:
        margin = game.margin * (half_points - 1) * (-1 if has_black else 1)
    result = Result.NONE
    if half_points is not None:
        result = RESULTS[2 - half_points if has_black else half_points]
    return Game(
        game.opponent.id if has_black else ME,
        ME if has_black else game.opponent.id,
        result,
        round=round_,
        handicap=abs(game.stones),
        margin=margin,
        neutral=game.ground is None,
    )
