"""The games of a what-if: an opponent, a score, and what else a rule book reads of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext, pgettext

from ratingbook.desk.planned import (
    MOST_STONES,
    OPEN,
    BadGame,
    BadOpponent,
    Planned,
    planned,
    scored,
)
from ratingbook.desk.whatif import reads_ground, reads_margin
from ratingbook.rules.book import RuleBook
from ratingbook.site.shown.whatif_fields import number

GAMES = 15
"""So many games can be asked about at once."""
_ROWS = 5
_UNRATED = "unrated"
"""What :func:`planned` calls an opponent without a rating."""
_DECIDED = ("1", "0")
"""The scores of games with a winner."""


@dataclass(frozen=True)
class Columns:
    """What a rule book reads of a game beside opponent and score."""

    stones: bool
    margin: bool
    ground: bool

    @property
    def letters(self) -> str:
        """How the names of the fields of a game begin, before its number."""
        return "or" + "h" * self.stones + "m" * self.margin


def columns_of(book: RuleBook) -> Columns:
    """Whether stones, the margin, and who is at home count."""
    return Columns(book.handicaps, reads_margin(book), reads_ground(book))


@dataclass(frozen=True)
class GameRow:
    """A game of the form."""

    number: int
    opponent: str
    score: str
    stones: str
    margin: str


def rows(said: Mapping[str, str], columns: Columns) -> tuple[GameRow, ...]:
    """The games that are asked about, with some that are empty."""
    numbers = [int(key[1:]) for key in said if re.fullmatch(r"o[0-9]{1,2}", key) and said[key]]
    asked = 1 if said.get("add") else 0
    count = min(GAMES, max(_ROWS, max(numbers, default=0) + asked))
    return tuple(_row(number, said, columns) for number in range(1, count + 1))


def _row(n: int, said: Mapping[str, str], columns: Columns) -> GameRow:
    score, margin = scored(said.get(f"r{n}", OPEN)) or (OPEN, None)
    stones = said.get(f"h{n}", "") if columns.stones else ""
    by = said.get(f"m{n}", "") or ("" if margin is None else str(margin))
    return GameRow(n, said.get(f"o{n}", ""), score, stones, by if columns.margin else "")


def unrated() -> str:
    """What is typed in for an opponent without a rating, in the language of the page."""
    return pgettext("typed in for an opponent", "unrated")


def game(row: GameRow, book: RuleBook) -> Planned:
    """A game as the form has it; of a name with a number the number counts."""
    who = row.opponent
    last = re.split(r"[,\s]+", who)[-1]
    who = last if re.fullmatch(r"[\d.]+(/\d+)?", last) else who
    if who.casefold() == unrated().casefold():
        who = _UNRATED
    stones = number(row.stones, title := gettext("The number of stones"))
    if stones and not (stones.is_integer() and abs(stones) <= MOST_STONES):
        raise BadGame(
            gettext("{title} is a whole number up to {most}, with a minus where you take them, "
                    "not “{text}”").format(title=title, most=MOST_STONES, text=row.stones)
        )  # fmt: skip
    if stones:
        who += f"/{'give' if stones > 0 else 'take'}{abs(int(stones))}"
    score = row.score + _margin(row)
    # A sign of equality always stands in it: no text of a reader is ever taken for a file.
    try:
        game = planned(f"{who.replace('=', ' ')}={score}", row.number, book)
    except BadOpponent:
        # The sentence of the command tells how games are typed there.
        raise BadGame(
            gettext("“{text}” is no rating of an opponent").format(text=row.opponent)
        ) from None
    name = gettext("opponent {n}").format(n=row.number)
    # The word of the command stands in no sentence of a page.
    is_unrated = who.partition("/")[0].casefold() == _UNRATED
    called = f"({unrated()})" if is_unrated else game.opponent.name
    return game._replace(opponent=replace(game.opponent, id=name, name=called))


def _margin(row: GameRow) -> str:
    """By how many points a game was won or lost, as the command has it."""
    margin = number(row.margin, title := gettext("The margin"))
    if margin is None:
        return ""
    if not (margin.is_integer() and 0 <= margin < 10_000):
        raise BadGame(gettext("{title} cannot be “{text}”").format(title=title, text=row.margin))
    if row.score not in _DECIDED:
        raise BadGame(gettext("A margin goes with a game that was won or lost."))
    return f":{int(margin)}"
